//! The key files of a rotation of the master key. The database decides which of them holds the current key.

use std::fs;
use std::io;
use std::path::Path;

use settlekit_service::master_key::seals;

use super::connect::connect;
use super::failure::Failure;
use crate::config::Store;
use crate::key::{KeyError, file_of, is_new, read, sync_folder, with_suffix};

/// The suffix of the new key's file. The database may still use the old key.
pub(super) const NEW: &str = ".new";
/// The suffix of the previous key's file.
pub(super) const OLD: &str = ".old";

/// Completes a rotation that was interrupted after the database had taken the new key.
pub(super) fn finish(store: &Store) -> Result<(), Failure> {
    let Some(file) = file_of(store).filter(|_| store.master_key.is_none()) else {
        return Ok(());
    };
    let draft = with_suffix(&file, NEW);
    if !exists(&draft)? {
        return Ok(());
    }
    let failed = Failure::of(&store.database);
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

/// Moves the new key into place and keeps the old one.
pub(super) fn replace(file: &Path) -> Result<(), Failure> {
    let (draft, old) = (with_suffix(file, NEW), with_suffix(file, OLD));
    let failed = |error| KeyError::Io(file.to_owned(), error);
    match fs::hard_link(file, &old) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        linked => linked.map_err(failed)?,
    }
    sync_folder(file)?;
    match fs::rename(&draft, file) {
        // Another command has completed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(failed)?,
    }
    Ok(sync_folder(file)?)
}

pub(super) fn exists(file: &Path) -> Result<bool, Failure> {
    file.try_exists()
        .map_err(|error| KeyError::Io(file.to_owned(), error).into())
}
