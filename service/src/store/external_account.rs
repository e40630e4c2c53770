//! Payout destinations.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

use settlekit_core::external_account::ExternalAccount;
use settlekit_core::value::{ExternalAccountId, OrganisationId, Timestamp};

use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{sequence, write_record};

pub(crate) const LISTING: Listing<ExternalAccount, ExternalAccountId> = Listing {
    table: "external_accounts",
    owner: "org_id",
    kind: "external accounts",
    select: "SELECT l.record, l.updated_at FROM external_accounts l",
    read: record,
    ids: PhantomData,
};

/// The sealed part of a bank account.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Secret {
    /// The holder's full name.
    pub(crate) holder: String,
    /// The full account number.
    pub(crate) number: String,
}

/// Inserts a destination that `build` creates from its id and time: `now`, or that of the latest if later.
pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    reference: Option<&str>,
    now: Timestamp,
    build: impl FnOnce(ExternalAccountId, Timestamp) -> ExternalAccount,
) -> Result<ExternalAccount, StoreError> {
    const INSERT: &str = "INSERT INTO external_accounts (org_id, seq, reference, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, '', ?4, ?4)";
    const RECORD: &str = "UPDATE external_accounts SET record = ?3 WHERE org_id = ?1 AND id = ?2";
    let (seq, at) = sequence::next(database, organisation.into(), LISTING.kind, now)?;
    let values = [organisation.into(), seq.into(), reference.into(), at.into()];
    let id = database.insert(INSERT, &values)?;
    let id = ExternalAccountId::new(id)
        .ok_or_else(|| StoreError::Broken("the destination got no id".into()))?;
    let account = build(id, at);
    let record = write_record(&account)?;
    database.execute(RECORD, &[organisation.into(), id.into(), (&record).into()])?;
    Ok(account)
}

/// Stores the sealed part of a destination.
pub(crate) fn keep_secret(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: ExternalAccountId,
    sealed: &[u8],
) -> Result<(), StoreError> {
    const KEEP: &str = "UPDATE external_accounts SET secret = ?3 WHERE org_id = ?1 AND id = ?2";
    database.execute(KEEP, &[organisation.into(), id.into(), sealed.into()])?;
    Ok(())
}

/// Whether an active destination has a reference.
pub(crate) fn is_taken(
    database: &mut dyn Database,
    organisation: OrganisationId,
    reference: &str,
) -> Result<bool, StoreError> {
    const TAKEN: &str = "SELECT 1 FROM external_accounts WHERE org_id = ?1 AND reference = ?2 AND deleted_at IS NULL";
    let named = [organisation.into(), reference.into()];
    Ok(!database.query(TAKEN, &named)?.is_empty())
}

/// Updates a removed destination and deletes its sealed part.
pub(crate) fn remove(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: &ExternalAccount,
    now: Timestamp,
) -> Result<(), StoreError> {
    const REMOVE: &str = "UPDATE external_accounts SET record = ?3, secret = NULL, deleted_at = ?4, updated_at = ?4 \
         WHERE org_id = ?1 AND id = ?2";
    let record = write_record(account)?;
    database.execute(
        REMOVE,
        &[
            organisation.into(),
            account.id.into(),
            (&record).into(),
            now.into(),
        ],
    )?;
    Ok(())
}
