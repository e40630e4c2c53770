//! Goes on in another organisation of the user.

use settlekit_core::session::{Session, SwitchOrganisation};

use super::{begin_until, current};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Replaces the session by one of the other organisation: its own tokens, no step-up, and the same end. So a page that still shows
/// the former organisation can change nothing.
pub(crate) fn switch_organisation(
    unit: &mut Unit<'_>,
    call: Received<SwitchOrganisation>,
) -> Outcome<Session> {
    let (person, stored) = current(unit, &call.caller)?;
    let other = store::person::in_organisation(unit.database, call.body.org_id, person.person)?;
    // The same answer for an unknown organisation and for one of others.
    let other = other.ok_or_else(|| Refusal::not_found("organisation"))?;
    store::session::delete(unit.database, &call.caller.session()?)?;
    begin_until(unit, other, stored.expires_at)
}
