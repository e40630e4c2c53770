//! Sign-in, sign-out and step-up of dashboard sessions.

pub(crate) mod back_off;
pub(crate) mod cookie;
mod create_session;
mod create_step_up;
mod switch_organisation;
mod update_password;

pub(crate) use create_session::create_session;
pub(crate) use create_step_up::create_step_up;
pub(crate) use switch_organisation::switch_organisation;
pub(crate) use update_password::update_password;

use std::time::Duration;

use self::cookie::{session_token, set_cookie};
use settlekit_core::call::Call;
use settlekit_core::event::EventAction;
use settlekit_core::header::session_cookie;
use settlekit_core::member::Member;
use settlekit_core::session::{
    CreateSession, CreateStepUp, DeleteSession, GetSession, Session, UpdatePassword, User,
};
use settlekit_core::value::Timestamp;

use crate::money::{connection, venue};
use crate::resources::event;
use crate::secret::password::{HashTask, PasswordTask, Prepared};
use crate::secret::{digest, generate};
use crate::store;
use crate::store::person::Person;
use crate::store::session::StoredSession;
use crate::store::sql::StoreError;
use crate::unit::caller::{Caller, Via, session_over};
use crate::unit::{Outcome, PasswordLookup, Received, Refusal, Unit};

/// The lifetime of a session.
const SESSION: Duration = Duration::from_secs(12 * 60 * 60);

/// The password task of a sign-in.
pub(crate) fn find_to_sign_in(
    lookup: PasswordLookup<'_>,
    call: &Call<CreateSession>,
) -> Result<PasswordTask, StoreError> {
    let email = call.body.email.to_lowercase();
    let known = store::person::credentials(lookup.database, &email)?;
    let hash = known.map(|known| known.password_hash);
    to_check(lookup, &email, &call.body.password, hash)
}

/// The password task of a step-up.
pub(crate) fn find_to_step_up(
    mut lookup: PasswordLookup<'_>,
    call: &Call<CreateStepUp>,
) -> Result<PasswordTask, StoreError> {
    let person = match signed_in(&mut lookup)? {
        Some(session) => store::person::by_member(lookup.database, session.member)?,
        None => None,
    };
    let Some(person) = person else {
        return Ok(PasswordTask::none());
    };
    to_check(
        lookup,
        &person.email,
        &call.body.password,
        Some(person.password_hash),
    )
}

/// The password task of a password change.
pub(crate) fn find_to_change(
    mut lookup: PasswordLookup<'_>,
    call: &Call<UpdatePassword>,
) -> Result<PasswordTask, StoreError> {
    let session = signed_in(&mut lookup)?;
    Ok(session.map_or_else(PasswordTask::none, |_| {
        PasswordTask::hash(&call.body.new_password)
    }))
}

/// The user of a request's session.
fn signed_in(lookup: &mut PasswordLookup<'_>) -> Result<Option<StoredSession>, StoreError> {
    match session_token(lookup.service.options(), lookup.request) {
        Some(token) => store::session::by_token(lookup.database, &digest(token)),
        None => Ok(None),
    }
}

/// The task of comparing a password with a person's stored hash; `None` for an unknown person.
pub(crate) fn to_check(
    lookup: PasswordLookup<'_>,
    email: &str,
    password: &str,
    hash: Option<String>,
) -> Result<PasswordTask, StoreError> {
    let bucket = back_off::bucket(lookup.service, lookup.request, email, lookup.now);
    let work = match back_off::wait(lookup.database, &bucket.key, lookup.now)? {
        Some(wait) => HashTask::Blocked { wait },
        None => HashTask::Check {
            password: password.to_owned(),
            hash,
        },
    };
    Ok(PasswordTask {
        work,
        is_known_device: bucket.is_known_device,
        bucket: Some(bucket.key),
    })
}

/// Applies the result of a password check. If other attempts failed since it was read, the answer does not tell whether it was
/// right.
pub(crate) fn judge_password(
    unit: &mut Unit<'_>,
    prepared: &Prepared,
    wrong: Refusal,
) -> Outcome<()> {
    if let Some(wait) = prepared.blocked {
        return Err(back_off::too_soon(unit, wait));
    }
    let Some(bucket) = prepared.bucket else {
        return Err(wrong);
    };
    if let Some(wait) = back_off::wait(unit.database, &bucket, unit.now)? {
        return Err(back_off::too_soon(unit, wait));
    }
    if prepared.password_fits != Some(true) {
        unit.failed_attempt = Some(bucket);
        return Err(wrong);
    }
    store::password_failure::delete(unit.database, &bucket)?;
    Ok(())
}

fn cookie(unit: &mut Unit<'_>, token: &str, seconds: u64) {
    let name = session_cookie(&unit.options().public_url);
    set_cookie(unit, name, token, "/", seconds);
}

fn session_of(unit: &mut Unit<'_>, person: Person, stored: &StoredSession) -> Outcome<Session> {
    let organisation = store::organisation::find(unit.database, stored.organisation)?;
    let organisation = organisation.ok_or_else(|| Refusal::not_found("organisation"))?;
    let organisations = store::person::memberships(unit.database, person.person)?;
    Ok(Session {
        user: User {
            id: person.id,
            email: person.email,
            name: person.name,
            role: person.role,
        },
        org_id: organisation.id,
        org_name: organisation.name,
        csrf_token: stored.csrf_token.clone(),
        expires_at: stored.expires_at,
        now: unit.now,
        sandbox: unit.options().mode.is_sandbox(),
        chains_connected: !connection::list_connected(unit)?.is_empty(),
        venues_connected: venue::is_connected(unit)?,
        installation_operator: stored.installation_operator,
        organisations,
    })
}

/// Creates a session of a person who has proven the password; the answer sets its cookie, and that of the device.
pub(crate) fn begin(unit: &mut Unit<'_>, person: Person) -> Outcome<Session> {
    let expires_at = unit.now.plus(SESSION);
    let email = person.email.clone();
    let session = begin_until(unit, person, expires_at)?;
    back_off::remember_device(unit, &email);
    Ok(session)
}

/// Creates a session without a password. Its device is not remembered: each new device may guess the password anew.
fn begin_until(unit: &mut Unit<'_>, person: Person, expires_at: Timestamp) -> Outcome<Session> {
    let token = generate("", &mut unit.random);
    let stored = StoredSession {
        member: person.id,
        role: person.role.clone(),
        installation_operator: person.installation_operator,
        organisation: person.organisation,
        csrf_token: generate("", &mut unit.random),
        step_up_hash: None,
        step_up_until: None,
        expires_at,
    };
    store::session::insert(unit.database, &digest(&token), &stored, unit.now)?;
    store::member::signed_in(unit.database, person.organisation, person.id, unit.now)?;
    cookie(unit, &token, expires_at.since(unit.now).as_secs());
    session_of(unit, person, &stored)
}

fn current(unit: &mut Unit<'_>, caller: &Caller) -> Outcome<(Person, StoredSession)> {
    let Via::Session { user, .. } = caller.via else {
        return Err(session_over());
    };
    let stored = store::session::by_token(unit.database, &caller.session()?)?;
    let stored = stored.ok_or_else(session_over)?;
    let person = store::person::by_member(unit.database, user)?
        .ok_or_else(|| Refusal::not_found("person"))?;
    Ok((person, stored))
}

pub(crate) fn get_session(unit: &mut Unit<'_>, call: Received<GetSession>) -> Outcome<Session> {
    let (person, stored) = current(unit, &call.caller)?;
    session_of(unit, person, &stored)
}

pub(crate) fn delete_session(
    unit: &mut Unit<'_>,
    call: Received<DeleteSession>,
) -> Outcome<String> {
    store::session::delete(unit.database, &call.caller.session()?)?;
    cookie(unit, "", 0);
    Ok("signed out".to_owned())
}

/// Sets a person's password and ends all their sessions except one if given, because the old password may be known to others.
/// Invalidates any link for a new password: only the member of a single organisation can have one.
pub(crate) fn set_password(
    unit: &mut Unit<'_>,
    person: &Person,
    password_hash: &str,
    but: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    store::person::set_password(unit.database, person.person, password_hash)?;
    store::session::delete_of_person(unit.database, person.person, but)?;
    back_off::forget(unit.database, &person.email)?;
    void_link(unit, person)
}

/// Invalidates a person's link for a new password in one organisation.
pub(crate) fn void_link(unit: &mut Unit<'_>, person: &Person) -> Result<(), StoreError> {
    let (organisation, id) = (person.organisation, person.id);
    if let Some(before) = store::member::LISTING.lock(unit.database, organisation, id)? {
        let changed = Member {
            invitation_expires_at: None,
            ..before
        };
        store::member::hold_invitation(unit.database, organisation, id, None)?;
        store::member::update(unit.database, organisation, &changed, unit.now)?;
        event::record(unit, organisation, EventAction::Updated, &changed)?;
    }
    Ok(())
}
