//! Uniswap v2 and v3 on a connected chain, as pure functions: the pools of its tokens, the output of a route through them, and the
//! calls that swap. The host sends the calls and brings the answers.
//!
//! Reads go in three batches: [`discovery::address_calls`], [`discovery::state_calls`], and for every quote [`QuoteRequest::calls`].

mod contracts;
pub mod discovery;
mod error;
mod pool;
mod quote;
mod route;
mod settlement;
mod slippage;
mod spot;

use alloy_primitives::Address;

pub use crate::evm::transaction::Call;
pub use error::{PoolError, QuoteError, RouteError, SwapError};
pub use pool::{Pool, PoolAddress, PoolKey, PoolKind, PoolState};
pub use quote::{Exact, QuoteRequest, Quotes, RouteQuote};
pub use route::{Hop, Route};
pub use settlement::{NativeCoin, Swap, SwapAmounts, revocation};
pub use slippage::Slippage;
pub(crate) use spot::MILLION;

/// The most tokens of a chain whose pools are looked for. There are 28 pairs of them, so at most 140 calls find the pools, 504 read
/// them, and a quote takes 76: 5 direct routes and 30 of two hops, through 41 pools.
pub const TOKENS_MAX: usize = 8;

/// The fees of v3's pools, in millionths.
pub const V3_FEES: [u32; 4] = [100, 500, 3_000, 10_000];

/// Uniswap's contracts on a chain, or those of an exchange with the same interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniswap {
    /// The token that the native coin is wrapped into.
    pub wrapped_native: Address,
    /// Version 2.
    pub v2: Option<UniswapV2>,
    /// Version 3.
    pub v3: Option<UniswapV3>,
}

/// The contracts of version 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniswapV2 {
    /// `UniswapV2Factory`.
    pub factory: Address,
    /// `UniswapV2Router02`.
    pub router: Address,
    /// The fee of every pool, in millionths: 3000 at Uniswap's own.
    pub fee: u32,
}

/// The contracts of version 3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniswapV3 {
    /// `UniswapV3Factory`.
    pub factory: Address,
    /// `QuoterV2`.
    pub quoter: Address,
    /// The router.
    pub router: V3Router,
}

/// A router of version 3. Chains connected since 2022 have the second one only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum V3Router {
    /// `SwapRouter`: each swap has its deadline.
    SwapRouter(Address),
    /// `SwapRouter02`: `multicall` around the swap has the deadline.
    SwapRouter02(Address),
}

impl V3Router {
    /// The contract.
    pub const fn address(self) -> Address {
        match self {
            Self::SwapRouter(address) | Self::SwapRouter02(address) => address,
        }
    }
}

impl Uniswap {
    /// The contract of a token in pools; without one, of the native coin.
    pub fn contract(&self, token: Option<Address>) -> Address {
        token.unwrap_or(self.wrapped_native)
    }

    /// The router of a route's version.
    pub fn router(&self, kind: PoolKind) -> Option<Address> {
        match kind {
            PoolKind::V2 => self.v2.as_ref().map(|v2| v2.router),
            PoolKind::V3 { .. } => self.v3.as_ref().map(|v3| v3.router.address()),
        }
    }

    /// The fee of a pool, in millionths.
    pub(crate) fn fee(&self, kind: PoolKind) -> u32 {
        match kind {
            PoolKind::V2 => self.v2.as_ref().map_or(0, |v2| v2.fee),
            PoolKind::V3 { fee } => fee,
        }
    }
}
