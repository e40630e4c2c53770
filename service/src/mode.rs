//! The mode of a service and of its database: play money or real money.

use std::fmt;

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
