//! The execution of a quote: a swap on a chain, or an order at an exchange account.

use serde::{Deserialize, Serialize};
use settlekit_core::value::{Amount, ChainId};

/// The execution of a quote.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Execution {
    /// A swap on a chain.
    Swap(SwapTerms),
    /// An order at an exchange account.
    Order(OrderTerms),
}

/// An order at an exchange account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OrderTerms {
    pub(crate) account: String,
    /// Two symbols: `ETH/USDC`.
    pub(crate) market: String,
    /// The exchange's fee that the limit leaves room for, in millionths.
    pub(crate) fee: u32,
    /// Whether it sells the first currency, or buys it.
    pub(crate) sells: bool,
    /// Of the first currency.
    pub(crate) volume: Amount,
    /// In the second currency.
    pub(crate) limit: Amount,
}

/// A swap through pools of an exchange on a chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SwapTerms {
    pub(crate) chain: ChainId,
    pub(crate) hops: Vec<SwapHop>,
}

/// A swap in one pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SwapHop {
    /// The contract of the pool.
    pub(crate) pool: String,
    /// The contract of the token that goes in.
    pub(crate) from: String,
    /// The contract of the token that comes out.
    pub(crate) to: String,
    /// The fee of a pool of version 3, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fee: Option<u32>,
}
