//! The venues of a live service: exchanges on chains, and exchange accounts. The best one fills a trade.

use settlekit_core::trade::Instrument;
use settlekit_core::value::{ChainId, Currency};

use super::at_exchange::{self, TradedMarkets};
use super::on_chain::OnChainVenues;
use super::{Exact, Fill, NoFill, Side};
use crate::store;
use crate::store::execution::Execution;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Refusal, Unit};

/// The connected venues.
#[derive(Debug)]
pub(crate) struct LiveVenues {
    on_chain: Option<OnChainVenues>,
    at_exchange: Option<TradedMarkets>,
}

impl LiveVenues {
    /// `None` if none is connected.
    pub(super) fn find(unit: &mut Unit<'_>) -> Result<Option<Self>, StoreError> {
        let venues = Self {
            on_chain: OnChainVenues::find(unit)?,
            at_exchange: TradedMarkets::find(unit)?,
        };
        let is_any = venues.on_chain.is_some() || venues.at_exchange.is_some();
        Ok(is_any.then_some(venues))
    }

    pub(super) fn is_traded(&self, asset: (ChainId, &Currency)) -> bool {
        let (on_chain, at_exchange) = (self.on_chain.as_ref(), self.at_exchange.as_ref());
        on_chain.is_some_and(|venues| venues.is_traded(asset))
            || at_exchange.is_some_and(|markets| markets.is_traded(asset))
    }

    pub(super) fn is_pair(&self, sold: Side<'_>, bought: Side<'_>) -> bool {
        let (on_chain, at_exchange) = (self.on_chain.as_ref(), self.at_exchange.as_ref());
        on_chain.is_some_and(|venues| venues.is_pair(sold, bought))
            || at_exchange.is_some_and(|markets| markets.is_pair(sold, bought))
    }

    pub(super) fn is_on(&self, chain: ChainId) -> bool {
        let (on_chain, at_exchange) = (self.on_chain.as_ref(), self.at_exchange.as_ref());
        on_chain.is_some_and(|venues| venues.is_on(chain))
            || at_exchange.is_some_and(|markets| markets.is_on(chain))
    }

    pub(super) fn takes(&self, sold: Side<'_>, bought: Side<'_>, units: i128) -> bool {
        let (on_chain, at_exchange) = (self.on_chain.as_ref(), self.at_exchange.as_ref());
        on_chain.is_some_and(|venues| venues.takes(sold, bought, units))
            || at_exchange.is_some_and(|markets| markets.takes(sold, bought, units))
    }

    /// The best fill, beside the earlier fills of a basket. A venue that cannot be asked is left out if another one fills the trade.
    pub(super) fn best(
        &self,
        unit: &mut Unit<'_>,
        sold: Side<'_>,
        bought: Side<'_>,
        (exact, earlier): (Exact, &[Fill]),
    ) -> Outcome<Result<Fill, NoFill>> {
        let on_chain = match &self.on_chain {
            Some(venues) => venues.best(unit, sold, bought, exact),
            None => Ok(Err(NoFill::NotTraded)),
        };
        // The host asks the nodes first, and repeats the request.
        if !unit.asked.is_empty() {
            return on_chain;
        }
        let on_chain = on_chain.map(|fill| match fill {
            Ok(fill) if is_sold_before(&fill, earlier) => Err(NoFill::Size),
            fill => fill,
        });
        let at_exchange = match &self.at_exchange {
            Some(markets) => markets.best(unit, sold, bought, (exact, earlier)),
            None => Ok(Err(NoFill::NotTraded)),
        };
        match (on_chain, at_exchange) {
            (Err(Refusal::Store(error)), _) | (_, Err(Refusal::Store(error))) => {
                Err(Refusal::Store(error))
            }
            (Ok(Ok(first)), Ok(Ok(second))) => Ok(Ok(exact.better(first, second))),
            (Ok(Ok(fill)), _) | (_, Ok(Ok(fill))) => Ok(Ok(fill)),
            (Err(refusal), _) | (_, Err(refusal)) => Err(refusal),
            (Ok(Err(NoFill::Size)), _) | (_, Ok(Err(NoFill::Size))) => Ok(Err(NoFill::Size)),
            (Ok(Err(NoFill::NotTraded)), Ok(Err(NoFill::NotTraded))) => Ok(Err(NoFill::NotTraded)),
        }
    }

    pub(super) fn instruments(&self) -> Vec<Instrument> {
        let on_chain = self.on_chain.iter().flat_map(OnChainVenues::instruments);
        let at_exchange = self.at_exchange.iter();
        let at_exchange = at_exchange.flat_map(TradedMarkets::instruments);
        on_chain.chain(at_exchange).collect()
    }
}

/// Whether a part of a basket before it sells the same token by a swap. Both would be quoted at the price of one.
fn is_sold_before(fill: &Fill, earlier: &[Fill]) -> bool {
    let sold = |fill: &Fill| match &fill.execution {
        Some(Execution::Swap(terms)) => {
            let first = terms.hops.first()?;
            Some((terms.chain, first.from.clone()))
        }
        Some(Execution::Order(_)) | None => None,
    };
    let of_fill = sold(fill);
    of_fill.is_some() && earlier.iter().any(|earlier| sold(earlier) == of_fill)
}

/// The names of the venues.
pub(super) fn names(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let mut names = store::connection::venues(database)?;
    names.extend(at_exchange::names(database)?);
    Ok(names)
}
