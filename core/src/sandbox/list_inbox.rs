//! `GET /sandbox/inbox`.

use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};
use crate::value::record::record;
use crate::value::{EventId, Timestamp};

/// Webhook URL of the inbox: a sandbox keeps deliveries to it instead of sending them. The name never resolves (RFC 2606).
pub const INBOX_URL: &str = "https://inbox.invalid/";

record! {
    /// A header of a received webhook.
    InboxHeader {
        /// Name in lower case.
        name: String,
        /// Value.
        value: String,
    }
}

record! {
    /// A webhook that the inbox received.
    InboxMessage {
        /// Unique id.
        id: i64,
        /// The delivered event, as in `webhook-id`.
        event_id: EventId,
        /// Event type and action, as in the body.
        r#type: String,
        /// All headers of the delivery, the signature included.
        headers: Vec<InboxHeader>,
        /// Body, byte for byte as signed.
        body: String,
        /// Time it was received.
        received_at: Timestamp,
    }
}

operation! {
    /// Lists the webhooks that the organisation's inbox received, newest first; the latest 500 are kept.
    ListInbox in "sandbox": GET "/sandbox/inbox",
    query: ListQuery,
    response: Page<InboxMessage>,
    WIRE: Wire::List,
    SANDBOX: true,
}
