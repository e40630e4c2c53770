//! `GET /movements/{movement_id}`.

use super::Movement;
use crate::operation::operation;
use crate::value::MovementId;

operation! {
    /// Reads one movement of any of the organisation's accounts.
    GetMovement in "account": GET "/movements/{movement_id}",
    path: MovementPath {
        /// The movement's id.
        movement_id: MovementId,
    },
    response: Movement,
    DELEGATED: true,
}
