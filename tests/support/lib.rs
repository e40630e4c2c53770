//! Shared test support: databases, a service in process, and nodes of chains.

pub mod anvil;
pub mod bulk;
pub mod chain;
pub mod database;
pub mod exchange;
pub mod hot_wallet;
pub mod json_rpc;
pub mod kraken;
pub mod liar;
pub mod long_chain;
pub mod postgres;
pub mod price_host;
pub mod python;
pub mod totals;
pub mod wallet;
pub mod world;
