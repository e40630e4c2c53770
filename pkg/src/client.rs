//! Requests and responses of the JavaScript client as data: builds signed requests, reads records and errors.

use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};
use settlekit_core::call::{Arguments, Failure, Outline, failure};
use settlekit_core::error::{ApiError, ErrorDetail, Reason};
use settlekit_core::operation::{Auth, Operation, PathParams, Wire};
use settlekit_core::sign::{Nonce, sign};
use settlekit_core::validate::Report;
use settlekit_core::value::Timestamp;
use settlekit_core::{PREFIX, for_each_operation, header};
use settlekit_forms::numbers::numbers_from_text;
use settlekit_forms::{form, forms, scan};
use wasm_bindgen::prelude::wasm_bindgen;

// Static names: creating them at run time would link a table of all known header names.
const API_KEY: HeaderName = HeaderName::from_static(header::API_KEY);
const ORGANISATION: HeaderName = HeaderName::from_static(header::ORGANISATION);
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static(header::IDEMPOTENCY_KEY);

/// Error domain of requests without an operation.
const RAW: &str = "request";

/// Address and credentials of the caller.
struct Credentials {
    /// Address without the version prefix.
    base_url: String,
    api_key: Option<String>,
    signing_secret: Option<String>,
    /// Sub-merchant that a partner acts for.
    org_id: Option<String>,
    idempotency_key: Option<String>,
}

impl Credentials {
    fn read(text: &str) -> Result<Self, Refusal> {
        let given = object(text, "the credentials")?;
        let text = |name| given.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            base_url: text("baseUrl").unwrap_or_default(),
            api_key: text("apiKey"),
            signing_secret: text("signingSecret"),
            org_id: text("orgId"),
            idempotency_key: text("idempotencyKey"),
        })
    }
}

pub(crate) fn object(text: &str, what: &str) -> Result<Map<String, Value>, Refusal> {
    match scan::tree(text.as_bytes()) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(unusable(format!("{what} must be one JSON object"))),
    }
}

/// A request to send with `fetch`.
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

/// Error kinds of the JavaScript API.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Authentication,
    Permission,
    NotFound,
    Validation,
    Conflict,
    RateLimit,
    Api,
}

#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    kind: Kind,
    /// HTTP status; none if the request was not sent.
    status: Option<u16>,
    message: String,
    errors: Vec<ErrorDetail>,
    request_id: Option<String>,
    /// `Retry-After` of the response.
    retry_after_seconds: Option<u32>,
    /// Server time of a nonce time error.
    server_time_ms: Option<i64>,
    /// Whether the same request may succeed later.
    transient: bool,
}

/// Builds the request of an operation.
///
/// `arguments` is a JSON object with the parameters of path, query and body; `credentials` is a JSON object `{baseUrl, apiKey?,
/// signingSecret?, orgId?, idempotencyKey?}`; `now_ms` is Unix milliseconds; `random` is ten random bytes for the nonce. Returns
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
        request(
            description,
            arguments,
            &Credentials::read(credentials)?,
            Timestamp::from_millis(now_ms as i64),
            random,
        )
    });
    prepared(outcome)
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
    let outcome = Credentials::read(credentials).and_then(|credentials| {
        let target = target.strip_prefix(PREFIX).unwrap_or(target);
        if !target.starts_with('/') {
            let message = "the path of a request must start with a slash";
            return Err(local(RAW, Reason::RequestMalformed, message));
        }
        let uri = [base_of(&credentials.base_url), PREFIX, target].concat();
        let has_body = body.is_some();
        let body = body.unwrap_or_default().into_bytes();
        let mut request = build(method, uri, body)?;
        if has_body {
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
        }
        let now = Timestamp::from_millis(now_ms as i64);
        carry(request, RAW, signed, &credentials, now, random)
    });
    prepared(outcome)
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
    let outcome = Credentials::read(credentials).and_then(|credentials| {
        let request = build(method, url.to_owned(), body)?;
        let now = Timestamp::from_millis(now_ms as i64);
        carry(request, RAW, true, &credentials, now, random)
    });
    prepared(outcome)
}

fn build(method: &str, uri: String, body: Vec<u8>) -> Result<Request<Vec<u8>>, Refusal> {
    let request = Request::builder().method(method).uri(uri).body(body);
    request.map_err(|error| unusable(format!("the request is not well formed: {error}")))
}

fn prepared(outcome: Result<Request<Vec<u8>>, Refusal>) -> String {
    match outcome {
        Ok(request) => wrap("ok", &to_prepared(request)),
        Err(refusal) => wrap("error", &refusal),
    }
}

/// Reads the error of an unsuccessful response, in the format of [`read_answer`].
#[wasm_bindgen]
pub fn read_refusal(status: u16, headers: &str, body: Vec<u8>) -> String {
    let refusal = match status_code(status) {
        Ok(code) => {
            let body = scan::tree(&body).unwrap_or_default();
            refused(
                failure(code, &body, String::new()),
                status,
                in_json(headers),
            )
        }
        Err(refusal) => refusal,
    };
    wrap("error", &refusal)
}

fn status_code(status: u16) -> Result<StatusCode, Refusal> {
    StatusCode::from_u16(status)
        .map_err(|_| unusable(format!("{status} is not a status code of HTTP")))
}

/// Looks up response headers by their lower-case names.
fn in_json(headers: &str) -> impl Fn(&str) -> Option<String> {
    let headers = object(headers, "the headers").unwrap_or_default();
    move |name| headers.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// Reads the response to an operation.
///
/// `headers` is a JSON object with lower-case names; the body is bytes, which cross the boundary faster than text. Returns
/// `{"ok": record}`, with exact numbers as strings, or `{"error": …}`.
#[wasm_bindgen]
pub fn read_answer(operation: &str, status: u16, headers: &str, body: Vec<u8>) -> String {
    let outcome = find(operation).and_then(|description| {
        let status = status_code(status)?;
        record(description, status, &body)
            .map_err(|failure| refused(failure, status.as_u16(), in_json(headers)))
    });
    match outcome {
        Ok(text) => text,
        Err(refusal) => wrap("error", &refusal),
    }
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
    answer: impl FnOnce(&Request<Vec<u8>>) -> http::Response<Vec<u8>>,
) -> String {
    let outcome = find(operation).and_then(|description| {
        let credentials = Credentials::read(credentials)?;
        let mut request = request(description, arguments, &credentials, now, random)?;
        // The service expects path and query only.
        if let Some(target) = request.uri().path_and_query().cloned() {
            *request.uri_mut() = target.into();
        }
        let response = answer(&request);
        record(description, response.status(), response.body()).map_err(|failure| {
            refused(failure, response.status().as_u16(), |name| {
                let value = response.headers().get(name)?;
                value.to_str().ok().map(str::to_owned)
            })
        })
    });
    outcome.unwrap_or_else(|refusal| wrap("error", &refusal))
}

/// The client's part of an operation's description. Using core's catalogue would link all of it.
pub(crate) struct Description {
    id: &'static str,
    pub(crate) room: &'static str,
    auth: Auth,
    outflow: bool,
    path_params: &'static [&'static str],
    pub(crate) outline: Outline,
    wire: Wire,
}

const fn describe<O: Operation>() -> Description {
    Description {
        id: O::ID,
        room: O::ROOM,
        auth: O::AUTH,
        outflow: O::OUTFLOW,
        path_params: O::Path::NAMES,
        outline: Outline::of::<O>(),
        wire: O::WIRE,
    }
}

pub(crate) fn find(operation: &str) -> Result<&'static Description, Refusal> {
    macro_rules! visit {
        ($operation:path) => {
            if operation == <$operation as Operation>::ID {
                return Ok(const { &describe::<$operation>() });
            }
        };
    }
    for_each_operation!(visit);
    Err(unusable(format!("there is no operation `{operation}`")))
}

fn request(
    description: &Description,
    arguments: &str,
    credentials: &Credentials,
    now: Timestamp,
    random: &[u8],
) -> Result<Request<Vec<u8>>, Refusal> {
    let arguments = sort_out(description, object(arguments, "the arguments")?);
    let request = description
        .outline
        .request(base_of(&credentials.base_url), arguments)
        .map_err(|report| errors(&report, description.room))?;
    // Operations that may send money out are signed if there is a secret.
    let may_sign = description.outflow && credentials.signing_secret.is_some();
    let signed = description.auth == Auth::Signed || may_sign;
    carry(request, description.room, signed, credentials, now, random)
}

/// The address without the version prefix.
fn base_of(url: &str) -> &str {
    let base = url.trim_end_matches('/');
    base.strip_suffix(PREFIX).unwrap_or(base)
}

/// Adds credentials and signature to a request.
fn carry(
    mut request: Request<Vec<u8>>,
    room: &str,
    signed: bool,
    credentials: &Credentials,
    now: Timestamp,
    random: &[u8],
) -> Result<Request<Vec<u8>>, Refusal> {
    let idempotency_key = credentials.idempotency_key.as_ref();
    let idempotency_key = idempotency_key.filter(|_| request.method() != Method::GET);
    for (name, value) in [
        (API_KEY, credentials.api_key.as_ref()),
        (ORGANISATION, credentials.org_id.as_ref()),
        (IDEMPOTENCY_KEY, idempotency_key),
    ] {
        if let Some(value) = value {
            set(&mut request, name, value, room)?;
        }
    }
    // Requests for a sub-merchant must be signed.
    if signed || credentials.org_id.is_some() {
        let Some(secret) = &credentials.signing_secret else {
            let message = "the operation must be signed: set the client's signing secret";
            return Err(local(room, Reason::SignatureMissing, message));
        };
        let random = random
            .try_into()
            .map_err(|_| unusable("a nonce needs ten random bytes".to_owned()))?;
        sign(&mut request, secret, Nonce::new(now, random));
    }
    Ok(request)
}

/// Splits the arguments into path, query and body. Unknown names go where core reports them.
pub(crate) fn sort_out(description: &Description, given: Map<String, Value>) -> Arguments {
    let mut arguments = Arguments::default();
    let mut body = Map::new();
    for (name, value) in given {
        if description.path_params.contains(&name.as_str()) {
            arguments.path.insert(name, value);
        } else if description.outline.body_fields().is_empty()
            || description.outline.query_params().contains(&name.as_str())
        {
            arguments.query.insert(name, value);
        } else {
            body.insert(name, value);
        }
    }
    if !description.outline.body_fields().is_empty() {
        arguments.body = Some(to_body(description, Value::Object(body)));
    }
    arguments
}

/// A body for core: exact numbers may be given as text.
pub(crate) fn to_body(description: &Description, mut body: Value) -> Value {
    numbers_from_text(&mut body, forms::body(description.id));
    body
}

fn set(
    request: &mut Request<Vec<u8>>,
    name: HeaderName,
    value: &str,
    room: &str,
) -> Result<(), Refusal> {
    let value = HeaderValue::try_from(value).map_err(|_| {
        local(
            room,
            Reason::RequestMalformed,
            &format!("the value for {name} cannot be sent in a header"),
        )
    })?;
    request.headers_mut().insert(name, value);
    Ok(())
}

fn to_prepared(request: Request<Vec<u8>>) -> Prepared {
    let (parts, body) = request.into_parts();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut headers = Map::new();
    for (name, value) in &parts.headers {
        headers.insert(name.to_string(), Value::String(text(value.as_bytes())));
    }
    Prepared {
        repeatable: parts.method == Method::GET || parts.headers.contains_key(IDEMPOTENCY_KEY),
        method: parts.method.to_string(),
        url: parts.uri.to_string(),
        headers,
        body: (!body.is_empty()).then(|| text(&body)),
        secrets: [header::API_KEY, header::SIGNATURE],
    }
}

/// The record of a response, as `{"ok": …}`.
fn record(description: &Description, status: StatusCode, body: &[u8]) -> Result<String, Failure> {
    let mut message = String::new();
    if status.is_success() {
        let form = forms::answer(description.id);
        let mut out = String::with_capacity(body.len() + 16);
        out.push_str("{\"ok\":");
        let read = match description.wire {
            Wire::Bare => form::translate(body, form, &mut out),
            Wire::Envelope | Wire::List => form::translate_data(body, form, &mut out),
        };
        match read {
            Ok(()) => {
                out.push('}');
                return Ok(out);
            }
            Err(error) => message = error,
        }
    }
    let body = scan::tree(body).unwrap_or_default();
    Err(failure(status, &body, message))
}

pub(crate) fn wrap<T: Serialize>(name: &str, value: &T) -> String {
    // Both types that occur here are always serialisable.
    let text = serde_json::to_string(value).unwrap_or_default();
    format!("{{\"{name}\":{text}}}")
}

fn refused(failure: Failure, status: u16, find_header: impl Fn(&str) -> Option<String>) -> Refusal {
    // Only a nonce time error can be fixed by adjusting the clock.
    let late = errors_of(&failure)
        .iter()
        .any(|detail| detail.reason == Reason::NonceOutOfWindow.as_str());
    let (message, errors) = match failure {
        Failure::Refused(ApiError {
            message, errors, ..
        }) => (message, errors),
        unreadable @ Failure::Unreadable { .. } => (unreadable.to_string(), Vec::new()),
    };
    Refusal {
        kind: kind(status),
        status: Some(status),
        message,
        errors,
        request_id: find_header(header::REQUEST_ID),
        retry_after_seconds: find_header(header::RETRY_AFTER)
            .and_then(|seconds| seconds.parse().ok()),
        server_time_ms: find_header(header::SERVER_TIME)
            .filter(|_| late)
            .and_then(|time| time.parse().ok())
            .map(Timestamp::millis),
        transient: matches!(status, 408 | 429 | 502..=504),
    }
}

fn errors_of(failure: &Failure) -> &[ErrorDetail] {
    match failure {
        Failure::Refused(error) => &error.errors,
        Failure::Unreadable { .. } => &[],
    }
}

const fn kind(status: u16) -> Kind {
    match status {
        401 => Kind::Authentication,
        403 => Kind::Permission,
        404 => Kind::NotFound,
        400 | 413 | 422 => Kind::Validation,
        409 => Kind::Conflict,
        429 => Kind::RateLimit,
        _ => Kind::Api,
    }
}

/// The error of a request that fails validation, identical to the service's.
pub(crate) fn errors(report: &Report, room: &str) -> Refusal {
    match report.to_error(room) {
        Some(error) => Refusal {
            message: error.message,
            errors: error.errors,
            ..unusable(String::new())
        },
        None => unusable("the request cannot be made".to_owned()),
    }
}

pub(crate) fn local(room: &str, reason: Reason, message: &str) -> Refusal {
    let detail = ErrorDetail {
        domain: room.to_owned(),
        reason: reason.as_str().to_owned(),
        field: None,
        message: message.to_owned(),
    };
    Refusal {
        kind: kind(reason.status().as_u16()),
        errors: vec![detail],
        ..unusable(message.to_owned())
    }
}

/// An error for a request that cannot be sent.
pub(crate) fn unusable(message: String) -> Refusal {
    Refusal {
        kind: Kind::Validation,
        status: None,
        message,
        errors: Vec::new(),
        request_id: None,
        retry_after_seconds: None,
        server_time_ms: None,
        transient: false,
    }
}
