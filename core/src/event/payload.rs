//! Webhook payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EventAction, EventType};
use crate::value::Timestamp;

/// Body of a webhook: `{"type": "payment.updated", "timestamp": …, "data": …}`, with `"test": true` for a test event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebhookPayload {
    /// Event type and action in lower case, joined by a dot.
    pub r#type: String,
    /// Time of the event.
    pub timestamp: Timestamp,
    /// Record of the contract.
    pub data: Value,
    /// True for a test event, whose record is an example; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
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
