//! Injected faults of a sandbox.

use settlekit_core::value::OrganisationId;

use super::first;
use super::sql::{Database, StoreError};

/// A pending fault.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) id: i64,
    pub(crate) reason: String,
    /// The fault occurs after the commit: the work is done.
    pub(crate) after_commit: bool,
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    operation: Option<&str>,
    reason: &str,
    after_commit: bool,
    calls: i64,
) -> Result<i64, StoreError> {
    const INSERT: &str = "INSERT INTO faults (org_id, operation, reason, after_commit, calls) VALUES (?1, ?2, ?3, ?4, ?5)";
    database.insert(
        INSERT,
        &[
            organisation.into(),
            operation.into(),
            reason.into(),
            i64::from(after_commit).into(),
            calls.into(),
        ],
    )
}

/// The oldest fault for an operation of the organisation.
pub(crate) fn meeting(
    database: &mut dyn Database,
    organisation: OrganisationId,
    operation: &str,
) -> Result<Option<Waiting>, StoreError> {
    const MEETING: &str = "SELECT id, reason, after_commit FROM faults WHERE org_id = ?1 AND calls > 0 \
         AND (operation IS NULL OR operation = ?2) ORDER BY id LIMIT 1";
    first(database.query(MEETING, &[organisation.into(), operation.into()])?)
        .map(|row| {
            Ok(Waiting {
                id: row.int(0)?,
                reason: row.text(1)?.to_owned(),
                after_commit: row.int(2)? != 0,
            })
        })
        .transpose()
}

/// Consumes one occurrence of a fault.
pub(crate) fn met(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: i64,
) -> Result<(), StoreError> {
    const MET: &str = "UPDATE faults SET calls = calls - 1 WHERE org_id = ?1 AND id = ?2";
    database.execute(MET, &[organisation.into(), id.into()])?;
    Ok(())
}
