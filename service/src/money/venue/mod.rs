//! Venues: who trades what, at which price. A sandbox has simulated ones, a live service exchanges on its chains and the operator's
//! exchange accounts.

#[cfg(not(target_family = "wasm"))]
mod at_exchange;
mod fill;
#[cfg(not(target_family = "wasm"))]
mod live;
#[cfg(not(target_family = "wasm"))]
mod on_chain;
#[cfg(not(target_family = "wasm"))]
mod price_check;
mod simulated;

use settlekit_core::error::Reason;
use settlekit_core::trade::Instrument;
use settlekit_core::value::{ChainId, Currency, Timestamp};

pub(crate) use fill::{Exact, Fill, NoFill, QuotedSwap, Side, VenueOfFill};
#[cfg(not(target_family = "wasm"))]
use live::LiveVenues;
#[cfg(not(target_family = "wasm"))]
pub(crate) use on_chain::{PreparedSwap, SwapMoney, prepare};
use simulated::SimulatedVenues;

use super::prices::SimulatedPrices;
use crate::mode::Mode;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Refusal, Unit};

/// The connected venues.
#[derive(Debug)]
pub(crate) enum ConnectedVenues {
    Simulated(SimulatedVenues),
    #[cfg(not(target_family = "wasm"))]
    Live(LiveVenues),
}

impl ConnectedVenues {
    /// Whether a currency on a chain is traded for any other.
    pub(crate) fn is_traded(&self, asset: (ChainId, &Currency)) -> bool {
        match self {
            Self::Simulated(venues) => venues.is_traded(asset.1),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.is_traded(asset),
        }
    }

    pub(crate) fn is_pair(&self, sold: Side<'_>, bought: Side<'_>) -> bool {
        match self {
            Self::Simulated(venues) => venues.is_pair(sold.currency, bought.currency),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.is_pair(sold, bought),
        }
    }

    /// Whether a venue trades on a chain.
    #[cfg_attr(
        target_family = "wasm",
        expect(unused_variables, reason = "a sandbox trades on all of its chains")
    )]
    pub(crate) fn is_on(&self, chain: ChainId) -> bool {
        match self {
            Self::Simulated(_) => true,
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.is_on(chain),
        }
    }

    /// Whether a venue takes the size, as far as is known without asking one.
    pub(crate) fn takes(
        &self,
        sold: Side<'_>,
        bought: Side<'_>,
        units: i128,
        now: Timestamp,
    ) -> bool {
        match self {
            Self::Simulated(venues) => venues.best(sold, bought, Exact::Sold(units), now).is_ok(),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.takes(sold, bought, units),
        }
    }

    /// The best fill of all venues, beside the earlier fills of a basket. A venue on a chain is asked by the host first.
    pub(crate) fn best(
        &self,
        unit: &mut Unit<'_>,
        sold: Side<'_>,
        bought: Side<'_>,
        (exact, earlier): (Exact, &[Fill]),
    ) -> Outcome<Result<Fill, NoFill>> {
        // Simulated venues have no end of money.
        #[cfg(target_family = "wasm")]
        let _ = earlier;
        match self {
            Self::Simulated(venues) => Ok(venues.best(sold, bought, exact, unit.now)),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.best(unit, sold, bought, (exact, earlier)),
        }
    }

    /// All instruments of all venues at a time.
    pub(crate) fn instruments(&self, now: Timestamp) -> Vec<Instrument> {
        match self {
            Self::Simulated(venues) => venues.instruments(now),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(venues) => venues.instruments(),
        }
    }
}

/// The names of the connected venues.
pub(crate) fn names(mode: Mode, database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    match mode {
        Mode::Sandbox => Ok(simulated::names().map(str::to_owned).collect()),
        Mode::Live => live_names(database),
    }
}

#[cfg(not(target_family = "wasm"))]
fn live_names(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    live::names(database)
}

/// A service in wasm is a sandbox.
#[cfg(target_family = "wasm")]
fn live_names(_: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    Ok(Vec::new())
}

/// Whether a venue is connected.
pub(crate) fn is_connected(unit: &mut Unit<'_>) -> Result<bool, StoreError> {
    let mode = unit.options().mode;
    Ok(mode.is_sandbox() || !live_names(unit.database)?.is_empty())
}

/// Refuses when no venue is connected.
pub(crate) fn check_connected(unit: &mut Unit<'_>) -> Outcome<()> {
    match is_connected(unit)? {
        true => Ok(()),
        false => Err(none_connected()),
    }
}

/// The connected venues, if there are any.
pub(crate) fn find(unit: &mut Unit<'_>) -> Result<Option<ConnectedVenues>, StoreError> {
    if let Some(simulation) = unit.options().mode.simulation() {
        let prices = SimulatedPrices::now(unit, simulation)?;
        return Ok(Some(ConnectedVenues::Simulated(SimulatedVenues::new(
            prices,
        ))));
    }
    #[cfg(not(target_family = "wasm"))]
    return Ok(LiveVenues::find(unit)?.map(ConnectedVenues::Live));
    // A service in wasm is a sandbox.
    #[cfg(target_family = "wasm")]
    Ok(None)
}

/// The connected venues; refuses when there are none.
pub(crate) fn connected(unit: &mut Unit<'_>) -> Outcome<ConnectedVenues> {
    find(unit)?.ok_or_else(none_connected)
}

fn none_connected() -> Refusal {
    Refusal::because(
        Reason::VenueUnavailable,
        "no trading venue is connected to this service",
    )
}
