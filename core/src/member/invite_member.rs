//! `POST /members`.

use std::time::Duration;

use super::{Member, Role};
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};

/// Validity of an invitation.
pub const INVITATION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

body! {
    /// A new invitation.
    InviteMemberBody {
        /// E-mail address.
        email: String,
        /// Role.
        role: Role,
    }
}

impl Validate for InviteMemberBody {
    fn validate(&self, report: &mut Report) {
        report.email("email", &self.email);
        report.known("role", Some(&self.role));
    }
}

operation! {
    /// Invites a member.
    /// The answer holds the invitation link, which is shown only once. Inviting again invalidates the previous link.
    InviteMember in "member": POST "/members",
    body: InviteMemberBody,
    response: Member,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
