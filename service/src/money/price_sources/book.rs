//! The price of an order book: halfway between its best offers.
//!
//! The latest trade of a quiet pair may be hours old, while the offers stand now. They are used only if something was traded and
//! they are close together: a suspended market keeps offers that nobody can take.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::decimal::price;
use super::error::PriceError;
use crate::money::price::Price;

/// The largest gap between the best offers, in hundredths of a percent.
const GAP_MAX: u32 = 200;

/// The most that an exchange's own time may be from now. The latest trade of a quiet pair is some minutes old.
const CLOCK_GAP_MAX: Duration = Duration::from_secs(15 * 60);

/// The price halfway between the best offers.
pub(super) fn middle(bid: &str, ask: &str, last: &str) -> Result<Price, PriceError> {
    let (bid, ask) = (price(bid)?, price(ask)?);
    match price(last) {
        Err(PriceError::NotPositive) => return Err(PriceError::Thin),
        other => other?,
    };
    if bid > ask || !bid.is_within(ask, GAP_MAX) {
        return Err(PriceError::Thin);
    }
    Ok(bid.middle(ask))
}

/// Checks an exchange's own time.
pub(super) fn check_time(at: Timestamp, now: Timestamp) -> Result<(), PriceError> {
    match now.since(at).max(at.since(now)) <= CLOCK_GAP_MAX {
        true => Ok(()),
        false => Err(PriceError::Outdated),
    }
}
