//! Compares the amounts of live venues with the price sources.

use settlekit_core::error::Reason;

use super::{Exact, Fill, NoFill, Side};
use crate::money::prices;
use crate::unit::{Outcome, Refusal, Unit};

/// The most, in percent, that the two amounts of a quote may differ in worth by the price sources. Beyond it a pool or an order book was
/// emptied, or moved, or a node lies.
const STRAY_MAX: i128 = 10;

/// Who pays the bought amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Payer {
    /// The venue itself: it may give more than the price sources say.
    Venue,
    /// The operator, whom the venue pays later: a false price would empty the hot wallet.
    Operator,
}

/// Refuses amounts of a venue that the price sources contradict, and returns the worth of the sold one in millionths of a US dollar.
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
    match contradiction(payer, (given, taken)) {
        Some(why) => Err(unavailable(venue, why)),
        None => Ok(Some(given)),
    }
}

/// Why the worth of the sold and the bought amount, in millionths of a US dollar, contradicts a fair trade; `None` if it does not.
fn contradiction(payer: Payer, (given, taken): (i128, i128)) -> Option<&'static str> {
    let percent = |part: i128| given.saturating_mul(part) / 100;
    if taken < percent(100 - STRAY_MAX) {
        return Some("gives much less than the price sources say");
    }
    if payer == Payer::Operator && taken > percent(100 + STRAY_MAX) {
        return Some("gives much more than the price sources say");
    }
    None
}

/// The best of the fills that pass a check, each with the name of its venue. If none does, the error of the first one. A false offer
/// hides no other one.
pub(super) fn best_checked(
    exact: Exact,
    fills: Vec<(String, Fill)>,
    mut check: impl FnMut(&str, &Fill) -> Outcome<Result<(), NoFill>>,
) -> Outcome<Result<Fill, NoFill>> {
    let mut passed = Vec::with_capacity(fills.len());
    let mut failed = None;
    for (venue, fill) in fills {
        match check(&venue, &fill) {
            Ok(Ok(())) => passed.push((venue, fill)),
            Err(Refusal::Store(error)) => return Err(Refusal::Store(error)),
            Ok(Err(none)) => failed = failed.or(Some(Ok(none))),
            Err(refusal) => failed = failed.or(Some(Err(refusal))),
        }
    }
    match (exact.best(passed), failed) {
        (Some(best), _) => Ok(Ok(best)),
        (None, Some(Err(refusal))) => Err(refusal),
        (None, Some(Ok(none))) => Ok(Err(none)),
        (None, None) => Ok(Err(NoFill::Size)),
    }
}

/// A venue cannot be used now.
pub(super) fn unavailable(venue: &str, why: &str) -> Refusal {
    Refusal::because(Reason::VenueUnavailable, format!("{venue} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_may_differ_by_a_tenth_of_the_sold_one_and_a_venue_may_give_more() {
        const LESS: Option<&str> = Some("gives much less than the price sources say");
        const MORE: Option<&str> = Some("gives much more than the price sources say");
        // A hundred dollars for 90, for 110, and a millionth beyond.
        for (taken, by_venue, by_operator) in [
            (0, LESS, LESS),
            (89_999_999, LESS, LESS),
            (90_000_000, None, None),
            (100_000_000, None, None),
            (110_000_000, None, None),
            (110_000_001, None, MORE),
            (900_000_000, None, MORE),
        ] {
            for (payer, expected) in [(Payer::Venue, by_venue), (Payer::Operator, by_operator)] {
                let found = contradiction(payer, (100_000_000, taken));
                assert_eq!(found, expected, "{taken} of {payer:?}");
            }
        }
    }
}
