//! The mode of a service and of its database.

use std::fmt;

/// Whether money is real.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Play money: simulated chains, prices and venues, and a movable clock.
    Sandbox,
    /// Real money: only connected chains, price sources and venues.
    Live,
}

/// Proof of sandbox mode, required by the simulated chain, prices and venues. Only [`Mode::simulation`] creates it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simulation(());

impl Mode {
    /// The name in databases and exported books.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Live => "live",
        }
    }

    /// The mode of a name.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "sandbox" => Some(Self::Sandbox),
            "live" => Some(Self::Live),
            _ => None,
        }
    }

    /// The mode of the command line flag.
    pub const fn of_flag(sandbox: bool) -> Self {
        if sandbox { Self::Sandbox } else { Self::Live }
    }

    /// Whether money is play money.
    pub const fn is_sandbox(self) -> bool {
        matches!(self, Self::Sandbox)
    }

    /// The proof of sandbox mode; `None` in live mode.
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
