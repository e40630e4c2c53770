//! Replays: delivering again all events that match a filter, a few at a time.

use crate::error::Reason;
use crate::validate::Report;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{ReplayId, Timestamp};

open_enum! {
    /// Where a replay stands.
    ReplayStatus { Running, Done, Canceled }
}

record! {
    /// A replay under way.
    Replay {
        /// Unique id.
        id: ReplayId,
        /// Where it stands.
        status: ReplayStatus,
        /// Events that are to be delivered again.
        total: u64,
        /// Of these, how many are queued.
        queued: u64,
        /// When it was begun.
        created_at: Timestamp,
        /// When it last went on.
        updated_at: Timestamp,
    }
}

pub(super) fn check_range(since: Option<Timestamp>, until: Option<Timestamp>, report: &mut Report) {
    if let (Some(since), Some(until)) = (since, until)
        && since > until
    {
        report.complain(
            "since",
            Reason::RangeReversed,
            "must not be later than `until`",
        );
    }
}
