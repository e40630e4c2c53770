//! Idempotent requests: `Idempotency-Key`.
//!
//! The answer is stored in the transaction of the change, so neither exists without the other. Of two concurrent requests with
//! the same key, the second waits, or conflicts and reruns; then it finds the first one's answer.

use std::time::Duration;

use http::{HeaderValue, Method, Request, Response, StatusCode};
use settlekit_core::catalogue::Description;
use settlekit_core::error::Reason;
use settlekit_core::header;
use sha2::{Digest, Sha256};

use crate::secret::context;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Refusal, Unit};

/// How long an answer is stored.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum key length, in characters.
const KEY_CHARS_MAX: usize = 255;

/// The operations of payers, who are anonymous.
const PAYERS: &str = "checkout";

/// The operations of sessions. Their answers hold tokens of one session, and their requests passwords, whose fingerprint would be
/// faster to guess than their hash.
const SESSIONS: &str = "session";

/// Minimum key length of a payer, in characters, so that two anonymous payers do not choose the same.
const PAYER_KEY_CHARS_MIN: usize = 16;

/// A request with an idempotency key.
pub(crate) struct IdempotentCall {
    caller: String,
    key: String,
    fingerprint: [u8; 32],
}

impl IdempotentCall {
    fn context(&self) -> String {
        context::answer(&self.caller, &self.key)
    }
}

/// The earlier state of a request.
pub(crate) enum EarlierRequest {
    /// It has no key.
    Unkeyed,
    /// It is the first with its key.
    First(IdempotentCall),
    /// It was answered before.
    Answered(Response<Vec<u8>>),
}

pub(crate) fn find(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    operation: &Description,
    caller: Option<&Caller>,
) -> Outcome<EarlierRequest> {
    let Some(value) = request
        .headers()
        .get(header::IDEMPOTENCY_KEY)
        .filter(|_| request.method() != Method::GET)
    else {
        return Ok(EarlierRequest::Unkeyed);
    };
    let malformed = || {
        Refusal::because(
            Reason::IdempotencyKeyMalformed,
            "Idempotency-Key must be 1 to 255 printable characters",
        )
    };
    let key = value.to_str().map_err(|_| malformed())?;
    if key.trim().is_empty() || key.len() > KEY_CHARS_MAX {
        return Err(malformed());
    }
    let (caller, organisation) = match caller {
        Some(_) if operation.room == SESSIONS => return Ok(EarlierRequest::Unkeyed),
        Some(caller) => (caller.name(), caller.organisation.to_string()),
        None if operation.room == PAYERS && key.len() >= PAYER_KEY_CHARS_MIN => {
            (PAYERS.to_owned(), String::new())
        }
        // An anonymous caller must not replay another caller's answer.
        None => return Ok(EarlierRequest::Unkeyed),
    };
    let mut digest = Sha256::new();
    // Path and query only: a repeated request may use another host name or HTTP version.
    let target = request.uri().path_and_query();
    for part in [
        request.method().as_str(),
        target.map_or("", |target| target.as_str()),
        &organisation,
    ] {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    digest.update(request.body());
    let once = IdempotentCall {
        caller,
        key: key.to_owned(),
        fingerprint: digest.finalize().into(),
    };
    match store::idempotency::find(unit.database, &once.caller, &once.key)? {
        Some(found) if found.expires_at <= unit.now => {
            if unit.may_write {
                store::idempotency::forget(unit.database, &once.caller, &once.key)?;
            }
            Ok(EarlierRequest::First(once))
        }
        Some(found) if found.fingerprint != once.fingerprint => Err(Refusal::because(
            Reason::IdempotencyKeyReused,
            "Idempotency-Key was already used with a different request",
        )),
        Some(found) => {
            let body = unit.open(&once.context(), &found.body);
            let body =
                body.ok_or_else(|| StoreError::Damaged("a kept answer cannot be opened".into()))?;
            let mut response = Response::new(body);
            *response.status_mut() = StatusCode::from_u16(found.status).unwrap_or(StatusCode::OK);
            let headers = response.headers_mut();
            headers.insert(
                http::header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
            headers.insert(
                header::IDEMPOTENT_REPLAYED,
                HeaderValue::from_static("true"),
            );
            Ok(EarlierRequest::Answered(response))
        }
        None => Ok(EarlierRequest::First(once)),
    }
}

/// Stores an answer for the next request with the key.
pub(crate) fn keep(
    unit: &mut Unit<'_>,
    once: &IdempotentCall,
    response: &Response<Vec<u8>>,
) -> Outcome<()> {
    let expires_at = unit.now.plus(KEPT);
    // Answers may hold secrets, such as a new API key.
    let body = unit.seal(&once.context(), response.body())?;
    store::idempotency::keep(
        unit.database,
        &once.caller,
        &once.key,
        &store::idempotency::StoredAnswer {
            fingerprint: once.fingerprint,
            status: response.status().as_u16(),
            body,
            expires_at,
        },
    )?;
    Ok(())
}
