//! Replaced signing secrets, sealed, and the replacement of the current one.

use settlekit_core::value::{OrganisationId, Timestamp};

use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};

/// Replaces the current sealed secret.
pub(crate) fn replace(
    database: &mut dyn Database,
    organisation: OrganisationId,
    sealed: &[u8],
) -> Result<(), StoreError> {
    update!(database, "organisations" [id: organisation] { signing_secret: sealed })
}

/// Stores a replaced secret, valid until a time.
pub(crate) fn retire(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: &str,
    sealed: &[u8],
    until: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "retired_signing_secrets" {
        org_id: organisation,
        secret_id: id,
        secret: sealed,
        retires_at: until,
    })
}

/// Deletes all replaced secrets.
pub(crate) fn forget_retired(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    delete!(database, "retired_signing_secrets" [org_id: organisation])
}

/// The replaced secrets valid at a time, sealed.
pub(crate) fn retired(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<Vec<Vec<u8>>, StoreError> {
    const RETIRED: &str = "SELECT secret FROM retired_signing_secrets WHERE org_id = ?1 AND retires_at > ?2 ORDER BY retires_at DESC, secret_id";
    let rows = database.query(RETIRED, &[organisation.into(), now.into()])?;
    rows.iter().map(|row| Ok(row.blob(0)?.to_vec())).collect()
}
