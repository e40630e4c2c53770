//! `GET /events/replays/{replay_id}`.

use super::Replay;
use crate::operation::operation;
use crate::value::ReplayId;

operation! {
    /// Reads the progress of a replay.
    GetReplay in "event": GET "/events/replays/{replay_id}",
    path: GetReplayPath {
        /// The replay's id.
        replay_id: ReplayId,
    },
    response: Replay,
}
