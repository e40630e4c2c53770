//! `POST /members`.

use std::time::Duration;

use super::{Member, Role};
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};

/// How long an invitation is held.
pub const INVITATION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

body! {
    /// Who is invited, and as what.
    InviteMemberBody {
        /// E-mail address.
        email: String,
        /// What they may do.
        role: Role,
    }
}

impl Validate for InviteMemberBody {
    fn validate(&self, report: &mut Report) {
        report.email("email", &self.email);
        self.role.check(report);
    }
}

operation! {
    /// Invites somebody; the answer holds the link for them, which is never shown again. Said again, the link before stops
    /// working.
    InviteMember in "member": POST "/members",
    body: InviteMemberBody,
    response: Member,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
