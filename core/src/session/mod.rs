//! Dashboard sessions.

mod create_session;
mod create_step_up;
mod delete_session;
mod get_session;
mod switch_organisation;
mod update_password;

pub use create_session::{CreateSession, CreateSessionBody};
pub use create_step_up::{CreateStepUp, CreateStepUpBody, StepUp};
pub use delete_session::DeleteSession;
pub use get_session::GetSession;
pub use switch_organisation::{SwitchOrganisation, SwitchOrganisationBody};
pub use update_password::{UpdatePassword, UpdatePasswordBody};

use crate::error::Reason;
use crate::member::Role;
use crate::validate::Report;
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp, UserId};

/// Maximum length of a password, in characters; longer ones are rejected unread.
const PASSWORD_CHARS_MAX: usize = 1024;

/// Minimum length of a new password, in characters.
pub const PASSWORD_CHARS_MIN: usize = 12;

/// Reports a weak new password. Only length counts: rules about character classes lead to weaker passwords.
pub fn check_new_password(field: &str, password: &str, report: &mut Report) {
    report.text(field, password, PASSWORD_CHARS_MAX);
    if !password.trim().is_empty() && password.chars().count() < PASSWORD_CHARS_MIN {
        let message = format!("must be at least {PASSWORD_CHARS_MIN} characters");
        report.add_error(field, Reason::TooShort, message);
    }
}

record! {
    /// A dashboard session. Its token exists only in the cookie.
    Session {
        /// Signed-in user.
        user: User,
        /// Current organisation.
        org_id: OrganisationId,
        /// Name of the organisation.
        org_name: String,
        /// Token for the header `X-CSRF-Token`, required for every method but GET.
        csrf_token: String,
        /// End of the session.
        expires_at: Timestamp,
        /// Time of the service at the answer. A sandbox's clock may be ahead of the browser's.
        now: Timestamp,
        /// Whether the service runs in sandbox mode.
        sandbox: bool,
        /// Whether a chain is connected; without one, nothing can be received or sent.
        chains_connected: bool,
        /// Whether a trading venue is connected.
        venues_connected: bool,
        /// Whether the user also operates the installation: its chains and its hot wallet.
        #[serde(default)]
        installation_operator: bool,
        /// Organisations of the user, by name; the session is in one of them.
        #[serde(default)]
        organisations: Vec<Membership>,
    }
}

record! {
    /// An organisation that a user is a member of.
    Membership {
        /// Organisation.
        org_id: OrganisationId,
        /// Name of the organisation.
        org_name: String,
        /// Role of the user in it.
        role: Role,
    }
}

record! {
    /// A dashboard user.
    User {
        /// Unique id.
        id: UserId,
        /// E-mail address.
        email: String,
        /// Display name.
        name: String,
        /// Role.
        role: Role,
    }
}
