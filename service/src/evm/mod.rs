//! EVM chains as pure functions: keys, signatures, calls of contracts.

pub mod authorization;
pub(crate) mod call;
pub mod contract_calls;
pub(crate) mod key;
pub mod node_calls;
pub(crate) mod proxy;
pub(crate) mod test_wallet;
pub(crate) mod transaction;
pub(crate) mod xpub;

mod link;

pub(crate) use link::link;
