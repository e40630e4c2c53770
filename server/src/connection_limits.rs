//! The limits of connections, and the versions of HTTP that they speak.

use std::num::NonZeroUsize;
use std::time::Duration;

/// How many connections there may be, and how long each may take for what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections at once; by default what the limit of open files leaves.
    pub connections: Option<NonZeroUsize>,
    /// Of them, from one address: by default a quarter, and 1024 at most; 0 for as many as it likes, where all come from a proxy.
    pub connections_of_address: Option<usize>,
    /// Until the first bytes say which version of HTTP it is.
    pub first_bytes: Duration,
    /// For the head of a request, from its first byte.
    pub head: Duration,
    /// For the body of a request.
    pub body: Duration,
    /// Without a request.
    pub idle: Duration,
    /// During which the peer reads nothing of an answer.
    pub write: Duration,
    /// For reading what a refused peer still sends, so that it sees the answer.
    pub linger: Duration,
    /// How much is read then, in bytes.
    pub linger_bytes: usize,
    /// Bytes of a connection that belong to no request: pings, settings, and what a refused peer still sends.
    pub spare_bytes: u64,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: None,
            connections_of_address: None,
            first_bytes: Duration::from_secs(10),
            head: Duration::from_secs(20),
            body: Duration::from_secs(20),
            idle: Duration::from_secs(75),
            write: Duration::from_secs(30),
            linger: Duration::from_secs(5),
            linger_bytes: 16 << 20,
            spare_bytes: 32 << 20,
        }
    }
}

impl ConnectionLimits {
    /// How often a connection is looked at: an excess is noticed a quarter of the shortest limit late.
    pub(crate) fn check_interval(&self) -> Duration {
        self.head.min(self.idle).min(self.write) / 4
    }

    /// The most bytes that a connection needs for so many requests.
    pub(crate) fn bytes_needed(&self, requests: u64) -> u64 {
        /// The largest body, with a head and its frames.
        const REQUEST: u64 = 2 << 20;
        self.spare_bytes
            .saturating_add(requests.saturating_mul(REQUEST))
    }
}

/// The version of HTTP that a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Http1,
    Http2,
}
