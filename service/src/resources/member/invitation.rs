//! Invitations: the token is only in the link, expires, and works once.

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::member::{
    AcceptInvitation, INVITATION, Invitation, InviteMember, InviteMemberAgain, Member,
    OpenInvitation, PASSWORD_INVITATION,
};
use settlekit_core::session::Session;
use settlekit_core::value::OrganisationId;

use crate::resources::{event, session};
use crate::secret::password::{PasswordTask, Prepared};
use crate::secret::{digest, generate};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, PasswordLookup, Received, Refusal, Unit};

/// The dashboard page of an invitation. Browsers do not send the part after `#`, so no log contains the token.
const PAGE: &str = "/invitation#";

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

/// Creates a new link for an invited member, or for one who forgot the password.
pub(crate) fn invite_member_again(
    unit: &mut Unit<'_>,
    call: Received<InviteMemberAgain>,
) -> Outcome<Member> {
    let organisation = call.caller.organisation;
    let before = super::lock(unit, organisation, call.path.user_id)?;
    super::refuse_removed(&before)?;
    // Whoever has the link signs in as the member: an owner would become an operator of the installation.
    if before.installation_operator == Some(true) {
        return Err(Refusal::state_forbids(
            "the member operates the installation: reset the password with `settlekit member password`",
        ));
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

/// Creates an invitation's link and invalidates the previous one.
fn create_link(
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
fn held(unit: &mut Unit<'_>, token: &str) -> Outcome<(OrganisationId, Member)> {
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

pub(crate) fn open_invitation(
    unit: &mut Unit<'_>,
    call: Call<OpenInvitation>,
) -> Outcome<Invitation> {
    let (organisation, member) = held(unit, &call.body.token)?;
    let organisation = store::organisation::find(unit.database, organisation)?
        .ok_or_else(|| Refusal::not_found("invitation"))?;
    Ok(Invitation {
        org_name: organisation.name,
        email: member.email,
        name: member.joined_at.and(member.name),
        role: member.role,
        expires_at: member.invitation_expires_at.unwrap_or(unit.now),
    })
}

/// The password task of an invited member's new password.
pub(crate) fn find_new_password(
    lookup: PasswordLookup<'_>,
    call: &Call<AcceptInvitation>,
) -> Result<PasswordTask, StoreError> {
    let invited = store::member::is_invited(lookup.database, &digest(&call.body.token))?;
    Ok(if invited {
        PasswordTask::hash(&call.body.password)
    } else {
        PasswordTask::none()
    })
}

pub(crate) fn accept_invitation(
    unit: &mut Unit<'_>,
    call: Call<AcceptInvitation>,
    _: Option<Caller>,
    prepared: Prepared,
) -> Outcome<Session> {
    let (organisation, invited) = held(unit, &call.body.token)?;
    // `None` only if the invitation was created since.
    let password_hash = prepared
        .password_hash
        .ok_or_else(|| Refusal::not_found("invitation"))?;
    if invited.joined_at.is_some() {
        session::set_password(unit, organisation, invited.id, &password_hash, None)?;
        let person = store::organisation::person_by_id(unit.database, invited.id)?;
        return session::begin(
            unit,
            person.ok_or_else(|| Refusal::not_found("invitation"))?,
        );
    }
    let member = Member {
        name: Some(call.body.name),
        invitation_expires_at: None,
        joined_at: Some(unit.now),
        ..invited
    };
    let person = super::join(unit, organisation, &member, password_hash).map_err(|error| match error {
        StoreError::Constraint(_) => Refusal::because(
            Reason::AlreadyExists,
            "this e-mail address belongs to a member of another organisation: ask for an invitation to another address",
        ),
        error => error.into(),
    })?;
    store::member::update(unit.database, organisation, &member, unit.now)?;
    store::member::hold_invitation(unit.database, organisation, member.id, None)?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    super::name_owner(unit, organisation)?;
    session::begin(unit, person)
}
