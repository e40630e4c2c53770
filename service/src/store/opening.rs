//! Merchants' own wallets whose balance is still to be asked for, and addresses of extended public keys that may hold money.

use std::collections::{HashMap, HashSet};

use alloy_primitives::Address;
use settlekit_core::value::{AccountId, ChainId, OrganisationId, Timestamp};

use super::columns::{self, columns, get};
use super::sql::{Database, StoreError};
use super::statement::{insert, update};
use super::{hex, int};

/// An account that begins with the balance of its wallet.
#[derive(Debug, Clone)]
pub(crate) struct Opening {
    pub(crate) organisation: OrganisationId,
    pub(crate) account: AccountId,
    /// The number of the address below the account's extended public key, if the address is not watched and only looked at for money.
    pub(crate) index: Option<u32>,
}

columns! { Opening { organisation, account, index } }

/// Whether the balance of a watched address is not known: that of a wallet, or of an address that a payment got while it was looked at.
macro_rules! is_unknown {
    () => {
        "(o.derivation_index IS NULL OR EXISTS (SELECT 1 FROM addresses w WHERE w.chain_id = o.chain_id AND w.address = o.address \
         AND w.org_id = o.org_id AND w.account_id = o.account_id))"
    };
}

pub(crate) fn insert(
    database: &mut dyn Database,
    (chain, wallet): (ChainId, Address),
    opening: &Opening,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "openings" {
        chain_id: chain,
        address: &hex(wallet),
        org_id: opening.organisation,
        account_id: opening.account,
        derivation_index: opening.index,
        due_at: now,
    })
}

/// Lets the new openings of a chain wait until a block is settled. The blocks up to it were read while their wallets were not watched
/// yet, or not by all.
pub(crate) fn wait_for(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<(), StoreError> {
    const WAIT: &str =
        "UPDATE openings SET after_block = ?2 WHERE chain_id = ?1 AND after_block IS NULL";
    database
        .execute(WAIT, &[chain.into(), int(block).into()])
        .map(drop)
}

/// The addresses to ask for at a settled block: wallets before addresses that may hold money, and the longest due first. A due time
/// after `latest` was set by a clock that was ahead, and counts as due.
pub(crate) fn due_wallets(
    database: &mut dyn Database,
    chain: ChainId,
    (block, [now, latest]): (u64, [Timestamp; 2]),
    limit: u32,
) -> Result<Vec<Address>, StoreError> {
    const DUE: &str = "SELECT address FROM openings WHERE chain_id = ?1 AND after_block <= ?2 AND (due_at <= ?3 OR due_at > ?5) \
         GROUP BY address ORDER BY MIN(CASE WHEN derivation_index IS NULL THEN 0 ELSE 1 END), MIN(due_at), address LIMIT ?4";
    let values = [
        chain.into(),
        int(block).into(),
        now.into(),
        limit.into(),
        latest.into(),
    ];
    let rows = database.query(DUE, &values)?;
    rows.iter().map(|row| get(row, 0)).collect()
}

pub(crate) fn set_due(
    database: &mut dyn Database,
    (chain, wallet): (ChainId, Address),
    due_at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "openings" [chain_id: chain, address: &hex(wallet)] { due_at: due_at })
}

/// The accounts of a wallet that begin with its balance at a block, and those whose extended public key it may belong to.
pub(crate) fn of_wallet(
    database: &mut dyn Database,
    (chain, wallet): (ChainId, Address),
    block: u64,
) -> Result<Vec<Opening>, StoreError> {
    const FIND: &str = "SELECT org_id, account_id, derivation_index FROM openings \
         WHERE chain_id = ?1 AND address = ?2 AND after_block <= ?3 ORDER BY org_id, account_id";
    let wallet = hex(wallet);
    let values = [chain.into(), (&wallet).into(), int(block).into()];
    columns::all(&database.query(FIND, &values)?)
}

/// The wallets whose balance is not known yet, each with the creation of its first account that waits for it.
pub(crate) fn wallets(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<HashMap<Address, Timestamp>, StoreError> {
    const WALLETS: &str = concat!(
        "SELECT o.address, MIN(a.created_at) FROM openings o JOIN accounts a ON a.org_id = o.org_id AND a.id = o.account_id \
         WHERE o.chain_id = ?1 AND ",
        is_unknown!(),
        " GROUP BY o.address"
    );
    let rows = database.query(WALLETS, &[chain.into()])?;
    let wallets: Vec<(Address, Timestamp)> = columns::all(&rows)?;
    Ok(wallets.into_iter().collect())
}

/// The accounts that wait for the balance of their wallet.
pub(crate) fn accounts(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<HashSet<(OrganisationId, AccountId)>, StoreError> {
    const ACCOUNTS: &str = concat!(
        "SELECT o.org_id, o.account_id FROM openings o WHERE o.chain_id = ?1 AND ",
        is_unknown!()
    );
    let rows = database.query(ACCOUNTS, &[chain.into()])?;
    let accounts: Vec<(OrganisationId, AccountId)> = columns::all(&rows)?;
    Ok(accounts.into_iter().collect())
}

/// Removes the openings that a balance at a block answered.
pub(crate) fn delete(
    database: &mut dyn Database,
    (chain, wallet): (ChainId, Address),
    block: u64,
) -> Result<(), StoreError> {
    const DELETE: &str =
        "DELETE FROM openings WHERE chain_id = ?1 AND address = ?2 AND after_block <= ?3";
    let wallet = hex(wallet);
    let values = [chain.into(), (&wallet).into(), int(block).into()];
    database.execute(DELETE, &values).map(drop)
}
