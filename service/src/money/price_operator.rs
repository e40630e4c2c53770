//! The operator's commands for price sources.

use std::fmt;
use std::time::Duration;

use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::feed_set;
use super::median::{NoMedian, median};
use super::price::Price;
use super::price_feed::source_of;
use super::price_sources::PriceSource;
use super::price_sources::chainlink::FeedSet;
use super::prices::{self, HOUR};
use crate::mode::Mode;
use crate::store::price::SourcePrice;
use crate::store::price_source;
use crate::store::sql::{Database, StoreError};
use crate::{Service, store};

/// Why a command on price sources was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum PriceSourceError {
    /// The database is a sandbox, whose prices are simulated.
    Sandbox,
    /// The source is not connected.
    NotConnected(PriceSource),
    /// The source is read on a chain, not at a URL.
    NeedsChain(PriceSource),
    /// The chain to read prices on is not connected.
    NoChain(ChainId),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for PriceSourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose prices are simulated: use a live database",
            ),
            Self::NotConnected(source) => write!(f, "the price source {source} is not connected"),
            Self::NeedsChain(source) => write!(
                f,
                "the price source {source} is read through the nodes of a connected chain"
            ),
            Self::NoChain(chain) => write!(
                f,
                "chain {chain} is not connected: connect it with `settlekit chain connect` first"
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PriceSourceError {}

impl From<StoreError> for PriceSourceError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A connected source with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedSource {
    /// The source.
    pub source: PriceSource,
    /// The base URL; empty if it is read on a chain.
    pub url: String,
    /// The feeds that it is read from, if it is read on a chain.
    pub feeds: Option<FeedSet>,
    /// How old its prices may be used.
    pub max_age: Duration,
    /// When it last answered with prices.
    pub succeeded_at: Option<Timestamp>,
    /// Failures since.
    pub failures: u32,
    /// Since when it fails.
    pub failing_since: Option<Timestamp>,
    /// The latest failure; beside a success, the failed part of it.
    pub last_error: Option<String>,
    /// When it is asked next.
    pub due_at: Timestamp,
    /// Until when it asked for no requests.
    pub paused_until: Option<Timestamp>,
}

/// The price of a currency at a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedPrice {
    /// The source.
    pub source: String,
    /// The price; `None` before the first.
    pub price: Option<Price>,
    /// The time that its age counts from.
    pub priced_at: Timestamp,
    /// The source's own time.
    pub source_at: Option<Timestamp>,
    /// Whether it is neither too old nor held back.
    pub is_fresh: bool,
    /// Whether it strays from the median.
    pub strays: bool,
}

/// The price of a currency, and the prices of which it is the median.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyPrice {
    /// The currency.
    pub currency: Currency,
    /// The price that is used, or why there is none.
    pub used: Result<Price, NoMedian>,
    /// The prices of the sources that quote it.
    pub reported: Vec<ReportedPrice>,
}

impl Service {
    /// Connects a price source with a URL of its own, or changes its URL and age limit. Servers may keep running.
    ///
    /// # Errors
    /// [`PriceSourceError::Sandbox`] and [`PriceSourceError::NeedsChain`].
    pub fn connect_price_source(
        &self,
        database: &mut dyn Database,
        source: PriceSource,
        (url, max_age): (&str, Duration),
        now: Timestamp,
    ) -> Result<(), PriceSourceError> {
        if self.options().mode != Mode::Live {
            return Err(PriceSourceError::Sandbox);
        }
        if source == PriceSource::Chainlink {
            return Err(PriceSourceError::NeedsChain(source));
        }
        let max_age = i64::try_from(max_age.as_micros()).unwrap_or(i64::MAX);
        self.transact(database, |database| {
            // A price of another address is no price of this one.
            price_source::forget_prices(database, source.as_str())?;
            price_source::connect(database, (source.as_str(), url), max_age, now)
        })?;
        Ok(())
    }

    /// Connects Chainlink's feeds on a connected chain, or replaces them. Servers may keep running.
    ///
    /// # Errors
    /// [`PriceSourceError::Sandbox`] and [`PriceSourceError::NoChain`].
    pub fn connect_chainlink(
        &self,
        database: &mut dyn Database,
        set: &FeedSet,
        max_age: Duration,
        now: Timestamp,
    ) -> Result<(), PriceSourceError> {
        if self.options().mode != Mode::Live {
            return Err(PriceSourceError::Sandbox);
        }
        let max_age = i64::try_from(max_age.as_micros()).unwrap_or(i64::MAX);
        let source = PriceSource::Chainlink.as_str();
        self.transact(database, |database| {
            // The lock keeps the chain connected until the commit.
            if store::connection::lock(database, set.chain)?.is_none() {
                return Ok(Err(PriceSourceError::NoChain(set.chain)));
            }
            price_source::forget_prices(database, source)?;
            price_source::connect(database, (source, ""), max_age, now)?;
            feed_set::write(database, source, set)?;
            Ok(Ok(()))
        })?
    }

    /// Disconnects a price source: its prices are no longer used.
    ///
    /// # Errors
    /// [`PriceSourceError::NotConnected`].
    pub fn disconnect_price_source(
        &self,
        database: &mut dyn Database,
        source: PriceSource,
    ) -> Result<(), PriceSourceError> {
        self.transact(database, |database| {
            if price_source::lock(database, source.as_str())?.is_none() {
                return Ok(Err(PriceSourceError::NotConnected(source)));
            }
            price_source::forget_prices(database, source.as_str())?;
            if source == PriceSource::Chainlink {
                price_source::forget_feeds(database)?;
            }
            price_source::disconnect(database, source.as_str())?;
            Ok(Ok(()))
        })?
    }

    /// Sets how far the prices of sources may differ, in hundredths of a percent.
    ///
    /// # Errors
    /// [`PriceSourceError::Sandbox`].
    pub fn set_price_spread(
        &self,
        database: &mut dyn Database,
        spread: u32,
    ) -> Result<(), PriceSourceError> {
        if self.options().mode != Mode::Live {
            return Err(PriceSourceError::Sandbox);
        }
        self.transact(database, |database| {
            store::price::set_spread(database, spread)
        })?;
        Ok(())
    }

    /// The connected price sources, by name.
    ///
    /// # Errors
    /// If the database failed.
    pub fn connected_price_sources(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ConnectedSource>, StoreError> {
        let all = price_source::all_sources(database)?.into_iter();
        let sources = all.map(|one| {
            let feeds = match one.chain {
                Some(_) => Some(feed_set::find(database, &one)?),
                None => None,
            };
            Ok(ConnectedSource {
                source: source_of(&one)?,
                url: one.url,
                feeds,
                max_age: Duration::from_micros(u64::try_from(one.max_age).unwrap_or(0)),
                succeeded_at: one.succeeded_at,
                failures: one.failures,
                failing_since: one.failing_since,
                last_error: one.last_error,
                due_at: one.due_at,
                paused_until: one.paused_until,
            })
        });
        sources.collect()
    }

    /// The price of each currency that a connected source quotes.
    ///
    /// # Errors
    /// If the database failed.
    pub fn currency_prices(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<Vec<CurrencyPrice>, StoreError> {
        let mut all = Vec::new();
        for currency in price_source::currencies(database)? {
            let mut reported = store::price::of_currency(database, &currency)?;
            reported.retain(|one| one.traded);
            let fresh: Vec<Price> = reported
                .iter()
                .filter_map(|one| prices::fresh_price(one, now))
                .collect();
            let used = median(&fresh, reported.len(), prices::spread(&reported));
            all.push(CurrencyPrice {
                currency,
                used: used.map(|median| median.price),
                reported: reported
                    .iter()
                    .map(|one| reported_price(one, now))
                    .collect(),
            });
        }
        Ok(all)
    }

    /// The last used price of each hour since a time, with the start of the hour, oldest first.
    ///
    /// # Errors
    /// If the database failed.
    pub fn price_history(
        &self,
        database: &mut dyn Database,
        currency: &Currency,
        since: Timestamp,
    ) -> Result<Vec<(Timestamp, Price)>, StoreError> {
        let hour = since.micros().div_euclid(HOUR);
        let hours = store::price::history(database, currency, hour)?.into_iter();
        let hours = hours.filter_map(|used| {
            let start = used.hour.saturating_mul(HOUR);
            Some((Timestamp::from_micros(start), Price::new(used.price)?))
        });
        Ok(hours.collect())
    }
}

fn reported_price(one: &SourcePrice, now: Timestamp) -> ReportedPrice {
    ReportedPrice {
        source: one.source.clone(),
        price: one.price.and_then(Price::new),
        priced_at: one.priced_at,
        source_at: one.source_at,
        is_fresh: prices::fresh_price(one, now).is_some(),
        strays: one.strays,
    }
}
