//! The transactions of the simulated chains, which like those of a real chain belong to no organisation.

use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::columns::{self, columns};
use super::int;
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
    /// The block; `None` before the first.
    pub(crate) block: Option<u64>,
    /// When its next block is due: the one that includes it, or the one that confirms it. `None` if it is confirmed or was dropped.
    pub(crate) next_block_at: Option<Timestamp>,
}

columns! { Simulated { id, chain, hash, from_address, to_address, currency, units, block, next_block_at } }

/// The columns of [`Simulated`].
macro_rules! simulated_columns {
    () => {
        "id, chain_id, hash, from_address, to_address, currency, amount, block, next_block_at"
    };
}

pub(crate) fn insert(database: &mut dyn Database, sent: &Simulated) -> Result<i64, StoreError> {
    insert_numbered!(database, "simulated_transactions" {
        chain_id: sent.chain,
        hash: &sent.hash,
        from_address: &sent.from_address,
        to_address: &sent.to_address,
        currency: sent.currency.as_str(),
        amount: sent.units,
        block: sent.block.map(int),
        next_block_at: sent.next_block_at,
    })
}

/// The transactions whose next block is due, block by block, locked until the database transaction ends.
pub(crate) fn due(
    database: &mut dyn Database,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Simulated>, StoreError> {
    const DUE: &str = concat!(
        "SELECT ",
        simulated_columns!(),
        " FROM simulated_transactions WHERE next_block_at <= ?1 ORDER BY next_block_at, chain_id, id LIMIT ?2 FOR UPDATE SKIP LOCKED"
    );
    columns::all(&database.query(DUE, &[now.into(), limit.into()])?)
}

/// The transaction of a hash that is not confirmed yet, locked until the database transaction ends.
pub(crate) fn lock_unconfirmed(
    database: &mut dyn Database,
    chain: ChainId,
    hash: &str,
) -> Result<Option<Simulated>, StoreError> {
    // Only those with a next block are indexed; scanning them is cheap.
    const FIND: &str = concat!(
        "SELECT ",
        simulated_columns!(),
        " FROM simulated_transactions WHERE chain_id = ?1 AND hash = ?2 AND next_block_at IS NOT NULL FOR UPDATE"
    );
    columns::first(&database.query(FIND, &[chain.into(), hash.into()])?)
}

/// Records a transaction's block and its next one.
pub(crate) fn update(database: &mut dyn Database, sent: &Simulated) -> Result<(), StoreError> {
    update!(database, "simulated_transactions" [id: sent.id] {
        block: sent.block.map(int),
        next_block_at: sent.next_block_at,
    })
}
