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
    /// Its execution; `None` for a simulated venue, which settles after its delay.
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

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    /// A venue's fill, with a fee of 10 and the offers of other venues.
    fn fill(id: i64, (sold, bought): (i128, i128), offers: &[i128]) -> Fill {
        let offers = offers.iter().map(|units| Offer {
            venue: format!("{id}"),
            units: *units,
        });
        Fill {
            venue: VenueOfFill { id, delay_ms: 0 },
            sold,
            gross: bought + 10,
            fee: 10,
            execution: None,
            swap: None,
            offers: offers.collect(),
        }
    }

    #[test]
    fn the_best_fill_wins_and_ties_keep_the_first() {
        for (exact, first, second, expected) in [
            (Exact::Sold(100), (100, 90), (100, 91), 2),
            (Exact::Sold(100), (100, 91), (100, 90), 1),
            (Exact::Sold(100), (100, 90), (100, 90), 1),
            (Exact::Bought(90), (100, 90), (99, 90), 2),
            (Exact::Bought(90), (99, 90), (100, 90), 1),
            (Exact::Bought(90), (100, 90), (100, 90), 1),
        ] {
            let better = exact.better(fill(1, first, &[]), fill(2, second, &[]));
            assert_eq!(better.venue.id, expected, "{exact:?} {first:?} {second:?}");
            let ranked = vec![
                ("one".to_owned(), fill(1, first, &[])),
                ("two".to_owned(), fill(2, second, &[])),
            ];
            let best = exact.best(ranked).expect("a fill");
            assert_eq!(best.venue.id, expected, "{exact:?} {first:?} {second:?}");
        }
    }

    #[test]
    fn the_five_best_offers_of_both_are_shown_and_of_equal_ones_those_of_the_first() {
        let shown = |fill: &Fill| {
            let offers = fill.offers.iter();
            offers
                .map(|offer| (offer.venue.clone(), offer.units))
                .collect::<Vec<_>>()
        };
        let [one, two] = ["1", "2"].map(str::to_owned);
        let better = |exact: Exact, [first, second]: [&[i128]; 2]| {
            exact.better(fill(1, (100, 90), first), fill(2, (100, 90), second))
        };
        let most = better(Exact::Sold(100), [&[90, 80, 70], &[90, 85, 60]]);
        let expected = [
            (one.clone(), 90),
            (two.clone(), 90),
            (two.clone(), 85),
            (one.clone(), 80),
            (one.clone(), 70),
        ];
        assert_eq!(shown(&most), expected);
        let least = better(Exact::Bought(90), [&[70, 80, 90], &[60, 85, 90]]);
        let expected = [
            (two.clone(), 60),
            (one.clone(), 70),
            (one.clone(), 80),
            (two, 85),
            (one, 90),
        ];
        assert_eq!(shown(&least), expected);
    }

    #[test]
    fn all_fills_of_a_venue_become_offers_up_to_five() {
        let fills = (1..=6).map(|id| {
            (
                format!("route {id}"),
                fill(id, (100, 80 + i128::from(id)), &[]),
            )
        });
        let best = Exact::Sold(100).best(fills.collect()).expect("a fill");
        assert_eq!((best.venue.id, best.bought()), (6, 86));
        let units: Vec<i128> = best.offers.iter().map(|offer| offer.units).collect();
        assert_eq!(units, [86, 85, 84, 83, 82]);
    }
}
