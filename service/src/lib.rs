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
pub mod step;
pub mod store;
mod unit;

pub use chains::entry_points::Installation;
pub use chains::opening;
pub use chains::outgoing;
pub use chains::{block, catalogue, comparison, lease, operator};
pub use due::delivery::{self, Message, Outbound, Outcome};
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
pub use request::{Answer, Awaited, DecodedRequest, Lane, MatchedOperation, Touch, routed};
#[cfg(not(target_family = "wasm"))]
pub use resources::automation::conversion_calls;
pub use secret::MasterKey;
pub use secret::master_key;
pub use secret::password::{PasswordTask, Prepared};
pub use store::sql::{Access, Database, Row, StoreError, Value};
pub use store::transfer_index::{TransferIndex, TransferIndexError};
pub use unit::refusal::error_response;

/// The network of a public request: an IPv4 address, or the /64 of an IPv6 address. The host puts it into the request's
/// extensions, which no caller can write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerNetwork(pub String);

/// The configuration of a service, constant while it runs.
#[derive(Clone)]
pub struct Options {
    /// Seals secrets at rest.
    pub master_key: MasterKey,
    /// Sandbox or live.
    pub mode: Mode,
    /// Allows webhooks to plain http and private addresses, for development only.
    pub allow_private_webhooks: bool,
    /// The public base URL of paylinks, `https://pay.example`.
    pub public_url: String,
}

/// The service: stateless rules. All state is in the database passed to each call.
#[derive(Clone)]
pub struct Service {
    options: Options,
}

impl Service {
    /// Creates a service.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// The configuration.
    pub fn options(&self) -> &Options {
        &self.options
    }
}
