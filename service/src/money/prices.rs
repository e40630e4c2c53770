//! Prices of currencies, to show and convert amounts. Only this module decides which prices are used.
//!
//! The simulated prices are exact, and fixed until another is set. Those of the simulated venues vary with time: see `venue`. In live
//! mode prices are the median of the connected sources' recent prices.

use std::collections::BTreeMap;
use std::time::Duration;

use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, AmountError, Currency, Timestamp};

use super::median::median;
use super::price::{PRICE_SCALE, Price};
use super::rounding::{Rounding, divide, divide_wide};
use crate::mode::Simulation;
use crate::store;
use crate::store::price::{SourcePrice, UsedPrice};
use crate::store::sql::StoreError;
use crate::unit::{Refusal, Unit};

/// Decimal places of stored US dollar amounts: millionths.
pub(crate) const USD_SCALE: u32 = 6;

/// Decimal places of displayed US dollar amounts.
const USD_SHOWN_SCALE: u32 = 2;

/// How far the prices of sources may differ by default, in hundredths of a percent.
pub(super) const SPREAD: u32 = 200;

/// How long a price that jumps is not used, at least.
pub(super) const HELD_BACK: Duration = Duration::from_secs(120);

/// An hour, in microseconds.
pub(crate) const HOUR: i64 = 60 * 60 * 1_000_000;

/// The hours that the history goes back: a year.
pub(super) const HOURS_KEPT: i64 = 366 * 24;

/// Units of a price in a millionth of a US dollar.
const FINER: i128 = 10_i128.pow(PRICE_SCALE - USD_SCALE);

/// The currency whose price is always one.
pub(super) const DOLLAR: &str = "USD";

/// Millionths of a US dollar per whole unit.
const PRICES: &[(&str, i128)] = &[
    ("USD", 1_000_000),
    ("USDC", 1_000_000),
    ("USDT", 1_000_000),
    ("EUR", 1_080_000),
    ("EURC", 1_080_000),
    ("CAD", 730_000),
    ("GBP", 1_270_000),
    ("ETH", 3_200_000_000),
    ("BNB", 610_000_000),
    ("POL", 450_000),
];

/// The prices of a sandbox: fixed, unless they were set.
#[derive(Debug, Clone)]
pub(crate) struct SimulatedPrices {
    /// The set ones, in millionths of a US dollar.
    set: BTreeMap<Currency, i64>,
}

impl SimulatedPrices {
    /// The fixed prices alone.
    pub(crate) const fn fixed(_: Simulation) -> Self {
        Self {
            set: BTreeMap::new(),
        }
    }

    /// The prices now. Set prices are read once per unit.
    pub(crate) fn now(unit: &mut Unit<'_>, _: Simulation) -> Result<Self, StoreError> {
        let set = match &unit.set_prices {
            Some(set) => set.clone(),
            None => {
                let set = store::price::simulated(unit.database, unit.may_write)?;
                unit.set_prices.insert(set).clone()
            }
        };
        Ok(Self { set })
    }

    /// Millionths of a US dollar per whole unit; `None` without a price.
    pub(super) fn millionths(&self, currency: &Currency) -> Option<i128> {
        if let Some(millionths) = self.set.get(currency) {
            return Some(i128::from(*millionths));
        }
        let mut fixed = PRICES.iter();
        fixed
            .find(|(symbol, _)| *symbol == currency.as_str())
            .map(|(_, price)| *price)
    }

    fn price(&self, currency: &Currency) -> Option<Price> {
        Price::new(self.millionths(currency)?.checked_mul(FINER)?)
    }

    /// All prices but the US dollar's, by symbol.
    pub(super) fn all(&self) -> Vec<(Currency, Price)> {
        let symbols = PRICES.iter().filter(|(symbol, _)| *symbol != DOLLAR);
        let currencies = symbols.filter_map(|(symbol, _)| symbol.parse::<Currency>().ok());
        let mut all: Vec<(Currency, Price)> = currencies
            .filter_map(|currency| Some((currency.clone(), self.price(&currency)?)))
            .collect();
        all.sort();
        all
    }
}

/// Sets the simulated price of a currency from now on; `None` if it has none.
pub(crate) fn set(
    unit: &mut Unit<'_>,
    _: Simulation,
    (currency, price): (&Currency, Amount),
) -> Result<Option<()>, StoreError> {
    let mut settable = PRICES.iter().filter(|(symbol, _)| *symbol != DOLLAR);
    if settable.all(|(symbol, _)| *symbol != currency.as_str()) {
        return Ok(None);
    }
    let millionths = price.to_units(USD_SCALE).ok();
    let millionths = millionths.and_then(|millionths| i64::try_from(millionths).ok());
    let millionths =
        millionths.ok_or_else(|| StoreError::Broken("a price was not validated".into()))?;
    let mut set = store::price::simulated(unit.database, true)?;
    set.insert(currency.clone(), millionths);
    store::price::set_simulated(unit.database, &set)?;
    unit.set_prices = Some(set);
    let hour = unit.now.micros().div_euclid(HOUR);
    let used = UsedPrice {
        hour,
        price: i128::from(millionths) * FINER,
        used_at: unit.now,
    };
    store::price::set_used(unit.database, currency, &used, hour - HOURS_KEPT)?;
    Ok(Some(()))
}

/// The price of a currency in live mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LivePrice {
    Fresh(Price),
    /// Sources quote it, and give no price now: they are silent, or contradict each other.
    Unavailable,
    /// No connected source quotes it.
    Unknown,
}

/// The prices of some currencies.
#[derive(Debug, Clone)]
pub(crate) enum Prices {
    /// The sandbox's.
    Simulated(SimulatedPrices),
    /// The prices of the connected sources.
    Live(BTreeMap<Currency, LivePrice>),
}

/// The prices of some currencies. In live mode each is read once per unit.
pub(crate) fn of<'a>(
    unit: &mut Unit<'_>,
    currencies: impl IntoIterator<Item = &'a Currency>,
) -> Result<Prices, StoreError> {
    if let Some(simulation) = unit.options().mode.simulation() {
        return Ok(Prices::Simulated(SimulatedPrices::now(unit, simulation)?));
    }
    let mut prices = BTreeMap::new();
    for currency in currencies {
        if !prices.contains_key(currency) {
            prices.insert(currency.clone(), live_price(unit, currency)?);
        }
    }
    Ok(Prices::Live(prices))
}

/// The prices that convert between two currencies; of one currency, none is needed.
pub(crate) fn between(
    unit: &mut Unit<'_>,
    from: &Currency,
    to: &Currency,
) -> Result<Prices, StoreError> {
    let needed = [from, to].into_iter().filter(|_| from != to);
    of(unit, needed)
}

/// Whether there is a source of prices.
pub(crate) fn is_connected(unit: &mut Unit<'_>) -> Result<bool, StoreError> {
    if unit.options().mode.is_sandbox() {
        return Ok(true);
    }
    store::price::has_source(unit.database)
}

fn live_price(unit: &mut Unit<'_>, currency: &Currency) -> Result<LivePrice, StoreError> {
    if currency.as_str() == DOLLAR {
        return Ok(match store::price::has_source(unit.database)? {
            true => LivePrice::Fresh(Price::DOLLAR),
            false => LivePrice::Unknown,
        });
    }
    let reported = match unit.prices.get(currency) {
        Some(reported) => reported,
        None => {
            let reported = store::price::of_currency(unit.database, currency)?;
            unit.prices.entry(currency.clone()).or_insert(reported)
        }
    };
    let quoting = reported.iter().filter(|one| one.traded).count();
    if quoting == 0 {
        return Ok(LivePrice::Unknown);
    }
    let fresh = reported.iter().filter_map(|one| fresh_price(one, unit.now));
    let fresh: Vec<Price> = fresh.collect();
    Ok(match median(&fresh, quoting, spread(reported)) {
        Ok(median) => LivePrice::Fresh(median.price),
        Err(_) => LivePrice::Unavailable,
    })
}

/// How far the prices of sources may differ, in hundredths of a percent.
pub(super) fn spread(reported: &[SourcePrice]) -> u32 {
    let set = reported.first().and_then(|one| one.spread);
    set.unwrap_or(SPREAD)
}

/// The price of a source, unless it is too old or held back. A price of the future comes from a clock that was ahead.
pub(super) fn fresh_price(one: &SourcePrice, now: Timestamp) -> Option<Price> {
    let is_usable = one.traded && !is_old(one, now) && !is_held(one, now);
    one.price.filter(|_| is_usable).and_then(Price::new)
}

/// Whether a price is older than it may be, or of the future.
pub(super) fn is_old(one: &SourcePrice, now: Timestamp) -> bool {
    let age = now.since(one.priced_at).max(one.priced_at.since(now));
    match u64::try_from(one.max_age) {
        Ok(max_age) => age > Duration::from_micros(max_age),
        Err(_) => true,
    }
}

/// Whether a price is held back after a jump: for two minutes, and until a later answer repeats it.
pub(super) fn is_held(one: &SourcePrice, now: Timestamp) -> bool {
    let jumped_at = one.usable_at.minus(HELD_BACK);
    is_waiting(one, now) || one.fetched_at <= jumped_at
}

/// Whether the two minutes after a jump have not passed. A later end is of a clock that was ahead.
pub(super) fn is_waiting(one: &SourcePrice, now: Timestamp) -> bool {
    one.usable_at > now && one.usable_at <= now.plus(HELD_BACK)
}

impl Prices {
    /// US dollars per whole unit; `None` without a price.
    pub(crate) fn price(&self, currency: &Currency) -> Option<Price> {
        match self {
            Self::Simulated(prices) => prices.price(currency),
            Self::Live(prices) => match prices.get(currency) {
                Some(LivePrice::Fresh(price)) => Some(*price),
                Some(LivePrice::Unavailable | LivePrice::Unknown) | None => None,
            },
        }
    }

    /// Whether sources quote a currency and give no price now.
    pub(crate) fn is_unavailable(&self, currency: &Currency) -> bool {
        match self {
            Self::Simulated(_) => false,
            Self::Live(prices) => prices.get(currency) == Some(&LivePrice::Unavailable),
        }
    }

    /// Millionths of a US dollar for an amount in the currency's smallest unit; `None` without a price or on overflow.
    pub(crate) fn usd_of(&self, units: i128, scale: u32, currency: &Currency) -> Option<i128> {
        usd_at(self.price(currency)?, units, scale)
    }

    /// Converts an amount to another currency, in the smallest unit of the other.
    ///
    /// # Errors
    /// `None` without a price; the amount's own error if it is too fine or too large to be exact.
    pub(crate) fn convert(
        &self,
        amount: Amount,
        from: &Currency,
        to: &Currency,
        to_scale: u32,
        rounding: Rounding,
    ) -> Option<Result<i128, AmountError>> {
        if from == to {
            return Some(amount.to_units(to_scale));
        }
        let (from_price, to_price) = (self.price(from)?, self.price(to)?);
        let scale = amount.scale();
        let units = match amount.to_units(scale) {
            Ok(units) => units,
            Err(error) => return Some(Err(error)),
        };
        let common = scale.min(to_scale);
        let finer = 10_i128.checked_pow(to_scale - common);
        let coarser = 10_i128.checked_pow(scale - common);
        let converted = finer.zip(coarser).and_then(|(finer, coarser)| {
            let factors = [units, from_price.units(), finer];
            divide_wide(factors, [to_price.units(), coarser], rounding)
        });
        let converted =
            converted.filter(|units| units.abs() <= settlekit_core::value::amount::UNITS_MAX);
        Some(converted.ok_or(AmountError::TooPrecise))
    }
}

/// Millionths of a US dollar for an amount in its smallest unit at a price; `None` on overflow.
pub(crate) fn usd_at(price: Price, units: i128, scale: u32) -> Option<i128> {
    let parts = 10_i128.checked_pow(scale)?;
    let usd = divide_wide(
        [units.checked_abs()?, price.units()],
        [parts, FINER],
        Rounding::HalfEven,
    )?;
    Some(usd * units.signum())
}

/// The refusal of an amount that needs a rate which is missing; `None` if another reason is to be given: there are rates, or no
/// source will ever give one.
pub(crate) fn no_rate(
    unit: &mut Unit<'_>,
    field: Option<&'static str>,
    currencies: &[&Currency],
) -> Result<Option<Refusal>, StoreError> {
    const NO_SOURCE: &str =
        "needs an exchange rate, and no price source is connected to this service";
    if !is_connected(unit)? {
        return Ok(Some(rate_unavailable(field, NO_SOURCE.to_owned())));
    }
    let prices = of(unit, currencies.iter().copied())?;
    let mut missing = currencies.iter();
    let missing = missing.find(|currency| prices.is_unavailable(currency));
    Ok(missing.map(|currency| {
        let message =
            format!("needs an exchange rate, and the price sources give none for {currency} now");
        rate_unavailable(field, message)
    }))
}

fn rate_unavailable(field: Option<&'static str>, message: String) -> Refusal {
    match field {
        Some(field) => Refusal::field(field, Reason::RateUnavailable, message),
        None => Refusal::because(Reason::RateUnavailable, format!("the price {message}")),
    }
}

/// An amount in the smallest unit of an asset with `scale` decimal places; `None` on overflow.
pub(crate) fn in_units(amount: Amount, scale: u32, rounding: Rounding) -> Option<i128> {
    let finer = amount.scale().max(scale);
    let by = 10_i128.checked_pow(finer - scale)?;
    divide(amount.to_units(finer).ok()?, by, rounding)
}

/// US dollars per whole unit, of units of 10^-12.
pub(super) fn price_shown(units: i128) -> Result<Amount, StoreError> {
    Amount::from_units(units, PRICE_SCALE)
        .map_err(|_| StoreError::Damaged("a price is too high".into()))
}

/// A displayed US dollar amount, always with two decimals.
pub(crate) fn usd_shown(millionths: i128) -> Option<Amount> {
    let cents = divide(
        millionths,
        10_i128.pow(USD_SCALE - USD_SHOWN_SCALE),
        Rounding::HalfEven,
    )?;
    Amount::from_units_unshortened(cents, USD_SHOWN_SCALE).ok()
}
