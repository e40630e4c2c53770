//! Chains: sending and observing.

pub mod block;
pub mod observe;
pub(crate) mod send;
pub(crate) mod simulated;
