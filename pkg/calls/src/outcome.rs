//! Outcomes as JSON text: `{"ok": …}` or `{"error": …}`.
//!
//! All serialisation is in this crate: in another one, generic functions would be compiled again.

use http::Request;
use serde::Serialize;
use serde_json::{Map, Value};
use settlekit_core::error::ErrorDetail;
use settlekit_core::header;

use crate::error::CallError;
use crate::operation::Description;
use crate::request::is_repeatable;
use crate::value;

/// A request to send.
#[derive(Debug, Serialize)]
struct Prepared {
    method: String,
    url: String,
    headers: Map<String, Value>,
    body: Option<String>,
    /// Whether a retry is safe.
    repeatable: bool,
    /// Names of the headers that hold secrets.
    secrets: [&'static str; 2],
}

/// A request as `{"ok": {method, url, headers, body, repeatable, secrets}}`, or its error.
pub fn of_request(outcome: Result<Request<Vec<u8>>, CallError>) -> String {
    match outcome {
        Ok(request) => wrap("ok", &to_prepared(request)),
        Err(error) => of_error(&error),
    }
}

fn to_prepared(request: Request<Vec<u8>>) -> Prepared {
    let repeatable = is_repeatable(&request);
    let (parts, body) = request.into_parts();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut headers = Map::new();
    for (name, value) in &parts.headers {
        headers.insert(name.to_string(), Value::String(text(value.as_bytes())));
    }
    Prepared {
        repeatable,
        method: parts.method.to_string(),
        url: parts.uri.to_string(),
        headers,
        body: (!body.is_empty()).then(|| text(&body)),
        secrets: [header::API_KEY, header::SIGNATURE],
    }
}

/// The record of a response as `{"ok": …}`.
///
/// # Errors
/// Those of [`Description::read`].
pub fn of_record(
    description: &Description,
    status: u16,
    find_header: &dyn Fn(&str) -> Option<String>,
    body: &[u8],
) -> Result<String, CallError> {
    let mut out = String::with_capacity(body.len() + 16);
    out.push_str("{\"ok\":");
    description.read(status, find_header, body, &mut out)?;
    out.push('}');
    Ok(out)
}

/// A value in canonical form, as text or integer, or its error.
pub fn of_value(kind: &str, text: &str) -> String {
    match value::parse(kind, text) {
        Ok(text) if value::is_integer(kind) => format!("{{\"ok\":{text}}}"),
        Ok(text) => wrap("ok", &text),
        Err(error) => of_error(&error),
    }
}

/// Validation errors as a JSON array.
pub fn of_details(errors: &[ErrorDetail]) -> String {
    to_json(&errors)
}

/// An error alone.
pub fn of_error(error: &CallError) -> String {
    wrap("error", error)
}

fn wrap<T: Serialize>(name: &str, value: &T) -> String {
    format!("{{\"{name}\":{}}}", to_json(value))
}

fn to_json<T: Serialize>(value: &T) -> String {
    // The types that occur here are always serialisable.
    serde_json::to_string(value).unwrap_or_default()
}
