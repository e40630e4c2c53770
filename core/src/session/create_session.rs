//! `POST /sessions`.

use super::{PASSWORD_CHARS_MAX, Session};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};

body! {
    /// Credentials.
    CreateSessionBody {
        /// E-mail address.
        email: String,
        /// Password.
        password: String,
    }
}

impl Validate for CreateSessionBody {
    fn validate(&self, report: &mut Report) {
        report.email("email", &self.email);
        report.text("password", &self.password, PASSWORD_CHARS_MAX);
    }
}

operation! {
    /// Signs in; the answer sets the session cookie.
    CreateSession in "session": POST "/sessions",
    body: CreateSessionBody,
    response: Session,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::CREATED,
}
