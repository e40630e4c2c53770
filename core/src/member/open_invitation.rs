//! `POST /invitations/open`.

use super::{Role, TOKEN_CHARS_MAX};
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;
use crate::value::record::record;

body! {
    /// Which invitation: a body and not a path, because paths are written into logs.
    OpenInvitationBody {
        /// What follows `#` in the invitation's link.
        token: String,
    }
}

impl Validate for OpenInvitationBody {
    fn validate(&self, report: &mut Report) {
        report.text("token", &self.token, TOKEN_CHARS_MAX);
    }
}

record! {
    /// An invitation, for whoever has its link.
    Invitation {
        /// The name of the organisation.
        org_name: String,
        /// Who is invited.
        email: String,
        /// The name of whoever is a member already and only chooses another password.
        name?: String,
        /// What they will be able to do.
        role: Role,
        /// When the invitation stops working.
        expires_at: Timestamp,
    }
}

operation! {
    /// Reads an invitation that is still held.
    OpenInvitation in "member": POST "/invitations/open",
    body: OpenInvitationBody,
    response: Invitation,
    AUTH: Auth::Public,
}
