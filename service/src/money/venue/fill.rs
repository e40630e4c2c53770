//! A trade as venues see it: its sides, the exact one, and the fill that a venue offers.

use settlekit_core::value::{ChainId, Currency};

use crate::store::quote::Execution;

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
    pub(super) const fn other(self, fill: &Fill) -> i128 {
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
    pub(super) fn better(self, first: Fill, second: Fill) -> Fill {
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
    pub(super) fn best(self, fills: Vec<(String, Fill)>) -> Option<Fill> {
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

/// The amount that a venue gives or takes after its fees, in smallest units of the side that is not exact.
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
    /// Its execution; a simulated venue settles by its delay alone.
    pub(crate) execution: Option<Execution>,
    /// The part of a swap that a quote shows.
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
