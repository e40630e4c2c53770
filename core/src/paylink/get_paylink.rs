//! `GET /paylinks/{paylink_id}`.

use super::Paylink;
use crate::operation::operation;
use crate::value::PaylinkId;

operation! {
    /// Reads one paylink with its plan.
    GetPaylink in "paylink": GET "/paylinks/{paylink_id}",
    path: PaylinkPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: Paylink,
}
