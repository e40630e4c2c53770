//! How much worse than its quote a swap may be.

use alloy_primitives::U256;

use super::MILLION;

/// How much worse than its quote a swap may be, in millionths, below a million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slippage(u32);

impl Slippage {
    /// Nothing: the quote or nothing.
    pub const NONE: Self = Self(0);

    /// Returns a slippage in millionths; `None` from a million on, with which anything could be sold for nothing.
    pub const fn new(millionths: u32) -> Option<Self> {
        match millionths < MILLION {
            true => Some(Self(millionths)),
            false => None,
        }
    }

    /// In millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// The part of an amount, rounded down.
    fn of(self, amount: U256) -> U256 {
        // In two parts, which have no more digits than the amount.
        let (million, part) = (U256::from(MILLION), U256::from(self.0));
        amount / million * part + amount % million * part / million
    }

    /// The least output for a quoted one. The slippage is rounded down, for the merchant: the least is never below its part of the
    /// quote, never above the quote, and never zero for a quote that is not.
    pub fn least_output(self, quoted: U256) -> U256 {
        quoted - self.of(quoted)
    }

    /// The most input for a quoted one. The slippage is rounded down, for the merchant: the most is never above its part of the quote,
    /// and never below the quote. `None` if it has more than 256 bits.
    pub fn most_input(self, quoted: U256) -> Option<U256> {
        quoted.checked_add(self.of(quoted))
    }
}
