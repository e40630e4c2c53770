//! Replays: batched redelivery of all events that match a filter.

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
