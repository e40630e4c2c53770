//! Reads EVM chains from their nodes and reports blocks to the service.
//!
//! The service interprets a block. This module asks for all parts of it by its hash, or checks them against it, so no part comes
//! from a fork. A node is never believed blindly: an answer that
//! contradicts itself, the recorded blocks or a second provider is an error, and nothing is reported (decision 113).
//!
//! The way of a block:
//!
//! 1. `supervise` runs a watcher for each chain that is connected and not paused. `provider` says which nodes can be asked, and
//!    how many must agree.
//! 2. `watch` follows the head. `reader` reads a block: its transactions, the logs of its tokens and of sweeps, traces, and
//!    then the receipts of the transactions from or to watched addresses (`concerned`). `rpc`, `node` and `answer` check each
//!    answer by itself.
//! 3. `observe_blocks` of the service records the blocks with all that they bring, in one transaction. If the nodes have
//!    another block at a recorded height, `rewind` goes back to the fork, and the watcher reads on from there.
//! 4. Every ten seconds, and at once when a node fails, `report` tells the service what the watchers know of their nodes. The
//!    room `installation` shows it to the members who operate the installation, and `chain_metrics` to Prometheus.

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
mod plain_transfer;
pub mod provider;
pub mod reader;
pub mod report;
pub mod rpc;
pub mod rpc_error;
mod signer;
pub mod store;
pub mod supervise;
pub mod token;
mod token_domain;
pub mod trace;
pub mod watch;
mod watch_error;
