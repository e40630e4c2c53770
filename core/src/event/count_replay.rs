//! `GET /events/replays/count`.

use super::replay::check_range;
use super::{DeliveryStatus, EventAction, EventType};
use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

query_fields! {
    /// Which events a replay would deliver again.
    CountReplayQuery {
        /// Only what happened at this time or later.
        since: Option<Timestamp>,
        /// Only what happened at this time or earlier.
        until: Option<Timestamp>,
        /// Only events of this type.
        r#type: Option<EventType>,
        /// Only events of this action.
        action: Option<EventAction>,
        /// Only events whose latest delivery had this outcome; failed ones when absent.
        delivery_status: Option<DeliveryStatus>,
    }
    names &["since", "until", "type", "action", "delivery_status"]
}

impl Validate for CountReplayQuery {
    fn validate(&self, report: &mut Report) {
        check_range(self.since, self.until, report);
    }
}

record! {
    /// How many events a replay would deliver again.
    ReplayCount {
        /// Events.
        count: u64,
    }
}

operation! {
    /// Counts the events that a replay would deliver again.
    CountReplay in "event": GET "/events/replays/count",
    query: CountReplayQuery,
    response: ReplayCount,
}
