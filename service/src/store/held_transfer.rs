//! Transfers from and to proxies and hot wallets, and the network's fees.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{ChainId, Currency};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::insert;
use super::transfer_index::TransferIndex;
use super::{hex, int};

/// A transfer from or to a proxy or a hot wallet, or the network's fee for one's transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldTransfer {
    pub(crate) chain: ChainId,
    pub(crate) block: u64,
    pub(crate) hash: B256,
    pub(crate) transfer: TransferIndex,
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
}

columns! { HeldTransfer { chain, block, hash, transfer, from, to, currency, units } }

macro_rules! held_transfer_columns {
    () => {
        "SELECT chain_id, block, hash, transfer, from_address, to_address, currency, amount FROM held_transfers"
    };
}

pub(crate) fn insert(
    database: &mut dyn Database,
    transfer: &HeldTransfer,
) -> Result<(), StoreError> {
    insert!(database, "held_transfers" {
        chain_id: transfer.chain,
        block: int(transfer.block),
        hash: &hex(transfer.hash),
        transfer: &transfer.transfer.to_string(),
        from_address: &hex(transfer.from),
        to_address: &hex(transfer.to),
        currency: transfer.currency.as_str(),
        amount: transfer.units,
        settled: 0,
    })
}

/// Marks the transfers up to a block as settled and returns them, in the order of the blocks. Forgets those below `forget`.
pub(crate) fn settle(
    database: &mut dyn Database,
    chain: ChainId,
    (block, forget): (u64, u64),
) -> Result<Vec<HeldTransfer>, StoreError> {
    const SETTLED: &str = concat!(
        held_transfer_columns!(),
        " WHERE chain_id = ?1 AND block <= ?2 AND settled = 0 ORDER BY block, hash, transfer"
    );
    const SET_SETTLED: &str =
        "UPDATE held_transfers SET settled = 1 WHERE chain_id = ?1 AND block <= ?2 AND settled = 0";
    const FORGET: &str =
        "DELETE FROM held_transfers WHERE chain_id = ?1 AND block < ?2 AND settled = 1";
    let range = [chain.into(), int(block).into()];
    let settled: Vec<HeldTransfer> = columns::all(&database.query(SETTLED, &range)?)?;
    if !settled.is_empty() {
        database.execute(SET_SETTLED, &range)?;
    }
    database.execute(FORGET, &[chain.into(), int(forget).into()])?;
    Ok(settled)
}

#[cfg(not(target_family = "wasm"))]
/// Net amount of a currency that a transaction in a block moved to an address.
pub(crate) fn moved_by(
    database: &mut dyn Database,
    (chain, block, hash): (ChainId, u64, B256),
    (address, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    const MOVED: &str = concat!(
        held_transfer_columns!(),
        " WHERE chain_id = ?1 AND block = ?2 AND hash = ?3 AND currency = ?4 AND transfer <> ?5"
    );
    let (hash, fee) = (hex(hash), TransferIndex::Fee.to_string());
    let values = [
        chain.into(),
        int(block).into(),
        (&hash).into(),
        currency.as_str().into(),
        (&fee).into(),
    ];
    let moved: Vec<HeldTransfer> = columns::all(&database.query(MOVED, &values)?)?;
    Ok(sum_at(&moved, address))
}

/// Removes the transfers of blocks that a reorganisation took away, and returns the settled ones among them.
pub(crate) fn remove(
    database: &mut dyn Database,
    chain: ChainId,
    above: u64,
) -> Result<Vec<HeldTransfer>, StoreError> {
    const SETTLED: &str = concat!(
        held_transfer_columns!(),
        " WHERE chain_id = ?1 AND block > ?2 AND settled = 1 ORDER BY block, hash, transfer"
    );
    const DELETE: &str = "DELETE FROM held_transfers WHERE chain_id = ?1 AND block > ?2";
    let above = [chain.into(), int(above).into()];
    let settled = columns::all(&database.query(SETTLED, &above)?)?;
    database.execute(DELETE, &above)?;
    Ok(settled)
}

/// The net amount of a currency that settled transfers after a block moved to an address.
pub(crate) fn moved_since(
    database: &mut dyn Database,
    (chain, block): (ChainId, u64),
    (address, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    const SETTLED: &str = concat!(
        held_transfer_columns!(),
        " WHERE chain_id = ?1 AND block > ?2 AND settled = 1 AND currency = ?3 AND (from_address = ?4 OR to_address = ?4)"
    );
    let address_text = hex(address);
    let values = [
        chain.into(),
        int(block).into(),
        currency.as_str().into(),
        (&address_text).into(),
    ];
    let settled: Vec<HeldTransfer> = columns::all(&database.query(SETTLED, &values)?)?;
    Ok(sum_at(&settled, address))
}

/// The net amount that transfers move to an address.
fn sum_at(transfers: &[HeldTransfer], address: Address) -> i128 {
    let mut sum = 0_i128;
    for transfer in transfers {
        if transfer.to == address {
            sum = sum.saturating_add(transfer.units);
        }
        if transfer.from == address {
            sum = sum.saturating_sub(transfer.units);
        }
    }
    sum
}
