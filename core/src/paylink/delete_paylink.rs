//! `DELETE /paylinks/{paylink_id}`.

use crate::operation::{Scope, operation};
use crate::value::PaylinkId;

operation! {
    /// Soft-deletes a paylink: it accepts no more payments and keeps its history.
    DeletePaylink in "paylink": DELETE "/paylinks/{paylink_id}",
    path: DeletePaylinkPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: String,
    SCOPE: Scope::Write,
}
