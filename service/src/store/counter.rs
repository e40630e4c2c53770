//! Stored counts per organisation.

use settlekit_core::value::OrganisationId;

use super::first;
use super::sql::{CachedTable, Change, Database, StoreError};

pub(crate) fn add(
    database: &mut dyn Database,
    organisation: OrganisationId,
    name: &str,
    by: i64,
) -> Result<(), StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "counters",
        &["org_id", "name"],
        &["value"],
        "INSERT INTO counters (org_id, name, value) VALUES (?1, ?2, ?3) \
         ON CONFLICT (org_id, name) DO UPDATE SET value = counters.value + excluded.value",
    );
    let key = [organisation.into(), name.into()];
    database.write_cached(&CACHED, &key, Change::Add(by))
}

pub(crate) fn read(
    database: &mut dyn Database,
    organisation: OrganisationId,
    name: &str,
) -> Result<u64, StoreError> {
    const READ: &str = "SELECT value FROM counters WHERE org_id = ?1 AND name = ?2";
    let row = first(database.query(READ, &[organisation.into(), name.into()])?);
    Ok(row.map_or(Ok(0), |row| row.int(0))?.try_into().unwrap_or(0))
}
