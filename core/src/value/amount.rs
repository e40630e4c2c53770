//! Exact decimals with two wire forms.
//!
//! `Amount` is a JSON string, `Number` a JSON number; the contract fixes which one a field uses ("Conventions"). Both wrap
//! `rust_decimal` and share one parser for the grammar `-?digits(.digits)?`. Other notations (`1e5`, `+1`, `.5`, `1_000`) and
//! inexact values are rejected, never rounded.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Reason;

/// Largest exact amount in an asset's smallest unit: 2^96 - 1.
pub const UNITS_MAX: i128 = (1 << 96) - 1;

/// Maximum number of decimal places of an asset.
pub const SCALE_MAX: u32 = 28;

/// Why a text is not an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountError {
    /// Not of the form `-?digits(.digits)?`.
    Malformed,
    /// Too many digits to store exactly (28 in all, up to 28 of them decimals).
    TooPrecise,
    /// More decimal places than the asset.
    TooManyDecimals {
        /// Decimal places of the asset.
        scale: u32,
    },
}

impl AmountError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(self) -> Reason {
        match self {
            Self::Malformed => Reason::AmountMalformed,
            Self::TooPrecise => Reason::AmountTooPrecise,
            Self::TooManyDecimals { .. } => Reason::AmountTooManyDecimals,
        }
    }
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("must be a plain decimal such as 12.50"),
            Self::TooPrecise => f.write_str("has more digits than can be stored exactly"),
            Self::TooManyDecimals { scale } => write!(f, "has more than {scale} decimal places"),
        }
    }
}

impl std::error::Error for AmountError {}

fn parse(text: &str) -> Result<Decimal, AmountError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || fraction.is_some_and(|fraction| !all_digits(fraction)) {
        return Err(AmountError::Malformed);
    }
    let mut value = Decimal::from_str_exact(text).map_err(|_| AmountError::TooPrecise)?;
    if value.is_zero() {
        value.set_sign_positive(true);
    }
    Ok(value)
}

macro_rules! exact_decimal {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Decimal);

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(Decimal::ZERO);

            /// Stand-ins for unreadable values; the sum of a hundred still fits.
            const LEAST: Self = Self(Decimal::from_parts(0, 0, 1 << 16, true, 0));
            const GREATEST: Self = Self(Decimal::from_parts(0, 0, 1 << 16, false, 0));

            /// One hundred: the whole, in percent.
            pub const HUNDRED: Self = Self(Decimal::ONE_HUNDRED);

            /// Converts `units` of the smallest unit of an asset with `scale` decimal places, without trailing zeros.
            ///
            /// # Errors
            /// [`AmountError::TooPrecise`] if it is not exact.
            pub fn from_units(units: i128, scale: u32) -> Result<Self, AmountError> {
                Decimal::try_from_i128_with_scale(units, scale)
                    .map(|value| Self(value.normalize()))
                    .map_err(|_| AmountError::TooPrecise)
            }

            /// Like [`Self::from_units`], with all decimal places: 6450 with scale 2 is `64.50`.
            ///
            /// # Errors
            /// [`AmountError::TooPrecise`] if it is not exact.
            pub fn from_units_unshortened(units: i128, scale: u32) -> Result<Self, AmountError> {
                Decimal::try_from_i128_with_scale(units, scale)
                    .map(Self)
                    .map_err(|_| AmountError::TooPrecise)
            }

            /// Converts to units of the smallest unit of an asset with `scale` decimal places.
            ///
            /// # Errors
            /// [`AmountError::TooManyDecimals`] if it is finer than the asset, [`AmountError::TooPrecise`] if it does not fit.
            pub fn to_units(self, scale: u32) -> Result<i128, AmountError> {
                let value = self.0.normalize();
                let Some(missing) = scale.checked_sub(value.scale()) else {
                    return Err(AmountError::TooManyDecimals { scale });
                };
                10_i128
                    .checked_pow(missing)
                    .and_then(|factor| value.mantissa().checked_mul(factor))
                    .filter(|units| units.abs() <= UNITS_MAX)
                    .ok_or(AmountError::TooPrecise)
            }

            /// The exact sum, with the larger number of decimal places: `1.50` + `0.5` = `2.00`.
            ///
            /// # Errors
            /// [`AmountError::TooPrecise`] if it is not exact.
            pub fn plus(self, other: Self) -> Result<Self, AmountError> {
                let scale = self.scale().max(other.scale());
                let sum = self
                    .to_units(scale)?
                    .checked_add(other.to_units(scale)?)
                    .ok_or(AmountError::TooPrecise)?;
                Self::from_units_unshortened(sum, scale)
            }

            /// The exact difference, with the larger number of decimal places.
            ///
            /// # Errors
            /// [`AmountError::TooPrecise`] if it is not exact.
            pub fn minus(self, other: Self) -> Result<Self, AmountError> {
                self.plus(Self(-other.0))
            }

            /// Number of decimal places: 2 for `1.50`.
            pub const fn scale(self) -> u32 {
                self.0.scale()
            }

            /// Whether it is greater than zero.
            pub fn is_positive(self) -> bool {
                self.0 > Decimal::ZERO
            }

            /// Whether it is less than zero.
            pub fn is_negative(self) -> bool {
                self.0 < Decimal::ZERO
            }

            /// Whether it is zero.
            pub fn is_zero(self) -> bool {
                self.0.is_zero()
            }
        }

        impl FromStr for $name {
            type Err = AmountError;

            fn from_str(text: &str) -> Result<Self, AmountError> {
                parse(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

exact_decimal! {
    /// An exact decimal, a JSON string: `"1.50"` stays `"1.50"`.
    Amount
}

exact_decimal! {
    /// An exact decimal, a JSON number, parsed from the raw text without a binary float.
    Number
}

impl From<Number> for Amount {
    fn from(number: Number) -> Self {
        Self(number.0)
    }
}

impl From<Amount> for Number {
    fn from(amount: Amount) -> Self {
        Self(amount.0)
    }
}

crate::value::open::text_form!(Amount, "a decimal string");

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number = self
            .to_string()
            .parse()
            .map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)
            .map_err(|_| D::Error::custom("WRONG_TYPE: must be a number"))?;
        let text = number.as_str();
        text.parse().map_err(|error: AmountError| {
            D::Error::custom(format_args!("{}: {error}", error.reason().as_str()))
        })
    }
}

crate::value::param::param_by_text! {
    Amount: Self::LEAST, Self::GREATEST;
    Number: Self::LEAST, Self::GREATEST;
}
crate::decode::decode_as!(text: Amount);

crate::value::open::schema!(Amount, {
    "type": "string",
    "description": "An exact decimal as text.",
    "pattern": "^-?[0-9]+(\\.[0-9]+)?$",
    "examples": ["12.50"]
});
crate::value::open::schema!(Number, {
    "type": "number", "description": "An exact decimal as a JSON number without exponent.", "examples": [12.5]
});
