//! The state of the simulated chain, which like a real chain belongs to no organisation.

use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{insert_numbered, update};

#[derive(Debug, Clone)]
pub(crate) struct Simulated {
    pub(crate) id: i64,
    pub(crate) chain: ChainId,
    pub(crate) hash: String,
    pub(crate) from_address: String,
    pub(crate) to_address: String,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) sent_at: Timestamp,
}

columns! { Simulated { id, chain, hash, from_address, to_address, currency, units, sent_at } }

pub(crate) fn insert(
    database: &mut dyn Database,
    sent: &Simulated,
    next_block_at: Timestamp,
) -> Result<i64, StoreError> {
    insert_numbered!(database, "simulated_transactions" {
        chain_id: sent.chain,
        hash: &sent.hash,
        from_address: &sent.from_address,
        to_address: &sent.to_address,
        currency: sent.currency.as_str(),
        amount: sent.units,
        confirmations: 0,
        sent_at: sent.sent_at,
        next_block_at: next_block_at,
    })
}

/// The transactions whose next block is due, in order, locked until the database transaction ends.
pub(crate) fn due(
    database: &mut dyn Database,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Simulated>, StoreError> {
    const DUE: &str = "SELECT id, chain_id, hash, from_address, to_address, currency, amount, sent_at FROM simulated_transactions \
         WHERE next_block_at <= ?1 ORDER BY next_block_at, id LIMIT ?2 FOR UPDATE SKIP LOCKED";
    columns::all(&database.query(DUE, &[now.into(), limit.into()])?)
}

/// Records a transaction's confirmations; without a next block it is final.
pub(crate) fn advance(
    database: &mut dyn Database,
    id: i64,
    confirmations: u32,
    next_block_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    update!(database, "simulated_transactions" [id: id] {
        confirmations: confirmations,
        next_block_at: next_block_at,
    })
}

/// Postpones a transaction's next block only.
pub(crate) fn put_off(
    database: &mut dyn Database,
    id: i64,
    until: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "simulated_transactions" [id: id] { next_block_at: until })
}

/// Moves a transaction to a new block, as if sent at a time.
pub(crate) fn include_again(
    database: &mut dyn Database,
    chain: ChainId,
    hash: &str,
    sent_at: Timestamp,
    next_block_at: Timestamp,
) -> Result<(), StoreError> {
    // Only pending transactions are indexed; scanning them is cheap.
    const ANEW: &str = "UPDATE simulated_transactions SET confirmations = 1, sent_at = ?3, next_block_at = ?4 \
         WHERE chain_id = ?1 AND hash = ?2 AND next_block_at IS NOT NULL";
    let values = [
        chain.into(),
        hash.into(),
        sent_at.into(),
        next_block_at.into(),
    ];
    database.execute(ANEW, &values).map(drop)
}

/// Drops a transaction; false if it has its final confirmations.
pub(crate) fn lost(
    database: &mut dyn Database,
    chain: ChainId,
    hash: &str,
) -> Result<bool, StoreError> {
    const LOST: &str = "UPDATE simulated_transactions SET confirmations = 0, next_block_at = NULL \
         WHERE chain_id = ?1 AND hash = ?2 AND next_block_at IS NOT NULL";
    let rows = database.execute(LOST, &[chain.into(), hash.into()])?;
    Ok(rows > 0)
}
