//! Connected chains. The only module that decides which are; addresses, transfers and fees come from a [`Connection`] only.

use alloy_primitives::{Address, keccak256};
use settlekit_core::chain::ChainDetail;
use settlekit_core::error::Reason;
use settlekit_core::value::ChainId;

use crate::mode::{Mode, Simulation};
use crate::secret::context;
use crate::store;
use crate::store::connection::Connected;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Refusal, Unit};

/// A connection to a chain.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Connection {
    /// The simulated chain of a sandbox.
    Simulated(Simulation),
    /// A chain with nodes, in live mode.
    Evm(Evm),
}

impl Connection {
    /// The wallet that sends, and that takes signed transfers for accounts whose money the service holds. That of the simulated chains
    /// has no key.
    pub(crate) fn hot_wallet(self) -> Address {
        match self {
            Self::Simulated(_) => {
                Address::from_word(keccak256("hot wallet of the simulated chains"))
            }
            Self::Evm(evm) => evm.hot_wallet,
        }
    }
}

/// A chain with nodes and a hot wallet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evm {
    pub(crate) hot_wallet: Address,
}

/// The connection of a chain, if connected and not paused.
pub(crate) fn of_chain(
    unit: &mut Unit<'_>,
    chain: ChainId,
) -> Result<Option<Connection>, StoreError> {
    if let Some(simulation) = unit.options().mode.simulation() {
        return Ok(Some(Connection::Simulated(simulation)));
    }
    let connected = store::connection::find(unit.database, chain)?;
    if connected.is_none_or(|connected| connected.paused) {
        return Ok(None);
    }
    let wallet = store::wallet::current_wallet(unit.database)?;
    Ok(wallet.map(|wallet| {
        Connection::Evm(Evm {
            hot_wallet: wallet.address,
        })
    }))
}

/// The connection of a chain; refuses a chain without one, naming the field if given.
pub(crate) fn connected(
    unit: &mut Unit<'_>,
    chain: ChainId,
    field: Option<&'static str>,
) -> Outcome<Connection> {
    if let Some(connection) = of_chain(unit, chain)? {
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

/// The message for a chain without a connection.
pub(crate) fn needs(name: &str, chain: ChainId) -> String {
    needs_named(&format!("{name} ({chain})"))
}

/// Refuses accounts on chains that are not connected.
pub(crate) fn all_connected(
    unit: &mut Unit<'_>,
    chains: impl Iterator<Item = ChainId>,
) -> Outcome<()> {
    for chain in chains {
        connected(unit, chain, None)?;
    }
    Ok(())
}

/// The connected chains with their assets.
pub(crate) fn list_connected(unit: &mut Unit<'_>) -> Result<Vec<ChainDetail>, StoreError> {
    listed(unit.options().mode, unit.database)
}

pub(super) fn listed(
    mode: Mode,
    database: &mut dyn Database,
) -> Result<Vec<ChainDetail>, StoreError> {
    let mut chains = store::chain::list(database)?;
    if mode == Mode::Live {
        let connected = store::connection::all_connections(database)?;
        chains.retain(|chain| {
            let mut connected = connected.iter();
            connected.any(|connected| connected.chain == chain.id && !connected.paused)
        });
    }
    Ok(chains)
}

/// The chains with nodes, paused ones too, each with its connection.
pub(crate) fn connected_chains(
    database: &mut dyn Database,
) -> Result<Vec<(ChainDetail, Connected)>, StoreError> {
    let mut connected = store::connection::all_connections(database)?;
    let chains = store::chain::list(database)?.into_iter();
    let of_chain = chains.filter_map(|chain| {
        let at = connected.iter().position(|one| one.chain == chain.id)?;
        Some((chain, connected.swap_remove(at)))
    });
    Ok(of_chain.collect())
}

/// The URLs of a chain's nodes.
pub(crate) fn node_urls(unit: &Unit<'_>, connected: &Connected) -> Result<Vec<String>, StoreError> {
    let opened = unit.open(&context::providers(connected.chain), &connected.providers);
    let urls = opened.and_then(|text| serde_json::from_slice(&text).ok());
    urls.ok_or_else(|| StoreError::Damaged("the nodes of a chain cannot be unsealed".to_owned()))
}
