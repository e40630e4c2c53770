//! The mode of a service and of its database: play money or real money.
//!
//! A database takes its mode when it is created and keeps it. Every open compares: no row, address or price of one mode may
//! appear in the other.

use std::fmt;

use crate::Service;
use crate::store::sql::{Access, Database, StoreError};
use crate::store::{migrate, setting};

/// Whether money is real.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Play money: simulated chains, prices and venues, and a clock that can be moved.
    Sandbox,
    /// Real money: only what is connected receives, sends, prices and trades.
    Live,
}

/// Proof that the service is a sandbox. The simulated chain, the constant prices and the simulated venues each ask for it, and
/// only [`Mode::simulation`] gives it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simulation(());

/// The setting that holds a database's mode.
const SETTING: &str = "mode";

impl Mode {
    /// The mode's name, as databases and exported books hold it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Live => "live",
        }
    }

    /// The mode with this name.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "sandbox" => Some(Self::Sandbox),
            "live" => Some(Self::Live),
            _ => None,
        }
    }

    /// The mode that a command line asks for.
    pub const fn of_flag(sandbox: bool) -> Self {
        if sandbox { Self::Sandbox } else { Self::Live }
    }

    /// Whether money is play money.
    pub const fn is_sandbox(self) -> bool {
        matches!(self, Self::Sandbox)
    }

    /// What everything simulated asks for; none in live mode.
    pub(crate) const fn simulation(self) -> Option<Simulation> {
        match self {
            Self::Sandbox => Some(Simulation(())),
            Self::Live => None,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

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

impl Service {
    /// What is connected, for the operator's log: chains by name, price sources and venues.
    ///
    /// # Errors
    /// When the database failed.
    pub fn connections(&self, database: &mut dyn Database) -> Result<Connections, StoreError> {
        crate::chain::connections(self.options().mode, database)
    }
}

/// What is connected to a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connections {
    /// The names of the connected chains.
    pub chains: Vec<String>,
    /// Whether amounts can be converted.
    pub prices: bool,
    /// The names of the connected venues.
    pub venues: Vec<&'static str>,
}
