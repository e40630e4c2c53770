//! Stored payout targets. `money::outflow` decides who may name one.

use serde::{Deserialize, Serialize};

/// An external address that money may be sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Destination(String);

impl Destination {
    /// An address from a stored record: checked when the record was written, or the sender of refunded money. `tests/it/tidy.rs`
    /// lists the callers.
    pub(crate) fn recorded(address: impl Into<String>) -> Self {
        Self(address.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
