//! The Settlekit service as a function.
//!
//! `answer` answers an HTTP request; `work` runs due work and returns the webhook calls to make; `report` records the result of
//! a call; `observe` records what was seen on a chain. Time and random bytes are arguments, so the same inputs give the same
//! bytes on every target.
//!
//! This crate has no clock, no randomness, no network, no threads and no global state, and never waits. The host does all that.

pub mod admin;
pub mod books;
mod chains;
pub mod demo;
mod due;
pub mod eip191;
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

pub use chains::observe::{self, Observation};
pub use due::delivery::{self, Message, Outbound, Outcome};
pub use mode::Mode;
pub use money::ledger;
pub use random::{Random, Seed};
pub use request::{Answer, DecodedRequest, Lane, MatchedOperation, Touch, routed};
pub use secret::MasterKey;
pub use secret::master_key;
pub use secret::password::{PasswordTask, Prepared};
pub use store::sql::{Access, Database, Row, StoreError, Value};
pub use store::transfer_index::{TransferIndex, TransferIndexError};
pub use unit::refusal::error_response;

/// The network that a public request comes from: an address, or what one subscriber is given (a /64 of IPv6). A host puts
/// it into the request's extensions, where no caller can write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerNetwork(pub String);

/// How this service is set up: what does not change while it runs.
#[derive(Clone)]
pub struct Options {
    /// Seals secrets at rest.
    pub master_key: MasterKey,
    /// Whether money is play money or real.
    pub mode: Mode,
    /// Whether webhooks may go to plain http and private addresses: for development only.
    pub allow_private_webhooks: bool,
    /// Where payers reach this service, `https://pay.example`; paylinks are made from it.
    pub public_url: String,
}

/// The service: rules without state of their own. Everything that lasts is in the database given to each call.
#[derive(Clone)]
pub struct Service {
    options: Options,
}

impl Service {
    /// A service with these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// How it is set up.
    pub fn options(&self) -> &Options {
        &self.options
    }
}
