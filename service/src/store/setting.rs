//! Settings of the service, across organisations.

use super::first;
use super::sql::{Database, StoreError};

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
    const WRITE: &str = "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    database.execute(WRITE, &[name.into(), value.into()])?;
    Ok(())
}
