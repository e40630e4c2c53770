//! The body of a webhook.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EventAction, EventType};
use crate::value::Timestamp;

/// What a webhook carries: `{"type": "payment.updated", "timestamp": …, "data": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebhookPayload {
    /// The event's type and action in lower case, joined by a dot.
    pub r#type: String,
    /// When it happened.
    pub timestamp: Timestamp,
    /// The contract's record.
    pub data: Value,
}

impl WebhookPayload {
    /// The `type` of a payload for an event's type and action.
    pub fn type_of(kind: &EventType, action: &EventAction) -> String {
        format!(
            "{}.{}",
            kind.as_str().to_ascii_lowercase(),
            action.as_str().to_ascii_lowercase()
        )
    }
}
