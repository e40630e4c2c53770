//! Venues: who trades what, at which price. A sandbox has simulated ones, a live service exchanges on its chains and the operator's
//! exchange accounts.

#[cfg(not(target_family = "wasm"))]
mod at_exchange;
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

#[cfg(not(target_family = "wasm"))]
pub(crate) use on_chain::{PreparedSwap, SwapMoney, prepare};

use super::prices::SimulatedPrices;
use crate::mode::Mode;
use crate::store::quote::Execution;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Refusal, Unit};

/// One side of a trade: a currency on a chain, with its decimal places.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) currency: &'a Currency,
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "simulated venues trade from one chain to another")
    )]
    pub(crate) chain: ChainId,
    pub(crate) scale: u32,
}

/// The exact side of a trade, in its smallest unit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Exact {
    Sold(i128),
    Bought(i128),
}

impl Exact {
    /// The amount of the other side.
    const fn other(self, fill: &Fill) -> i128 {
        match self {
            Self::Sold(_) => fill.bought(),
            Self::Bought(_) => fill.sold,
        }
    }

    /// The amount of the side that is not exact, to be sorted by: the best is the least.
    const fn rank(self, units: i128) -> i128 {
        match self {
            Self::Sold(_) => units.saturating_neg(),
            Self::Bought(_) => units,
        }
    }

    /// The better of two fills with the offers of both, the best first; of equal ones the first.
    #[cfg(not(target_family = "wasm"))]
    fn better(self, first: Fill, second: Fill) -> Fill {
        let mut offers = first.offers.clone();
        offers.extend(second.offers.iter().cloned());
        offers.sort_by_key(|offer| self.rank(offer.units));
        offers.truncate(OFFERS_MAX);
        let rank = |fill: &Fill| self.rank(self.other(fill));
        let best = match rank(&second) < rank(&first) {
            true => second,
            false => first,
        };
        Fill { offers, ..best }
    }

    /// The fill that gives most or takes least, of equal ones the first. All become its offers, the best first.
    fn best(self, fills: Vec<(String, Fill)>) -> Option<Fill> {
        let mut ranked = fills;
        ranked.sort_by_key(|(_, fill)| self.rank(self.other(fill)));
        let offers = ranked.iter().take(OFFERS_MAX).map(|(venue, fill)| Offer {
            venue: venue.clone(),
            units: self.other(fill),
        });
        let offers = offers.collect();
        let (_, best) = ranked.into_iter().next()?;
        Some(Fill { offers, ..best })
    }
}

/// The offers that a quote shows.
const OFFERS_MAX: usize = 5;

/// What a venue gives or takes after its fees, in smallest units of the side that is not exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// Its name, with the pools of a route.
    pub(crate) venue: String,
    pub(crate) units: i128,
}

/// A venue's fill of a trade, in smallest units.
#[derive(Debug, Clone)]
pub(crate) struct Fill {
    pub(crate) venue: VenueOfFill,
    pub(crate) sold: i128,
    /// The bought amount before the fee.
    pub(crate) gross: i128,
    /// The venue's fee, in the bought currency.
    pub(crate) fee: i128,
    /// What executes it; a simulated venue settles by its delay alone.
    pub(crate) execution: Option<Execution>,
    /// What a quote shows of a swap.
    pub(crate) swap: Option<QuotedSwap>,
    /// This one and those of others, the best first.
    pub(crate) offers: Vec<Offer>,
}

impl Fill {
    /// The bought amount after the fee.
    pub(crate) const fn bought(&self) -> i128 {
        self.gross - self.fee
    }
}

/// Who fills a trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VenueOfFill {
    pub(crate) id: i64,
    /// How long it takes.
    pub(crate) delay_ms: u64,
}

/// The terms of a swap that a quote shows.
#[derive(Debug, Clone)]
pub(crate) struct QuotedSwap {
    /// Expected amount, if the market does not move, in the smallest unit.
    pub(crate) expected: i128,
    /// How much less it gives than the market's price, by its size, in millionths.
    pub(crate) price_impact: u32,
    /// How much less than expected it may give, in millionths.
    pub(crate) slippage: u32,
    /// Highest network fee, in wei.
    pub(crate) network_fee: i128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoFill {
    /// No venue trades the pair.
    NotTraded,
    /// No venue accepts the size.
    Size,
}

/// The connected venues.
#[derive(Debug)]
pub(crate) enum Market {
    Simulated(simulated::Market),
    #[cfg(not(target_family = "wasm"))]
    Live(live::Market),
}

impl Market {
    /// Whether a currency on a chain is traded for any other.
    pub(crate) fn is_traded(&self, asset: (ChainId, &Currency)) -> bool {
        match self {
            Self::Simulated(market) => market.is_traded(asset.1),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(market) => market.is_traded(asset),
        }
    }

    pub(crate) fn is_pair(&self, sold: Side<'_>, bought: Side<'_>) -> bool {
        match self {
            Self::Simulated(market) => market.is_pair(sold.currency, bought.currency),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(market) => market.is_pair(sold, bought),
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
            Self::Live(market) => market.is_on(chain),
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
            Self::Simulated(market) => market.best(sold, bought, Exact::Sold(units), now).is_ok(),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(market) => market.takes(sold, bought, units),
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
            Self::Simulated(market) => Ok(market.best(sold, bought, exact, unit.now)),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(market) => market.best(unit, sold, bought, (exact, earlier)),
        }
    }

    /// All instruments of all venues at a time.
    pub(crate) fn instruments(&self, now: Timestamp) -> Vec<Instrument> {
        match self {
            Self::Simulated(market) => market.instruments(now),
            #[cfg(not(target_family = "wasm"))]
            Self::Live(market) => market.instruments(),
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
pub(crate) fn find(unit: &mut Unit<'_>) -> Result<Option<Market>, StoreError> {
    if let Some(simulation) = unit.options().mode.simulation() {
        let prices = SimulatedPrices::now(unit, simulation)?;
        return Ok(Some(Market::Simulated(simulated::Market::new(prices))));
    }
    #[cfg(not(target_family = "wasm"))]
    return Ok(live::Market::find(unit)?.map(Market::Live));
    // A service in wasm is a sandbox.
    #[cfg(target_family = "wasm")]
    Ok(None)
}

/// The connected venues; refuses when there are none.
pub(crate) fn connected(unit: &mut Unit<'_>) -> Outcome<Market> {
    find(unit)?.ok_or_else(none_connected)
}

fn none_connected() -> Refusal {
    Refusal::because(
        Reason::VenueUnavailable,
        "no trading venue is connected to this service",
    )
}
