//! Why a database operation failed, whatever the engine.

use std::fmt;

use crate::mode::Mode;

/// Why a database operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another process holds the database or a lock. A retry helps.
    Busy,
    /// The file, its folder or the server is read-only.
    ReadOnly,
    /// The disk is full.
    Full,
    /// Not a database, or corrupt.
    Damaged(String),
    /// A later version of this program wrote the database.
    Newer {
        /// The database's schema version.
        found: u32,
        /// The latest version this program knows.
        known: u32,
    },
    /// The database belongs to the other mode.
    WrongMode {
        /// The mode of the database.
        found: Mode,
        /// The mode requested.
        asked: Mode,
    },
    /// The chain or source is not connected to this service.
    NotConnected(String),
    /// A conflict with another transaction; nothing was done, and the work can be repeated at once.
    Conflict,
    /// A constraint refused the row. The text differs per database: log it, don't branch on it.
    Constraint(String),
    /// The database cannot be opened or reached.
    Unreachable(String),
    /// A defect of the program or the machine.
    Broken(String),
}

impl StoreError {
    /// Whether stored data or a defect is the cause: a retry does not help, and other work can continue.
    pub(crate) fn is_data_error(&self) -> bool {
        matches!(
            self,
            Self::Damaged(_) | Self::Constraint(_) | Self::Broken(_)
        )
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("the database is locked by someone else"),
            Self::ReadOnly => f.write_str("the database is read-only"),
            Self::Full => f.write_str("the disk is full"),
            Self::Damaged(text) => write!(f, "the database is damaged: {text}"),
            Self::Newer { found, known } => {
                write!(
                    f,
                    "the database has version {found}, this program knows versions up to {known}"
                )
            }
            Self::WrongMode { found, asked } => write!(
                f,
                "the database was created in {found} mode and is not opened in {asked} mode"
            ),
            Self::NotConnected(text) => f.write_str(text),
            Self::Conflict => f.write_str("the transaction met another one and has to run again"),
            Self::Constraint(text) => {
                write!(f, "a constraint of the schema refused the row: {text}")
            }
            Self::Unreachable(text) => write!(f, "the database cannot be reached: {text}"),
            Self::Broken(text) => write!(f, "the database failed: {text}"),
        }
    }
}

impl std::error::Error for StoreError {}
