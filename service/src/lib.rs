//! The Settlekit service as a function.
//!
//! `answer` answers an HTTP request; `work` runs due work and returns the webhook calls to make; `report` records the result of
//! a call; `observe` records what was seen on a chain. Time and random bytes are arguments, so the same inputs give the same
//! bytes on every target.
//!
//! This crate has no clock, no randomness, no network, no threads and no global state, and never waits. The host does all that.

pub mod admin;
mod authenticate;
pub mod books;
pub mod delivery;
pub mod demo;
pub mod eip191;
mod idempotency;
pub mod ledger;
pub mod master_key;
pub mod mode;
pub mod observe;
mod outflow;
mod password;
pub mod random;
mod received;
mod refusal;
mod request;
mod router;
mod run;
mod secret;
mod serve;
mod simulated;
pub mod step;
pub mod store;
mod transfer_index;
mod unit;
mod venue;

mod account;
mod api_key;
mod automation;
mod chain;
mod checkout;
mod clock;
mod cross_site;
mod customer;
mod due_job;
mod event;
mod external_account;
mod find;
mod invoice;
mod member;
mod organisation;
mod overview;
mod partner;
mod paylink;
mod payment;
mod payout;
mod plan;
mod quote;
mod sandbox;
mod session;
mod subscription;
mod trade;

pub use delivery::{Message, Outbound, Outcome};
pub use mode::Mode;
pub use observe::Observation;
pub use password::{PasswordTask, Prepared};
pub use random::{Random, Seed};
pub use refusal::error_response;
pub use request::{DecodedRequest, Lane, MatchedOperation};
pub use router::routed;
pub use run::{Answer, Touch};
pub use secret::MasterKey;
pub use store::sql::{Access, Database, Row, StoreError, Value};
pub use transfer_index::{TransferIndex, TransferIndexError};

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
