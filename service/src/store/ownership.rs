//! Ownership challenges: the text that a wallet is asked to sign, one per account.

use settlekit_core::value::{AccountId, OrganisationId, Timestamp};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::delete;

#[derive(Debug)]
pub(crate) struct Challenge {
    pub(crate) message: String,
    pub(crate) expires_at: Timestamp,
}

columns! { Challenge { message, expires_at } }

/// Stores an account's challenge and replaces the previous one.
pub(crate) fn put(
    database: &mut dyn Database,
    (organisation, account): (OrganisationId, AccountId),
    challenge: &Challenge,
) -> Result<(), StoreError> {
    const PUT: &str = "INSERT INTO ownership_challenges (account_id, org_id, message, expires_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (account_id) DO UPDATE SET message = excluded.message, expires_at = excluded.expires_at";
    let values = [
        account.into(),
        organisation.into(),
        (&challenge.message).into(),
        challenge.expires_at.into(),
    ];
    database.execute(PUT, &values).map(drop)
}

pub(crate) fn find(
    database: &mut dyn Database,
    (organisation, account): (OrganisationId, AccountId),
) -> Result<Option<Challenge>, StoreError> {
    const FIND: &str = "SELECT message, expires_at FROM ownership_challenges WHERE account_id = ?1 AND org_id = ?2 FOR UPDATE";
    let values = [account.into(), organisation.into()];
    columns::first(&database.query(FIND, &values)?)
}

/// Deletes a used challenge.
pub(crate) fn remove(
    database: &mut dyn Database,
    (organisation, account): (OrganisationId, AccountId),
) -> Result<(), StoreError> {
    delete!(database, "ownership_challenges" [account_id: account, org_id: organisation])
}
