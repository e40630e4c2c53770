//! Requests and responses of the JavaScript client as data: builds signed requests, reads records and errors.

#[cfg(feature = "sandbox")]
use http::{Request, Response};
use settlekit_calls::operation::find;
use settlekit_calls::request::{Credentials, raw, signed as sign};
use settlekit_calls::{outcome, response};
use settlekit_core::value::Timestamp;
use wasm_bindgen::prelude::wasm_bindgen;

/// Builds the request of an operation.
///
/// `arguments` is a JSON object with the parameters of path, query and body; `credentials` is a JSON object `{baseUrl, apiKey?,
/// signingSecret?, orgId?, idempotencyKey?, nonce?, foreign?}`; `now_ms` is Unix milliseconds; `random` is ten random bytes for the nonce. Returns
/// `{"ok": {method, url, headers, body, repeatable}}` or `{"error": …}`.
#[wasm_bindgen]
pub fn prepare(
    operation: &str,
    arguments: &str,
    credentials: &str,
    now_ms: f64,
    random: &[u8],
) -> String {
    let outcome = find(operation).and_then(|description| {
        let credentials = Credentials::read(credentials)?;
        let now = Timestamp::from_millis(now_ms as i64);
        description.request(arguments, &credentials, now, random)
    });
    outcome::of_request(outcome)
}

/// Builds a request outside the catalogue: `target` is path and query below the version prefix, `body` JSON text. Validates only
/// that it can be sent. Returns the same as [`prepare`].
#[wasm_bindgen]
pub fn prepare_raw(
    method: &str,
    target: &str,
    body: Option<String>,
    signed: bool,
    credentials: &str,
    now_ms: f64,
    random: &[u8],
) -> String {
    let now = Timestamp::from_millis(now_ms as i64);
    let outcome = Credentials::read(credentials)
        .and_then(|credentials| raw(method, target, body, signed, &credentials, now, random));
    outcome::of_request(outcome)
}

/// Signs a complete request: adds the nonce and the signature.
///
/// `url` is the address as sent, `random` ten random bytes for the nonce. Returns the same as [`prepare`].
#[wasm_bindgen]
pub fn sign_request(
    method: &str,
    url: &str,
    body: Vec<u8>,
    credentials: &str,
    now_ms: f64,
    random: &[u8],
) -> String {
    let now = Timestamp::from_millis(now_ms as i64);
    let outcome = Credentials::read(credentials)
        .and_then(|credentials| sign(method, url, body, &credentials, now, random));
    outcome::of_request(outcome)
}

/// Reads the error of an unsuccessful response, in the format of [`read_answer`].
#[wasm_bindgen]
pub fn read_refusal(status: u16, headers: &str, body: Vec<u8>) -> String {
    outcome::of_error(&response::error(status, &response::headers(headers), &body))
}

/// Reads the response to an operation.
///
/// `headers` is a JSON object with lower-case names; the body is bytes, which cross the boundary faster than text. Returns
/// `{"ok": record}`, with exact numbers as strings, or `{"error": …}`.
#[wasm_bindgen]
pub fn read_answer(operation: &str, status: u16, headers: &str, body: Vec<u8>) -> String {
    let outcome = find(operation).and_then(|description| {
        outcome::of_record(description, status, &response::headers(headers), &body)
    });
    outcome.unwrap_or_else(|error| outcome::of_error(&error))
}

/// A complete call to a service in the same module: arguments of [`prepare`], result of [`read_answer`]. Request and response stay
/// inside wasm.
#[cfg(feature = "sandbox")]
pub(crate) fn call(
    operation: &str,
    arguments: &str,
    credentials: &str,
    now: Timestamp,
    random: &[u8],
    answer: impl FnOnce(&Request<Vec<u8>>) -> Response<Vec<u8>>,
) -> String {
    let outcome = find(operation).and_then(|description| {
        let credentials = Credentials::read(credentials)?;
        let mut request = description.request(arguments, &credentials, now, random)?;
        // The service expects path and query only.
        if let Some(target) = request.uri().path_and_query().cloned() {
            *request.uri_mut() = target.into();
        }
        let response = answer(&request);
        let find_header = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let status = response.status().as_u16();
        outcome::of_record(description, status, &find_header, response.body())
    });
    outcome.unwrap_or_else(|error| outcome::of_error(&error))
}
