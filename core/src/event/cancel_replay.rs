//! `DELETE /events/replays/{replay_id}`.

use super::Replay;
use crate::operation::{Scope, operation};
use crate::value::ReplayId;

operation! {
    /// Stops a replay; already queued deliveries are still sent.
    CancelReplay in "event": DELETE "/events/replays/{replay_id}",
    path: CancelReplayPath {
        /// The replay's id.
        replay_id: ReplayId,
    },
    response: Replay,
    SCOPE: Scope::Write,
}
