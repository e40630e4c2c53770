//! Authentication: by API key, by signed API key, or by session.

use http::{Method, Request};
use settlekit_core::catalogue::Description;
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::{Auth, Scope};
use settlekit_core::sign::{NONCE_WINDOW, Nonce, verify};
use settlekit_core::value::{ApiKeyId, OrganisationId, Timestamp};
use subtle::ConstantTimeEq;

use crate::request::cross_site;
use crate::resources::session::cookie::{cookies, session_token};
use crate::unit::caller::{Caller, Via, not_fresh, not_signed, session_over};
use crate::unit::{Outcome, Refusal, Unit};
use crate::{secret, store};

/// The maximum lag of `last_used_at`: an exact value would turn every read into a write.
const LAST_USED_LAG_SECONDS: u64 = 60;

fn key_invalid() -> Refusal {
    Refusal::because(
        Reason::KeyInvalid,
        "the API key is unknown, revoked or expired",
    )
}

fn header<'a>(request: &'a Request<Vec<u8>>, name: &str) -> Option<&'a str> {
    request
        .headers()
        .get(name)
        .and_then(|value| value.to_str().ok())
}

/// Headers that must not repeat: a proxy could read one value and the service the other.
const SENT_ONCE: &[&str] = &[
    header::API_KEY,
    header::NONCE,
    header::SIGNATURE,
    header::ORGANISATION,
    header::CSRF,
    header::STEP_UP,
    header::IDEMPOTENCY_KEY,
];

/// The first repeated header or cookie that must not repeat.
pub(crate) fn repeated_header(
    session_cookie: &'static str,
    request: &Request<Vec<u8>>,
) -> Option<&'static str> {
    let headers = request.headers();
    // If all names are distinct only cookies remain, since one header may hold several.
    if headers.len() != headers.keys_len() {
        let twice = |name: &str| headers.get_all(name).iter().nth(1).is_some();
        if let Some(name) = SENT_ONCE.iter().find(|name| twice(name)) {
            return Some(name);
        }
    }
    cookies(request, session_cookie)
        .nth(1)
        .map(|_| "the session's cookie")
}

/// Whether a request has credentials for an operation's kind of authentication.
pub(crate) fn has_credentials(
    session_cookie: &'static str,
    request: &Request<Vec<u8>>,
    auth: Auth,
) -> bool {
    let has_session = || cookies(request, session_cookie).next().is_some();
    match auth {
        Auth::Public => true,
        Auth::Session => has_session(),
        Auth::Key | Auth::Signed => {
            request.headers().contains_key(header::API_KEY) || has_session()
        }
    }
}

/// Authenticates the caller; `None` for a public operation.
pub(crate) fn authenticate(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    operation: &Description,
) -> Outcome<Option<Caller>> {
    match operation.auth {
        Auth::Public => {
            // A preflight asks for pages of other sites.
            if !matches!(operation.method, Method::GET | Method::OPTIONS) {
                cross_site::refuse(unit.options(), request)?;
            }
            Ok(None)
        }
        Auth::Session => by_session(unit, request, operation).map(Some),
        Auth::Key | Auth::Signed => match request.headers().get(header::API_KEY) {
            // A key that is not text is invalid, not absent: otherwise the session would be tried.
            Some(key) => {
                let key = key.to_str().map_err(|_| key_invalid())?;
                by_key(unit, request, operation, key).map(Some)
            }
            None if session_token(unit.options(), request).is_some() => {
                by_session(unit, request, operation).map(Some)
            }
            None => Err(Refusal::because(
                Reason::CredentialsMissing,
                "the API key is missing: send it as X-API-KEY",
            )),
        },
    }
}

fn by_key(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    operation: &Description,
    key: &str,
) -> Outcome<Caller> {
    let found =
        store::api_key::by_secret(unit.database, &secret::digest(key))?.ok_or_else(key_invalid)?;
    let over = |end: Option<Timestamp>| end.is_some_and(|end| end <= unit.now);
    if found.revoked || over(found.expires_at) {
        return Err(key_invalid());
    }
    let target = target(request)?;
    // Acting for another organisation always needs a signature. Otherwise a signature is verified if present, because sending
    // money out may depend on it.
    let signed = operation.auth == Auth::Signed
        || target.is_some()
        || request.headers().contains_key(header::SIGNATURE);
    if signed {
        by_signature(unit, request, found.id, found.organisation)?;
    }
    let scopes: Vec<Scope> = found
        .scopes
        .split(' ')
        .filter_map(Scope::from_wire)
        .collect();
    if !scopes.contains(&operation.scope) {
        return Err(Refusal::because(
            Reason::ScopeMissing,
            format!("the API key lacks the scope {}", operation.scope.as_str()),
        ));
    }
    let organisation = match target {
        None => found.organisation,
        Some(target) => delegated(unit, operation, found.organisation, target)?,
    };
    let stale = found
        .last_used_at
        .is_none_or(|at| unit.now.since(at).as_secs() >= LAST_USED_LAG_SECONDS);
    Ok(Caller {
        organisation,
        own: found.organisation,
        scopes,
        proven: signed,
        operates_installation: false,
        via: Via::Key {
            id: found.id,
            stale,
        },
    })
}

/// The organisation to act for. A value that is not text is unknown, not absent: the caller does not mean their own.
fn target(request: &Request<Vec<u8>>) -> Outcome<Option<&str>> {
    let unknown = |_| Refusal::not_found("organisation");
    let given = request.headers().get(header::ORGANISATION);
    given
        .map(|value| value.to_str().map_err(unknown))
        .transpose()
}

/// The sub-merchant that a partner acts for.
fn delegated(
    unit: &mut Unit<'_>,
    operation: &Description,
    own: OrganisationId,
    target: &str,
) -> Outcome<OrganisationId> {
    let unknown = || Refusal::not_found("organisation");
    let target: OrganisationId = target.parse().map_err(|_| unknown())?;
    if target == own {
        return Ok(own);
    }
    if !operation.delegated {
        return Err(Refusal::because(
            Reason::ScopeMissing,
            "this operation cannot be called for a sub-merchant",
        ));
    }
    match store::organisation::partner_of(unit.database, target)? {
        Some(partner) if partner == own => Ok(target),
        _ => Err(unknown()),
    }
}

fn by_signature(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    key: ApiKeyId,
    organisation: OrganisationId,
) -> Outcome<()> {
    let headers = &mut unit.headers;
    headers.push((
        http::header::HeaderName::from_static(header::SERVER_TIME),
        unit.now.to_string(),
    ));
    let signature = header(request, header::SIGNATURE).ok_or_else(not_signed)?;
    let text = header(request, header::NONCE).unwrap_or_default();
    let nonce: Nonce = text
        .parse()
        .map_err(|reason| Refusal::because(reason, "the nonce (X-API-Nonce) must be a UUIDv7"))?;
    let sealed = store::organisation::signing_secret(unit.database, organisation)?;
    let secret = crate::resources::organisation::open_signing_secret(unit, organisation, &sealed)?;
    let fits = |secret: &String| verify(request, secret, text, signature);
    // Retired secrets are read only if the current one does not match.
    if !fits(&secret)
        && !crate::resources::organisation::retired_signing_secrets(unit, organisation)?
            .iter()
            .any(fits)
    {
        return Err(Refusal::because(
            Reason::SignatureInvalid,
            "the signature does not match the request",
        ));
    }
    // The host continues this request after a wait. Its nonce was stored before.
    if unit.awaited.is_some() {
        return Ok(());
    }
    if !nonce.is_fresh(unit.now) {
        return Err(Refusal::because(
            Reason::NonceOutOfWindow,
            format!(
                "the nonce differs by more than five minutes from the server's time {}",
                unit.now
            ),
        ));
    }
    let text = nonce.to_string();
    let is_new = if unit.may_write {
        // Stored until its time window has passed for certain.
        let forget_at = nonce.at().plus(NONCE_WINDOW + NONCE_WINDOW);
        store::api_key::remember_nonce(unit.database, key, &text, forget_at)?
    } else {
        // A malformed request is refused every time, so its nonce need not be stored.
        !store::api_key::is_nonce_known(unit.database, key, &text)?
    };
    if !is_new {
        return Err(Refusal::because(
            Reason::NonceReused,
            "the nonce was already used",
        ));
    }
    Ok(())
}

fn by_session(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    operation: &Description,
) -> Outcome<Caller> {
    let token = session_token(unit.options(), request).ok_or_else(session_over)?;
    cross_site::refuse(unit.options(), request)?;
    let token_hash = secret::digest(token);
    let session = store::session::by_token(unit.database, &token_hash)?
        .filter(|session| session.expires_at > unit.now)
        .ok_or_else(session_over)?;
    if operation.method != Method::GET {
        let given = header(request, header::CSRF).unwrap_or_default();
        if !bool::from(given.as_bytes().ct_eq(session.csrf_token.as_bytes())) {
            return Err(Refusal::because(
                Reason::CsrfInvalid,
                "X-CSRF-Token is missing or wrong",
            ));
        }
    }
    if !session.role.allows(operation.scope) {
        return Err(Refusal::because(
            Reason::ScopeMissing,
            format!(
                "the role {} lacks the scope {}",
                session.role,
                operation.scope.as_str()
            ),
        ));
    }
    let given = header(request, header::STEP_UP).map(secret::digest);
    let in_time = session.step_up_until.is_some_and(|until| until > unit.now);
    let fits = given
        .zip(session.step_up_hash)
        .is_some_and(|(given, stored)| bool::from(given.as_slice().ct_eq(stored.as_slice())));
    let fresh = in_time && fits;
    if operation.step_up && !fresh {
        return Err(not_fresh());
    }
    let organisation = match target(request)? {
        None => session.organisation,
        Some(target) => delegated(unit, operation, session.organisation, target)?,
    };
    Ok(Caller {
        organisation,
        own: session.organisation,
        scopes: session.role.scopes().to_vec(),
        proven: fresh,
        operates_installation: session.installation_operator,
        via: Via::Session {
            user: session.member,
            token_hash,
        },
    })
}
