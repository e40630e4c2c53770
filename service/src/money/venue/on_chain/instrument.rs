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
