//! Reads an open invitation, for the holder of its link.

use settlekit_core::call::Call;
use settlekit_core::member::{Invitation, OpenInvitation};

use super::invitation::held;
use crate::store;
use crate::unit::{Outcome, Refusal, Unit};

pub(crate) fn open_invitation(
    unit: &mut Unit<'_>,
    call: Call<OpenInvitation>,
) -> Outcome<Invitation> {
    let (organisation, member) = held(unit, &call.body.token)?;
    let organisation = store::organisation::find(unit.database, organisation)?
        .ok_or_else(|| Refusal::not_found("invitation"))?;
    let has_account = member.joined_at.is_none()
        && store::person::credentials(unit.database, &member.email)?.is_some();
    Ok(Invitation {
        org_name: organisation.name,
        email: member.email,
        name: member.joined_at.and(member.name),
        role: member.role,
        has_account: has_account.then_some(true),
        expires_at: member.invitation_expires_at.unwrap_or(unit.now),
    })
}
