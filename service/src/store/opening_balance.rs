//! Opening balances: what each account of a merchant held at the beginning of each UTC day with postings. Its balance at the end of a day is
//! the next opening balance, or the current balance.

use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId};

use super::columns::{self, columns};
use super::ledger::Key;
use super::sql::{Database, StoreError};

#[derive(Debug, Clone)]
pub(crate) struct OpeningBalance {
    pub(crate) day: i64,
    pub(crate) account: AccountId,
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
    pub(crate) posted: i128,
}

columns! { OpeningBalance { day, account, chain, currency, posted } }

/// Inserts the opening balance of an account, before its first posting of the day.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
    key: &Key,
    posted: i128,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO opening_balances (org_id, day, account_id, chain_id, currency, posted) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = [
        organisation.into(),
        day.into(),
        key.account.into(),
        key.chain.into(),
        key.currency.as_str().into(),
        posted.into(),
    ];
    database.write(INSERT, &values)
}

/// The opening balances of all days after one, latest day first.
pub(crate) fn after(
    database: &mut dyn Database,
    organisation: OrganisationId,
    day: i64,
) -> Result<Vec<OpeningBalance>, StoreError> {
    const AFTER: &str = "SELECT day, account_id, chain_id, currency, posted FROM opening_balances \
         WHERE org_id = ?1 AND day > ?2 ORDER BY day DESC";
    columns::all(&database.query(AFTER, &[organisation.into(), day.into()])?)
}
