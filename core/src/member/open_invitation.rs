//! `POST /invitations/open`.

use super::{Role, TOKEN_CHARS_MAX};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

body! {
    /// Invitation token: in the body, because paths are logged.
    OpenInvitationBody {
        /// The token after `#` in the invitation link.
        token: String,
    }
}

impl Validate for OpenInvitationBody {
    fn validate(&self, report: &mut Report) {
        report.text("token", &self.token, TOKEN_CHARS_MAX);
    }
}

record! {
    /// An invitation, as shown to the holder of its link.
    Invitation {
        /// Organisation name.
        org_name: String,
        /// E-mail address of the invited person.
        email: String,
        /// Name of an existing member who only sets a new password.
        name?: String,
        /// Role after joining.
        role: Role,
        /// True if the address has an account already, as a member of another organisation: its password accepts the invitation.
        has_account?: bool,
        /// Expiry time.
        expires_at: Timestamp,
    }
}

operation! {
    /// Reads an open invitation.
    OpenInvitation in "member": POST "/invitations/open",
    body: OpenInvitationBody,
    response: Invitation,
    AUTH: Auth::Public,
}
