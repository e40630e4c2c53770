//! `PUT /sessions/password`.

use super::{Session, check_new_password};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};

body! {
    /// What changes.
    UpdatePasswordBody {
        /// The password to sign in with from now on, twelve characters or more.
        new_password: String,
    }
}

impl Validate for UpdatePasswordBody {
    fn validate(&self, report: &mut Report) {
        check_new_password("new_password", &self.new_password, report);
    }
}

operation! {
    /// Changes one's own password; every other session of the same person ends.
    UpdatePassword in "session": PUT "/sessions/password",
    body: UpdatePasswordBody,
    response: Session,
    AUTH: Auth::Session,
    STEP_UP: true,
}
