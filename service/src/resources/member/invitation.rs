//! Invitations: the token is only in the link, expires, and works once.

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::member::{AcceptInvitation, Member};
use settlekit_core::value::OrganisationId;

use crate::resources::{event, session};
use crate::secret::password::PasswordTask;
use crate::secret::{digest, generate};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, PasswordLookup, Refusal, Unit};

/// The dashboard page of an invitation. Browsers do not send the part after `#`, so no log contains the token.
const PAGE: &str = "/invitation#";

/// Creates an invitation's link and invalidates the previous one.
pub(super) fn create_link(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    member: Member,
) -> Outcome<Member> {
    let token = generate("join_", &mut unit.random);
    store::member::hold_invitation(
        unit.database,
        organisation,
        member.id,
        Some(&digest(&token)),
    )?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    let public_url = unit.options().public_url.trim_end_matches('/');
    Ok(Member {
        invitation_url: Some(format!("{public_url}{PAGE}{token}")),
        ..member
    })
}

/// The invitation of a valid token.
pub(super) fn held(unit: &mut Unit<'_>, token: &str) -> Outcome<(OrganisationId, Member)> {
    let (organisation, member) = store::member::by_invitation(unit.database, &digest(token))?
        .ok_or_else(|| Refusal::not_found("invitation"))?;
    let over = |at| at <= unit.now;
    if member.invitation_expires_at.is_none_or(over) {
        return Err(Refusal::because(
            Reason::InvitationExpired,
            "the invitation has expired: ask for a new one",
        ));
    }
    Ok((organisation, member))
}

/// The password task of an invited member: to compare the password of an existing account, else to hash a new one.
pub(crate) fn find_new_password(
    lookup: PasswordLookup<'_>,
    call: &Call<AcceptInvitation>,
) -> Result<PasswordTask, StoreError> {
    let password = &call.body.password;
    let token = digest(&call.body.token);
    let Some(invited) = store::member::invited(lookup.database, &token)? else {
        return Ok(PasswordTask::none());
    };
    let account = match invited.joined_at {
        Some(_) => None,
        None => store::person::credentials(lookup.database, &invited.email)?,
    };
    match account {
        Some(account) => session::to_check(
            lookup,
            &invited.email,
            password,
            Some(account.password_hash),
        ),
        None => Ok(PasswordTask::hash(password)),
    }
}
