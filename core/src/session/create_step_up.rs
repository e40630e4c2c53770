//! `POST /sessions/step-up`.

use super::PASSWORD_CHARS_MAX;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

body! {
    /// Credentials.
    CreateStepUpBody {
        /// Password.
        password: String,
    }
}

impl Validate for CreateStepUpBody {
    fn validate(&self, report: &mut Report) {
        report.text("password", &self.password, PASSWORD_CHARS_MAX);
    }
}

record! {
    /// A step-up token, fresh proof of identity.
    StepUp {
        /// Token for the header `X-Step-Up`.
        token: String,
        /// Expiry time.
        expires_at: Timestamp,
    }
}

operation! {
    /// Confirms the identity of the signed-in user, for sensitive operations.
    CreateStepUp in "session": POST "/sessions/step-up",
    body: CreateStepUpBody,
    response: StepUp,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
}
