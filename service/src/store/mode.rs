//! The mode of a database.
//!
//! A database gets its mode when it is created and keeps it. Every open checks it: no row, address or price of one mode may
//! appear in the other.

use std::collections::BTreeMap;

use super::sql::{Access, Database, StoreError, transaction};
use super::{migrate, price, setting};
use crate::mode::Mode;

/// The setting that stores the mode.
const SETTING: &str = "mode";

/// The mode of a database; `None` if it was never opened. Writes nothing.
///
/// # Errors
/// If the database failed or holds an unknown mode.
pub fn stored(database: &mut dyn Database) -> Result<Option<Mode>, StoreError> {
    if migrate::version(database)? == 0 {
        return Ok(None);
    }
    let Some(text) = setting::read(database, SETTING)? else {
        return Ok(None);
    };
    Mode::from_text(&text)
        .map(Some)
        .ok_or_else(|| StoreError::Damaged(format!("the mode {text:?} is unknown")))
}

/// Rejects a database of the other mode. Writes nothing.
///
/// # Errors
/// [`StoreError::WrongMode`], or if the database failed.
pub fn check(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    compare(stored(database)?, asked)
}

/// Opens a database in a mode: checks the mode before any write, migrates, and stores the mode of a new database.
///
/// # Errors
/// [`StoreError::WrongMode`], or if the database failed.
pub fn open(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    open_along(database, asked, migrate::HISTORY)
}

/// As [`open`], with another history.
///
/// # Errors
/// As [`open`].
pub fn open_along(
    database: &mut dyn Database,
    asked: Mode,
    history: &[migrate::Migration],
) -> Result<(), StoreError> {
    let found = stored(database)?;
    compare(found, asked)?;
    migrate::walk(database, history)?;
    if found.is_some() {
        return Ok(());
    }
    transaction(database, Access::Write, |database| claim(database, asked))
}

/// Writers run one after another, so the first to create the database sets the mode.
fn claim(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    match stored(database)? {
        Some(found) => compare(Some(found), asked),
        None => {
            setting::write(database, SETTING, asked.as_str())?;
            match asked {
                // A setting that exists is kept by the connection; one that doesn't is looked for at each booking.
                Mode::Sandbox => price::set_simulated(database, &BTreeMap::new()),
                Mode::Live => Ok(()),
            }
        }
    }
}

fn compare(found: Option<Mode>, asked: Mode) -> Result<(), StoreError> {
    match found {
        Some(found) if found != asked => Err(StoreError::WrongMode { found, asked }),
        _ => Ok(()),
    }
}
