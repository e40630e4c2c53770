//! `PATCH /members/{user_id}`.

use super::{Member, Role};
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::UserId;

body! {
    /// Changes to a member.
    UpdateMemberBody {
        /// New role.
        role: Role,
    }
}

impl Validate for UpdateMemberBody {
    fn validate(&self, report: &mut Report) {
        report.known("role", Some(&self.role));
    }
}

operation! {
    /// Changes a member's role with immediate effect.
    UpdateMember in "member": PATCH "/members/{user_id}",
    path: UpdateMemberPath {
        /// The member's id.
        user_id: UserId,
    },
    body: UpdateMemberBody,
    response: Member,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
