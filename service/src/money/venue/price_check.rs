//! What a live venue gives, compared with the price sources.

use settlekit_core::error::Reason;

use super::Side;
use crate::money::prices;
use crate::unit::{Outcome, Refusal, Unit};

/// The most, in percent, that a quote may be worth less than the sold amount by the price sources. Beyond it a pool or an order book was
/// emptied, or moved.
const STRAY_MAX: i128 = 10;

/// Refuses amounts of a venue that the price sources contradict, and returns what the sold one is worth in millionths of a US dollar.
/// `None` for a currency that no source quotes.
pub(super) fn check_worth(
    unit: &mut Unit<'_>,
    venue: &str,
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
    let taken = prices.usd_of(taken, bought.scale, bought.currency);
    let least = given.saturating_mul(100 - STRAY_MAX) / 100;
    match taken.is_some_and(|taken| taken < least) {
        true => Err(unavailable(
            venue,
            "gives much less than the price sources say",
        )),
        false => Ok(Some(given)),
    }
}

/// A venue cannot be used now.
pub(super) fn unavailable(venue: &str, why: &str) -> Refusal {
    Refusal::because(Reason::VenueUnavailable, format!("{venue} {why}"))
}
