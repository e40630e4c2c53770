//! `GET /events/replays/count`.

use super::{DeliveryStatus, EventAction, EventType};
use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

query_fields! {
    /// Filters of a replay.
    CountReplayQuery {
        /// Only events at or after this time.
        since: Option<Timestamp>,
        /// Only events at or before this time.
        until: Option<Timestamp>,
        /// Only events of this type.
        r#type: Option<EventType>,
        /// Only events of this action.
        action: Option<EventAction>,
        /// Only events with this latest delivery outcome; `failed` if absent.
        delivery_status: Option<DeliveryStatus>,
    }
    names &["since", "until", "type", "action", "delivery_status"]
}

impl Validate for CountReplayQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.since, self.until);
    }
}

record! {
    /// Number of events in a replay.
    ReplayCount {
        /// Matching events.
        count: u64,
    }
}

operation! {
    /// Counts the events that a replay would redeliver.
    CountReplay in "event": GET "/events/replays/count",
    query: CountReplayQuery,
    response: ReplayCount,
}
