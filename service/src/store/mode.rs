//! The mode of a database, and opening it in one.
//!
//! A database takes its mode when it is created and keeps it. Every open compares: no row, address or price of one mode may
//! appear in the other.

use super::sql::{Access, Database, StoreError};
use super::{migrate, setting};
use crate::mode::Mode;

/// The setting that holds a database's mode.
const SETTING: &str = "mode";

/// The mode that a database was created in; none when it was never opened. Writes nothing.
///
/// # Errors
/// When the database failed, or holds a mode that this program does not know.
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

/// Refuses a database of the other mode. Writes nothing.
///
/// # Errors
/// [`StoreError::WrongMode`], or when the database failed.
pub fn check(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    compare(stored(database)?, asked)
}

/// Opens a database in a mode: compares before anything is written, brings the schema to the latest version, and gives a new
/// database its mode.
///
/// # Errors
/// [`StoreError::WrongMode`], or when the database failed.
pub fn open(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    open_along(database, asked, migrate::HISTORY)
}

/// As [`open`], along a history that is not this program's.
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
    database.begin(Access::Write)?;
    match claim(database, asked) {
        Ok(()) => database.commit(),
        Err(error) => {
            database.rollback()?;
            Err(error)
        }
    }
}

/// Writers take turns, so the first of several that create a database decides.
fn claim(database: &mut dyn Database, asked: Mode) -> Result<(), StoreError> {
    match stored(database)? {
        Some(found) => compare(Some(found), asked),
        None => setting::write(database, SETTING, asked.as_str()),
    }
}

fn compare(found: Option<Mode>, asked: Mode) -> Result<(), StoreError> {
    match found {
        Some(found) if found != asked => Err(StoreError::WrongMode { found, asked }),
        _ => Ok(()),
    }
}
