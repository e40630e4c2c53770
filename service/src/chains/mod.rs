//! Chains: sending and observing.

pub mod block;
pub(crate) mod blocks;
pub mod catalogue;
pub mod comparison;
mod entry_points;
pub mod observe;
pub mod operator;
pub mod outgoing;
pub(crate) mod queue;
pub(crate) mod send;
mod sign;
pub(crate) mod simulated;
mod sweep;
