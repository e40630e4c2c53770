//! `DELETE /sandbox/inbox`.

use crate::operation::{Scope, operation};
use crate::value::record::record;

record! {
    /// Result of emptying the inbox.
    EmptiedInbox {
        /// Number of deleted webhooks.
        deleted: u64,
    }
}

operation! {
    /// Deletes all webhooks from the organisation's inbox. Events and their delivery attempts stay.
    EmptyInbox in "sandbox": DELETE "/sandbox/inbox",
    response: EmptiedInbox,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
