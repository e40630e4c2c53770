//! Webhook payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EventAction, EventType};
use crate::value::Timestamp;

/// Body of a webhook: `{"type": "payment.updated", "timestamp": …, "data": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebhookPayload {
    /// Event type and action in lower case, joined by a dot.
    pub r#type: String,
    /// Time of the event.
    pub timestamp: Timestamp,
    /// Record of the contract.
    pub data: Value,
}

impl WebhookPayload {
    /// `type` of the payload for an event's type and action.
    pub fn type_of(kind: &EventType, action: &EventAction) -> String {
        format!(
            "{}.{}",
            kind.as_str().to_ascii_lowercase(),
            action.as_str().to_ascii_lowercase()
        )
    }
}
