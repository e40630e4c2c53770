//! How deep a transfer is in its chain.

use settlekit_core::payment::TransactionStatus;
use settlekit_core::value::ChainId;

use super::block_time::height;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::Unit;

/// The confirmations of a transfer now. On a connected chain they follow from the latest block until the transfer's block is
/// settled, also if a reorganisation moved a booked transfer to another block.
pub(crate) fn confirmations(unit: &mut Unit<'_>, seen: &Seen) -> Result<u32, StoreError> {
    if seen.is_lost() {
        return Ok(0);
    }
    let is_pending = seen.status == TransactionStatus::Pending;
    let Some(block) = seen.block else {
        return Ok(match seen.status {
            TransactionStatus::Success => seen.confirmations,
            _ => 0,
        });
    };
    if unit.options().mode.is_sandbox() {
        return match is_pending {
            true => simulated(unit, seen.chain, block),
            false => Ok(seen.confirmations),
        };
    }
    let Some(connected) = store::connection::find(unit.database, seen.chain)? else {
        return Ok(seen.confirmations);
    };
    let is_settled = !is_pending && block <= connected.settled;
    if is_settled || seen.status == TransactionStatus::Failed {
        return Ok(seen.confirmations);
    }
    let deep = connected.block.saturating_sub(block).saturating_add(1);
    let deep = u32::try_from(deep).unwrap_or(u32::MAX);
    if is_pending && !connected.finality {
        return Ok(deep);
    }
    // Until the block is final, the last confirmation is missing, however many blocks follow. A booked transfer had all that were
    // required then.
    let required = match is_pending {
        true => store::chain::find(unit.database, seen.chain)?
            .map_or(u32::MAX, |known| known.confirmations_required),
        false => seen.confirmations,
    };
    Ok(deep.min(required.saturating_sub(1)))
}

/// The confirmations of a pending transfer on a simulated chain. The last one comes when the block that brings it is mined.
fn simulated(unit: &mut Unit<'_>, chain: ChainId, block: u64) -> Result<u32, StoreError> {
    let known = store::chain::find(unit.database, chain)?;
    let known = known.ok_or_else(|| StoreError::Broken("the chain is unknown".into()))?;
    let deep = height(&known, unit.now).saturating_sub(block) + 1;
    let before_last = known.confirmations_required.saturating_sub(1).max(1);
    Ok(u32::try_from(deep).map_or(before_last, |deep| deep.min(before_last)))
}
