//! Pools of two tokens.

use alloy_primitives::{Address, U256, U512};

use super::spot::Spot;

/// The version of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PoolKind {
    /// Version 2: one pool for each pair.
    V2,
    /// Version 3: one for each pair and fee.
    V3 {
        /// In millionths.
        fee: u32,
    },
}

impl PoolKind {
    /// Whether a swap can go through both.
    pub(super) const fn is_same_version(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::V2, Self::V2) | (Self::V3 { .. }, Self::V3 { .. })
        )
    }
}

/// The key of a pool: its version and its tokens, the lower address first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PoolKey {
    /// The version.
    pub kind: PoolKind,
    /// The token of the lower address.
    pub token0: Address,
    /// The other token.
    pub token1: Address,
}

impl PoolKey {
    /// The other token of the pool, if it has this one.
    pub(super) fn other(&self, token: Address) -> Option<Address> {
        match token {
            token if token == self.token0 => Some(self.token1),
            token if token == self.token1 => Some(self.token0),
            _ => None,
        }
    }
}

/// A pool that a factory names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolAddress {
    /// Key.
    pub key: PoolKey,
    /// The contract.
    pub address: Address,
}

/// Reserves of a pool, in smallest units of both tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolState {
    /// Version 2.
    V2 {
        /// Reserves that prices follow from.
        reserves: (U256, U256),
    },
    /// Version 3.
    V3 {
        /// The liquidity at the price, comparable between the pools of a pair.
        liquidity: u128,
        /// The square root of the price of the first token in the second, times 2⁹⁶.
        sqrt_price: U256,
        /// The balances of the pool.
        balances: (U256, U256),
    },
}

/// A pool with liquidity at its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// Where it is.
    pub at: PoolAddress,
    /// Reserves.
    pub state: PoolState,
}

impl Pool {
    /// Reserves of both tokens.
    pub const fn held(&self) -> (U256, U256) {
        match self.state {
            PoolState::V2 { reserves } => reserves,
            PoolState::V3 { balances, .. } => balances,
        }
    }

    /// Virtual reserves: those of a pool over all prices that is as deep at this price; `None` on overflow.
    pub fn depth(&self) -> Option<(U256, U256)> {
        match self.state {
            PoolState::V2 { reserves } => Some(reserves),
            PoolState::V3 {
                liquidity,
                sqrt_price,
                ..
            } => {
                // A square root of a price has 160 bits: the second takes 288 at most, its result 192.
                let wide = |number: U256| U512::from(number);
                let (liquidity, sqrt_price) = (wide(U256::from(liquidity)), wide(sqrt_price));
                let zero = liquidity.wrapping_shl(96).checked_div(sqrt_price)?;
                let one = liquidity.checked_mul(sqrt_price)?.wrapping_shr(96);
                let narrow = |number: U512| U256::checked_from_limbs_slice(number.as_limbs());
                Some((narrow(zero)?, narrow(one)?))
            }
        }
    }

    /// The price of the first token in the second, or the other way round, for a whole unit of each and with decimal places; `None`
    /// beyond the books.
    pub fn price(
        &self,
        is_turned: bool,
        (scale, scale_of_price): (u32, u32),
        shown_scale: u32,
    ) -> Option<i128> {
        let spot = match self.state {
            PoolState::V2 { reserves } => Spot::of_reserves(reserves),
            PoolState::V3 { sqrt_price, .. } => Spot::of_sqrt_price(sqrt_price),
        };
        let spot = match is_turned {
            true => spot.inverse(),
            false => spot,
        };
        spot.shown(scale.checked_add(shown_scale)?, scale_of_price)
    }

    /// The liquidity, comparable between the pools of a version and pair. One pool of version 2 needs no comparison.
    pub(super) const fn liquidity(&self) -> u128 {
        match self.state {
            PoolState::V2 { .. } => 0,
            PoolState::V3 { liquidity, .. } => liquidity,
        }
    }
}
