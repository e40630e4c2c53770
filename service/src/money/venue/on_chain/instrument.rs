//! Pools as instruments: price and sizes as they were last read.

use alloy_primitives::U256;
use settlekit_core::chain::Asset;
use settlekit_core::trade::Instrument;
use settlekit_core::value::{Currency, InstrumentId, Number, VenueId};

use super::{Exchange, units_of};
use crate::money::uniswap::{MILLION, Pool};

/// Decimal places of displayed sizes and prices.
const SHOWN_SCALE: u32 = 8;

/// The part of a pool's depth that moves its price by one percent, in millionths: the price moves with the square, a sale by
/// 1.004962² and a purchase by 1 / 0.995038², which is less than 1.01.
const LARGEST_PART: u32 = 4_962;

/// Quote currencies, the first preferred; then the native coin.
const QUOTES: [&str; 5] = ["USDC", "USDT", "DAI", "USDS", "EURC"];

impl Exchange {
    /// Its pools as instruments. One of currencies that are not the chain's any more is left out.
    pub(super) fn instruments(&self) -> Vec<Instrument> {
        let pools = self.pools.iter();
        pools
            .filter_map(|(number, pool)| self.instrument(*number, pool))
            .collect()
    }

    fn instrument(&self, number: i64, pool: &Pool) -> Option<Instrument> {
        let key = &pool.at.key;
        let (asset0, asset1) = (self.asset(key.token0)?, self.asset(key.token1)?);
        let is_turned = rank(asset0) < rank(asset1);
        let (base, quote) = match is_turned {
            true => (asset1, asset0),
            false => (asset0, asset1),
        };
        let fee = self.uniswap.fee(key.kind);
        let (held_base, held_quote) = turned(pool.held(), is_turned);
        let shown = |units: i128, scale: u32| Number::from_units(units, scale).ok();
        let chain = self.connected.chain;
        Some(Instrument {
            id: InstrumentId::new(number)?,
            venue_id: VenueId::new(chain.get())?,
            venue_name: self.name.clone(),
            base: base.symbol.clone(),
            base_chain: Some(chain),
            quote: quote.symbol.clone(),
            quote_chain: Some(chain),
            last_price: shown(
                pool.price(is_turned, (base.scale, quote.scale), SHOWN_SCALE)?,
                SHOWN_SCALE,
            )?,
            min_size: shown(smallest(base.scale)?, SHOWN_SCALE)?,
            max_size: shown(largest(pool, is_turned, base.scale)?, SHOWN_SCALE)?,
            base_liquidity: at_shown_scale(held_base, base.scale)
                .and_then(|units| shown(units, SHOWN_SCALE)),
            quote_liquidity: at_shown_scale(held_quote, quote.scale)
                .and_then(|units| shown(units, SHOWN_SCALE)),
            spread_bps: shown(0, 0)?,
            // One millionth is 0.01 basis points.
            estimated_cost_bps: shown(i128::from(fee), 2)?,
            estimated_delay_ms: shown(i128::try_from(self.delay.as_millis()).ok()?, 0)?,
        })
    }
}

/// The rank of a currency as a quote currency.
fn rank(asset: &Asset) -> usize {
    let named = |currency: &Currency| QUOTES.iter().position(|quote| *quote == currency.as_str());
    let is_native = asset.token_address.is_none();
    named(&asset.symbol).unwrap_or(QUOTES.len() + usize::from(!is_native))
}

/// The smallest size that can be shown.
fn smallest(scale: u32) -> Option<i128> {
    10_i128.checked_pow(SHOWN_SCALE.saturating_sub(scale))
}

/// The size that moves the price by one percent, or that the pool can pay.
fn largest(pool: &Pool, is_turned: bool, scale: u32) -> Option<i128> {
    let (base, quote) = turned(pool.depth()?, is_turned);
    let (bought, paid) = turned(pool.held(), is_turned);
    let part = base.checked_mul(U256::from(LARGEST_PART))? / U256::from(MILLION);
    let payable = paid.checked_mul(base)?.checked_div(quote)?;
    at_shown_scale(part.min(payable).min(bought), scale)
}

/// Amounts of both tokens as those of base and quote.
const fn turned((zero, one): (U256, U256), is_turned: bool) -> (U256, U256) {
    match is_turned {
        true => (one, zero),
        false => (zero, one),
    }
}

/// An amount with the decimal places of displayed sizes, rounded down.
fn at_shown_scale(amount: U256, scale: u32) -> Option<i128> {
    let units = units_of(amount)?;
    if scale >= SHOWN_SCALE {
        return Some(units / 10_i128.checked_pow(scale - SHOWN_SCALE)?);
    }
    units.checked_mul(10_i128.checked_pow(SHOWN_SCALE - scale)?)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::Address;

    use super::*;
    use crate::money::uniswap::{PoolAddress, PoolKey, PoolKind, PoolState};

    fn pool(kind: PoolKind, state: PoolState) -> Pool {
        let key = PoolKey {
            kind,
            token0: Address::repeat_byte(1),
            token1: Address::repeat_byte(2),
        };
        let address = Address::repeat_byte(0xa0);
        Pool {
            at: PoolAddress { key, address },
            state,
        }
    }

    /// A pool over all prices.
    fn wide(reserves: (u64, u64)) -> Pool {
        let reserves = (U256::from(reserves.0), U256::from(reserves.1));
        pool(PoolKind::V2, PoolState::V2 { reserves })
    }

    /// A pool that is as deep as one with 500,000,000 of the first token and 2,000,000,000 of the second, and holds less.
    fn narrow(balances: (u64, u64)) -> Pool {
        let state = PoolState::V3 {
            liquidity: 1_000_000_000,
            // The root of 4.
            sqrt_price: U256::from(2) << 96,
            balances: (U256::from(balances.0), U256::from(balances.1)),
        };
        pool(PoolKind::V3 { fee: 500 }, state)
    }

    #[test]
    fn the_largest_size_moves_the_price_by_just_less_than_one_percent() {
        const BASE: i128 = 1_000_000_000_000;
        for (pool, is_turned) in [
            (wide((1_000_000_000_000, 3_000_000_000)), false),
            (wide((3_000_000_000, 1_000_000_000_000)), true),
        ] {
            let largest = largest(&pool, is_turned, SHOWN_SCALE).expect("a size");
            // Both reserves multiply to the same: the price moves with the square of the base.
            let (sold, bought) = (BASE + largest, BASE - largest);
            assert!(BASE * BASE * 100 > 99 * sold * sold, "{largest}");
            assert!(BASE * BASE * 100 < 101 * bought * bought, "{largest}");
            // A purchase of one millionth more of the base moves it by one percent.
            let more = bought - BASE / 1_000_000;
            assert!(BASE * BASE * 100 >= 101 * more * more, "{largest}");
        }
    }

    #[test]
    fn the_largest_size_is_no_more_than_a_pool_can_pay_or_sell() {
        // 4962 millionths of the depth.
        for (balances, is_turned, expected) in [
            ((500_000_000, 2_000_000_000), false, 2_481_000),
            ((500_000_000, 2_000_000_000), true, 9_924_000),
            // It pays four of the second for one of the first.
            ((500_000_000, 4_000_000), false, 1_000_000),
            ((500_000_000, 4_000_000), true, 4_000_000),
            ((700_000, 2_000_000_000), false, 700_000),
            ((700_000, 2_000_000_000), true, 2_800_000),
            ((0, 2_000_000_000), false, 0),
        ] {
            let found = largest(&narrow(balances), is_turned, SHOWN_SCALE);
            assert_eq!(found, Some(expected), "{balances:?} {is_turned}");
        }
    }

    #[test]
    fn sizes_are_shown_with_eight_decimal_places() {
        let pool = wide((1_000_000_000_000, 3_000_000_000));
        for (scale, expected) in [
            (6, 496_200_000_000),
            (8, 4_962_000_000),
            (18, 0),
            (9, 496_200_000),
        ] {
            assert_eq!(largest(&pool, false, scale), Some(expected), "{scale}");
        }
        // One smallest unit, or one of the last place that is shown.
        for (scale, expected) in [(0, 100_000_000), (6, 100), (8, 1), (18, 1)] {
            assert_eq!(smallest(scale), Some(expected), "{scale}");
        }
    }

    #[test]
    fn dollars_are_quote_currencies_before_the_native_coin_and_that_before_other_tokens() {
        let asset = |symbol: &str, is_native: bool| Asset {
            symbol: symbol.parse().expect("a symbol"),
            scale: 18,
            token_address: (!is_native).then(|| Address::repeat_byte(3).to_string()),
        };
        let assets = [
            asset("USDC", false),
            asset("USDT", false),
            asset("DAI", false),
            asset("USDS", false),
            asset("EURC", false),
            asset("ETH", true),
            asset("WBTC", false),
        ];
        let ranks: Vec<usize> = assets.iter().map(rank).collect();
        assert!(ranks.is_sorted_by(|one, next| one < next), "{ranks:?}");
    }
}
