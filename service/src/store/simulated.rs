//! The state of the simulated chain, which like a real chain belongs to no organisation.

use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::sql::{Database, StoreError};
use super::{read_text, timestamp};

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

pub(crate) fn insert(
    database: &mut dyn Database,
    sent: &Simulated,
    next_block_at: Timestamp,
) -> Result<i64, StoreError> {
    const INSERT: &str = "INSERT INTO simulated_transactions (chain_id, hash, from_address, to_address, currency, amount, \
         confirmations, sent_at, next_block_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8)";
    database.insert(
        INSERT,
        &[
            sent.chain.into(),
            (&sent.hash).into(),
            (&sent.from_address).into(),
            (&sent.to_address).into(),
            sent.currency.as_str().into(),
            sent.units.into(),
            sent.sent_at.into(),
            next_block_at.into(),
        ],
    )
}

/// The transactions whose next block is due, in order, locked until the database transaction ends.
pub(crate) fn due(
    database: &mut dyn Database,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Simulated>, StoreError> {
    const DUE: &str = "SELECT id, chain_id, hash, from_address, to_address, currency, amount, sent_at FROM simulated_transactions \
         WHERE next_block_at <= ?1 ORDER BY next_block_at, id LIMIT ?2 FOR UPDATE SKIP LOCKED";
    let rows = database.query(DUE, &[now.into(), limit.into()])?;
    rows.iter()
        .map(|row| {
            Ok(Simulated {
                id: row.int(0)?,
                chain: ChainId::new(row.int(1)?)
                    .ok_or_else(|| StoreError::Damaged("a chain has no id".into()))?,
                hash: row.text(2)?.to_owned(),
                from_address: row.text(3)?.to_owned(),
                to_address: row.text(4)?.to_owned(),
                currency: read_text(row.text(5)?)?,
                units: row.amount(6)?,
                sent_at: timestamp(row, 7)?,
            })
        })
        .collect()
}

/// Records a transaction's confirmations; without a next block it is final.
pub(crate) fn advance(
    database: &mut dyn Database,
    id: i64,
    confirmations: u32,
    next_block_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    const ADVANCE: &str =
        "UPDATE simulated_transactions SET confirmations = ?2, next_block_at = ?3 WHERE id = ?1";
    database.execute(
        ADVANCE,
        &[id.into(), confirmations.into(), next_block_at.into()],
    )?;
    Ok(())
}

/// Postpones a transaction's next block only.
pub(crate) fn put_off(
    database: &mut dyn Database,
    id: i64,
    until: Timestamp,
) -> Result<(), StoreError> {
    const PUT_OFF: &str = "UPDATE simulated_transactions SET next_block_at = ?2 WHERE id = ?1";
    database
        .execute(PUT_OFF, &[id.into(), until.into()])
        .map(drop)
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
