//! Chains: sending and observing.

mod adjustment;
pub mod block;
pub(crate) mod blocks;
pub mod catalogue;
pub mod comparison;
mod deposit;
pub(crate) mod entry_points;
mod factory;
mod holdings;
pub mod lease;
mod limits;
mod moves;
mod node_request;
pub mod observe;
pub mod opening;
pub mod operator;
mod operator_error;
pub mod outgoing;
pub(crate) mod queue;
pub(crate) mod raise_fee;
pub(crate) mod send;
mod settlement;
pub(crate) mod sign;
pub(crate) mod simulated;
mod sweep;
mod wallets;
mod withdrawal;
