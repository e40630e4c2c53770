//! Parts of orders that an exchange on a chain executes: by a swap from the hot wallet.

use std::time::Duration;

use super::part::{LOOK_AFTER, OpenPart, Progress, next_multiple};
use crate::chains::swap::{self, Start};
use crate::money::venue::SwapMoney;
use crate::store;
use crate::store::execution::SwapTerms;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Parts that wait for another one's swap, or for a sweep, are tried again at multiples of this time, in microseconds: together, so
/// that the oldest is the first.
const RETRY_EVERY: i64 = 2_000_000;

/// The time that approval and swap need. A part that has less left is not started.
const SWAP_TIME: Duration = Duration::from_secs(2 * 60);

/// Starts the swap of a part. It ends without one if it cannot start in the time that the quote leaves.
pub(super) fn step(
    unit: &mut Unit<'_>,
    part: &OpenPart,
    terms: &SwapTerms,
) -> Result<Progress, StoreError> {
    let look_again = Progress::Waits(unit.now.plus(LOOK_AFTER));
    // The end of its transactions ends it.
    if store::outgoing::has_part(unit.database, part.of)? {
        return Ok(look_again);
    }
    let needed_until = unit.now.plus(SWAP_TIME);
    if part.ttl_at.is_none_or(|ttl_at| ttl_at <= needed_until) {
        return Ok(Progress::Ended(None));
    }
    let money = SwapMoney {
        sold: (&part.held.money.currency, part.held.money.units),
        bought: (&part.bought.currency, part.bought.units),
    };
    Ok(match swap::start(unit, part.of, terms, money)? {
        Start::Queued => look_again,
        Start::Waits => Progress::Waits(next_multiple(unit.now, RETRY_EVERY)),
        Start::Impossible => Progress::Ended(None),
    })
}
