//! Failures of commands, as messages for the operator.

use std::{fmt, io};

use settlekit_core::value::OrganisationId;
use settlekit_service::Mode;
use settlekit_service::operator::OperatorError;
use settlekit_service::store::sql::StoreError;

use crate::config::Store;
use crate::engine::Address;
use crate::key::KeyError;

/// Why a command failed, and what to do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    Store(Address, StoreError),
    /// A complete message.
    Other(String),
}

impl Failure {
    /// Adds the address of the database to its errors.
    pub(super) fn of(database: &Address) -> impl Fn(StoreError) -> Self + Copy {
        move |error| Self::Store(database.clone(), error)
    }

    pub(super) fn unknown_organisation(id: OrganisationId) -> Self {
        Self::Other(format!("organisation {id} not found"))
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Other(message.to_owned())
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Other(error.to_string())
    }
}

/// The failure of an operator's command.
pub(super) fn failure(store: &Store, error: OperatorError) -> Failure {
    match error {
        OperatorError::Store(error) => Failure::Store(store.database.clone(), error),
        error => error.to_string().into(),
    }
}

/// The name of a database in messages.
pub(super) fn name_of(address: &Address) -> String {
    match address {
        Address::Sqlite(path) => path.display().to_string(),
        // The address contains a password.
        Address::Postgres(_) => "PostgreSQL".to_owned(),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (address, error) = match self {
            Self::Other(text) => return f.write_str(text),
            Self::Store(address, error) => (address, error),
        };
        match error {
            // The text names the file.
            StoreError::Unreachable(_) => write!(f, "{error}")?,
            _ => write!(f, "{}: {error}", name_of(address))?,
        }
        match advice(error, address) {
            Some(advice) => write!(f, ": {advice}"),
            None => Ok(()),
        }
    }
}

/// The operator's remedy for an error.
fn advice(error: &StoreError, address: &Address) -> Option<&'static str> {
    let is_file = matches!(address, Address::Sqlite(_));
    Some(match error {
        StoreError::Busy if is_file => "stop the program that holds it, and try again",
        StoreError::Busy => "try again, or allow it more connections",
        StoreError::ReadOnly if is_file => "let this user write the file and its folder",
        StoreError::ReadOnly => "grant the role write access, or use the primary server",
        StoreError::Full => "free some space, and try again",
        StoreError::Damaged(_) => "restore it from a backup, or use another file",
        StoreError::Newer { .. } => "run the later version of settlekit that wrote it",
        StoreError::WrongMode { found, .. } if *found == Mode::Sandbox => {
            "start it with --sandbox, or use a live database"
        }
        StoreError::WrongMode { .. } => "omit --sandbox, or use a sandbox database",
        StoreError::Unreachable(_) if is_file => "create the folder, or use another file",
        StoreError::Unreachable(_) => "start the server, or correct the address",
        _ => return None,
    })
}
