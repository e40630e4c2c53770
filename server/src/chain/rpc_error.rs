//! Why a call of a node failed.

use std::fmt;
use std::time::Duration;

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// The node's host.
    pub host: String,
    /// The JSON-RPC method.
    pub method: &'static str,
    /// What happened.
    pub failure: RpcFailure,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RpcFailure {
    /// No connection, or it broke.
    Unreachable(String),
    /// No answer in time.
    TimedOut(Duration),
    /// An HTTP status that is no success.
    Status {
        /// The status.
        status: u16,
        /// The time to wait, if the node says so.
        retry_after: Option<Duration>,
    },
    /// A JSON-RPC error.
    Refused {
        /// Its code.
        code: i64,
        /// Its message, shortened.
        message: String,
    },
    /// The answer is larger than allowed.
    TooLarge(usize),
    /// Not an answer to the call.
    Malformed(String),
    /// An answer that contradicts itself, the call or known data.
    Impossible(String),
    /// Transactions of a block whose traces the node cannot give, although it gives others.
    Untraced(usize),
    /// The node is of another chain.
    WrongChain {
        /// The chain asked for.
        expected: u64,
        /// The chain that the node names.
        found: u64,
    },
}

impl RpcFailure {
    /// Whether the node gave no answer, so that nothing speaks against it but its absence.
    pub fn is_unavailable(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::TimedOut(_) | Self::Status { .. }
        )
    }

    /// Whether a smaller request of the same kind may succeed.
    pub fn may_be_too_much(&self) -> bool {
        matches!(
            self,
            Self::Refused { .. }
                | Self::TooLarge(_)
                | Self::TimedOut(_)
                | Self::Status { status: 413, .. }
        )
    }

    /// Whether the request itself may be the cause, by a limit that it meets or by what its answer holds, and not the node's
    /// state. A node that limits the rate says nothing about the request.
    pub fn may_be_of_request(&self) -> bool {
        match self {
            Self::Refused { message, .. } => !is_rate_limit(message),
            Self::TimedOut(_) | Self::TooLarge(_) | Self::Malformed(_) | Self::Impossible(_) => {
                true
            }
            Self::Status { status, .. } => matches!(status, 408 | 413 | 500..),
            Self::Unreachable(_) | Self::Untraced(_) | Self::WrongChain { .. } => false,
        }
    }

    /// The time to wait that the node asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Whether a node refuses because of too many requests. Providers answer so with HTTP status 200, too.
fn is_rate_limit(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    [
        "rate limit",
        "rate-limit",
        "rate exceeded",
        "per second",
        "too many requests",
        "request count",
        "capacity",
        "credit",
        "quota",
        "throttl",
    ]
    .iter()
    .any(|words| message.contains(words))
}

impl fmt::Display for RpcFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "unreachable: {reason}"),
            Self::TimedOut(after) => write!(f, "no answer within {} ms", after.as_millis()),
            Self::Status {
                status,
                retry_after: Some(after),
            } => write!(f, "HTTP status {status}, retry after {} s", after.as_secs()),
            Self::Status { status, .. } => write!(f, "HTTP status {status}"),
            Self::Refused { code, message } => write!(f, "error {code}: {message}"),
            Self::TooLarge(max) => write!(f, "the answer is larger than {max} bytes"),
            Self::Malformed(reason) => write!(f, "malformed answer: {reason}"),
            Self::Impossible(reason) => write!(f, "impossible answer: {reason}"),
            Self::Untraced(count) => write!(f, "no trace of {count} transactions of the block"),
            Self::WrongChain { expected, found } => {
                write!(f, "the node is of chain {found}, not of chain {expected}")
            }
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}", self.method, self.host, self.failure)
    }
}

impl std::error::Error for RpcError {}
