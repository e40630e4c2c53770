//! Chains: sending and observing.

mod adjustment;
pub mod block;
mod block_time;
pub(crate) mod blocks;
mod cancel;
pub mod catalogue;
pub mod comparison;
mod deposit;
pub(crate) mod depth;
mod derived;
pub(crate) mod entry_points;
mod factory;
mod followed;
mod gas_money;
mod holdings;
pub mod lease;
mod limits;
mod mempool;
mod moves;
mod node_request;
pub mod opening;
pub mod operator;
mod operator_error;
mod operator_withdrawal;
pub mod outgoing;
pub(crate) mod queue;
pub(crate) mod raise_fee;
pub(crate) mod send;
mod settlement;
pub(crate) mod sign;
pub(crate) mod simulated;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod swap;
mod sweep;
mod token_fee;
mod wallets;
mod withdrawal;
