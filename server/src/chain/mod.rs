//! Reads EVM chains from their nodes and reports blocks to the service.
//!
//! The service decides what a block means; here is what it takes to read one that can be trusted. Everything of a block is asked by
//! its hash or checked against it, so no part comes from a fork. A node is never believed blindly: an answer that contradicts
//! itself, the recorded blocks or a second provider is an error, and nothing is reported.

pub mod account;
mod aggregator;
pub mod answer;
mod balances;
pub mod block_data;
pub mod block_traces;
mod concerned;
pub mod encoding;
mod exchange;
pub mod factory;
mod fetched;
mod fork;
pub mod health;
pub(crate) mod host;
mod mempool;
pub mod node;
pub mod outbox;
pub mod provider;
pub mod reader;
pub mod report;
pub mod rpc;
pub mod rpc_error;
mod signer;
pub mod store;
pub mod supervise;
pub mod token;
pub mod trace;
pub mod watch;
mod watch_error;
