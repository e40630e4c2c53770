//! Addresses whose opening balance of a currency is not read yet, after a token was added or a chain connected.

use std::collections::HashSet;

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::columns;
use super::sql::{Database, StoreError};
use super::statement::update;
use super::{hex, int};

/// Requests the balances of a currency at all followed addresses of a chain, at a block or a later one.
pub(crate) fn insert_all(
    database: &mut dyn Database,
    of: (ChainId, &Currency),
    after: u64,
    now: Timestamp,
) -> Result<(), StoreError> {
    const WALLETS: &str = "SELECT address FROM wallets";
    insert(database, of, (after, now), WALLETS)?;
    insert_others(database, of, after, now)
}

/// As [`insert_all`], without the hot wallets.
pub(crate) fn insert_others(
    database: &mut dyn Database,
    of: (ChainId, &Currency),
    after: u64,
    now: Timestamp,
) -> Result<(), StoreError> {
    const OTHERS: &str = "SELECT address FROM proxies UNION SELECT address FROM derived_addresses \
         UNION SELECT address FROM addresses WHERE chain_id = ?1 AND watched = 1";
    insert(database, of, (after, now), OTHERS)
}

fn insert(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
    (after, now): (u64, Timestamp),
    addresses: &str,
) -> Result<(), StoreError> {
    let insert = format!(
        "INSERT INTO token_openings (chain_id, address, currency, after_block, due_at) \
         SELECT CAST(?1 AS BIGINT), f.address, CAST(?2 AS TEXT), CAST(?3 AS BIGINT), CAST(?4 AS BIGINT) \
         FROM ({addresses}) f WHERE 1 = 1 ON CONFLICT DO NOTHING"
    );
    let values = [
        chain.into(),
        currency.as_str().into(),
        int(after).into(),
        now.into(),
    ];
    database.execute(&insert, &values).map(drop)
}

/// The addresses to ask for at a settled block, each with a currency. A due time after `latest` was set by a clock that was ahead, and
/// counts as due.
pub(crate) fn due(
    database: &mut dyn Database,
    chain: ChainId,
    (block, [now, latest]): (u64, [Timestamp; 2]),
    limit: u32,
) -> Result<Vec<(Address, Currency)>, StoreError> {
    const DUE: &str = "SELECT address, currency FROM token_openings WHERE chain_id = ?1 AND after_block <= ?2 \
         AND (due_at <= ?3 OR due_at > ?5) ORDER BY due_at, address, currency LIMIT ?4";
    let values = [
        chain.into(),
        int(block).into(),
        now.into(),
        limit.into(),
        latest.into(),
    ];
    columns::all(&database.query(DUE, &values)?)
}

pub(crate) fn set_due(
    database: &mut dyn Database,
    (chain, address): (ChainId, Address),
    due_at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "token_openings" [chain_id: chain, address: &hex(address)] { due_at: due_at })
}

/// The currencies that a balance of an address at a block answers.
pub(crate) fn of_address(
    database: &mut dyn Database,
    (chain, address): (ChainId, Address),
    block: u64,
) -> Result<Vec<Currency>, StoreError> {
    const FIND: &str = "SELECT currency FROM token_openings \
         WHERE chain_id = ?1 AND address = ?2 AND after_block <= ?3 ORDER BY currency";
    let address = hex(address);
    let values = [chain.into(), (&address).into(), int(block).into()];
    let rows = database.query(FIND, &values)?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}

/// The addresses and currencies whose balance is not known yet.
pub(crate) fn all(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<HashSet<(Address, Currency)>, StoreError> {
    const ALL: &str = "SELECT address, currency FROM token_openings WHERE chain_id = ?1";
    let all: Vec<(Address, Currency)> = columns::all(&database.query(ALL, &[chain.into()])?)?;
    Ok(all.into_iter().collect())
}

/// Removes the requests that a balance at a block answers.
pub(crate) fn delete(
    database: &mut dyn Database,
    (chain, address): (ChainId, Address),
    block: u64,
) -> Result<(), StoreError> {
    const DELETE: &str =
        "DELETE FROM token_openings WHERE chain_id = ?1 AND address = ?2 AND after_block <= ?3";
    let address = hex(address);
    let values = [chain.into(), (&address).into(), int(block).into()];
    database.execute(DELETE, &values).map(drop)
}
