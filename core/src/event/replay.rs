//! Replays: batched redelivery of all events that match a filter.

use crate::error::Reason;
use crate::validate::Report;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{ReplayId, Timestamp};

open_enum! {
    /// Status of a replay.
    ReplayStatus { Running, Done, Canceled }
}

record! {
    /// A replay.
    Replay {
        /// Unique id.
        id: ReplayId,
        /// Current status.
        status: ReplayStatus,
        /// Events to redeliver.
        total: u64,
        /// Events queued so far.
        queued: u64,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last progress.
        updated_at: Timestamp,
    }
}

pub(super) fn check_range(since: Option<Timestamp>, until: Option<Timestamp>, report: &mut Report) {
    if let (Some(since), Some(until)) = (since, until)
        && since > until
    {
        report.add_error(
            "since",
            Reason::RangeReversed,
            "must not be later than `until`",
        );
    }
}
