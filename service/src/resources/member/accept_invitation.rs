//! Creates an invited member's user, or sets a new password, and signs in.

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::member::{AcceptInvitation, Member};
use settlekit_core::session::Session;

use super::invitation::held;
use crate::resources::{event, session};
use crate::secret::password::Prepared;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Refusal, Unit};

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
