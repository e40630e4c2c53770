//! `POST /sessions/step-up`.

use super::PASSWORD_CHARS_MAX;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

body! {
    /// Proof of identity.
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
    /// A fresh proof of identity.
    StepUp {
        /// To be sent as `X-Step-Up`.
        token: String,
        /// When it stops working.
        expires_at: Timestamp,
    }
}

operation! {
    /// Proves afresh who is signed in, for dangerous acts.
    CreateStepUp in "session": POST "/sessions/step-up",
    body: CreateStepUpBody,
    response: StepUp,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
}
