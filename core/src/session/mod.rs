//! Signing in to the dashboard.

mod create_session;
mod create_step_up;
mod delete_session;
mod get_session;

pub use create_session::{CreateSession, CreateSessionBody};
pub use create_step_up::{CreateStepUp, CreateStepUpBody, StepUp};
pub use delete_session::DeleteSession;
pub use get_session::GetSession;

use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp, UserId};

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
    }
}
