//! Backup of a database in use.

use super::dialect::Dialect;
use super::sql::{Database, StoreError};

/// Copies a snapshot of an SQLite database into a new file, while others read and write.
///
/// # Errors
/// If the file exists or cannot be written, or the database is PostgreSQL, which has tools of its own.
pub fn copy(database: &mut dyn Database, file: &str) -> Result<(), StoreError> {
    if database.dialect() != Dialect::Sqlite {
        return Err(StoreError::Broken(
            "only SQLite is copied into a file: use pg_dump".to_owned(),
        ));
    }
    database.execute("VACUUM INTO ?1", &[file.into()])?;
    Ok(())
}
