//! Changes a member's role.

use settlekit_core::event::EventAction;
use settlekit_core::member::{Member, UpdateMember, UpdateMemberBody};

use super::{lock, name_owner, refuse_last_owner, refuse_removed};
use crate::resources::event;
use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn update_member(unit: &mut Unit<'_>, call: Received<UpdateMember>) -> Outcome<Member> {
    let organisation = call.caller.organisation;
    let before = lock(unit, organisation, call.path.user_id)?;
    refuse_removed(&before)?;
    let UpdateMemberBody { role } = call.body;
    if before.role == role {
        return Ok(before);
    }
    refuse_last_owner(unit, organisation, &before)?;
    let member = Member { role, ..before };
    store::member::update(unit.database, organisation, &member, unit.now)?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    name_owner(unit, organisation)?;
    Ok(member)
}
