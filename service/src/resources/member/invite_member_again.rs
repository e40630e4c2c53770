//! Creates a new link for an invited member, or for one who forgot the password.

use settlekit_core::member::{INVITATION, InviteMemberAgain, Member, PASSWORD_INVITATION};

use super::invitation::create_link;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn invite_member_again(
    unit: &mut Unit<'_>,
    call: Received<InviteMemberAgain>,
) -> Outcome<Member> {
    let organisation = call.caller.organisation;
    let before = super::lock(unit, organisation, call.path.user_id)?;
    super::refuse_removed(&before)?;
    // The link signs its holder in as the member: an owner with the link would become an operator of the installation.
    if before.installation_operator == Some(true) {
        return Err(Refusal::state_forbids(
            "the member operates the installation: reset the password with `settlekit member password`",
        ));
    }
    if let Some(person) = store::person::by_member(unit.database, before.id)? {
        super::refuse_several_organisations(unit, &person)?;
    }
    let held = match before.joined_at {
        Some(_) => PASSWORD_INVITATION,
        None => INVITATION,
    };
    let member = Member {
        invitation_expires_at: Some(unit.now.plus(held)),
        ..before
    };
    store::member::update(unit.database, organisation, &member, unit.now)?;
    create_link(unit, organisation, member)
}
