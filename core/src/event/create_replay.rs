//! `POST /events/replays`.

use super::{DeliveryStatus, EventAction, EventType, Replay};
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;

body! {
    /// Filters of a replay.
    CreateReplayBody {
        /// Only events at or after this time.
        since: Option<Timestamp>,
        /// Only events at or before this time; now if absent.
        until: Option<Timestamp>,
        /// Only events of this type.
        r#type: Option<EventType>,
        /// Only events of this action.
        action: Option<EventAction>,
        /// Only events with this latest delivery outcome; `failed` if absent.
        delivery_status: Option<DeliveryStatus>,
    }
}

impl Validate for CreateReplayBody {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.since, self.until);
        report.known("type", self.r#type.as_ref());
        report.known("action", self.action.as_ref());
        report.known("delivery_status", self.delivery_status.as_ref());
    }
}

operation! {
    /// Redelivers all events that match a filter, in batches.
    CreateReplay in "event": POST "/events/replays",
    body: CreateReplayBody,
    response: Replay,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}
