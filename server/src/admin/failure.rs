//! Failures of commands, as messages for the operator.

use std::{fmt, io};

use settlekit_service::Mode;
use settlekit_service::store::sql::StoreError;

use crate::engine::Address;
use crate::key::KeyError;

/// Why a command failed, and what to do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    Key(KeyError),
    Store(Address, StoreError),
    /// A complete message.
    Other(String),
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Other(error.to_string())
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
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Other(text) => f.write_str(text),
            Self::Store(address, error) => {
                let name = name_of(address);
                match error {
                    // The text names the file.
                    StoreError::Unreachable(_) => write!(f, "{error}")?,
                    _ => write!(f, "{name}: {error}")?,
                }
                let advice = match (error, address) {
                    (StoreError::Busy, Address::Sqlite(_)) => {
                        "stop the program that holds it, and try again"
                    }
                    (StoreError::Busy, Address::Postgres(_)) => {
                        "try again, or allow it more connections"
                    }
                    (StoreError::ReadOnly, Address::Sqlite(_)) => {
                        "let this user write the file and its folder"
                    }
                    (StoreError::ReadOnly, Address::Postgres(_)) => {
                        "grant the role write access, or use the primary server"
                    }
                    (StoreError::Full, _) => "free some space, and try again",
                    (StoreError::Damaged(_), _) => "restore it from a backup, or use another file",
                    (StoreError::Newer { .. }, _) => {
                        "run the later version of settlekit that wrote it"
                    }
                    (
                        StoreError::WrongMode {
                            found: Mode::Sandbox,
                            ..
                        },
                        _,
                    ) => "start it with --sandbox, or use a live database",
                    (StoreError::WrongMode { .. }, _) => {
                        "omit --sandbox, or use a sandbox database"
                    }
                    (StoreError::Unreachable(_), Address::Sqlite(_)) => {
                        "create the folder, or use another file"
                    }
                    (StoreError::Unreachable(_), Address::Postgres(_)) => {
                        "start the server, or correct the address"
                    }
                    _ => return Ok(()),
                };
                write!(f, ": {advice}")
            }
        }
    }
}
