//! What is derived from the rows of an organisation: filter counts and the trigram index. Whatever writes a row keeps both current;
//! rows that were written in bulk, by an import, have them recomputed.

use settlekit_core::value::OrganisationId;

use super::sql::{Access, Database, StoreError};
use super::{customer, filter_counts, migrate};

/// Recomputes both in a transaction of its own.
///
/// # Errors
/// When the database failed; nothing was changed then.
pub fn rebuild(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    database.begin(Access::Write)?;
    let rebuilt =
        migrate::unhurried(database).and_then(|()| rebuild_within(database, organisation));
    match rebuilt {
        Ok(()) => database.commit(),
        Err(error) => {
            database.rollback()?;
            Err(error)
        }
    }
}

/// Recomputes both in the transaction that is open.
pub(crate) fn rebuild_within(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    filter_counts::count_all(database, organisation)?;
    customer::index_all(database, organisation)
}
