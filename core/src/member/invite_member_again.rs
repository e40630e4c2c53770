//! `POST /members/{user_id}/invitation`.

use std::time::Duration;

use super::Member;
use crate::operation::{Auth, Scope, operation};
use crate::value::UserId;

/// How long the link of somebody is held who is a member and chooses another password by it.
pub const PASSWORD_INVITATION: Duration = Duration::from_secs(24 * 60 * 60);

operation! {
    /// Makes another link for a member, which is never shown again; the one before stops working. Whoever forgot their password
    /// chooses another by it within a day, which ends their sessions; whoever has not joined yet joins.
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
