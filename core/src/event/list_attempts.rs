//! `GET /events/{event_id}/attempts`.

use crate::operation::operation;
use crate::value::record::record;
use crate::value::{EventId, Timestamp};

record! {
    /// One attempt to deliver an event.
    Attempt {
        /// Counted from 1.
        number: u32,
        /// Where it went.
        url: String,
        /// What was sent.
        request: String,
        /// What came back, cut after 16 KiB.
        response?: String,
        /// The status that came back.
        status?: u16,
        /// Why nothing came back.
        error?: String,
        /// When it was made.
        sent_at: Timestamp,
        /// How long it took, in milliseconds.
        duration_ms: u32,
    }
}

operation! {
    /// Lists the attempts to deliver an event, oldest first.
    ListAttempts in "event": GET "/events/{event_id}/attempts",
    path: ListAttemptsPath {
        /// The event's id.
        event_id: EventId,
    },
    response: Vec<Attempt>,
}
