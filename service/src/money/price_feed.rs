//! Asks the connected sources for prices, each at its own pace, and records their answers.

use std::collections::BTreeMap;
use std::time::Duration;

use settlekit_core::value::{Currency, Timestamp};

use super::median::median;
use super::price::Price;
use super::price_sources::{self, PriceError, PriceQuery, PriceSource, Quoted, Quotes};
use super::prices::{self, HOUR, HOURS_KEPT};
use super::web_answer::WebAnswer;
use super::{connection, feed_set};
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::connection::BlockId;
use crate::store::price::UsedPrice;
use crate::store::price_source::{self, Connected, NewPrice};
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{Service, store};

/// How long a server has to answer a round before another one asks. All requests of a round take less.
const LEASE: Duration = Duration::from_secs(60);

/// The first back-off, which doubles with each failure.
const BACK_OFF: Duration = Duration::from_secs(15);

/// The longest back-off.
const BACK_OFF_MAX: Duration = Duration::from_secs(10 * 60);

/// The longest pause that a source may ask for.
const PAUSE_MAX: Duration = Duration::from_secs(60 * 60);

/// A time that is due later than this is of a clock that was ahead.
const DUE_MAX: Duration = Duration::from_secs(2 * 60 * 60);

/// How long a source is not asked for a currency that it does not trade.
const NOT_TRADED: Duration = Duration::from_secs(24 * 60 * 60);

/// The most that two prices of a source in a row may differ, in hundredths of a percent of the lower one.
const JUMP: u32 = 10_000;

/// The fiat currencies that are always asked for.
const ALWAYS: [&str; 4] = ["EUR", "GBP", "CAD", "CHF"];

/// The requests to make to a source now. All answers are reported together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceRound {
    /// The source.
    pub source: PriceSource,
    /// When it is asked: names the round.
    pub asked_at: Timestamp,
    /// The requests: for feeds on a chain, one to each of its nodes.
    pub queries: Vec<PriceQuery>,
    /// The block that feeds on a chain are read at; `None` while the chain is paused.
    pub block: Option<BlockId>,
}

/// The body of an answer that can be read.
fn body(answer: &WebAnswer) -> Result<&[u8], PriceError> {
    match answer {
        WebAnswer::Failed(error) => Err((*error).into()),
        WebAnswer::Answer { status, body, .. } => {
            price_sources::check_answer(*status, body)?;
            Ok(body)
        }
    }
}

const fn retry_after(answer: &WebAnswer) -> Option<Duration> {
    match answer {
        WebAnswer::Failed(_) => None,
        WebAnswer::Answer { retry_after, .. } => *retry_after,
    }
}

impl Service {
    /// The sources that are due. To be asked for before [`Service::price_rounds`], which writes.
    ///
    /// # Errors
    /// If the database failed.
    pub fn due_price_sources(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<Vec<PriceSource>, StoreError> {
        if self.options().mode != Mode::Live {
            return Ok(Vec::new());
        }
        let all = price_source::all_sources(database)?.into_iter();
        let due = all.filter(|connected| is_due(connected, now));
        due.map(|connected| source_of(&connected)).collect()
    }

    /// The requests to make now. Each source is asked again after a minute unless it is reported, so that of several servers one
    /// asks it.
    ///
    /// # Errors
    /// If the database failed.
    pub fn price_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<PriceRound>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            rounds(&mut unit)
        })
    }

    /// Records the results of a round, one for each of its requests. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the source is asked again later.
    pub fn report_prices(
        &self,
        database: &mut dyn Database,
        round: &PriceRound,
        fetched: &[WebAnswer],
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            report(&mut unit, round, fetched)?;
            Ok(unit.failures)
        })
    }
}

pub(super) fn source_of(connected: &Connected) -> Result<PriceSource, StoreError> {
    let source = connected.source.parse();
    source.map_err(|_| StoreError::Damaged("a price source is unknown".into()))
}

fn is_due(connected: &Connected, now: Timestamp) -> bool {
    connected.due_at <= now || connected.due_at > now.plus(DUE_MAX)
}

fn rounds(unit: &mut Unit<'_>) -> Result<Vec<PriceRound>, StoreError> {
    if unit.options().mode != Mode::Live {
        return Ok(Vec::new());
    }
    let now = unit.now;
    let mut rounds = Vec::new();
    let mut wanted: Option<Vec<Currency>> = None;
    for connected in price_source::all_sources(unit.database)? {
        // Locked only when due: rounds of other servers are not blocked.
        if !is_due(&connected, now) {
            continue;
        }
        let connected = price_source::lock(unit.database, &connected.source)?;
        let Some(connected) = connected.filter(|connected| is_due(connected, now)) else {
            continue;
        };
        let source = source_of(&connected)?;
        let (queries, block) = match source {
            PriceSource::Chainlink => feed_set::queries(unit, &connected)?,
            _ => {
                let all = match &wanted {
                    Some(all) => all,
                    None => wanted.insert(wanted_currencies(unit)?),
                };
                (web_queries(unit, (&connected, source), all)?, None)
            }
        };
        price_source::set_asked(unit.database, source.as_str(), (now, now.plus(LEASE)))?;
        rounds.push(PriceRound {
            source,
            asked_at: now,
            queries,
            block,
        });
    }
    Ok(rounds)
}

/// The requests to a source with a URL of its own.
fn web_queries(
    unit: &mut Unit<'_>,
    (connected, source): (&Connected, PriceSource),
    wanted: &[Currency],
) -> Result<Vec<PriceQuery>, StoreError> {
    let since = unit.now.minus(NOT_TRADED);
    let idle = price_source::not_traded_since(unit.database, source.as_str(), since)?;
    let asked = wanted.iter().filter(|currency| {
        source.may_quote(currency) && !idle.iter().any(|one| one == currency.as_str())
    });
    let asked: Vec<Currency> = asked.cloned().collect();
    for currency in &asked {
        price_source::expect_price(unit.database, (source.as_str(), currency))?;
    }
    Ok(source.queries(&connected.url, &asked, connected.singly))
}

/// The assets of the connected chains, and the fiat currencies that are always asked for.
fn wanted_currencies(unit: &mut Unit<'_>) -> Result<Vec<Currency>, StoreError> {
    let chains = connection::list_connected(unit)?;
    let assets = chains.into_iter().flat_map(|chain| chain.assets);
    let mut wanted: Vec<Currency> = assets.map(|asset| asset.symbol).collect();
    wanted.extend(ALWAYS.iter().filter_map(|symbol| symbol.parse().ok()));
    wanted.sort();
    wanted.dedup();
    Ok(wanted)
}

/// The result of a round, over all its requests.
#[derive(Default)]
struct RoundOutcome {
    prices: BTreeMap<Currency, Quoted>,
    not_traded: Vec<Currency>,
    /// The first error, with its currency if it is of one.
    error: Option<String>,
    /// One pair failed the whole request: the next round requests each on its own.
    asks_singly: bool,
    rate_limited: bool,
    retry_after: Option<Duration>,
}

impl RoundOutcome {
    /// The combined answer of a chain's nodes. A rate-limited node does not hold up the others.
    fn of_nodes(read: Result<Quotes, PriceError>, fetched: &[WebAnswer]) -> Self {
        let mut outcome = Self::default();
        outcome.take(read);
        if outcome.prices.is_empty() {
            let pauses = fetched.iter().filter_map(retry_after);
            outcome.retry_after = pauses.max();
        }
        outcome
    }

    fn of(round: &PriceRound, fetched: &[WebAnswer], now: Timestamp) -> Self {
        let mut outcome = Self::default();
        for (query, fetched) in round.queries.iter().zip(fetched) {
            outcome.add(round.source, query, fetched, now);
        }
        outcome
    }

    fn add(
        &mut self,
        source: PriceSource,
        query: &PriceQuery,
        fetched: &WebAnswer,
        now: Timestamp,
    ) {
        let quotes = match fetched {
            WebAnswer::Failed(error) => Err((*error).into()),
            WebAnswer::Answer {
                status,
                body,
                retry_after,
            } => {
                self.retry_after = self.retry_after.max(*retry_after);
                source.read(query, *status, body, now)
            }
        };
        self.take(quotes);
    }

    fn take(&mut self, quotes: Result<Quotes, PriceError>) {
        let quotes = match quotes {
            Ok(quotes) => quotes,
            Err(error) => {
                self.asks_singly |=
                    matches!(error, PriceError::UnknownPair | PriceError::OtherPair);
                self.rate_limited |= error == PriceError::RateLimited;
                self.error.get_or_insert(error.to_string());
                return;
            }
        };
        for (currency, quoted) in quotes {
            match quoted {
                Ok(quoted) => {
                    self.prices.insert(currency, quoted);
                }
                Err(PriceError::NotTraded) => self.not_traded.push(currency),
                Err(error) => {
                    self.error.get_or_insert(format!("{currency}: {error}"));
                }
            }
        }
    }
}

fn report(
    unit: &mut Unit<'_>,
    round: &PriceRound,
    fetched: &[WebAnswer],
) -> Result<(), StoreError> {
    let source = round.source;
    let connected = price_source::lock(unit.database, source.as_str())?;
    // Disconnected, reconnected or asked again: the answer is stale.
    let Some(connected) = connected.filter(|connected| connected.asked_at == round.asked_at) else {
        return Ok(());
    };
    let outcome = match source {
        PriceSource::Chainlink => {
            let read = read_feeds(unit, &connected, round, fetched)?;
            RoundOutcome::of_nodes(read, fetched)
        }
        _ => RoundOutcome::of(round, fetched, unit.now),
    };
    for (currency, quoted) in &outcome.prices {
        record_price(
            unit,
            (&connected, source),
            (currency, *quoted),
            round.asked_at,
        )?;
    }
    for currency in &outcome.not_traded {
        record_not_traded(unit, source, currency)?;
    }
    let state = state_after(&connected, source, &outcome, unit.now);
    if state.failures == 1 {
        let error = state.last_error.as_deref().unwrap_or_default();
        unit.failures.push(format!("{source} fails: {error}"));
    }
    price_source::set_state(unit.database, &state)?;
    for currency in outcome.prices.keys() {
        record_median(unit, currency)?;
    }
    Ok(())
}

/// The prices of a chain's feeds by the answers of its nodes.
fn read_feeds(
    unit: &mut Unit<'_>,
    connected: &Connected,
    round: &PriceRound,
    fetched: &[WebAnswer],
) -> Result<Result<Quotes, PriceError>, StoreError> {
    let Some(block) = round.block else {
        return Ok(Err(PriceError::ChainPaused));
    };
    let set = feed_set::find(unit.database, connected)?;
    // A node without an answer counts as one that must agree.
    let answers = (0..round.queries.len()).map(|node| match fetched.get(node) {
        Some(fetched) => body(fetched),
        None => Err(PriceError::Unreachable),
    });
    let answers: Vec<_> = answers.collect();
    Ok(set.read(block, &answers, unit.now))
}

fn record_price(
    unit: &mut Unit<'_>,
    (connected, source): (&Connected, PriceSource),
    (currency, quoted): (&Currency, Quoted),
    asked_at: Timestamp,
) -> Result<(), StoreError> {
    let own_time = quoted.at.filter(|_| source.counts_own_time());
    let known = store::price::of_currency(unit.database, currency)?;
    let mut known = known.into_iter();
    let before = known.find(|before| before.source == connected.source);
    // However old the last price is: a source that was silent may come back with another pair's price.
    let last = (before.as_ref()).and_then(|before| before.price.and_then(Price::new));
    let usable_at = match (last, before) {
        (Some(last), _) if !last.is_within(quoted.price, JUMP) => {
            unit.failures.push(format!(
                "{source} holds {currency} back: from {last} to {} US dollars",
                quoted.price
            ));
            // Counted from the request: only a later one can repeat the price.
            asked_at.plus(prices::HELD_BACK)
        }
        (_, Some(before)) if prices::is_waiting(&before, unit.now) => before.usable_at,
        _ => asked_at,
    };
    let new = NewPrice {
        price: quoted.price.units(),
        priced_at: own_time.unwrap_or(asked_at),
        source_at: quoted.at,
        fetched_at: asked_at,
        usable_at,
    };
    price_source::set_price(unit.database, (source.as_str(), currency), &new)
}

/// A source that quoted the currency within a day fails instead: otherwise the last one left would count as the only one.
fn record_not_traded(
    unit: &mut Unit<'_>,
    source: PriceSource,
    currency: &Currency,
) -> Result<(), StoreError> {
    let known = store::price::of_currency(unit.database, currency)?;
    let mut known = known.iter();
    let quoted = known.any(|known| {
        known.source == source.as_str()
            && known.price.is_some()
            && unit.now.since(known.priced_at) < NOT_TRADED
    });
    if quoted {
        return Ok(());
    }
    price_source::set_not_traded(unit.database, (source.as_str(), currency), unit.now)
}

fn state_after(
    before: &Connected,
    source: PriceSource,
    outcome: &RoundOutcome,
    now: Timestamp,
) -> Connected {
    let is_success = !outcome.prices.is_empty() || outcome.error.is_none();
    let failures = if is_success {
        0
    } else {
        before.failures.saturating_add(1)
    };
    let wait = match failures {
        0 => source.pace(),
        failures => {
            let doubled = BACK_OFF.saturating_mul(2_u32.saturating_pow(failures - 1));
            doubled.min(BACK_OFF_MAX)
        }
    };
    let pause = outcome.retry_after.map(|pause| pause.min(PAUSE_MAX));
    // A source that limits its rate without saying for how long.
    let pause = pause.or_else(|| outcome.rate_limited.then_some(BACK_OFF_MAX));
    let pause = pause.map(|pause| now.plus(pause));
    Connected {
        due_at: now.plus(wait).max(pause.unwrap_or(now)),
        // The same answer is not recorded twice.
        asked_at: Timestamp::from_micros(0),
        singly: outcome.asks_singly,
        failures,
        failing_since: match failures {
            0 => None,
            _ => before.failing_since.or(Some(now)),
        },
        last_error: outcome.error.clone(),
        succeeded_at: match failures {
            0 => Some(now),
            _ => before.succeeded_at,
        },
        paused_until: pause,
        ..before.clone()
    }
}

/// Records the price that the sources give together, and who strays from it.
fn record_median(unit: &mut Unit<'_>, currency: &Currency) -> Result<(), StoreError> {
    let reported = store::price::of_currency(unit.database, currency)?;
    let fresh = reported.iter().enumerate();
    let fresh = fresh
        .filter_map(|(place, one)| prices::fresh_price(one, unit.now).map(|price| (place, price)));
    let (places, fresh): (Vec<usize>, Vec<Price>) = fresh.unzip();
    let quoting = reported.iter().filter(|one| one.traded).count();
    let Ok(median) = median(&fresh, quoting, prices::spread(&reported)) else {
        return Ok(());
    };
    let strays: Vec<usize> = median.strays.iter().map(|at| places[*at]).collect();
    for (place, one) in reported.iter().enumerate() {
        let is_stray = strays.contains(&place);
        if is_stray == one.strays {
            continue;
        }
        let key = (one.source.as_str(), currency);
        price_source::set_strays(unit.database, key, is_stray)?;
        if let Some(price) = one.price.and_then(Price::new).filter(|_| is_stray) {
            unit.failures.push(format!(
                "{} strays: {currency} at {price} instead of {} US dollars",
                one.source, median.price
            ));
        }
    }
    let hour = unit.now.micros().div_euclid(HOUR);
    let used = UsedPrice {
        hour,
        price: median.price.units(),
        used_at: unit.now,
    };
    store::price::set_used(unit.database, currency, &used, hour - HOURS_KEPT)
}
