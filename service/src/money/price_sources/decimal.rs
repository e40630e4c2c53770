//! Decimal texts of sources as prices.

use super::error::PriceError;
use crate::money::price::{PRICE_SCALE, Price};

/// The most characters of a decimal: a trillion with all places of a price, and as many zeros again.
const TEXT_MAX: usize = 40;

/// A price of the form `digits(.digits)?`: no exponent, no sign, nothing rounded.
pub(super) fn price(text: &str) -> Result<Price, PriceError> {
    units(text).and_then(|units| Price::new(units).ok_or(PriceError::TooHigh))
}

fn units(text: &str) -> Result<i128, PriceError> {
    let is_negative = text.starts_with('-');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return Err(PriceError::Malformed);
    }
    if is_negative {
        return Err(PriceError::NotPositive);
    }
    let fraction = fraction.trim_end_matches('0');
    if digits.len() > TEXT_MAX || fraction.len() > PRICE_SCALE as usize {
        return Err(PriceError::TooPrecise);
    }
    let padding = PRICE_SCALE as usize - fraction.len();
    let units = format!("{whole}{fraction}{:0<padding$}", "").parse();
    match units.map_err(|_| PriceError::TooHigh)? {
        0 => Err(PriceError::NotPositive),
        units => Ok(units),
    }
}
