//! Bundles: accounts with the same reference, one per chain, without a common virtual account. Their movements and those of their
//! sub-accounts are also in the bundle's list.
//!
//! A bundle has the id of its oldest account. A deleted account stays in it, because its movements stay in the list.

use settlekit_core::value::{AccountId, AccountReference, OrganisationId};

use super::first;
use super::movement::List;
use super::movement_index::{self, MovementList};
use super::sql::{Database, StoreError};

/// Fills `movement_lists` for the bundles selected by a condition on `accounts a`, from the lists of their accounts.
macro_rules! fill {
    ($which:literal) => {
        concat!(
            "INSERT INTO movement_lists (account_id, seq, movement_id, created_at) \
             SELECT -bundle_id, ROW_NUMBER() OVER (PARTITION BY bundle_id ORDER BY created_at, movement_id), movement_id, created_at \
             FROM (SELECT DISTINCT a.bundle_id, l.movement_id, l.created_at FROM accounts a \
             JOIN movement_lists l ON l.account_id = a.id WHERE a.bundle_id IS NOT NULL AND ",
            $which,
            ") AS theirs"
        )
    };
}

/// The last sequence numbers of those lists.
macro_rules! number {
    ($which:literal) => {
        concat!(
            "INSERT INTO sequences (owner, kind, last_seq, last_at) \
             SELECT CAST(account_id AS TEXT), 'movements', MAX(seq), MAX(created_at) FROM movement_lists WHERE account_id IN \
             (SELECT -a.bundle_id FROM accounts a WHERE ",
            $which,
            ") GROUP BY account_id \
             ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at"
        )
    };
}

/// Adds a new account to the bundle of its reference, which other accounts have; the second account creates the bundle.
pub(crate) fn join(
    database: &mut dyn Database,
    organisation: OrganisationId,
    reference: &AccountReference,
    new: AccountId,
) -> Result<(), StoreError> {
    const FOUND: &str = "SELECT MIN(bundle_id), MIN(id), COUNT(*), COUNT(bundle_id) FROM accounts \
         WHERE org_id = ?1 AND reference = ?2 AND deleted_at IS NULL AND id <> ?3";
    const JOIN: &str = "UPDATE accounts SET bundle_id = ?3 WHERE org_id = ?1 AND reference = ?2 AND deleted_at IS NULL";
    const EMPTY: &str = "DELETE FROM movement_lists WHERE account_id = ?1";
    const FILL: &str = fill!("a.org_id = ?1 AND a.bundle_id = ?2");
    const NUMBER: &str = number!("a.org_id = ?1 AND a.bundle_id = ?2");
    let named = [organisation.into(), reference.as_str().into(), new.into()];
    let Some(row) = first(database.query(FOUND, &named)?) else {
        return Ok(());
    };
    let (Some(bundle), others, bundled) = (
        match row.maybe_int(0)? {
            Some(bundle) => Some(bundle),
            None => row.maybe_int(1)?,
        },
        row.int(2)?,
        row.int(3)?,
    ) else {
        return Ok(());
    };
    database.execute(
        JOIN,
        &[
            organisation.into(),
            reference.as_str().into(),
            bundle.into(),
        ],
    )?;
    // The new account has no movements. Another one outside the bundle is its first account.
    if bundled < others {
        database.execute(EMPTY, &[(-bundle).into()])?;
        database.execute(FILL, &[organisation.into(), bundle.into()])?;
        database.execute(NUMBER, &[organisation.into(), bundle.into()])?;
        movement_index::rebuild(
            database,
            MovementList::One(List::of_bundle(bundle).number()),
        )?;
    }
    Ok(())
}

/// Builds the bundle lists of an imported organisation. Existing entries are in account order.
pub(crate) fn make_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const EMPTY: &str = "DELETE FROM movement_lists WHERE account_id IN \
         (SELECT -bundle_id FROM accounts WHERE org_id = ?1 AND bundle_id IS NOT NULL)";
    const FILL: &str = fill!("a.org_id = ?1");
    const NUMBER: &str = number!("a.org_id = ?1");
    for statement in [EMPTY, FILL, NUMBER] {
        database.execute(statement, &[organisation.into()])?;
    }
    Ok(())
}

/// The lists of the bundles of an account and of its parent.
pub(crate) fn lists_of(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: AccountId,
    parent: Option<AccountId>,
) -> Result<Vec<List>, StoreError> {
    const FIND: &str = "SELECT DISTINCT bundle_id FROM accounts WHERE org_id = ?1 AND id IN (?2, ?3) AND bundle_id IS NOT NULL \
         ORDER BY bundle_id";
    let rows = database.query(
        FIND,
        &[
            organisation.into(),
            account.into(),
            parent.unwrap_or(account).get().into(),
        ],
    )?;
    rows.iter()
        .map(|row| row.int(0).map(List::of_bundle))
        .collect()
}

/// The list of a reference's bundle; `None` for a single account.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    reference: &AccountReference,
) -> Result<Option<List>, StoreError> {
    const FIND: &str = "SELECT MIN(bundle_id) FROM accounts WHERE org_id = ?1 AND reference = ?2 AND deleted_at IS NULL";
    let rows = database.query(FIND, &[organisation.into(), reference.as_str().into()])?;
    let Some(row) = first(rows) else {
        return Ok(None);
    };
    Ok(row.maybe_int(0)?.map(List::of_bundle))
}
