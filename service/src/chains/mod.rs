//! What is sent on chains, and what is seen there.

pub mod observe;
pub(crate) mod send;
pub(crate) mod simulated;
