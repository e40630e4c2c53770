//! The command `key rotate-master`: another master key, in the database and in the key file.
//!
//! The steps, each durable before the next: the new key stands beside the key file (`.new`); the database seals everything with
//! it, in one transaction; the old key stands beside it (`.old`); the new one takes the key file's name. Between any two of them
//! one of the files opens the database, and [`finish`] tells which.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use settlekit_service::master_key::{Rotated, seals};

use super::{Failure, connect, open, print, seed};
use crate::config::{MasterKey, Store};
use crate::key::{KeyError, beside, file_of, generate, is_new, read, sync_folder, write};

/// The ending of the file that holds a key which may not be the database's yet.
const NEW: &str = ".new";
/// The ending of the file that holds the key before the present one.
const OLD: &str = ".old";

pub(super) fn rotate(store: &Store, given: Option<MasterKey>) -> Result<ExitCode, Failure> {
    // Opening also proves that the present key is the database's, and finishes what was interrupted.
    let (service, mut database) = open(store)?;
    let present = MasterKey(service.options().master_key);
    let file = match store.master_key {
        Some(_) => None,
        None => file_of(store),
    };
    let new = match (&file, given) {
        (None, None) => {
            return Err(Failure::Other(
                "give the new master key in SETTLEKIT_NEW_MASTER_KEY (`openssl rand -hex 32`): the present one stands in no key file"
                    .to_owned(),
            ));
        }
        (None, Some(new)) => new,
        (Some(file), given) => prepare(file, &present, given)?,
    };
    if new == present {
        return Err(Failure::Other(
            "the new master key is the present one: give another".to_owned(),
        ));
    }
    let rotated = service
        .rotate_master_key(database.as_mut(), &new.0, seed(store)?)
        .map_err(|error| Failure::Store(store.database.clone(), error))?;
    let Rotated::Done(count) = rotated else {
        return Err(KeyError::Other.into());
    };
    if let Some(file) = &file {
        replace(file)?;
    }
    print(false, &[("secrets_sealed", count.to_string())])?;
    let next = match &file {
        Some(file) => format!(
            "the new key is in {}, the old one in {}: keep that as long as you keep older backups, and copy the new one",
            file.display(),
            beside(file, OLD).display()
        ),
        None => "start every server with the new key; keep the old one as long as you keep older backups".to_owned(),
    };
    print(false, &[("next", next)])
}

/// Writes the new key beside the key file. One that an interrupted rotation left is taken again, so that two at once agree.
fn prepare(
    file: &Path,
    present: &MasterKey,
    given: Option<MasterKey>,
) -> Result<MasterKey, Failure> {
    let old = beside(file, OLD);
    if exists(&old)? && read(&old)? != *present {
        return Err(Failure::Other(format!(
            "{} holds an earlier key: move it to where you keep the backups of its time",
            old.display()
        )));
    }
    let draft = beside(file, NEW);
    if !exists(&draft)? {
        let new = match given.clone() {
            Some(new) => new,
            None => generate()?,
        };
        write(&draft, &new)?;
    }
    let new = read(&draft)?;
    if given.is_some_and(|given| given != new) {
        return Err(Failure::Other(format!(
            "{} holds another key, of a rotation that was not finished: remove it, or leave the new key away",
            draft.display()
        )));
    }
    Ok(new)
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
fn replace(file: &Path) -> Result<(), Failure> {
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

fn exists(file: &Path) -> Result<bool, Failure> {
    file.try_exists()
        .map_err(|error| KeyError::Io(file.to_owned(), error).into())
}
