//! `GET /events/{event_id}`.

use super::Event;
use crate::operation::operation;
use crate::value::EventId;

operation! {
    /// Reads one event with its latest delivery attempt.
    GetEvent in "event": GET "/events/{event_id}",
    path: EventPath {
        /// The event's id.
        event_id: EventId,
    },
    response: Event,
}
