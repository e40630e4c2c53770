//! Balances of the accounts on a page of their list, read with one query.

use settlekit_core::page::LIMIT_MAX;
use settlekit_core::value::{AccountId, OrganisationId};

use super::columns::{self, Columns};
use super::ledger::Balance;
use super::sql::{Database, Row, StoreError, Value};

/// Accounts of the largest page.
const ACCOUNTS_MAX: usize = LIMIT_MAX as usize;

/// The balances, each with its account on the page: the account that holds it, or the virtual account above that.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    accounts: &[AccountId],
) -> Result<Vec<(AccountId, Balance)>, StoreError> {
    let Some(first) = accounts.first() else {
        return Ok(Vec::new());
    };
    // A fixed count of placeholders keeps one prepared statement; the first account fills the rest.
    let missing = ACCOUNTS_MAX.saturating_sub(accounts.len());
    let filled = accounts
        .iter()
        .chain(std::iter::repeat_n(first, missing))
        .map(|account| Value::from(*account));
    let values: Vec<Value<'_>> = std::iter::once(organisation.into()).chain(filled).collect();
    let places: Vec<String> = (2..=values.len())
        .map(|place| format!("?{place}"))
        .collect();
    let places = places.join(", ");
    let list = format!(
        "SELECT b.account_id, b.account_id, b.chain_id, b.currency, b.posted, b.reserved FROM ledger_accounts b \
         WHERE b.org_id = ?1 AND b.kind = 'merchant' AND b.account_id IN ({places}) \
         UNION ALL SELECT a.parent_id, b.account_id, b.chain_id, b.currency, b.posted, b.reserved FROM accounts a \
         JOIN ledger_accounts b ON b.org_id = a.org_id AND b.kind = 'merchant' AND b.account_id = a.id \
         WHERE a.org_id = ?1 AND a.parent_id IN ({places}) AND a.deleted_at IS NULL"
    );
    let read = |row: &Row| Ok((columns::get(row, 0)?, Balance::read(row, 1)?));
    database.query(&list, &values)?.iter().map(read).collect()
}
