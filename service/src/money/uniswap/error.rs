//! Why there is no pool, no quote, or no swap.

use std::fmt;

use super::TOKENS_MAX;
use super::route::Route;
use crate::evm::contract_calls::CallError;

/// Why a pool is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolError {
    /// A call has no answer that can be believed.
    Call(CallError),
    /// A contract returns something else than its interface says.
    Malformed,
    /// The pool is of other tokens.
    OtherTokens,
    /// The pool has no liquidity at its price.
    NoLiquidity,
}

/// Why a route gives no quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteError {
    /// A call has no answer that can be believed.
    Call(CallError),
    /// The pools of the route have too little liquidity for the amount.
    NoLiquidity,
    /// A contract returns something else than its interface says, or another exact amount.
    Malformed,
    /// The quote is zero.
    Zero,
    /// The quote is larger than any amount of the books.
    TooLarge,
    /// The quote is better than the pools' own price, which no swap is.
    BetterThanSpot,
}

/// Why there is no quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteError {
    /// There are more tokens than pools are looked for.
    TooManyTokens,
    /// Both tokens are the same.
    SameToken,
    /// The amount is zero or larger than any of the books.
    Amount,
    /// No pools join the tokens.
    NoRoute,
    /// No route gives a quote, each for its own reason.
    NoQuote(Vec<(Route, RouteError)>),
}

/// Why a swap cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapError {
    /// The route is empty, or mixes versions.
    Route,
    /// Its version has no router here.
    NoRouter,
    /// The native coin is not at that end of the route.
    NotNative,
    /// The routers give these recipients a meaning of their own: 0, 1 and 2.
    Recipient,
    /// An amount is zero: the routers give it a meaning of its own, or swap without a limit.
    Amount,
}

impl From<CallError> for PoolError {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Call(error) => return error.fmt(f),
            Self::Malformed => "the answer is malformed",
            Self::OtherTokens => "the pool is of other tokens",
            Self::NoLiquidity => "the pool has no liquidity",
        })
    }
}

impl fmt::Display for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Call(error) => return error.fmt(f),
            Self::NoLiquidity => "too little liquidity for the amount",
            Self::Malformed => "the answer is malformed",
            Self::Zero => "the quote is zero",
            Self::TooLarge => "the quote is too large",
            Self::BetterThanSpot => "the quote is better than the price of the pools",
        })
    }
}

impl fmt::Display for QuoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooManyTokens => return write!(f, "more than {TOKENS_MAX} tokens"),
            Self::SameToken => "both tokens are the same",
            Self::Amount => "the amount is zero or too large",
            Self::NoRoute => "no pools join the tokens",
            Self::NoQuote(_) => "no route gives a quote",
        })
    }
}

impl fmt::Display for SwapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Route => "the route is empty or mixes versions",
            Self::NoRouter => "the chain has no router for the route",
            Self::NotNative => "the route does not begin or end with the wrapped native coin",
            Self::Recipient => "the recipient is reserved by the routers",
            Self::Amount => "an amount is zero",
        })
    }
}

impl std::error::Error for PoolError {}
impl std::error::Error for RouteError {}
impl std::error::Error for QuoteError {}
impl std::error::Error for SwapError {}
