//! Payout destinations.

use serde::{Deserialize, Serialize};
use settlekit_core::external_account::ExternalAccount;
use settlekit_core::value::{ExternalAccountId, OrganisationId, Timestamp};

use super::folding::searched;
use super::listing::{Listing, listing};
use super::sql::{Database, StoreError, Value};
use super::statement::{insert_numbered, update};
use super::{new_id, write_record};

pub(crate) const LISTING: Listing<ExternalAccount, ExternalAccountId> = Listing {
    kind: "external accounts",
    ..listing!("external_accounts")
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
    let (seq, at) = LISTING.next(database, organisation, now)?;
    let id = insert_numbered!(database, "external_accounts" {
        org_id: organisation,
        seq: seq,
        reference: reference,
        record: "",
        created_at: at,
        updated_at: at,
    })?;
    let id = new_id(ExternalAccountId::new(id))?;
    let account = build(id, at);
    let texts = [&account.name, &account.reference, &account.address];
    update!(database, "external_accounts" [org_id: organisation, id: id] {
        search: &searched(texts.map(|text| text.as_deref())),
        record: &write_record(&account)?,
    })?;
    Ok(account)
}

/// Stores the sealed part of a destination.
pub(crate) fn keep_secret(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: ExternalAccountId,
    sealed: &[u8],
) -> Result<(), StoreError> {
    update!(database, "external_accounts" [org_id: organisation, id: id] { secret: sealed })
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
    update!(database, "external_accounts" [org_id: organisation, id: account.id] {
        record: &write_record(account)?,
        secret: Value::Null,
        deleted_at: now,
        updated_at: now,
    })
}
