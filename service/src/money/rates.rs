//! The rates of all currencies to show: the price of each, the prices of its sources, and its history.

use std::collections::BTreeMap;

use settlekit_core::rate::{
    HourlyRate, Rate, RateList, RatePeriod, RateSource, RateSourceStatus, SourceRate,
    SourceRateStatus,
};
use settlekit_core::value::{Currency, Timestamp};

#[cfg(not(target_family = "wasm"))]
use super::live_rates;
use super::price::Price;
use super::prices::{DOLLAR, HOUR, SimulatedPrices, price_shown};
use crate::mode::Simulation;
use crate::store;
use crate::store::price::UsedPrice;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The name of the sandbox's source.
const SIMULATED: &str = "simulated";

/// Hours of a UTC day.
const DAY: i64 = 24;

/// The rates of all currencies that have a source.
pub(crate) fn list(unit: &mut Unit<'_>) -> Result<RateList, StoreError> {
    match unit.options().mode.simulation() {
        Some(simulation) => simulated(unit, simulation),
        #[cfg(not(target_family = "wasm"))]
        None => live_rates::list(unit),
        // A service in wasm is a sandbox.
        #[cfg(target_family = "wasm")]
        None => Ok(RateList {
            items: Vec::new(),
            sources: Vec::new(),
        }),
    }
}

fn simulated(unit: &mut Unit<'_>, simulation: Simulation) -> Result<RateList, StoreError> {
    let now = unit.now;
    let mut items = Vec::new();
    for (currency, price) in SimulatedPrices::now(unit, simulation)?.all() {
        let usd = Some(price_shown(price.units())?);
        items.push(Rate {
            currency,
            usd,
            priced_at: Some(now),
            gap: None,
            last_usd: None,
            last_at: None,
            sources: vec![SourceRate {
                source: SIMULATED.to_owned(),
                usd,
                priced_at: Some(now),
                status: SourceRateStatus::Fresh,
            }],
        });
    }
    let source = RateSource {
        source: SIMULATED.to_owned(),
        status: RateSourceStatus::Healthy,
        succeeded_at: Some(now),
        failing_since: None,
        paused_until: None,
        last_error: None,
    };
    Ok(RateList {
        items,
        sources: vec![source],
    })
}

/// The history of a currency, oldest first.
pub(crate) fn history(
    unit: &mut Unit<'_>,
    currency: &Currency,
    period: &RatePeriod,
) -> Result<Vec<HourlyRate>, StoreError> {
    let this_hour = unit.now.micros().div_euclid(HOUR);
    let days = match period {
        RatePeriod::Day => 1,
        RatePeriod::Month => 30,
        RatePeriod::Year => 365,
        RatePeriod::Week | RatePeriod::Other(_) => 7,
    };
    let from = this_hour - days * DAY;
    let used = store::price::history(unit.database, currency, from)?;
    let mut hours: Vec<(i64, i128)> = used.iter().map(|used| (used.hour, used.price)).collect();
    if let Some(simulation) = unit.options().mode.simulation() {
        let before = store::price::last_used(unit.database, currency, from)?;
        hours = simulated_hours(simulation, currency, (from, this_hour), (before, &hours));
    }
    if *period == RatePeriod::Year {
        hours = last_of_days(hours);
    }
    let points = hours.into_iter().map(|(hour, price)| {
        Ok(HourlyRate {
            at: Timestamp::from_micros(hour.saturating_mul(HOUR)),
            usd: price_shown(price)?,
        })
    });
    points.collect()
}

/// The last price of a currency on each of some UTC days. Days without a price are missing.
pub(crate) fn of_days(
    unit: &mut Unit<'_>,
    currency: &Currency,
    (from, to): (i64, i64),
) -> Result<BTreeMap<i64, Price>, StoreError> {
    // No source quotes the US dollar.
    if currency.as_str() == DOLLAR {
        return Ok((from..=to).map(|day| (day, Price::DOLLAR)).collect());
    }
    let (from, to) = (from * DAY, to * DAY + DAY - 1);
    let used = store::price::last_of_days(unit.database, currency, from)?;
    let mut hours: Vec<(i64, i128)> = used.iter().map(|used| (used.hour, used.price)).collect();
    if let Some(simulation) = unit.options().mode.simulation() {
        let before = store::price::last_used(unit.database, currency, from)?;
        hours = simulated_hours(simulation, currency, (from, to), (before, &hours));
    }
    let days = last_of_days(hours).into_iter();
    let days = days.filter_map(|(hour, price)| Some((hour.div_euclid(DAY), Price::new(price)?)));
    Ok(days.collect())
}

/// The price of each hour in a sandbox: a price holds until another is set.
fn simulated_hours(
    simulation: Simulation,
    currency: &Currency,
    (from, until): (i64, i64),
    (before, set): (Option<UsedPrice>, &[(i64, i128)]),
) -> Vec<(i64, i128)> {
    let fixed = SimulatedPrices::fixed(simulation).all().into_iter();
    let mut fixed = fixed.filter(|(known, _)| known == currency);
    let fixed = fixed.next().map(|(_, price)| price.units());
    let Some(mut price) = before.map(|before| before.price).or(fixed) else {
        return Vec::new();
    };
    let mut set = set.iter().peekable();
    (from..=until)
        .map(|hour| {
            while let Some((_, next)) = set.next_if(|(from, _)| *from <= hour) {
                price = *next;
            }
            (hour, price)
        })
        .collect()
}

/// The last hour of each UTC day.
fn last_of_days(hours: Vec<(i64, i128)>) -> Vec<(i64, i128)> {
    let days = hours.chunk_by(|(one, _), (next, _)| one.div_euclid(DAY) == next.div_euclid(DAY));
    days.filter_map(|day| day.last().copied()).collect()
}
