//! `DELETE /members/{user_id}`.

use super::Member;
use crate::operation::{Auth, Scope, operation};
use crate::value::UserId;

operation! {
    /// Removes a member or withdraws an invitation; their sessions end immediately.
    RemoveMember in "member": DELETE "/members/{user_id}",
    path: RemoveMemberPath {
        /// The member's id.
        user_id: UserId,
    },
    response: Member,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
