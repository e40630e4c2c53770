//! `PATCH /members/{user_id}`.

use super::{Member, Role};
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::UserId;

body! {
    /// What changes.
    UpdateMemberBody {
        /// What they may do from now on.
        role: Role,
    }
}

impl Validate for UpdateMemberBody {
    fn validate(&self, report: &mut Report) {
        self.role.check(report);
    }
}

operation! {
    /// Gives a member another role, in force at once.
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
