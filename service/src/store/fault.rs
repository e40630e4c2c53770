//! Injected faults of a sandbox.

use settlekit_core::value::OrganisationId;

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::insert_numbered;

/// A pending fault.
#[derive(Debug, Clone)]
pub(crate) struct PendingFault {
    pub(crate) id: i64,
    pub(crate) reason: String,
    /// The fault occurs after the commit: the work is done.
    pub(crate) after_commit: bool,
}

columns! { PendingFault { id, reason, after_commit } }

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    operation: Option<&str>,
    reason: &str,
    after_commit: bool,
    calls: i64,
) -> Result<i64, StoreError> {
    insert_numbered!(database, "faults" {
        org_id: organisation,
        operation: operation,
        reason: reason,
        after_commit: after_commit,
        calls: calls,
    })
}

/// The oldest fault for an operation of the organisation.
pub(crate) fn meeting(
    database: &mut dyn Database,
    organisation: OrganisationId,
    operation: &str,
) -> Result<Option<PendingFault>, StoreError> {
    const MEETING: &str = "SELECT id, reason, after_commit FROM faults WHERE org_id = ?1 AND calls > 0 \
         AND (operation IS NULL OR operation = ?2) ORDER BY id LIMIT 1";
    columns::first(&database.query(MEETING, &[organisation.into(), operation.into()])?)
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
