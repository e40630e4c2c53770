//! Reads the order books of markets, each at its own pace. The requests are public: they need neither credentials nor a nonce.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::kraken::retry_delay;
use super::kraken_markets;
use crate::Service;
use crate::mode::Mode;
use crate::money::web_answer::WebAnswer;
use crate::random::{Random, Seed};
use crate::store::exchange;
use crate::store::exchange_market::{self, StoredMarket};
use crate::store::poll_state::BackOff;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The time from one success to the next round: with [`super::MARKETS_MAX`] markets, one request a second.
const READ_INTERVAL: Duration = Duration::from_secs(10);

/// A failed round is soon repeated, so that a short outage does not stop trade for long.
const BACK_OFF: BackOff = BackOff {
    first: Duration::from_secs(5),
    max: Duration::from_secs(30),
};

/// The age from which an order book gives no prices. One round may fail: [`READ_INTERVAL`], a request that times out after ten seconds
/// and the first back-off are less.
pub(crate) const BOOK_AGE_MAX: Duration = Duration::from_secs(30);

/// A request for the order book of a market, to make now.
#[derive(Debug, Clone)]
pub struct MarketRound {
    /// The URL to `GET`.
    pub url: String,
    market: i64,
    asked_at: Timestamp,
}

impl Service {
    /// Whether order books are due. It only reads: check it before [`Service::market_rounds`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_due_markets(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        match self.options().mode {
            Mode::Live => exchange_market::has_due(database, now),
            Mode::Sandbox => Ok(false),
        }
    }

    /// The order books to read now. Each is read again after a minute unless it is reported, so that of several servers one reads it.
    ///
    /// # Errors
    /// If the database failed.
    pub fn market_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<Vec<MarketRound>, StoreError> {
        self.transact(database, |database| {
            let accounts = exchange::all_accounts(database)?;
            let mut rounds = Vec::new();
            for market in exchange_market::all_markets(database)? {
                let market = exchange_market::lock(database, market.id)?;
                let Some(market) = market.filter(|market| market.state.is_due(now)) else {
                    continue;
                };
                let mut accounts = accounts.iter();
                let Some(account) = accounts.find(|account| account.name == market.account) else {
                    continue;
                };
                exchange_market::set_state(database, market.id, &market.state.after_request(now))?;
                rounds.push(MarketRound {
                    url: kraken_markets::book_url(&account.url, &market.market),
                    market: market.id,
                    asked_at: now,
                });
            }
            Ok(rounds)
        })
    }

    /// Takes the answer of a round. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the order book is read again.
    pub fn report_market(
        &self,
        database: &mut dyn Database,
        round: &MarketRound,
        answer: &WebAnswer,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let market = exchange_market::lock(unit.database, round.market)?;
            // Removed, or read by another server.
            let is_latest = |market: &StoredMarket| market.state.asked_at == round.asked_at;
            if let Some(market) = market.filter(is_latest) {
                record(&mut unit, &market, answer)?;
            }
            Ok(unit.failures)
        })
    }
}

fn record(
    unit: &mut Unit<'_>,
    market: &StoredMarket,
    answer: &WebAnswer,
) -> Result<(), StoreError> {
    let state = match kraken_markets::parse_book(answer, &market.market) {
        Ok(book) => {
            exchange_market::set_book(unit.database, market.id, &book)?;
            // The age counts from the request.
            let asked_at = market.state.asked_at;
            let due_at = unit.now.plus(READ_INTERVAL);
            market.state.after_success(asked_at, due_at, None)
        }
        Err(error) => {
            let pause = retry_delay(answer, error);
            let error_text = error.to_string();
            let state = market
                .state
                .after_refusal_with(BACK_OFF, unit.now, &error_text, pause);
            if state.failures == 1 {
                unit.failures.push(format!(
                    "the order book of {} at {} cannot be read: {error}",
                    market.market, market.account
                ));
            }
            state
        }
    };
    exchange_market::set_state(unit.database, market.id, &state)
}
