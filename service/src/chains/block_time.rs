//! When the blocks of a simulated chain are mined. The height of a block is its time in units of the chain's block time.

use settlekit_core::value::Timestamp;

use crate::store::chain::StoredChain;

fn block_seconds(known: &StoredChain) -> i64 {
    i64::from(known.block_seconds.max(1))
}

/// The height of the latest block at a time.
pub(super) fn height(known: &StoredChain, at: Timestamp) -> u64 {
    u64::try_from(at.seconds().div_euclid(block_seconds(known))).unwrap_or_default()
}

/// The time of the block of a height.
pub(super) fn time_of(known: &StoredChain, number: u64) -> Timestamp {
    let seconds = i64::try_from(number).unwrap_or(i64::MAX);
    Timestamp::from_millis(
        seconds
            .saturating_mul(block_seconds(known))
            .saturating_mul(1000),
    )
}

/// The time at which a block has its confirmations.
pub(super) fn confirmed_at(known: &StoredChain, block: u64) -> Timestamp {
    // A block counts as its own first confirmation.
    let deeper = u64::from(known.confirmations_required.max(1)) - 1;
    time_of(known, block.saturating_add(deeper))
}
