//! The markets in which quotes are traded, as an operator adds, lists and removes them.

use std::fmt;

use settlekit_core::value::{Amount, Timestamp};

use super::kraken_markets::{market_url, parse_market};
use super::order_book::MILLION;
use super::orders::is_market;
use super::{ExchangeError, Execution};
use crate::Service;
use crate::mode::Mode;
use crate::money::rounding::{Rounding, divide_wide};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange;
use crate::store::exchange_market::{self, Level, MarketTerms, OrderBook, StoredMarket};
use crate::store::exchange_order::StoredOrder;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The most markets of an installation: an exchange allows one public request a second.
pub const MARKETS_MAX: usize = 10;

/// Exchanges round costs and fees at this decimal place or a later one.
const FEE_PLACES: u32 = 4;

/// Why a command on markets was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeMarketError {
    /// A sandbox has simulated venues.
    Sandbox,
    /// No account has the name.
    NotConnected(String),
    /// The market is not two different symbols.
    Market,
    /// Fee and margin leave nothing.
    Margin,
    /// There are too many markets.
    TooMany,
    /// The market was not added.
    NotAdded(String),
    /// The exchange does not describe the market.
    Exchange(ExchangeError),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for ExchangeMarketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose venues are simulated: use a live database",
            ),
            Self::NotConnected(name) => write!(f, "no exchange account {name} is connected"),
            Self::Market => f.write_str("the market needs two symbols, as in ETH/USDC"),
            Self::Margin => f.write_str("margin and fee must be less than the whole amount"),
            Self::TooMany => write!(
                f,
                "there are {MARKETS_MAX} markets already: remove one first"
            ),
            Self::NotAdded(market) => write!(f, "{market} is not among the markets"),
            Self::Exchange(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExchangeMarketError {}

impl From<StoreError> for ExchangeMarketError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A market to trade quotes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMarket {
    /// The name of the account.
    pub account: String,
    /// Two symbols: `ETH/USDC`.
    pub market: String,
    /// The operator's part, in millionths.
    pub margin: u32,
}

/// The best price of a buyer and of a seller.
pub type BestPrices = (Option<Amount>, Option<Amount>);

/// A market in which quotes are traded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeMarket {
    /// The market, as the operator added it.
    pub market: NewMarket,
    /// The exchange's fee, in millionths.
    pub fee: u32,
    /// The smallest volume, in the first currency.
    pub volume_min: Amount,
    /// The exchange's refusal of an order that contradicts the terms of the market: it has no quotes until it is added again.
    pub refusal: Option<String>,
    /// When the order book was last read.
    pub succeeded_at: Option<Timestamp>,
    /// Failures since.
    pub failures: u32,
    /// Since when reading fails.
    pub failing_since: Option<Timestamp>,
    /// The last failure.
    pub last_error: Option<String>,
}

impl From<StoredMarket> for ExchangeMarket {
    fn from(stored: StoredMarket) -> Self {
        Self {
            market: NewMarket {
                account: stored.account,
                market: stored.market,
                margin: stored.terms.margin,
            },
            fee: stored.terms.fee,
            volume_min: stored.terms.volume_min,
            refusal: stored.refusal,
            succeeded_at: stored.state.succeeded_at,
            failures: stored.state.failures,
            failing_since: stored.state.failing_since,
            last_error: stored.state.last_error,
        }
    }
}

fn best_prices(book: Option<&OrderBook>) -> BestPrices {
    let best = |levels: &[Level]| levels.first().map(|level| level.price);
    (
        book.and_then(|book| best(&book.bids)),
        book.and_then(|book| best(&book.asks)),
    )
}

impl Service {
    /// The URL at which the exchange describes a market that is to be added.
    ///
    /// # Errors
    /// [`ExchangeMarketError::Sandbox`], [`ExchangeMarketError::Market`], [`ExchangeMarketError::Margin`] and
    /// [`ExchangeMarketError::NotConnected`].
    pub fn exchange_market_url(
        &self,
        database: &mut dyn Database,
        new: &NewMarket,
    ) -> Result<String, ExchangeMarketError> {
        if self.options().mode != Mode::Live {
            return Err(ExchangeMarketError::Sandbox);
        }
        if !is_market(&new.market) {
            return Err(ExchangeMarketError::Market);
        }
        if new.margin >= MILLION {
            return Err(ExchangeMarketError::Margin);
        }
        let mut accounts = exchange::all_accounts(database)?.into_iter();
        let account = accounts.find(|account| account.name == new.account);
        let account = account.ok_or_else(|| not_connected(new))?;
        Ok(market_url(&account.url, &new.market))
    }

    /// Adds a market as the exchange describes it, or replaces its margin and terms. A higher fee that the exchange has charged stays.
    /// Servers may keep running.
    ///
    /// # Errors
    /// As [`Service::exchange_market_url`], and [`ExchangeMarketError::Exchange`] and [`ExchangeMarketError::TooMany`].
    pub fn add_exchange_market(
        &self,
        database: &mut dyn Database,
        new: &NewMarket,
        answer: &WebAnswer,
        now: Timestamp,
    ) -> Result<(), ExchangeMarketError> {
        self.exchange_market_url(database, new)?;
        let terms = parse_market(answer, (&new.market, new.margin));
        let terms = terms.map_err(ExchangeMarketError::Exchange)?;
        if terms.fee.saturating_add(terms.margin) >= MILLION {
            return Err(ExchangeMarketError::Margin);
        }
        self.transact(database, |database| {
            if exchange::lock(database, &new.account)?.is_none() {
                return Ok(Err(not_connected(new)));
            }
            let named = (new.account.as_str(), new.market.as_str());
            if let Some(market) = exchange_market::find(database, named)? {
                let terms = MarketTerms {
                    fee: terms.fee.max(market.terms.fee),
                    ..terms
                };
                if terms.fee.saturating_add(terms.margin) >= MILLION {
                    return Ok(Err(ExchangeMarketError::Margin));
                }
                exchange_market::set_terms(database, market.id, &terms)?;
                return Ok(Ok(()));
            }
            if exchange_market::all_markets(database)?.len() >= MARKETS_MAX {
                return Ok(Err(ExchangeMarketError::TooMany));
            }
            exchange_market::insert(database, named, &terms, now)?;
            Ok(Ok(()))
        })?
    }

    /// Removes a market. Its orders under way continue.
    ///
    /// # Errors
    /// [`ExchangeMarketError::NotAdded`].
    pub fn remove_exchange_market(
        &self,
        database: &mut dyn Database,
        account: &str,
        market: &str,
    ) -> Result<(), ExchangeMarketError> {
        let removed = self.transact(database, |database| {
            exchange_market::delete(database, (account, market))
        })?;
        match removed {
            true => Ok(()),
            false => Err(ExchangeMarketError::NotAdded(market.to_owned())),
        }
    }

    /// The markets, by account and name.
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_markets(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ExchangeMarket>, StoreError> {
        let markets = exchange_market::all_markets(database)?.into_iter();
        Ok(markets.map(ExchangeMarket::from).collect())
    }

    /// The markets with their best prices, by account and name.
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_market_prices(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<(ExchangeMarket, BestPrices)>, StoreError> {
        let markets = exchange_market::all_with_books(database)?.into_iter();
        let priced = markets.map(|(market, book)| (market.into(), best_prices(book.as_ref())));
        Ok(priced.collect())
    }
}

fn not_connected(new: &NewMarket) -> ExchangeMarketError {
    ExchangeMarketError::NotConnected(new.account.clone())
}

/// Raises the fee of a market to that of an order, if the exchange has charged more.
pub(super) fn raise_market_fee(unit: &mut Unit<'_>, order: &StoredOrder) -> Result<(), StoreError> {
    let named = (order.account.as_str(), order.market.as_str());
    let Some(market) = exchange_market::find(unit.database, named)? else {
        return Ok(());
    };
    let charged = order.execution.as_ref().and_then(charged_fee);
    let Some(fee) = charged.filter(|fee| *fee > market.terms.fee) else {
        return Ok(());
    };
    let (account, name) = named;
    let charged = format!(
        "{account} has charged {fee} millionths for an order in {name}, more than its fee of {}",
        market.terms.fee
    );
    if fee.saturating_add(market.terms.margin) < MILLION {
        unit.failures
            .push(format!("{charged}: quotes have the new fee"));
        return exchange_market::set_fee(unit.database, market.id, fee);
    }
    unit.failures.push(format!(
        "{charged}: fee and margin leave nothing, and the market is removed"
    ));
    exchange_market::delete(unit.database, named).map(drop)
}

/// The fee of an execution in millionths of its cost: the least that it can be, as the exchange rounds both. `None` for a fee that
/// rounding alone explains.
fn charged_fee(execution: &Execution) -> Option<u32> {
    let (cost, fee) = (execution.cost, execution.fee);
    let scale = cost.scale().max(fee.scale()).max(FEE_PLACES);
    let (cost, fee) = (cost.to_units(scale).ok()?, fee.to_units(scale).ok()?);
    let rounding = 10_i128.checked_pow(scale - FEE_PLACES)?;
    let least = fee.checked_sub(rounding).filter(|least| *least > 0)?;
    let most = cost.checked_add(rounding)?;
    let millionths = divide_wide([least, i128::from(MILLION)], [most], Rounding::Up)?;
    Some(u32::try_from(millionths).unwrap_or(u32::MAX))
}

/// Records that the exchange has refused an order whose price or size its market takes by the known terms: they have changed.
pub(super) fn record_refusal(
    unit: &mut Unit<'_>,
    order: &StoredOrder,
    error: ExchangeError,
) -> Result<(), StoreError> {
    // An operator's own order follows no terms.
    if order.covers.is_none() || !error.contradicts_terms() {
        return Ok(());
    }
    let named = (order.account.as_str(), order.market.as_str());
    let market = exchange_market::find(unit.database, named)?;
    let Some(market) = market.filter(|market| market.refusal.is_none()) else {
        return Ok(());
    };
    unit.failures.push(format!(
        "{} has refused an order in {}: {error}. The market has no quotes until `settlekit exchange market add` reads its terms again",
        market.account, market.market
    ));
    exchange_market::set_refusal(unit.database, market.id, &error.to_string())
}
