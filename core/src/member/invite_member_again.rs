//! `POST /members/{user_id}/invitation`.

use std::time::Duration;

use super::Member;
use crate::operation::{Auth, Scope, operation};
use crate::value::UserId;

/// Validity of a link with which an existing member sets a new password.
pub const PASSWORD_INVITATION: Duration = Duration::from_secs(24 * 60 * 60);

operation! {
    /// Creates a new invitation link for a member, shown only once; the previous link stops working.
    /// A joined member sets a new password with it within a day, which ends their sessions; an invited member joins with it.
    InviteMemberAgain in "member": POST "/members/{user_id}/invitation",
    path: InviteMemberAgainPath {
        /// The member's id.
        user_id: UserId,
    },
    response: Member,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
