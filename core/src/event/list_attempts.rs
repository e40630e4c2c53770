//! `GET /events/{event_id}/attempts`.

use crate::operation::operation;
use crate::value::record::record;
use crate::value::{EventId, Timestamp};

record! {
    /// A delivery attempt of an event.
    Attempt {
        /// Attempt number, counted from 1.
        number: u32,
        /// URL called.
        url: String,
        /// Request sent.
        request: String,
        /// Response, truncated to 16 KiB.
        response?: String,
        /// HTTP status of the response.
        status?: u16,
        /// Error, if there was no response.
        error?: String,
        /// Time of the attempt.
        sent_at: Timestamp,
        /// Duration, in milliseconds.
        duration_ms: u32,
    }
}

operation! {
    /// Lists the delivery attempts of an event, oldest first.
    ListAttempts in "event": GET "/events/{event_id}/attempts",
    path: ListAttemptsPath {
        /// The event's id.
        event_id: EventId,
    },
    response: Vec<Attempt>,
}
