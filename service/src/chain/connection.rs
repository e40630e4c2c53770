//! Which chains are connected. The one place that decides it; addresses, transfers and fees come from here alone.

use settlekit_core::chain::{Chain, ChainDetail};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency};

use crate::mode::{Connections, Mode, Simulation};
use crate::refusal::{Outcome, Refusal};
use crate::store::simulated::Simulated;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{simulated, store, venue};

/// A chain that can be used.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Connection {
    /// The simulated chain, in a sandbox.
    Simulated(Simulation),
}

impl Connection {
    /// A new address whose key this connection holds.
    pub(crate) fn new_address(self, unit: &mut Unit<'_>) -> String {
        match self {
            Self::Simulated(simulation) => simulated::new_address(simulation, unit),
        }
    }

    /// Sends a payout.
    pub(crate) fn send(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        between: (Option<&str>, &str),
        currency: &Currency,
        units: i128,
    ) -> Result<Simulated, StoreError> {
        match self {
            Self::Simulated(simulation) => {
                simulated::send(simulation, unit, chain, between, currency, units)
            }
        }
    }

    /// Sends what was booked out of an account, and gives the transaction's hash.
    pub(crate) fn carry(
        self,
        unit: &mut Unit<'_>,
        chain: ChainId,
        between: (Option<&str>, &str),
        currency: &Currency,
        units: i128,
    ) -> Result<String, StoreError> {
        match self {
            Self::Simulated(simulation) => {
                simulated::carry(simulation, unit, chain, between, currency, units)
            }
        }
    }

    /// Refuses where transfers do not confirm by time alone: only the simulated chain's do.
    pub(crate) fn confirms_by_time(self) -> Outcome<()> {
        match self {
            Self::Simulated(_) => Ok(()),
        }
    }

    /// The network's fee for a transfer in a currency's smallest unit; none when the currency has no price.
    pub(crate) fn fee(self, chain: ChainId, currency: &Currency, scale: u32) -> Option<i128> {
        match self {
            Self::Simulated(simulation) => simulated::fee(simulation, chain, currency, scale),
        }
    }
}

fn by_mode(mode: Mode) -> Option<Connection> {
    mode.simulation().map(Connection::Simulated)
}

/// The connection of a chain, if it has one.
pub(crate) fn connection(
    unit: &mut Unit<'_>,
    _chain: ChainId,
) -> Result<Option<Connection>, StoreError> {
    Ok(by_mode(unit.options().mode))
}

/// The connection of a chain; refuses one that has none, of the field that names it if one does.
pub(crate) fn connected(
    unit: &mut Unit<'_>,
    chain: ChainId,
    field: Option<&'static str>,
) -> Outcome<Connection> {
    if let Some(connection) = connection(unit, chain)? {
        return Ok(connection);
    }
    let known = store::chain::find(unit.database, chain)?;
    let name = known.map_or_else(
        || chain.to_string(),
        |known| format!("{} ({chain})", known.chain.name),
    );
    Err(match field {
        Some(field) => Refusal::field(field, Reason::ChainNotConnected, needs_named(&name)),
        None => Refusal::because(
            Reason::ChainNotConnected,
            format!("{name} is not connected to this service"),
        ),
    })
}

fn needs_named(name: &str) -> String {
    format!("needs {name}, which is not connected to this service")
}

/// What a field is told that names a chain without a connection.
pub(crate) fn needs(name: &str, chain: ChainId) -> String {
    needs_named(&format!("{name} ({chain})"))
}

/// Refuses accounts of which one is on a chain that is not connected.
pub(crate) fn all_connected(
    unit: &mut Unit<'_>,
    chains: impl Iterator<Item = ChainId>,
) -> Outcome<()> {
    for chain in chains {
        connected(unit, chain, None)?;
    }
    Ok(())
}

/// The chains that are connected, with their assets.
pub(crate) fn list_connected(unit: &mut Unit<'_>) -> Result<Vec<ChainDetail>, StoreError> {
    listed(unit.options().mode, unit.database)
}

fn listed(mode: Mode, database: &mut dyn Database) -> Result<Vec<ChainDetail>, StoreError> {
    match by_mode(mode) {
        Some(Connection::Simulated(_)) => store::chain::list(database),
        None => Ok(Vec::new()),
    }
}

/// What is connected, for the operator.
pub(crate) fn connections(
    mode: Mode,
    database: &mut dyn Database,
) -> Result<Connections, StoreError> {
    let chains = listed(mode, database)?;
    Ok(Connections {
        chains: chains.into_iter().map(|chain| chain.name).collect(),
        prices: venue::prices_of(mode).is_connected(),
        venues: venue::market_of(mode).map_or_else(Vec::new, |market| market.names()),
    })
}

/// Whether one of these chains is connected.
pub(crate) fn is_connected(unit: &mut Unit<'_>, chain: &Chain) -> Result<bool, StoreError> {
    Ok(connection(unit, chain.id)?.is_some())
}
