//! Chains: sending and observing.

mod adjustment;
pub mod block;
pub(crate) mod blocks;
pub mod catalogue;
pub mod comparison;
mod deposit;
mod entry_points;
mod holdings;
pub mod lease;
pub mod observe;
pub mod opening;
pub mod operator;
pub mod outgoing;
pub(crate) mod queue;
pub(crate) mod send;
mod sign;
pub(crate) mod simulated;
mod sweep;
mod withdrawal;
