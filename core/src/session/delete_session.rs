//! `DELETE /sessions/current`.

use crate::operation::{Auth, operation};

operation! {
    /// Signs out; the answer clears the session cookie.
    DeleteSession in "session": DELETE "/sessions/current",
    response: String,
    AUTH: Auth::Session,
}
