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
use crate::store::exchange_market::{self, Level, MarketTerms, StoredMarket};
use crate::store::exchange_order::StoredOrder;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The most markets of an installation: an exchange allows one public request a second.
pub const MARKETS_MAX: usize = 10;

/// Exchanges round fees at this decimal place or a later one.
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

/// A market in which quotes are traded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeMarket {
    /// The market, as the operator added it.
    pub market: NewMarket,
    /// The exchange's fee, in millionths.
    pub fee: u32,
    /// The smallest volume, in the first currency.
    pub volume_min: Amount,
    /// The best price of a buyer and of a seller.
    pub best: (Option<Amount>, Option<Amount>),
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
        let best = |levels: &[Level]| levels.first().map(|level| level.price);
        let book = stored.book.as_ref();
        Self {
            market: NewMarket {
                account: stored.account,
                market: stored.market,
                margin: stored.terms.margin,
            },
            fee: stored.terms.fee,
            volume_min: stored.terms.volume_min,
            best: (
                book.and_then(|book| best(&book.bids)),
                book.and_then(|book| best(&book.asks)),
            ),
            succeeded_at: stored.state.succeeded_at,
            failures: stored.state.failures,
            failing_since: stored.state.failing_since,
            last_error: stored.state.last_error,
        }
    }
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
        let mut accounts = exchange::all(database)?.into_iter();
        let account = accounts.find(|account| account.name == new.account);
        let account = account.ok_or_else(|| not_connected(new))?;
        Ok(market_url(&account.url, &new.market))
    }

    /// Adds a market as the exchange describes it, or replaces its margin and terms. Servers may keep running.
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
            let all = exchange_market::all(database)?;
            let is_it = |market: &&StoredMarket| {
                market.account == new.account && market.market == new.market
            };
            if let Some(market) = all.iter().find(is_it) {
                exchange_market::set_terms(database, market.id, &terms)?;
                return Ok(Ok(()));
            }
            if all.len() >= MARKETS_MAX {
                return Ok(Err(ExchangeMarketError::TooMany));
            }
            exchange_market::insert(database, (&new.account, &new.market), &terms, now)?;
            Ok(Ok(()))
        })?
    }

    /// Removes a market. Orders under way in it go on.
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
        let markets = exchange_market::all(database)?.into_iter();
        Ok(markets.map(ExchangeMarket::from).collect())
    }
}

fn not_connected(new: &NewMarket) -> ExchangeMarketError {
    ExchangeMarketError::NotConnected(new.account.clone())
}

/// Keeps the fee that an order was charged as that of its market, if it is higher: the exchange has raised it.
pub(super) fn keep_fee(unit: &mut Unit<'_>, order: &StoredOrder) -> Result<(), StoreError> {
    let mut markets = exchange_market::all(unit.database)?.into_iter();
    let is_it =
        |market: &StoredMarket| market.account == order.account && market.market == order.market;
    let Some(market) = markets.find(is_it) else {
        return Ok(());
    };
    let charged = order.execution.as_ref().and_then(charged_fee);
    let Some(fee) = charged.filter(|fee| *fee > market.terms.fee) else {
        return Ok(());
    };
    unit.failures.push(format!(
        "{} has charged {fee} millionths for an order in {}, more than its fee of {}: quotes have the new fee",
        market.account, market.market, market.terms.fee
    ));
    if fee.saturating_add(market.terms.margin) >= MILLION {
        let named = (market.account.as_str(), market.market.as_str());
        return exchange_market::delete(unit.database, named).map(drop);
    }
    let terms = MarketTerms {
        fee,
        ..market.terms
    };
    exchange_market::set_terms(unit.database, market.id, &terms)
}

/// The fee of an execution in millionths of its cost, which the exchange rounds up at some decimal place.
fn charged_fee(execution: &Execution) -> Option<u32> {
    let (cost, fee) = (execution.cost, execution.fee);
    let scale = cost.scale().max(fee.scale()).max(FEE_PLACES);
    let (cost, fee) = (cost.to_units(scale).ok()?, fee.to_units(scale).ok()?);
    let rounded = fee.checked_sub(1).filter(|rounded| *rounded > 0)?;
    let millionths = divide_wide([rounded, i128::from(MILLION)], [cost], Rounding::Up)?;
    u32::try_from(millionths).ok()
}
