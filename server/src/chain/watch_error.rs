//! Why a chain does not go on.

use std::fmt;

use settlekit_service::StoreError;

use super::rpc::RpcError;

/// Why a chain does not go on.
#[derive(Debug)]
pub(super) enum WatchError {
    /// The database failed.
    Store(StoreError),
    /// Fewer providers answer than must agree.
    NoProvider {
        /// How many are ready.
        ready: usize,
        /// How many must agree.
        needed: usize,
    },
    /// A provider failed while a block was read.
    Rpc(RpcError),
    /// Two providers have different blocks.
    Disagreement {
        /// The height.
        number: u64,
        /// Their hosts.
        hosts: [String; 2],
    },
    /// The node has none of the recorded blocks.
    NoCommonBlock {
        /// The node's host.
        host: String,
        /// The lowest height at which a block is recorded.
        lowest: u64,
    },
    /// The chain is not connected, or paused.
    NotConnected,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "{error}"),
            Self::NoProvider { ready, needed } => {
                write!(f, "{ready} of {needed} needed providers are ready")
            }
            Self::Rpc(error) => write!(f, "{error}"),
            Self::Disagreement { number, hosts } => {
                let [one, other] = hosts;
                write!(f, "{one} and {other} disagree on block {number}")
            }
            Self::NoCommonBlock { host, lowest } => {
                write!(f, "{host} has none of the recorded blocks down to {lowest}")
            }
            Self::NotConnected => f.write_str("the chain is not connected"),
        }
    }
}

impl std::error::Error for WatchError {}

impl From<StoreError> for WatchError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
