//! Removes a member and ends their sessions.

use settlekit_core::event::EventAction;
use settlekit_core::member::{Member, RemoveMember};

use super::{lock, name_owner, refuse_last_owner};
use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn remove_member(unit: &mut Unit<'_>, call: Received<RemoveMember>) -> Outcome<Member> {
    let organisation = call.caller.organisation;
    let before = lock(unit, organisation, call.path.user_id)?;
    if before.removed_at.is_some() {
        return Ok(before);
    }
    refuse_last_owner(unit, organisation, &before)?;
    let member = Member {
        installation_operator: None,
        invitation_expires_at: None,
        removed_at: Some(unit.now),
        ..before
    };
    store::member::update(unit.database, organisation, &member, unit.now)?;
    store::member::hold_invitation(unit.database, organisation, member.id, None)?;
    store::session::delete_of_member(unit.database, member.id)?;
    store::saved_view::forget_member(unit.database, organisation, member.id)?;
    store::person::leave(unit.database, organisation, member.id)?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    name_owner(unit, organisation)?;
    Ok(member)
}
