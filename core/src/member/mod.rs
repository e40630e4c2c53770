//! Members of an organisation: dashboard users with a role.
//!
//! A member is invited, joins by the invitation, and may be removed. A member who forgot the password is invited again. A session
//! has the scopes of its member's role, named like those of API keys. Records never contain passwords.

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

use crate::operation::Scope;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Timestamp, UserId};

/// Maximum length of a member's name, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// Maximum length of an invitation token, in characters; longer texts are rejected unread.
pub(crate) const TOKEN_CHARS_MAX: usize = 200;

open_enum! {
    /// Role of a member.
    Role {
        /// All scopes.
        Owner = "owner",
        /// All but keys, secrets, settings and members.
        Operator = "operator",
        /// Read only.
        Viewer = "viewer",
    }
}

impl Role {
    /// Scopes of the role, equivalent to those of an API key.
    pub const fn scopes(&self) -> &'static [Scope] {
        match self {
            Self::Owner => Scope::ALL,
            Self::Operator => &[Scope::Read, Scope::Write, Scope::Payout],
            Self::Viewer => &[Scope::Read],
            Self::Other(_) => &[],
        }
    }

    /// Whether the role includes this scope.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes().contains(&scope)
    }
}

record! {
    /// A member of an organisation: invited until `joined_at`, former since `removed_at`.
    Member {
        /// Unique id.
        id: UserId,
        /// E-mail address, in lower case.
        email: String,
        /// Display name; set when the invitation is accepted.
        name?: String,
        /// Role.
        role: Role,
        /// True for a member who also operates the installation: its chains and its hot wallet. Set from the command line only.
        installation_operator?: bool,
        /// Invitation link; only in the answer to the invitation.
        invitation_url?: String,
        /// Expiry of the open invitation; also set for a joined member who was invited again.
        invitation_expires_at?: Timestamp,
        /// Time the invitation was accepted.
        joined_at?: Timestamp,
        /// Time of the last sign-in.
        last_signed_in_at?: Timestamp,
        /// Removal time; absent unless removed.
        removed_at?: Timestamp,
        /// Time of the first invitation.
        created_at: Timestamp,
    }
}
