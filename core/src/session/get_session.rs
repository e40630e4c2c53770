//! `GET /sessions/current`.

use super::Session;
use crate::operation::{Auth, operation};

operation! {
    /// Reads the current session.
    GetSession in "session": GET "/sessions/current",
    response: Session,
    AUTH: Auth::Session,
}
