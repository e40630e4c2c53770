//! Settings of the service, across organisations.

use super::first;
use super::sql::{CachedTable, Database, StoreError};

const WRITE: &str = "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

pub(crate) fn read(database: &mut dyn Database, name: &str) -> Result<Option<String>, StoreError> {
    const READ: &str = "SELECT value FROM settings WHERE name = ?1";
    first(database.query(READ, &[name.into()])?)
        .map(|row| row.text(0).map(str::to_owned))
        .transpose()
}

pub(crate) fn write(
    database: &mut dyn Database,
    name: &str,
    value: &str,
) -> Result<(), StoreError> {
    database.execute(WRITE, &[name.into(), value.into()])?;
    Ok(())
}

pub(crate) fn delete(database: &mut dyn Database, name: &str) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM settings WHERE name = ?1";
    database.execute(DELETE, &[name.into()])?;
    Ok(())
}

/// As [`read`], for a setting that bookings need: a writing connection keeps it, so that it costs no round trip to PostgreSQL.
pub(crate) fn read_cached(
    database: &mut dyn Database,
    name: &str,
) -> Result<Option<String>, StoreError> {
    static CACHED: CachedTable = CachedTable::new("settings", &["name"], &["value"], WRITE);
    let key = [name.into()];
    let row = database.read_cached(&CACHED, &[&key])?.pop().flatten();
    row.map(|row| row.text(0).map(str::to_owned)).transpose()
}
