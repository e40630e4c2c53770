//! A price: US dollars per whole unit of a currency, as an exact decimal.

use std::fmt;

use settlekit_core::value::Amount;

use super::rounding::{Rounding, multiply_divide};

/// Decimal places of a price. Cheap tokens cost less than a millionth of a dollar.
pub const PRICE_SCALE: u32 = 12;

/// The highest price that is believed: a trillion dollars.
const UNITS_MAX: i128 = 10_i128.pow(12 + PRICE_SCALE);

/// US dollars per whole unit of a currency, greater than zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(i128);

impl Price {
    /// One dollar: the price of the US dollar.
    pub const DOLLAR: Self = Self(10_i128.pow(PRICE_SCALE));

    /// From units of 10^-12 dollars; `None` unless greater than zero and at most a trillion dollars.
    pub fn new(units: i128) -> Option<Self> {
        (1..=UNITS_MAX).contains(&units).then_some(Self(units))
    }

    /// The units of 10^-12 dollars.
    pub const fn units(self) -> i128 {
        self.0
    }

    /// Halfway between two prices, rounded down: never below the lower one.
    #[must_use]
    pub const fn middle(self, other: Self) -> Self {
        Self((self.0 + other.0) / 2)
    }

    /// Whether two prices differ by at most `basis_points` of the lower one.
    pub const fn is_within(self, other: Self, basis_points: u32) -> bool {
        let (low, high) = if self.0 < other.0 {
            (self.0, other.0)
        } else {
            (other.0, self.0)
        };
        (high - low) * 10_000 <= low * basis_points as i128
    }

    /// This price in units of another currency: dollars per unit, divided by dollars per unit; `None` if it is out of range.
    #[must_use]
    pub fn divided_by(self, other: Self) -> Option<Self> {
        multiply_divide(self.0, Self::DOLLAR.0, other.0, Rounding::HalfEven).and_then(Self::new)
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 24 digits are always exact.
        match Amount::from_units(self.0, PRICE_SCALE) {
            Ok(amount) => amount.fmt(f),
            Err(_) => Err(fmt::Error),
        }
    }
}
