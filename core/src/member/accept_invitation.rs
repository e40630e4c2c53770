//! `POST /invitations/accept`.

use super::{NAME_CHARS_MAX, TOKEN_CHARS_MAX};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::session::{Session, check_new_password};
use crate::validate::{Report, Validate};

body! {
    /// Acceptance of an invitation.
    AcceptInvitationBody {
        /// The token after `#` in the invitation link.
        token: String,
        /// Display name; ignored for an existing member or account.
        name: String,
        /// New password, at least 12 characters; of an existing account its password.
        password: String,
    }
}

impl Validate for AcceptInvitationBody {
    fn validate(&self, report: &mut Report) {
        report.text("token", &self.token, TOKEN_CHARS_MAX);
        report.text("name", &self.name, NAME_CHARS_MAX);
        check_new_password("password", &self.password, report);
    }
}

operation! {
    /// Accepts an invitation and signs in; the answer sets the session cookie.
    /// For an existing member it sets a new password and ends the other sessions. The account of a member of another organisation
    /// is kept, and its password is needed.
    AcceptInvitation in "member": POST "/invitations/accept",
    body: AcceptInvitationBody,
    response: Session,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::CREATED,
}
