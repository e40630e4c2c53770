//! `POST /events/replays`.

use super::replay::check_range;
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
        check_range(self.since, self.until, report);
        let unknown = [
            (
                "type",
                matches!(self.r#type, Some(EventType::Other(_))),
                EventType::KNOWN,
            ),
            (
                "action",
                matches!(self.action, Some(EventAction::Other(_))),
                EventAction::KNOWN,
            ),
            (
                "delivery_status",
                matches!(self.delivery_status, Some(DeliveryStatus::Other(_))),
                DeliveryStatus::KNOWN,
            ),
        ];
        for (name, _, known) in unknown.iter().filter(|(_, unknown, _)| *unknown) {
            report.unknown_value(name, known);
        }
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
