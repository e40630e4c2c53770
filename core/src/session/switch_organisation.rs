//! `POST /sessions/current/organisation`.

use super::Session;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::OrganisationId;

body! {
    /// The organisation to go on in.
    SwitchOrganisationBody {
        /// Organisation of which the user is a member.
        org_id: OrganisationId,
    }
}

impl Validate for SwitchOrganisationBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Goes on in another organisation of the user. The answer sets a new session cookie; it ends when the session would have ended.
    SwitchOrganisation in "session": POST "/sessions/current/organisation",
    body: SwitchOrganisationBody,
    response: Session,
    AUTH: Auth::Session,
    SUCCESS: http::StatusCode::CREATED,
}
