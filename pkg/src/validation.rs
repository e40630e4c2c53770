//! Validation without sending, and signatures for other transports.

use http::Request;
use serde_json::{Map, Value};
use settlekit_core::error::{ErrorDetail, Reason};
use settlekit_core::header;
use settlekit_core::sign;
use settlekit_core::validate::Report;
use settlekit_core::value::Timestamp;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{Description, Refusal, find, object, sort_out, to_body, unusable, wrap};
use crate::scan;

/// Validates the arguments of an operation.
///
/// `part` is `all`, `query` or `body`; `given` is JSON, or empty for none. Returns `{"ok": [error, …]}`, an empty list if the arguments are valid, or
/// `{"error": …}` if there is no such operation.
#[wasm_bindgen]
pub fn validate(operation: &str, part: &str, given: &str) -> String {
    outcome(find(operation).and_then(|description| {
        let given = match given {
            "" => Value::Object(Map::new()),
            text => scan::tree(text.as_bytes())
                .map_err(|error| unusable(format!("the arguments are not JSON: {error}")))?,
        };
        Ok(details(&report(description, part, given), description))
    }))
}

/// Validates one field of an operation, with everything within it.
///
/// `given` is a JSON object with the field and all other arguments that are known so far. Returns the same as [`validate`].
#[wasm_bindgen]
pub fn validate_field(operation: &str, field: &str, given: &str) -> String {
    outcome(find(operation).and_then(|description| {
        let given = object(given, "the arguments")?;
        let mut report = report(description, "all", Value::Object(given));
        report.keep_field(field);
        Ok(details(&report, description))
    }))
}

fn report(description: &Description, part: &str, given: Value) -> Report {
    match (part, given) {
        ("body", body) => {
            let body = to_body(description, body);
            description.outline.validate_body(Some(body))
        }
        ("query", Value::Object(query)) => description.outline.validate_query(&query),
        (_, Value::Object(arguments)) => description
            .outline
            .validate(sort_out(description, arguments)),
        _ => {
            let mut report = Report::default();
            report.refuse(Reason::WrongType, "the arguments must be one object");
            report
        }
    }
}

fn details(report: &Report, description: &Description) -> Vec<ErrorDetail> {
    let error = report.to_error(description.room);
    error.map(|error| error.errors).unwrap_or_default()
}

fn outcome(details: Result<Vec<ErrorDetail>, Refusal>) -> String {
    match details {
        Ok(details) => wrap("ok", &details),
        Err(refusal) => wrap("error", &refusal),
    }
}

/// Signs a complete request.
///
/// `url` is the address as sent, `random` ten random bytes for the nonce. Returns `{"ok": headers}` with the nonce and the
/// signature, or `{"error": …}`.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "JavaScript passes plain values")]
pub fn sign_request(
    method: &str,
    url: &str,
    body: Vec<u8>,
    org_id: Option<String>,
    secret: &str,
    now_ms: f64,
    random: &[u8],
) -> String {
    let signed = || {
        let mut request = Request::builder().method(method).uri(url);
        if let Some(organisation) = org_id {
            request = request.header(header::ORGANISATION, organisation);
        }
        let mut request = request
            .body(body)
            .map_err(|error| unusable(format!("the request is not well formed: {error}")))?;
        let random = random
            .try_into()
            .map_err(|_| unusable("a nonce needs ten random bytes".to_owned()))?;
        let now = Timestamp::from_millis(now_ms as i64);
        sign::sign(&mut request, secret, sign::Nonce::new(now, random));
        let mut headers = Map::new();
        for name in [header::NONCE, header::SIGNATURE] {
            let value = request
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok());
            headers.insert(name.to_owned(), value.unwrap_or_default().into());
        }
        Ok::<_, Refusal>(headers)
    };
    match signed() {
        Ok(headers) => wrap("ok", &headers),
        Err(refusal) => wrap("error", &refusal),
    }
}
