//! The balance, or what came in and went out, per UTC day: from stored daily volumes, and from what accounts held when days began.

use std::collections::{BTreeMap, HashSet};

use settlekit_core::overview::{
    GetOverviewSeries, OverviewSeries, SeriesMetric, SeriesPart, SeriesPeriod, SeriesPoint,
};
use settlekit_core::value::{AccountId, Amount, ChainId, Currency, OrganisationId, Timestamp};

use crate::money::price::Price;
use crate::money::prices::{self, USD_SCALE, usd_at};
use crate::money::rates;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Unit};

/// Millionths of a US dollar by UTC day. Days without a price are missing.
type Days = BTreeMap<i64, i128>;

pub(crate) fn get_overview_series(
    unit: &mut Unit<'_>,
    call: Received<GetOverviewSeries>,
) -> Outcome<OverviewSeries> {
    let organisation = call.caller.organisation;
    let metric = call.query.metric;
    let length = match call.query.period {
        Some(SeriesPeriod::Week) => 7,
        Some(SeriesPeriod::Quarter) => 90,
        Some(SeriesPeriod::Year) => 365,
        Some(SeriesPeriod::Month | SeriesPeriod::Other(_)) | None => 30,
    };
    let compares = call.query.compare == Some(true);
    let today = unit.now.day_number();
    let first = today - length + 1;
    let from = match compares {
        true => first - length,
        false => first,
    };
    // Without prices all figures would be wrong zeros.
    let days = match prices::is_connected(unit)? {
        false => Days::new(),
        true if metric == SeriesMetric::Balance => balances(unit, organisation, (from, today))?,
        true => volumes(unit, organisation, (from, today), &metric)?,
    };
    let has_sum = metric != SeriesMetric::Balance;
    let previous = compares.then(|| part(&days, (from, first - 1), has_sum));
    Ok(OverviewSeries {
        metric,
        current: part(&days, (first, today), has_sum)?,
        previous: previous.transpose()?,
    })
}

fn date(day: i64) -> String {
    Timestamp::from_day_number(day).day()
}

fn shown(millionths: i128) -> Result<Amount, StoreError> {
    Amount::from_units(millionths, USD_SCALE)
        .map_err(|_| StoreError::Broken("a sum is too large to represent".into()))
}

/// The days of a period.
fn part(days: &Days, (from, to): (i64, i64), has_sum: bool) -> Result<SeriesPart, StoreError> {
    let mut sum = 0_i128;
    let mut points = Vec::new();
    for (day, millionths) in days.range(from..=to) {
        sum = sum.saturating_add(*millionths);
        points.push(SeriesPoint {
            date: date(*day),
            amount_usd: shown(*millionths)?,
        });
    }
    let present = i64::try_from(points.len()).unwrap_or(i64::MAX);
    let missing = to - from + 1 - present;
    let sum = (has_sum && !points.is_empty()).then(|| shown(sum));
    Ok(SeriesPart {
        from: date(from),
        to: date(to),
        points,
        missing_days: u64::try_from(missing).unwrap_or(0),
        sum_usd: sum.transpose()?,
    })
}

/// What came in or went out.
fn volumes(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (from, to): (i64, i64),
    metric: &SeriesMetric,
) -> Result<Days, StoreError> {
    let mut days: Days = (from..=to).map(|day| (day, 0)).collect();
    for (day, stored) in store::volume::since(unit.database, organisation, from)? {
        if stored.unpriced > 0 {
            days.remove(&day);
        } else if let Some(sum) = days.get_mut(&day) {
            *sum = match metric {
                SeriesMetric::In => stored.in_usd,
                _ => stored.out_usd,
            };
        }
    }
    Ok(days)
}

/// Money of the organisation, by chain and currency.
type Sums = BTreeMap<(ChainId, Currency), i128>;

/// The worth of the balance at the end of each day.
fn balances(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (from, to): (i64, i64),
) -> Result<Days, StoreError> {
    let watched = store::account::only_watched(unit.database, organisation)?;
    let watched: HashSet<AccountId> = watched.into_iter().collect();
    let mut held = BTreeMap::new();
    let mut sums = Sums::new();
    for balance in store::ledger::balances(unit.database, organisation, None)? {
        let kind = (balance.chain, balance.currency);
        if !watched.contains(&balance.account) {
            *sums.entry(kind.clone()).or_default() += balance.posted;
            held.insert((balance.account, kind), balance.posted);
        }
    }
    let prices = daily_prices(unit, &sums, (from, to))?;
    let openings = store::opening_balance::after(unit.database, organisation, from)?;
    let mut openings = openings.into_iter().peekable();
    let mut days = Days::new();
    for day in (from..=to).rev() {
        // Before the postings of a later day, an account held what it held at the end of this one.
        while let Some(opening) = openings.next_if(|opening| opening.day > day) {
            let kind = (opening.chain, opening.currency);
            if let Some(posted) = held.get_mut(&(opening.account, kind.clone())) {
                let sum = sums.entry(kind).or_default();
                *sum += opening.posted - *posted;
                *posted = opening.posted;
            }
        }
        if let Some(worth) = worth_on(day, &sums, &prices) {
            days.insert(day, worth);
        }
    }
    Ok(days)
}

/// Decimal places of a currency on a chain, and its price on each day.
struct DailyPrices {
    scale: u32,
    of_days: BTreeMap<i64, Price>,
}

/// The prices of the money that has any. As in the total, money of a test network and a currency that no source quotes count as nothing.
fn daily_prices(
    unit: &mut Unit<'_>,
    sums: &Sums,
    days: (i64, i64),
) -> Result<BTreeMap<(ChainId, Currency), DailyPrices>, StoreError> {
    let chains = store::chain::list(unit.database)?;
    let prices = prices::of(unit, sums.keys().map(|(_, currency)| currency))?;
    let mut known: BTreeMap<&Currency, BTreeMap<i64, Price>> = BTreeMap::new();
    let mut of_kinds = BTreeMap::new();
    for kind in sums.keys() {
        let (chain, currency) = kind;
        let is_quoted = prices.price(currency).is_some() || prices.is_unavailable(currency);
        let mut real = chains
            .iter()
            .filter(|detail| detail.test_network != Some(true));
        let detail = real.find(|detail| detail.id == *chain);
        let Some(detail) = detail.filter(|_| is_quoted) else {
            continue;
        };
        let mut assets = detail.assets.iter();
        let asset = assets.find(|asset| asset.symbol == *currency);
        let asset =
            asset.ok_or_else(|| StoreError::Damaged("a balance is of an unknown asset".into()))?;
        let of_days = match known.get(currency) {
            Some(of_days) => of_days.clone(),
            None => {
                let mut of_days = rates::of_days(unit, currency, days)?;
                // Shortly after midnight no price of this day has been used.
                if let Some(price) = prices.price(currency) {
                    of_days.entry(days.1).or_insert(price);
                }
                known.insert(currency, of_days.clone());
                of_days
            }
        };
        let scale = asset.scale;
        of_kinds.insert(kind.clone(), DailyPrices { scale, of_days });
    }
    Ok(of_kinds)
}

/// The worth of money at the end of a day, in millionths of a US dollar; `None` if some of it has no price.
fn worth_on(
    day: i64,
    sums: &Sums,
    prices: &BTreeMap<(ChainId, Currency), DailyPrices>,
) -> Option<i128> {
    let mut worth = 0_i128;
    for (kind, units) in sums.iter().filter(|(_, units)| **units != 0) {
        if let Some(DailyPrices { scale, of_days }) = prices.get(kind) {
            let usd = usd_at(*of_days.get(&day)?, *units, *scale)?;
            worth = worth.saturating_add(usd);
        }
    }
    Some(worth)
}
