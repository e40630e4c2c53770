//! A copy of a database that is in use.

use super::dialect::Dialect;
use super::sql::{Database, StoreError};

/// Copies an SQLite database, as it is at one time, into a new file. Others read and write meanwhile.
///
/// # Errors
/// When the file is there already or cannot be written, or the database is not SQLite: PostgreSQL has tools of its own.
pub fn copy(database: &mut dyn Database, file: &str) -> Result<(), StoreError> {
    if database.dialect() != Dialect::Sqlite {
        return Err(StoreError::Broken(
            "only SQLite is copied into a file: use pg_dump".to_owned(),
        ));
    }
    database.execute("VACUUM INTO ?1", &[file.into()])?;
    Ok(())
}
