//! Markets at exchange accounts. The operator sells from the hot wallet, and covers the trade by an order at the exchange.

use std::collections::BTreeSet;
use std::time::Duration;

use settlekit_core::trade::Instrument;
use settlekit_core::value::{Amount, ChainId, Currency, InstrumentId, Number, VenueId};

use super::price_check::{Payer, best_checked, check_worth, unavailable};
use super::{Exact, Fill, NoFill, Side, VenueOfFill};
use crate::money::exchange::order_book::{self, MILLION, Scales, Trade};
use crate::money::exchange::{self, BOOK_AGE_MAX, Side as OrderSide};
use crate::money::rounding::{Rounding, divide_wide};
use crate::store;
use crate::store::exchange_market::{self, Level, OrderBook, StoredMarket};
use crate::store::execution::{Execution, OrderTerms};
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Unit};

/// How long an order takes, about.
const DELAY: Duration = Duration::from_secs(5);

/// Numbers of markets begin here: those of pools and chains are smaller, and JavaScript can represent these.
const FIRST_ID: i64 = 9_000_000_000_000_000;

/// Decimal places of displayed sizes and prices.
const SHOWN_SCALE: u32 = 8;

/// The markets of accounts on which trading is on.
#[derive(Debug)]
pub(crate) struct TradedMarkets {
    markets: Vec<MarketWithBook>,
    /// Their money is worth nothing at the exchange.
    test_networks: BTreeSet<ChainId>,
}

#[derive(Debug)]
struct MarketWithBook {
    market: StoredMarket,
    /// If it is recent.
    book: Option<OrderBook>,
}

impl TradedMarkets {
    /// `None` if there are none.
    pub(super) fn find(unit: &mut Unit<'_>) -> Result<Option<Self>, StoreError> {
        let mut markets = Vec::new();
        let accounts = trading_accounts(unit.database)?;
        for (market, book) in exchange_market::all_with_books(unit.database)? {
            if !is_traded(&market, &accounts) {
                continue;
            }
            let read_at = market.state.succeeded_at;
            let age = read_at.map(|at| unit.now.since(at).max(at.since(unit.now)));
            let is_recent = age.is_some_and(|age| age < BOOK_AGE_MAX);
            let book = book.filter(|_| is_recent);
            markets.push(MarketWithBook { market, book });
        }
        if markets.is_empty() {
            return Ok(None);
        }
        let chains = store::chain::list(unit.database)?.into_iter();
        let test_networks = chains.filter(|chain| chain.test_network == Some(true));
        Ok(Some(Self {
            markets,
            test_networks: test_networks.map(|chain| chain.id).collect(),
        }))
    }

    pub(super) fn is_traded(&self, (chain, currency): (ChainId, &Currency)) -> bool {
        if self.test_networks.contains(&chain) {
            return false;
        }
        let is_in = |symbols: (&str, &str)| [symbols.0, symbols.1].contains(&currency.as_str());
        self.markets
            .iter()
            .any(|listed| listed.symbols().is_some_and(is_in))
    }

    pub(super) fn is_pair(&self, sold: Side<'_>, bought: Side<'_>) -> bool {
        self.of_pair(sold, bought).next().is_some()
    }

    pub(super) fn is_on(&self, chain: ChainId) -> bool {
        !self.test_networks.contains(&chain)
    }

    pub(super) fn takes(&self, sold: Side<'_>, bought: Side<'_>, units: i128) -> bool {
        let exact = Exact::Sold(units);
        let mut listed = self.of_pair(sold, bought);
        listed.any(|(listed, side)| listed.trade((sold, bought), side, exact, &[]).is_some())
    }

    pub(super) fn best(
        &self,
        unit: &mut Unit<'_>,
        sold: Side<'_>,
        bought: Side<'_>,
        (exact, earlier): (Exact, &[Fill]),
    ) -> Outcome<Result<Fill, NoFill>> {
        let pairs: Vec<_> = self.of_pair(sold, bought).collect();
        let Some((first, _)) = pairs.first() else {
            return Ok(Err(NoFill::NotTraded));
        };
        if pairs.iter().all(|(listed, _)| listed.book.is_none()) {
            let why = "has not answered with prices lately";
            return Err(unavailable(&first.market.account, why));
        }
        let at = (bought.chain, bought.currency);
        let promised = earlier
            .iter()
            .filter_map(|fill| Some((order_of(fill)?, fill.bought())));
        let promised: Vec<(&OrderTerms, i128)> = promised.collect();
        let available = (promised.iter()).fold(
            exchange::available(unit.database, at)?,
            |left, (_, units)| left.saturating_sub(*units),
        );
        let before: Vec<&OrderTerms> = promised.iter().map(|(terms, _)| *terms).collect();
        let mut fills = Vec::new();
        for (listed, side) in pairs {
            let trade = listed.trade((sold, bought), side, exact, &before);
            if let Some(trade) = trade.filter(|trade| trade.bought <= available)
                && listed.can_pay(unit, sold, (&trade, &before))?
            {
                fills.push((listed.market.account.clone(), listed.fill(trade)));
            }
        }
        best_checked(exact, fills, |venue, fill| {
            let amounts = (fill.sold, fill.bought());
            let venue = (venue, Payer::Operator);
            check_worth(unit, venue, (sold, bought), amounts)?;
            Ok(Ok(()))
        })
    }

    pub(super) fn instruments(&self) -> Vec<Instrument> {
        self.markets
            .iter()
            .filter_map(MarketWithBook::instrument)
            .collect()
    }

    /// The markets of a pair, with the side of the order.
    fn of_pair<'a>(
        &'a self,
        sold: Side<'a>,
        bought: Side<'a>,
    ) -> impl Iterator<Item = (&'a MarketWithBook, OrderSide)> {
        let is_test = [sold.chain, bought.chain]
            .iter()
            .any(|chain| self.test_networks.contains(chain));
        let (sold, bought) = (sold.currency.as_str(), bought.currency.as_str());
        let listed = self.markets.iter().filter(move |_| !is_test);
        listed.filter_map(move |listed| {
            let symbols = listed.symbols()?;
            let side = match symbols {
                (first, second) if (first, second) == (sold, bought) => OrderSide::Sell,
                (first, second) if (first, second) == (bought, sold) => OrderSide::Buy,
                _ => return None,
            };
            Some((listed, side))
        })
    }
}

/// The order that executes a fill, if one does.
const fn order_of(fill: &Fill) -> Option<&OrderTerms> {
    match &fill.execution {
        Some(Execution::Order(terms)) => Some(terms),
        Some(Execution::Swap(_)) | None => None,
    }
}

impl MarketWithBook {
    fn symbols(&self) -> Option<(&str, &str)> {
        self.market.market.split_once('/')
    }

    /// A trade with the offers that the orders of a basket before it leave.
    fn trade(
        &self,
        (sold, bought): (Side<'_>, Side<'_>),
        side: OrderSide,
        exact: Exact,
        before: &[&OrderTerms],
    ) -> Option<Trade> {
        let exact = match exact {
            Exact::Sold(units) => order_book::Exact::Sold(units),
            Exact::Bought(units) => order_book::Exact::Bought(units),
        };
        let (mut book, terms) = (self.book.clone()?, &self.market.terms);
        let of_market = before.iter().filter(|before| {
            before.account == self.market.account && before.market == self.market.market
        });
        for before in of_market {
            let offers = match before.sells {
                true => &mut book.bids,
                false => &mut book.asks,
            };
            take(offers, before.volume)?;
        }
        let scales = |first: Side<'_>, second: Side<'_>| Scales {
            first: first.scale,
            second: second.scale,
        };
        match side {
            OrderSide::Sell => book.sell(terms, scales(sold, bought), exact),
            OrderSide::Buy => book.buy(terms, scales(bought, sold), exact),
        }
    }

    /// Whether the account's available balance covers the order, beside the orders of a basket before it. False if the balance is unknown.
    fn can_pay(
        &self,
        unit: &mut Unit<'_>,
        sold: Side<'_>,
        (trade, before): (&Trade, &[&OrderTerms]),
    ) -> Result<bool, StoreError> {
        let given = match trade.side {
            OrderSide::Sell => Some(trade.volume),
            OrderSide::Buy => Amount::from_units(trade.sold, sold.scale).ok(),
        };
        let of = (self.market.account.as_str(), sold.currency.as_str());
        let available = exchange::available_balance_beside(unit.database, of, unit.now, before)?;
        Ok(available
            .zip(given)
            .is_some_and(|(available, given)| given <= available))
    }

    fn fill(&self, trade: Trade) -> Fill {
        Fill {
            venue: VenueOfFill {
                id: FIRST_ID.saturating_add(self.market.id),
                delay_ms: u64::try_from(DELAY.as_millis()).unwrap_or(u64::MAX),
            },
            sold: trade.sold,
            gross: trade.gross,
            fee: trade.gross.saturating_sub(trade.bought),
            execution: Some(Execution::Order(OrderTerms {
                account: self.market.account.clone(),
                market: self.market.market.clone(),
                fee: self.market.terms.fee,
                sells: trade.side == OrderSide::Sell,
                volume: trade.volume,
                limit: trade.limit,
            })),
            swap: None,
            offers: Vec::new(),
        }
    }

    /// The market as an instrument, at the price halfway between its best offers.
    fn instrument(&self) -> Option<Instrument> {
        let (first, second) = self.symbols()?;
        let (book, terms) = (self.book.as_ref()?, &self.market.terms);
        let (bid, ask) = (book.bids.first()?.price, book.asks.first()?.price);
        let scale = bid.scale().max(ask.scale());
        let (bid, ask) = (bid.to_units(scale).ok()?, ask.to_units(scale).ok()?);
        let sum = bid.checked_add(ask)?;
        let number = |units: i128, scale: u32| Number::from_units(units, scale).ok();
        // Halves need one more place.
        let middle = number(sum.checked_mul(5)?, scale.checked_add(1)?)?;
        let gap = ask.checked_sub(bid)?;
        let basis_points = divide_wide([gap, 2, 1_000_000], [sum], Rounding::HalfEven)?;
        let cost = i128::from(terms.fee) + i128::from(terms.margin);
        let id = FIRST_ID.checked_add(self.market.id)?;
        let depth = total(&book.bids)?.min(total(&book.asks)?);
        Some(Instrument {
            id: InstrumentId::new(id)?,
            venue_id: VenueId::new(id)?,
            venue_name: self.market.account.clone(),
            base: first.parse().ok()?,
            base_chain: None,
            quote: second.parse().ok()?,
            quote_chain: None,
            last_price: middle,
            min_size: Number::from(terms.volume_min),
            max_size: number(depth, SHOWN_SCALE)?,
            base_liquidity: None,
            quote_liquidity: None,
            // One millionth is 0.01 basis points.
            spread_bps: number(basis_points, 2)?,
            estimated_cost_bps: number(cost.min(i128::from(MILLION)), 2)?,
            estimated_delay_ms: number(i128::try_from(DELAY.as_millis()).ok()?, 0)?,
        })
    }
}

/// Takes a volume from the best offers.
fn take(offers: &mut Vec<Level>, mut volume: Amount) -> Option<()> {
    let mut taken = 0;
    for offer in offers.iter_mut() {
        if volume < offer.volume {
            offer.volume = offer.volume.minus(volume).ok()?;
            break;
        }
        volume = volume.minus(offer.volume).ok()?;
        taken += 1;
    }
    offers.drain(..taken);
    Some(())
}

/// All that is offered on a side, with the decimal places of displayed sizes.
fn total(levels: &[Level]) -> Option<i128> {
    let units = |volume: Amount| {
        let scale = volume.scale();
        let units = volume.to_units(scale).ok()?;
        let (up, down) = (
            10_i128.checked_pow(SHOWN_SCALE)?,
            10_i128.checked_pow(scale)?,
        );
        divide_wide([units, up], [down], Rounding::Down)
    };
    levels
        .iter()
        .try_fold(0_i128, |sum, level| sum.checked_add(units(level.volume)?))
}

/// The names of the accounts on which trading is on.
fn trading_accounts(database: &mut dyn Database) -> Result<BTreeSet<String>, StoreError> {
    let accounts = store::exchange::all_accounts(database)?.into_iter();
    let trading = accounts.filter(|account| account.trading);
    Ok(trading.map(|account| account.name).collect())
}

fn is_traded(market: &StoredMarket, accounts: &BTreeSet<String>) -> bool {
    market.refusal.is_none() && accounts.contains(&market.account)
}

/// The names of the accounts with markets in which quotes are traded.
pub(super) fn names(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let accounts = trading_accounts(database)?;
    let mut markets = exchange_market::all_markets(database)?;
    markets.retain(|market| is_traded(market, &accounts));
    let mut names: Vec<String> = markets.into_iter().map(|market| market.account).collect();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use settlekit_core::value::Timestamp;

    use super::*;
    use crate::store::exchange_market::MarketTerms;
    use crate::store::poll_state::PollState;

    fn amount(text: &str) -> Amount {
        text.parse().expect("an amount")
    }

    fn number(text: &str) -> Number {
        text.parse().expect("a number")
    }

    fn levels(levels: &[(&str, &str)]) -> Vec<Level> {
        let levels = levels.iter().map(|(price, volume)| Level {
            price: amount(price),
            volume: amount(volume),
        });
        levels.collect()
    }

    fn market_with(book: Option<OrderBook>) -> MarketWithBook {
        let now = Timestamp::from_micros(0);
        MarketWithBook {
            market: StoredMarket {
                id: 7,
                account: "house".to_owned(),
                market: "ETH/USDC".to_owned(),
                terms: MarketTerms {
                    margin: 5_000,
                    fee: 4_000,
                    tick: amount("0.01"),
                    lot: amount("0.00000001"),
                    volume_min: amount("0.002"),
                    cost_min: amount("0.5"),
                },
                refusal: None,
                state: PollState {
                    due_at: now,
                    asked_at: now,
                    failures: 0,
                    failing_since: None,
                    last_error: None,
                    succeeded_at: Some(now),
                },
            },
            book,
        }
    }

    #[test]
    fn a_market_is_shown_at_its_middle_with_spread_cost_and_depth() {
        let book = OrderBook {
            bids: levels(&[("2000", "5"), ("1990", "50.5")]),
            asks: levels(&[("2001.5", "4.250000009"), ("2010", "1.500000009")]),
        };
        let shown = market_with(Some(book.clone())).instrument();
        let shown = shown.expect("an instrument");
        let id = 9_000_000_000_000_007;
        assert_eq!(Some(shown.id), InstrumentId::new(id));
        assert_eq!(Some(shown.venue_id), VenueId::new(id));
        assert_eq!(shown.venue_name, "house");
        assert_eq!((shown.base.as_str(), shown.quote.as_str()), ("ETH", "USDC"));
        // Half of 4001.5.
        assert_eq!(shown.last_price, number("2000.75"));
        // 1.5 of 2000.75 are 0.000749719…
        assert_eq!(shown.spread_bps, number("7.5"));
        // 0.4 % and 0.5 %.
        assert_eq!(shown.estimated_cost_bps, number("90"));
        assert_eq!(shown.min_size, number("0.002"));
        // The sellers', each rounded down to eight places; the buyers take 55.5.
        assert_eq!(shown.max_size, number("5.75"));
        assert_eq!(shown.estimated_delay_ms, number("5000"));

        let turned = OrderBook {
            bids: levels(&[("2000", "1.25"), ("1990", "2")]),
            ..book
        };
        let shown = market_with(Some(turned)).instrument();
        assert_eq!(shown.expect("an instrument").max_size, number("3.25"));
    }

    #[test]
    fn a_market_without_recent_offers_on_both_sides_is_not_shown() {
        let book = OrderBook {
            bids: levels(&[("2000", "5")]),
            asks: levels(&[("2001", "5")]),
        };
        assert!(market_with(Some(book.clone())).instrument().is_some());
        let no_bids = OrderBook {
            bids: Vec::new(),
            ..book.clone()
        };
        let no_asks = OrderBook {
            asks: Vec::new(),
            ..book
        };
        for book in [None, Some(no_bids), Some(no_asks)] {
            assert_eq!(market_with(book.clone()).instrument(), None, "{book:?}");
        }
    }
}
