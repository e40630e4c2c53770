//! Accepts an invitation: creates the member's account or joins an existing one, or sets a new password; then signs in.

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::member::{AcceptInvitation, Member};
use settlekit_core::session::Session;

use super::invitation::held;
use crate::resources::{event, session};
use crate::secret::password::Prepared;
use crate::store;
use crate::store::person::MEMBERSHIPS_MAX;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Refusal, Unit};

pub(crate) fn accept_invitation(
    unit: &mut Unit<'_>,
    call: Call<AcceptInvitation>,
    _: Option<Caller>,
    prepared: Prepared,
) -> Outcome<Session> {
    // Answered in a read-only transaction, which cannot lock the member.
    if let Some(wait) = prepared.blocked {
        return Err(session::back_off::too_soon(unit, wait));
    }
    let (organisation, invited) = held(unit, &call.body.token)?;
    if invited.joined_at.is_some() {
        return choose_password(unit, &invited, prepared);
    }
    let account = store::person::credentials(unit.database, &invited.email)?;
    if let Some(account) = &account {
        store::person::lock(unit.database, account.person)?;
        let wrong = || {
            let message = "is not the password of the account that this e-mail address has";
            Refusal::field("password", Reason::SignInFailed, message)
        };
        session::judge_password(unit, &prepared, wrong())?;
        // The password may have changed during the check.
        if prepared.compared_with.as_ref() != Some(&account.password_hash) {
            return Err(wrong());
        }
        let memberships = store::person::memberships(unit.database, account.person)?;
        if memberships.len() >= MEMBERSHIPS_MAX {
            return Err(Refusal::state_forbids(
                "the account is a member of 100 organisations: it cannot join another one",
            ));
        }
    }
    let member = Member {
        name: Some(match &account {
            Some(account) => account.name.clone(),
            None => call.body.name,
        }),
        invitation_expires_at: None,
        joined_at: Some(unit.now),
        ..invited
    };
    match account {
        Some(account) => {
            void_links(unit, &member.email)?;
            store::person::join(unit.database, organisation, member.id, account.person)?;
        }
        None => {
            // `None` only if the invitation was created, or an account deleted, since.
            let password_hash = prepared
                .password_hash
                .ok_or_else(|| Refusal::not_found("invitation"))?;
            super::create_person(unit, organisation, &member, password_hash).map_err(|error| {
                match error {
                    StoreError::Constraint(_) => Refusal::because(
                        Reason::AlreadyExists,
                        "this e-mail address has an account by now: accept the invitation with its password",
                    ),
                    error => error.into(),
                }
            })?;
        }
    }
    store::member::update(unit.database, organisation, &member, unit.now)?;
    store::member::hold_invitation(unit.database, organisation, member.id, None)?;
    event::record(unit, organisation, EventAction::Updated, &member)?;
    super::name_owner(unit, organisation)?;
    let person = store::person::by_member(unit.database, member.id)?;
    session::begin(
        unit,
        person.ok_or_else(|| Refusal::not_found("invitation"))?,
    )
}

/// Invalidates a person's links for a new password: they would open another organisation, too, or be valid again once the person
/// has left it. Organisations without a link learn nothing.
fn void_links(unit: &mut Unit<'_>, email: &str) -> Result<(), StoreError> {
    for person in store::person::all_by_email(unit.database, email)? {
        let organisation = person.organisation;
        let member = store::member::LISTING.find(unit.database, organisation, person.id)?;
        if member.is_some_and(|member| member.invitation_expires_at.is_some()) {
            session::void_link(unit, &person)?;
        }
    }
    Ok(())
}

/// Sets the new password of a member, and signs in.
fn choose_password(unit: &mut Unit<'_>, member: &Member, prepared: Prepared) -> Outcome<Session> {
    let gone = || Refusal::not_found("invitation");
    let person = store::person::by_member(unit.database, member.id)?.ok_or_else(gone)?;
    store::person::lock(unit.database, person.person)?;
    super::refuse_several_organisations(unit, &person)?;
    let password_hash = prepared.password_hash.ok_or_else(gone)?;
    session::set_password(unit, &person, &password_hash, None)?;
    session::begin(unit, person)
}
