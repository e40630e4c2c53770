//! The rates in live mode: the prices of the connected sources, and which of them count.

use settlekit_core::rate::{
    Rate, RateGap, RateList, RateSource, RateSourceStatus, SourceRate, SourceRateStatus,
};
use settlekit_core::value::{Currency, Timestamp};

use super::median::{NoMedian, median};
use super::price::Price;
use super::prices::{self, price_shown};
use crate::store;
use crate::store::price::SourcePrice;
use crate::store::price_source::Connected;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The rates of all currencies that a connected source quotes.
pub(super) fn list(unit: &mut Unit<'_>) -> Result<RateList, StoreError> {
    let quoted = store::price::all(unit.database)?;
    let mut items = Vec::new();
    for quotes in quoted.chunk_by(|one, next| one.currency == next.currency) {
        if let Some(first) = quotes.first() {
            let reported = quotes.iter().map(|quote| quote.reported.clone()).collect();
            items.push(rate(unit, &first.currency, reported)?);
        }
    }
    let sources = store::price_source::all_sources(unit.database)?.into_iter();
    let sources = sources.map(|connected| source(connected, unit.now));
    Ok(RateList {
        items,
        sources: sources.collect(),
    })
}

/// The rate of a currency, by what its sources say.
fn rate(
    unit: &mut Unit<'_>,
    currency: &Currency,
    reported: Vec<SourcePrice>,
) -> Result<Rate, StoreError> {
    let fresh: Vec<(usize, Price)> = (reported.iter().enumerate())
        .filter_map(|(place, one)| Some((place, prices::fresh_price(one, unit.now)?)))
        .collect();
    let fresh_prices: Vec<Price> = fresh.iter().map(|(_, price)| *price).collect();
    let used = median(&fresh_prices, reported.len(), prices::spread(&reported));
    let strays: Vec<usize> = match &used {
        Ok(median) => median.strays.iter().map(|at| fresh[*at].0).collect(),
        Err(_) => Vec::new(),
    };
    let mut sources = Vec::with_capacity(reported.len());
    let mut oldest: Option<Timestamp> = None;
    for (place, one) in reported.iter().enumerate() {
        let is_fresh = fresh.iter().any(|(fresh, _)| *fresh == place);
        let price = one.price.and_then(Price::new);
        let status = match price {
            None => SourceRateStatus::Missing,
            Some(_) if strays.contains(&place) => SourceRateStatus::Stray,
            Some(_) if is_fresh => SourceRateStatus::Fresh,
            Some(_) if prices::is_old(one, unit.now) => SourceRateStatus::Old,
            Some(_) => SourceRateStatus::HeldBack,
        };
        if status == SourceRateStatus::Fresh {
            oldest = Some(oldest.map_or(one.priced_at, |oldest| oldest.min(one.priced_at)));
        }
        sources.push(SourceRate {
            source: one.source.clone(),
            usd: price.map(|price| price_shown(price.units())).transpose()?,
            priced_at: price.map(|_| one.priced_at),
            status,
        });
    }
    let last = match &used {
        Ok(_) => None,
        Err(_) => store::price::last_used(unit.database, currency, i64::MAX)?,
    };
    Ok(Rate {
        currency: currency.clone(),
        usd: used
            .as_ref()
            .ok()
            .map(|median| price_shown(median.price.units()))
            .transpose()?,
        priced_at: oldest.filter(|_| used.is_ok()),
        gap: used.err().map(gap),
        last_usd: last.map(|last| price_shown(last.price)).transpose()?,
        last_at: last.map(|last| last.used_at),
        sources,
    })
}

fn gap(error: NoMedian) -> RateGap {
    match error {
        NoMedian::Stale => RateGap::Stale,
        NoMedian::Alone => RateGap::Alone,
        NoMedian::Disagree => RateGap::Disagree,
    }
}

fn source(connected: Connected, now: Timestamp) -> RateSource {
    let paused_until = connected.paused_until.filter(|until| *until > now);
    let status = if paused_until.is_some() {
        RateSourceStatus::Paused
    } else if connected.failures > 0 {
        RateSourceStatus::Failing
    } else if connected.succeeded_at.is_none() {
        RateSourceStatus::Waiting
    } else {
        RateSourceStatus::Healthy
    };
    RateSource {
        source: connected.source,
        status,
        succeeded_at: connected.succeeded_at,
        failing_since: connected.failing_since,
        paused_until,
        last_error: connected.last_error,
    }
}
