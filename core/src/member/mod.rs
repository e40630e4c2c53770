//! The people of an organisation who sign in to the dashboard: who they are and what each may do.
//!
//! A member is invited, joins by the invitation, and may be removed. Whoever forgot their password is invited again. What a session may do is what its member's role may do,
//! in the words of the API keys' scopes. No password stands in a record.

mod accept_invitation;
mod invite_member;
mod invite_member_again;
mod list_members;
mod open_invitation;
mod remove_member;
mod update_member;

pub use accept_invitation::{AcceptInvitation, AcceptInvitationBody};
pub use invite_member::{INVITATION, InviteMember, InviteMemberBody};
pub use invite_member_again::{InviteMemberAgain, InviteMemberAgainPath, PASSWORD_INVITATION};
pub use list_members::ListMembers;
pub use open_invitation::{Invitation, OpenInvitation, OpenInvitationBody};
pub use remove_member::{RemoveMember, RemoveMemberPath};
pub use update_member::{UpdateMember, UpdateMemberBody, UpdateMemberPath};

use crate::error::Reason;
use crate::operation::Scope;
use crate::validate::Report;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Timestamp, UserId};

/// The longest name of a member, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// The longest text that is looked at as an invitation's token, in characters.
pub(crate) const TOKEN_CHARS_MAX: usize = 200;

open_enum! {
    /// What a member may do.
    Role {
        /// Everything.
        Owner = "owner",
        /// All but keys, secrets, settings and members.
        Operator = "operator",
        /// Look.
        Viewer = "viewer",
    }
}

impl Role {
    /// The scopes that go with the role: what an API key would need for the same.
    pub const fn scopes(&self) -> &'static [Scope] {
        match self {
            Self::Owner => Scope::ALL,
            Self::Operator => &[Scope::Read, Scope::Write, Scope::Payout],
            Self::Viewer => &[Scope::Read],
            Self::Other(_) => &[],
        }
    }

    /// Whether the role may do what needs this scope.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes().contains(&scope)
    }

    /// Complains about a role that nobody can be given.
    fn check(&self, report: &mut Report) {
        if matches!(self, Self::Other(_)) {
            let message = format!("must be one of {}", Self::KNOWN.join(", "));
            report.complain("role", Reason::UnknownValue, message);
        }
    }
}

record! {
    /// A member of an organisation: invited until `joined_at`, past since `removed_at`.
    Member {
        /// Unique id.
        id: UserId,
        /// E-mail address, in lower case.
        email: String,
        /// For people; given when the invitation is accepted.
        name?: String,
        /// What they may do.
        role: Role,
        /// The link by which the invitation is accepted, in the answer to the invitation and never again.
        invitation_url?: String,
        /// When the invitation stops working, until it is accepted; a member has one who was invited again.
        invitation_expires_at?: Timestamp,
        /// When they accepted the invitation.
        joined_at?: Timestamp,
        /// When they last signed in.
        last_signed_in_at?: Timestamp,
        /// When they were removed, if they were.
        removed_at?: Timestamp,
        /// When they were first invited.
        created_at: Timestamp,
    }
}
