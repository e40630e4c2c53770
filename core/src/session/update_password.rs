//! `PUT /sessions/password`.

use super::{Session, check_new_password};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};

body! {
    /// A password change.
    UpdatePasswordBody {
        /// New password, at least 12 characters.
        new_password: String,
    }
}

impl Validate for UpdatePasswordBody {
    fn validate(&self, report: &mut Report) {
        check_new_password("new_password", &self.new_password, report);
    }
}

operation! {
    /// Changes the user's own password and ends their other sessions.
    UpdatePassword in "session": PUT "/sessions/password",
    body: UpdatePasswordBody,
    response: Session,
    AUTH: Auth::Session,
    STEP_UP: true,
}
