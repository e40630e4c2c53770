//! The command `key rotate-master`: replaces the master key in the database and the key file.
//!
//! Each step is durable before the next: write the new key next to the key file (`.new`); reseal the database in one transaction;
//! keep the old key (`.old`); move the new one into place. Between any two steps one of the files opens the database, and
//! `key_files::finish` finds which.

use std::path::Path;
use std::process::ExitCode;

use settlekit_service::master_key::Rotated;

use super::failure::Failure;
use super::key_files::{NEW, OLD, exists, replace};
use super::opening::open;
use super::output::print;
use crate::config::{MasterKey, Store};
use crate::key::{KeyError, file_of, generate, read, with_suffix, write};

pub(super) fn rotate(store: &Store, given: Option<MasterKey>) -> Result<ExitCode, Failure> {
    // Opening also verifies the current key and completes an interrupted rotation.
    let mut opened = open(store)?;
    let present = MasterKey(opened.service.options().master_key);
    let file = match store.master_key {
        Some(_) => None,
        None => file_of(store),
    };
    let new = match (&file, given) {
        (None, None) => {
            return Err(
                "set SETTLEKIT_NEW_MASTER_KEY (`openssl rand -hex 32`): the current key is not in a key file".into(),
            );
        }
        (None, Some(new)) => new,
        (Some(file), given) => prepare(file, &present, given)?,
    };
    if new == present {
        return Err("the new master key is the current one: use another".into());
    }
    let rotated = opened
        .call(|service, database, _, seed| service.rotate_master_key(database, &new.0, seed))?;
    let Rotated::Done(count) = rotated else {
        return Err(KeyError::Other.into());
    };
    if let Some(file) = &file {
        replace(file)?;
    }
    print(false, &[("secrets_sealed", count.to_string())])?;
    let next = match &file {
        Some(file) => format!(
            "the new key is in {}, the old one in {}: keep the old key as long as older backups, and back up the new key",
            file.display(),
            with_suffix(file, OLD).display()
        ),
        None => "start every server with the new key; keep the old key as long as older backups"
            .to_owned(),
    };
    print(false, &[("next", next)])
}

/// Writes the new key next to the key file. A key left by an interrupted rotation is reused, so that two concurrent ones agree.
fn prepare(
    file: &Path,
    present: &MasterKey,
    given: Option<MasterKey>,
) -> Result<MasterKey, Failure> {
    let old = with_suffix(file, OLD);
    if exists(&old)? && read(&old)? != *present {
        return Err(Failure::Other(format!(
            "{} holds an earlier key: move it to the backups of that time",
            old.display()
        )));
    }
    let draft = with_suffix(file, NEW);
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
            "{} holds another key, of an unfinished rotation: remove it, or omit the new key",
            draft.display()
        )));
    }
    Ok(new)
}
