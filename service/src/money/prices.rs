//! Prices of currencies, to show and convert amounts. Only this module decides which price source is connected.
//!
//! The simulated rates are fixed and exact. The prices of the simulated venues vary with time: see `venue`.

use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, AmountError, Currency};

use super::rounding::{Rounding, divide};
use crate::mode::{Mode, Simulation};
use crate::unit::{Refusal, Unit};

/// Decimal places of stored US dollar amounts: millionths.
pub(crate) const USD_SCALE: u32 = 6;

/// Decimal places of displayed US dollar amounts.
const USD_SHOWN_SCALE: u32 = 2;

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

/// Millionths of a US dollar per whole unit; `None` without a price.
pub(super) fn fixed_price(_: Simulation, currency: &Currency) -> Option<i128> {
    PRICES
        .iter()
        .find(|(symbol, _)| *symbol == currency.as_str())
        .map(|(_, price)| *price)
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Prices {
    /// The sandbox's fixed rates.
    Simulated(Simulation),
    /// No source: nothing is converted, and converted values are omitted.
    None,
}

pub(crate) fn of_mode(mode: Mode) -> Prices {
    mode.simulation().map_or(Prices::None, Prices::Simulated)
}

/// The connected source of prices.
pub(crate) fn connected(unit: &Unit<'_>) -> Prices {
    of_mode(unit.options().mode)
}

/// The refusal of an amount that needs a rate without a price source.
pub(crate) fn no_rate(field: Option<&'static str>) -> Refusal {
    const MESSAGE: &str =
        "needs an exchange rate, and no price source is connected to this service";
    match field {
        Some(field) => Refusal::field(field, Reason::RateUnavailable, MESSAGE),
        None => Refusal::because(Reason::RateUnavailable, format!("the price {MESSAGE}")),
    }
}

impl Prices {
    pub(crate) const fn is_connected(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Millionths of a US dollar per whole unit; `None` without a price.
    pub(crate) fn price(self, currency: &Currency) -> Option<i128> {
        match self {
            Self::Simulated(simulation) => fixed_price(simulation, currency),
            Self::None => None,
        }
    }

    /// Millionths of a US dollar for an amount in the currency's smallest unit; `None` without a price or on overflow.
    pub(crate) fn usd_of(self, units: i128, scale: u32, currency: &Currency) -> Option<i128> {
        divide(
            units.checked_mul(self.price(currency)?)?,
            10_i128.checked_pow(scale)?,
            Rounding::HalfEven,
        )
    }

    /// Converts an amount to another currency, in the smallest unit of the other.
    ///
    /// # Errors
    /// `None` without a price; the amount's own error if it is too fine or too large to be exact.
    pub(crate) fn convert(
        self,
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
        let converted = 10_i128
            .checked_pow(to_scale)
            .and_then(|factor| units.checked_mul(from_price)?.checked_mul(factor))
            .zip(
                10_i128
                    .checked_pow(scale)
                    .and_then(|factor| factor.checked_mul(to_price)),
            )
            .and_then(|(dividend, divisor)| divide(dividend, divisor, rounding))
            .filter(|units| units.abs() <= settlekit_core::value::amount::UNITS_MAX);
        Some(converted.ok_or(AmountError::TooPrecise))
    }
}

/// An amount in the smallest unit of an asset with `scale` decimal places; `None` on overflow.
pub(crate) fn in_units(amount: Amount, scale: u32, rounding: Rounding) -> Option<i128> {
    let finer = amount.scale().max(scale);
    let by = 10_i128.checked_pow(finer - scale)?;
    divide(amount.to_units(finer).ok()?, by, rounding)
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
