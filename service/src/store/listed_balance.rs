//! Balances of the accounts or sub-merchants on a page of their list, read with one query.

use settlekit_core::account::Account;
use settlekit_core::page::LIMIT_MAX;
use settlekit_core::value::{AccountId, OrganisationId};

use super::columns::{self, Columns};
use super::ledger::Balance;
use super::read_record;
use super::sql::{Database, Row, StoreError, Value};

/// Rows of the largest page.
const ROWS_MAX: usize = LIMIT_MAX as usize;

/// The organisation and the ids of a page, and the placeholders of the ids. Their count is fixed, which keeps one prepared statement: the
/// first id fills the rest.
fn of_page<'a>(
    organisation: OrganisationId,
    first: Value<'a>,
    ids: impl Iterator<Item = Value<'a>>,
) -> (Vec<Value<'a>>, String) {
    let mut values = vec![organisation.into()];
    values.extend(ids);
    values.resize(ROWS_MAX + 1, first);
    let places: Vec<String> = (2..=values.len())
        .map(|place| format!("?{place}"))
        .collect();
    (values, places.join(", "))
}

/// The balances, each with its account on the page: the account that holds it, or the virtual account above that.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    accounts: &[AccountId],
) -> Result<Vec<(AccountId, Balance)>, StoreError> {
    let Some(first) = accounts.first() else {
        return Ok(Vec::new());
    };
    let ids = accounts
        .iter()
        .map(|account| -> Value<'_> { (*account).into() });
    let (values, places) = of_page(organisation, (*first).into(), ids);
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

/// The balances of a partner's sub-merchants on the page that are not zero. That of a wallet that is only watched is not theirs.
pub(crate) fn of_sub_merchants(
    database: &mut dyn Database,
    partner: OrganisationId,
    sub_merchants: &[OrganisationId],
) -> Result<Vec<(OrganisationId, Balance)>, StoreError> {
    let Some(first) = sub_merchants.first() else {
        return Ok(Vec::new());
    };
    let ids = sub_merchants.iter().map(|id| -> Value<'_> { (*id).into() });
    let (values, places) = of_page(partner, (*first).into(), ids);
    let list = format!(
        "SELECT o.id, b.account_id, b.chain_id, b.currency, b.posted, b.reserved, a.record FROM organisations o \
         JOIN ledger_accounts b ON b.org_id = o.id AND b.kind = 'merchant' JOIN accounts a ON a.id = b.account_id AND a.org_id = o.id \
         WHERE o.partner_id = ?1 AND o.id IN ({places})"
    );
    let mut held = Vec::new();
    for row in &database.query(&list, &values)? {
        let balance = Balance::read(row, 1)?;
        if balance.posted == 0 {
            continue;
        }
        let account: Account = read_record(row.text(6)?)?;
        if account.counts_in_totals() {
            held.push((columns::get(row, 0)?, balance));
        }
    }
    Ok(held)
}
