//! Where money may be sent, as records hold it. `money::outflow` says who may name it.

use serde::{Deserialize, Serialize};

/// An address outside that money may be sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Destination(String);

impl Destination {
    /// An address from a stored record. The rule was checked when the record was written, or the address is the sender of the money that
    /// is refunded. `tests/it/tidy.rs` lists the callers.
    pub(crate) fn recorded(address: impl Into<String>) -> Self {
        Self(address.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
