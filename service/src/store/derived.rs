//! Derived data: filter counts, the trigram index and the index of movements. Every write of a row updates them; an import, which
//! writes rows in bulk, rebuilds them.

use settlekit_core::value::OrganisationId;

use super::sql::{Access, Database, StoreError, transaction};
use super::{customer, filter_counts, migrate, movement_index};

/// Rebuilds all in a transaction.
///
/// # Errors
/// If the database failed; nothing was changed then.
pub fn rebuild(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    transaction(database, Access::Write, |database| {
        migrate::lift_statement_timeout(database)?;
        rebuild_within(database, organisation)
    })
}

/// Rebuilds all in the open transaction.
pub(crate) fn rebuild_within(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    filter_counts::count_all(database, organisation)?;
    movement_index::rebuild_all(database, organisation)?;
    customer::index_all(database, organisation)
}
