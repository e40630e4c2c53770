//! Signing in to the dashboard.

mod create_session;
mod create_step_up;
mod delete_session;
mod get_session;
mod update_password;

pub use create_session::{CreateSession, CreateSessionBody};
pub use create_step_up::{CreateStepUp, CreateStepUpBody, StepUp};
pub use delete_session::DeleteSession;
pub use get_session::GetSession;
pub use update_password::{UpdatePassword, UpdatePasswordBody};

use crate::error::Reason;
use crate::member::Role;
use crate::validate::Report;
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp, UserId};

/// The longest password that is looked at, in characters.
const PASSWORD_CHARS_MAX: usize = 1024;

/// The shortest password that can be chosen, in characters.
pub const PASSWORD_CHARS_MIN: usize = 12;

/// Complains about a password that nobody should choose. Length alone counts: rules about kinds of characters make people
/// choose worse ones.
pub fn check_new_password(field: &str, password: &str, report: &mut Report) {
    report.text(field, password, PASSWORD_CHARS_MAX);
    if !password.trim().is_empty() && password.chars().count() < PASSWORD_CHARS_MIN {
        let message = format!("must be at least {PASSWORD_CHARS_MIN} characters");
        report.complain(field, Reason::TooShort, message);
    }
}

record! {
    /// A session of the dashboard; its token is in the cookie and nowhere else.
    Session {
        /// Who signed in.
        user: User,
        /// The organisation in view.
        org_id: OrganisationId,
        /// Its name.
        org_name: String,
        /// To be sent as `X-CSRF-Token` with everything but GET.
        csrf_token: String,
        /// When the session ends.
        expires_at: Timestamp,
        /// Whether money here is play money.
        sandbox: bool,
        /// Whether a chain is connected: without one nothing is received or sent.
        chains_connected: bool,
        /// Whether a trading venue is connected.
        venues_connected: bool,
    }
}

record! {
    /// A person who signs in.
    User {
        /// Unique id.
        id: UserId,
        /// E-mail address.
        email: String,
        /// For people.
        name: String,
        /// What they may do.
        role: Role,
    }
}
