//! Invites a member by e-mail address.

use settlekit_core::member::{INVITATION, InviteMember, Member};

use super::invitation::create_link;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn invite_member(unit: &mut Unit<'_>, call: Received<InviteMember>) -> Outcome<Member> {
    let organisation = call.caller.organisation;
    let email = call.body.email.to_lowercase();
    // Serialises invitations of the same e-mail address.
    store::organisation::lock(unit.database, organisation)?;
    let before = store::member::by_email(unit.database, organisation, &email)?;
    if before
        .as_ref()
        .is_some_and(|member| member.joined_at.is_some())
    {
        return Err(Refusal::already_exists(
            "email",
            "already belongs to a member",
        ));
    }
    let member = Member {
        invitation_expires_at: Some(unit.now.plus(INVITATION)),
        ..super::of_email(unit, before.as_ref(), email, call.body.role)
    };
    if before.is_some() {
        store::member::update(unit.database, organisation, &member, unit.now)?;
    } else {
        store::member::insert(unit.database, organisation, &member)?;
    }
    create_link(unit, organisation, member)
}
