//! The service and its configuration.

use crate::mode::Mode;
use crate::secret::MasterKey;

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
    pub(crate) options: Options,
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
