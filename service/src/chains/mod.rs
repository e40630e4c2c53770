//! Chains: sending and observing.

/// Whether this build has real chains. A sandbox in WebAssembly has none, and is smaller without their code.
pub(crate) const HAS_REAL_CHAINS: bool =
    cfg!(any(not(target_family = "wasm"), feature = "chain-steps"));

mod adjustment;
pub(crate) mod authorization;
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
mod executed_again;
mod factory;
mod filler;
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
pub(crate) mod payer_fee;
pub(crate) mod queue;
pub(crate) mod raise_fee;
pub(crate) mod send;
mod settlement;
pub(crate) mod sign;
pub(crate) mod simulated;
pub(crate) mod superseded;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod swap;
mod sweep;
mod token_fee;
mod wallets;
mod withdrawal;
