//! `POST /invitations/accept`.

use super::{NAME_CHARS_MAX, TOKEN_CHARS_MAX};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::session::{Session, check_new_password};
use crate::validate::{Report, Validate};

body! {
    /// Who accepts which invitation.
    AcceptInvitationBody {
        /// What follows `#` in the invitation's link.
        token: String,
        /// For people; whoever is a member already stays what they are called.
        name: String,
        /// The password to sign in with from now on, twelve characters or more.
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
    /// Accepts an invitation and signs in; the answer sets the session cookie. Who is a member already has another password from
    /// then on, and their other sessions end.
    AcceptInvitation in "member": POST "/invitations/accept",
    body: AcceptInvitationBody,
    response: Session,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::CREATED,
}
