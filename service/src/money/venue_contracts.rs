//! The contracts of an exchange on a chain, as they are stored.

use super::uniswap::{Slippage, Uniswap, UniswapV2, UniswapV3, V3Router};
use crate::store::sql::StoreError;
use crate::store::venue::Contracts;

/// An exchange to connect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVenue {
    /// The name that instruments show.
    pub name: String,
    /// The contracts.
    pub contracts: Uniswap,
    /// How much worse than its quote a swap may be.
    pub slippage: Slippage,
}

pub(super) fn stored(new: &NewVenue) -> Contracts {
    let Uniswap {
        wrapped_native,
        v2,
        v3,
    } = &new.contracts;
    let router = v3.as_ref().map(|v3| v3.router);
    Contracts {
        name: new.name.clone(),
        wrapped_native: *wrapped_native,
        v2_factory: v2.as_ref().map(|v2| v2.factory),
        v2_router: v2.as_ref().map(|v2| v2.router),
        v2_fee: v2.as_ref().map(|v2| v2.fee),
        v3_factory: v3.as_ref().map(|v3| v3.factory),
        v3_quoter: v3.as_ref().map(|v3| v3.quoter),
        v3_router: router.map(V3Router::address),
        v3_router_is_second: matches!(router, Some(V3Router::SwapRouter02(_))),
        slippage: new.slippage.millionths(),
    }
}

pub(super) fn read(stored: &Contracts) -> Result<Uniswap, StoreError> {
    let v2 = match (stored.v2_factory, stored.v2_router, stored.v2_fee) {
        (Some(factory), Some(router), Some(fee)) => Some(UniswapV2 {
            factory,
            router,
            fee,
        }),
        (None, None, None) => None,
        _ => return Err(damaged()),
    };
    let v3 = match (stored.v3_factory, stored.v3_quoter, stored.v3_router) {
        (Some(factory), Some(quoter), Some(router)) => Some(UniswapV3 {
            factory,
            quoter,
            router: match stored.v3_router_is_second {
                true => V3Router::SwapRouter02(router),
                false => V3Router::SwapRouter(router),
            },
        }),
        (None, None, None) => None,
        _ => return Err(damaged()),
    };
    Ok(Uniswap {
        wrapped_native: stored.wrapped_native,
        v2,
        v3,
    })
}

pub(super) fn slippage(stored: &Contracts) -> Result<Slippage, StoreError> {
    Slippage::new(stored.slippage).ok_or_else(damaged)
}

fn damaged() -> StoreError {
    StoreError::Damaged("the contracts of a venue are incomplete".to_owned())
}
