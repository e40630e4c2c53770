//! The Settlekit service as a function.
//!
//! `answer` answers an HTTP request; `work` runs due work and returns the webhook calls to make; `report` records the result of a
//! call; `observe_blocks` records what was seen on a chain. Time and random bytes are arguments, so the same inputs give the same bytes
//! on every target.
//!
//! This crate has no clock, randomness, network, threads or global state, and never waits. The host provides them.

pub mod admin;
pub mod books;
mod chains;
pub mod demo;
mod due;
pub mod eip191;
mod evm;
pub mod mode;
mod money;
pub mod random;
mod request;
mod resources;
mod sandbox;
mod secret;
mod service;
pub mod step;
pub mod store;
mod unit;

pub use chains::entry_points::Installation;
pub use chains::opening;
pub use chains::outgoing;
pub use chains::{block, catalogue, comparison, lease, operator};
pub use due::delivery::{self, DeliveryOutcome, Message, Outbound};
pub use evm::authorization;
pub use evm::contract_calls;
pub use evm::key::Words;
pub use evm::node_calls;
pub use evm::proxy::FACTORY;
pub use evm::test_wallet::TestWallet;
pub use mode::Mode;
#[cfg(not(target_family = "wasm"))]
pub use money::{
    exchange, pool_reader, price_feed, price_operator, price_sources, venue_operator, web_answer,
};
pub use money::{ledger, median, price, uniswap};
pub use random::{Random, Seed};
pub use request::{
    Admission, Answer, Awaited, DecodedRequest, Lane, MatchedOperation, Touch, routed,
};
#[cfg(not(target_family = "wasm"))]
pub use resources::automation::conversion_calls;
pub use resources::installation::WalletLinkError;
pub use secret::MasterKey;
pub use secret::master_key;
pub use secret::password::{PasswordTask, Prepared};
pub use service::{CallerNetwork, Options, Service};
pub use store::sql::{Access, Database, Row, StoreError, Value};
pub use store::transfer_index::{TransferIndex, TransferIndexError};
pub use unit::refusal::error_response;
