//! `POST /events/{event_id}/retry`.

use super::Event;
use crate::operation::{Scope, operation};
use crate::value::EventId;

operation! {
    /// Redelivers an event immediately, to the current webhook URL.
    RetryEvent in "event": POST "/events/{event_id}/retry",
    path: RetryEventPath {
        /// The event's id.
        event_id: EventId,
    },
    response: Event,
    SCOPE: Scope::Write,
}
