//! What a live venue gives, compared with the price sources.

use settlekit_core::error::Reason;

use super::Side;
use crate::money::prices;
use crate::unit::{Outcome, Refusal, Unit};

/// The most, in percent, that the two amounts of a quote may differ in worth by the price sources. Beyond it a pool or an order book was
/// emptied, or moved, or somebody lies.
const STRAY_MAX: i128 = 10;

/// Who pays the bought amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Payer {
    /// The venue itself: it may give more than the price sources say.
    Venue,
    /// The operator, whom the venue pays later: a false price would empty the hot wallet.
    Operator,
}

/// Refuses amounts of a venue that the price sources contradict, and returns what the sold one is worth in millionths of a US dollar.
/// `None` for a currency that no source quotes.
pub(super) fn check_worth(
    unit: &mut Unit<'_>,
    (venue, payer): (&str, Payer),
    (sold, bought): (Side<'_>, Side<'_>),
    (given, taken): (i128, i128),
) -> Outcome<Option<i128>> {
    let prices = prices::of(unit, [sold.currency, bought.currency])?;
    if prices.is_unavailable(sold.currency) || prices.is_unavailable(bought.currency) {
        return Err(unavailable(
            venue,
            "cannot be compared with the price sources now",
        ));
    }
    let Some(given) = prices.usd_of(given, sold.scale, sold.currency) else {
        return Ok(None);
    };
    let Some(taken) = prices.usd_of(taken, bought.scale, bought.currency) else {
        return Ok(Some(given));
    };
    let percent = |part: i128| given.saturating_mul(part) / 100;
    if taken < percent(100 - STRAY_MAX) {
        let why = "gives much less than the price sources say";
        return Err(unavailable(venue, why));
    }
    if payer == Payer::Operator && taken > percent(100 + STRAY_MAX) {
        let why = "gives much more than the price sources say";
        return Err(unavailable(venue, why));
    }
    Ok(Some(given))
}

/// A venue cannot be used now.
pub(super) fn unavailable(venue: &str, why: &str) -> Refusal {
    Refusal::because(Reason::VenueUnavailable, format!("{venue} {why}"))
}
