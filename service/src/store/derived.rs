//! Derived data: filter counts and the trigram index. Every write of a row updates them; an import, which writes rows in bulk,
//! rebuilds them.

use settlekit_core::value::OrganisationId;

use super::sql::{Access, Database, StoreError, transaction};
use super::{customer, filter_counts, migrate};

/// Rebuilds both in a transaction.
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

/// Rebuilds both in the open transaction.
pub(crate) fn rebuild_within(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    filter_counts::count_all(database, organisation)?;
    customer::index_all(database, organisation)
}
