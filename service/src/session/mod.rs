//! Signing in to the dashboard, out of it, and proving afresh who one is.

use std::time::Duration;

use http::Request;
use http::header::SET_COOKIE;
use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::field::read_body;
use settlekit_core::header::SESSION_COOKIE;
use settlekit_core::session::{
    CreateSession, CreateSessionBody, CreateStepUp, CreateStepUpBody, DeleteSession, GetSession,
    Session, StepUp, User,
};
use settlekit_core::validate::Report;
use settlekit_core::value::UserId;

use crate::authenticate::{Caller, Via, session_token};
use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::run::Prepared;
use crate::secret::{check_password, digest, generate};
use crate::store;
use crate::store::organisation::Person;
use crate::store::session::Stored;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// How long a session lasts.
const SESSION: Duration = Duration::from_secs(12 * 60 * 60);

/// How long a fresh proof of identity lasts.
const STEP_UP: Duration = Duration::from_secs(5 * 60);

/// Looks at the password of a request, which is slow on purpose.
pub(crate) fn prepare(
    database: &mut dyn Database,
    request: &Request<Vec<u8>>,
) -> Result<Prepared, StoreError> {
    let mut ignored = Report::default();
    let (person, password) =
        if let Some(body) = read_body::<CreateSessionBody>(request.body(), &mut ignored) {
            (
                store::organisation::person_by_email(database, &body.email.to_lowercase())?,
                body.password,
            )
        } else if let Some(body) = read_body::<CreateStepUpBody>(request.body(), &mut ignored) {
            let session = match session_token(request) {
                Some(token) => store::session::by_token(database, &digest(token))?,
                None => None,
            };
            let person = match session {
                Some(session) => store::organisation::person_by_id(database, session.user)?,
                None => None,
            };
            (person, body.password)
        } else {
            return Ok(Prepared::default());
        };
    let fits = check_password(
        &password,
        person.as_ref().map(|person| person.password_hash.as_str()),
    );
    Ok(Prepared {
        password_fits: Some(fits),
    })
}

fn refused() -> Refusal {
    Refusal::because(
        Reason::SignInFailed,
        "e-mail address and password do not belong together",
    )
}

fn cookie(unit: &mut Unit<'_>, token: &str, seconds: u64) {
    let secure = if unit.options().public_url.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}"
    );
    unit.headers.push((SET_COOKIE, cookie));
}

fn session_of(unit: &mut Unit<'_>, person: Person, stored: &Stored) -> Outcome<Session> {
    let organisation = store::organisation::find(unit.database, stored.organisation)?;
    let organisation = organisation.ok_or_else(|| Refusal::not_found("organisation"))?;
    Ok(Session {
        user: User {
            id: person.id,
            email: person.email,
            name: person.name,
        },
        org_id: organisation.id,
        org_name: organisation.name,
        csrf_token: stored.csrf_token.clone(),
        expires_at: stored.expires_at,
        sandbox: unit.options().sandbox,
    })
}

pub(crate) fn create_session(
    unit: &mut Unit<'_>,
    call: Call<CreateSession>,
    _: Option<Caller>,
    prepared: Prepared,
) -> Outcome<Session> {
    if prepared.password_fits != Some(true) {
        return Err(refused());
    }
    let person =
        store::organisation::person_by_email(unit.database, &call.body.email.to_lowercase())?
            .ok_or_else(refused)?;
    let token = generate("", &mut unit.random);
    let stored = Stored {
        user: person.id,
        organisation: person.organisation,
        csrf_token: generate("", &mut unit.random),
        step_up_hash: None,
        step_up_until: None,
        expires_at: unit.now.plus(SESSION),
    };
    store::session::insert(unit.database, &digest(&token), &stored, unit.now)?;
    cookie(unit, &token, SESSION.as_secs());
    session_of(unit, person, &stored)
}

fn current(unit: &mut Unit<'_>, caller: &Caller) -> Outcome<(Person, Stored)> {
    let over = || Refusal::because(Reason::SessionInvalid, "the session is over: sign in again");
    let Via::Session { user, .. } = caller.via else {
        return Err(over());
    };
    let stored = store::session::by_token(unit.database, &caller.session()?)?.ok_or_else(over)?;
    Ok((person(unit, user)?, stored))
}

fn person(unit: &mut Unit<'_>, id: UserId) -> Outcome<Person> {
    store::organisation::person_by_id(unit.database, id)?
        .ok_or_else(|| Refusal::not_found("person"))
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

pub(crate) fn create_step_up(
    unit: &mut Unit<'_>,
    _: Call<CreateStepUp>,
    caller: Option<Caller>,
    prepared: Prepared,
) -> Outcome<StepUp> {
    let caller = caller.ok_or_else(|| {
        Refusal::because(Reason::SessionInvalid, "the session is over: sign in again")
    })?;
    if prepared.password_fits != Some(true) {
        return Err(Refusal::field(
            "password",
            Reason::SignInFailed,
            "is not the right one",
        ));
    }
    let token = generate("", &mut unit.random);
    let until = unit.now.plus(STEP_UP);
    store::session::step_up(unit.database, &caller.session()?, &digest(&token), until)?;
    Ok(StepUp {
        token,
        expires_at: until,
    })
}
