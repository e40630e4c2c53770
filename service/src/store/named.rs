//! Accounts, plans and payout destinations with a part of a name. Each search reads all names of the organisation.

use settlekit_core::find::FoundKind;
use settlekit_core::value::OrganisationId;

use super::filter::Pattern;
use super::find::FoundKey;
use super::sql::{Database, Row, StoreError};

/// The newest of each kind with a part of their searchable text, without those that were deleted and the plans of subscriptions.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    text: &str,
    limit: i64,
) -> Result<Vec<FoundKey>, StoreError> {
    // `+` keeps SQLite on the indexes of names, which have all columns of their queries.
    const ACCOUNTS: &str = "SELECT id FROM accounts WHERE org_id = ?1 AND deleted_at IS NULL AND search LIKE ?2 ESCAPE '!' \
         ORDER BY +seq DESC LIMIT ?3";
    const PLANS: &str = "SELECT id FROM plans WHERE org_id = ?1 AND seq > 0 AND search LIKE ?2 ESCAPE '!' ORDER BY seq DESC LIMIT ?3";
    const DESTINATIONS: &str = "SELECT id FROM external_accounts WHERE org_id = ?1 AND deleted_at IS NULL AND search LIKE ?2 ESCAPE '!' \
         ORDER BY +seq DESC LIMIT ?3";
    let pattern = Pattern::folded(text);
    let values = [organisation.into(), pattern.as_str().into(), limit.into()];
    let number = |row: &Row| row.int(0).map(|id| id.to_string());
    let word = |row: &Row| row.text(0).map(str::to_owned);
    let mut keys = Vec::new();
    for row in &database.query(ACCOUNTS, &values)? {
        keys.push((FoundKind::Account, number(row)?));
    }
    for row in &database.query(PLANS, &values)? {
        keys.push((FoundKind::Plan, word(row)?));
    }
    for row in &database.query(DESTINATIONS, &values)? {
        keys.push((FoundKind::ExternalAccount, number(row)?));
    }
    Ok(keys)
}
