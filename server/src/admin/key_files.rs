//! The files of a master key that is being rotated, and the database that says which of them holds its key.

use std::fs;
use std::io;
use std::path::Path;

use settlekit_service::master_key::seals;
use settlekit_service::store::sql::{Database, StoreError};
use settlekit_service::store::sqlite::Sqlite;

use super::failure::Failure;
use crate::config::Store;
use crate::engine::Address;
use crate::key::{KeyError, beside, file_of, is_new, read, sync_folder};
use crate::{private_file, tls};

/// The ending of the file that holds a key which may not be the database's yet.
pub(super) const NEW: &str = ".new";
/// The ending of the file that holds the key before the present one.
pub(super) const OLD: &str = ".old";

/// Opens a connection to a database.
pub(super) fn connect(address: &Address) -> Result<Box<dyn Database>, StoreError> {
    Ok(match address {
        Address::Sqlite(path) => {
            private_file::create_database(path);
            Box::new(Sqlite::open(path)?)
        }
        Address::Postgres(address) => Box::new(tls::open(address)?),
    })
}

/// Finishes a rotation that was interrupted after the database had taken the new key.
pub(super) fn finish(store: &Store) -> Result<(), Failure> {
    let Some(file) = file_of(store).filter(|_| store.master_key.is_none()) else {
        return Ok(());
    };
    let draft = beside(&file, NEW);
    if !exists(&draft)? {
        return Ok(());
    }
    let failed = |error| Failure::Store(store.database.clone(), error);
    if is_new(&store.database).map_err(failed)? {
        return Ok(());
    }
    let new = read(&draft)?;
    let mut database = connect(&store.database).map_err(failed)?;
    if seals(database.as_mut(), &new.0).map_err(failed)? {
        replace(&file)?;
    }
    Ok(())
}

/// Puts the new key in the place of the old one, which is kept beside it.
pub(super) fn replace(file: &Path) -> Result<(), Failure> {
    let (draft, old) = (beside(file, NEW), beside(file, OLD));
    let failed = |error| Failure::Key(KeyError::Io(file.to_owned(), error));
    match fs::hard_link(file, &old) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        linked => linked.map_err(failed)?,
    }
    sync_folder(file)?;
    match fs::rename(&draft, file) {
        // Another command has finished it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(failed)?,
    }
    Ok(sync_folder(file)?)
}

pub(super) fn exists(file: &Path) -> Result<bool, Failure> {
    file.try_exists()
        .map_err(|error| KeyError::Io(file.to_owned(), error).into())
}
