//! Replaced signing secrets, sealed, and the replacement of the current one.

use settlekit_core::value::{OrganisationId, Timestamp};

use super::sql::{Database, StoreError};

/// Replaces the current sealed secret.
pub(crate) fn replace(
    database: &mut dyn Database,
    organisation: OrganisationId,
    sealed: &[u8],
) -> Result<(), StoreError> {
    const REPLACE: &str = "UPDATE organisations SET signing_secret = ?2 WHERE id = ?1";
    database.execute(REPLACE, &[organisation.into(), sealed.into()])?;
    Ok(())
}

/// Stores a replaced secret, valid until a time.
pub(crate) fn retire(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: &str,
    sealed: &[u8],
    until: Timestamp,
) -> Result<(), StoreError> {
    const RETIRE: &str = "INSERT INTO retired_signing_secrets (org_id, secret_id, secret, retires_at) VALUES (?1, ?2, ?3, ?4)";
    let values = [organisation.into(), id.into(), sealed.into(), until.into()];
    database.execute(RETIRE, &values)?;
    Ok(())
}

/// Deletes all replaced secrets.
pub(crate) fn forget_retired(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM retired_signing_secrets WHERE org_id = ?1";
    database.execute(FORGET, &[organisation.into()])?;
    Ok(())
}

/// Deletes the expired secrets of all organisations.
pub(crate) fn forget_over(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM retired_signing_secrets WHERE retires_at <= ?1";
    database.execute(FORGET, &[now.into()])?;
    Ok(())
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
