//! How deep a transfer is in its chain.

use settlekit_core::payment::TransactionStatus;

use super::simulated;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::Unit;

/// The confirmations of a transfer now. Those of a pending one on a connected chain follow from the latest block.
pub(crate) fn confirmations(unit: &mut Unit<'_>, seen: &Seen) -> Result<u32, StoreError> {
    if seen.status != TransactionStatus::Pending {
        return Ok(seen.confirmations);
    }
    let Some(block) = seen.block else {
        return Ok(0);
    };
    if unit.options().mode.is_sandbox() {
        return simulated::confirmations(unit, seen.chain, block);
    }
    let Some(connected) = store::connection::find(unit.database, seen.chain)? else {
        return Ok(seen.confirmations);
    };
    let deep = connected.block.saturating_sub(block).saturating_add(1);
    let deep = u32::try_from(deep).unwrap_or(u32::MAX);
    if !connected.finality {
        return Ok(deep);
    }
    // Until the block is final, the last confirmation is missing, however many blocks follow.
    let known = store::chain::find(unit.database, seen.chain)?;
    let required = known.map_or(u32::MAX, |known| known.confirmations_required);
    Ok(deep.min(required.saturating_sub(1)))
}
