//! Limits of connections, and their HTTP versions.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The number of connections, and time limits of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Concurrent connections; by default as many as the open-file limit permits.
    pub connections: Option<NonZeroUsize>,
    /// Connections per address: by default a quarter, at most 1024; 0 for no limit, behind a proxy.
    pub connections_of_address: Option<usize>,
    /// Time until the first bytes show the version of HTTP.
    pub first_bytes: Duration,
    /// Time for the head of a request, from its first byte.
    pub head: Duration,
    /// Time for the body of a request.
    pub body: Duration,
    /// Time without a request.
    pub idle: Duration,
    /// Time in which the peer reads nothing of an answer.
    pub write: Duration,
    /// Time to read what a refused peer still sends, so that it sees the answer.
    pub linger: Duration,
    /// The same in bytes.
    pub linger_bytes: usize,
    /// Bytes of a connection outside requests: pings, settings, and input of a refused peer.
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
    /// The interval between checks: a violation is noticed a quarter of the shortest limit late.
    pub(crate) fn check_interval(&self) -> Duration {
        self.head.min(self.idle).min(self.write) / 4
    }

    /// Maximum bytes that a connection needs for `requests` requests.
    pub(crate) fn bytes_needed(&self, requests: u64) -> u64 {
        /// The largest body, with head and frames.
        const REQUEST: u64 = 2 << 20;
        self.spare_bytes
            .saturating_add(requests.saturating_mul(REQUEST))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Http1,
    Http2,
}
