//! The swap of an accepted quote: stored with it, and prepared for the hot wallet.

use alloy_primitives::{Address, U256};
use settlekit_core::value::{ChainId, Currency};

use crate::evm::transaction::Call;
use crate::money::uniswap::{
    Hop, NativeCoin, PoolAddress, PoolKey, PoolKind, Route, Swap, SwapAmounts, SwapError,
};
use crate::money::venue_contracts;
use crate::store;
use crate::store::execution::{SwapHop, SwapTerms};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// A route, as it is stored with its quote.
pub(super) fn terms(chain: ChainId, route: &Route) -> SwapTerms {
    let hops = route.hops().iter().map(|hop| SwapHop {
        pool: hop.pool.address.to_string(),
        from: hop.from.to_string(),
        to: hop.to.to_string(),
        fee: match hop.pool.key.kind {
            PoolKind::V2 => None,
            PoolKind::V3 { fee } => Some(fee),
        },
    });
    SwapTerms {
        chain,
        hops: hops.collect(),
    }
}

fn route(terms: &SwapTerms) -> Option<Route> {
    let hops = terms.hops.iter().map(|hop| {
        let (from, to): (Address, Address) = (hop.from.parse().ok()?, hop.to.parse().ok()?);
        let key = PoolKey {
            kind: match hop.fee {
                None => PoolKind::V2,
                Some(fee) => PoolKind::V3 { fee },
            },
            token0: from.min(to),
            token1: from.max(to),
        };
        let address = hop.pool.parse().ok()?;
        Some(Hop {
            pool: PoolAddress { key, address },
            from,
            to,
        })
    });
    Route::new(hops.collect::<Option<_>>()?)
}

/// The transactions of a swap.
#[derive(Debug, Clone)]
pub(crate) struct PreparedSwap {
    /// Approves the router for the sold amount; `None` for the native coin.
    pub(crate) approval: Option<Call>,
    pub(crate) swap: Call,
}

/// Sold and bought currency and amount, in smallest units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SwapMoney<'a> {
    pub(crate) sold: (&'a Currency, i128),
    /// At least.
    pub(crate) bought: (&'a Currency, i128),
}

/// The transactions that swap, until a second of the chain's clock. `None` if the exchange of the chain cannot make the swap any more.
pub(crate) fn prepare(
    unit: &mut Unit<'_>,
    terms: &SwapTerms,
    money: SwapMoney<'_>,
    (wallet, deadline): (Address, u64),
) -> Result<Option<PreparedSwap>, StoreError> {
    let Some(venue) = store::venue::find(unit.database, terms.chain)? else {
        return Ok(None);
    };
    let uniswap = venue_contracts::read(&venue.contracts)?;
    let Some(route) = route(terms) else {
        return Err(StoreError::Damaged("a swap has no route".to_owned()));
    };
    let native = match (
        is_native(unit, terms.chain, money.sold.0)?,
        is_native(unit, terms.chain, money.bought.0)?,
    ) {
        (true, _) => NativeCoin::Sold,
        (false, true) => NativeCoin::Bought,
        (false, false) => NativeCoin::None,
    };
    let swap = Swap {
        uniswap: &uniswap,
        route: &route,
        amounts: SwapAmounts::ExactInput {
            input: amount(money.sold.1),
            least_output: amount(money.bought.1),
        },
        native,
        recipient: wallet,
        deadline,
    };
    Ok(calls(&swap).ok())
}

fn calls(swap: &Swap<'_>) -> Result<PreparedSwap, SwapError> {
    let approvals = swap.approvals(Default::default())?;
    Ok(PreparedSwap {
        approval: approvals.into_iter().next(),
        swap: swap.call()?,
    })
}

fn is_native(unit: &mut Unit<'_>, chain: ChainId, currency: &Currency) -> Result<bool, StoreError> {
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let asset = asset.ok_or_else(|| StoreError::Damaged("a swap has no asset".to_owned()))?;
    Ok(asset.token_address.is_none())
}

/// An amount for a contract. A negative one is none, and no contract takes zero.
pub(super) fn amount(units: i128) -> U256 {
    U256::try_from(units).unwrap_or_default()
}
