//! Requests and responses as data, without I/O.

use std::fmt;

use http::{Method, Request, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::PREFIX;
use crate::envelope::{Data, error_within};
use crate::error::{ApiError, Reason};
use crate::field::{
    Body, Nothing, Query, check_object, object_within, query_text, read_body, read_pairs,
    read_query,
};
use crate::operation::{NoPath, Operation, PathParams, Wire};
use crate::validate::{Report, Validate};

/// Escapes all but the unreserved characters of RFC 3986 in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// One call of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<O: Operation> {
    /// Path parameters.
    pub path: O::Path,
    /// Query.
    pub query: O::Query,
    /// Body.
    pub body: O::Body,
}

impl<O: Operation> Call<O> {
    /// Path and query as on the wire, starting with the version prefix.
    pub fn target(&self) -> String {
        let mut pairs = Vec::new();
        self.query.to_pairs(&mut pairs);
        target(O::PATH, &self.path.to_texts(), &pairs)
    }

    /// The HTTP request for the service at `base`, the address before the version prefix (`https://pay.example`).
    ///
    /// # Errors
    /// Validation errors of the operation's own rules: an invalid call is not sent.
    pub fn to_http(&self, base: &str) -> Result<Request<Vec<u8>>, Report> {
        let mut report = Report::default();
        self.query.validate(&mut report);
        self.body.validate(&mut report);
        if !report.is_clean() {
            return Err(report);
        }
        request(O::METHOD, base, &self.target(), self.body.to_bytes())
    }

    /// Reads a received request that the router has matched: `find` returns decoded path parameters.
    ///
    /// # Errors
    /// All validation errors of path, query and body, in that order.
    pub fn from_http(
        request: &Request<Vec<u8>>,
        find: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Report> {
        let mut report = Report::default();
        let path = O::Path::from_texts(find, &mut report);
        let query = read_query::<O::Query>(request.uri().query().unwrap_or_default(), &mut report);
        let body = read_body::<O::Body>(request.body(), &mut report);
        match (path, query, body) {
            (Some(path), Some(query), Some(body)) if report.is_clean() => {
                Ok(Self { path, query, body })
            }
            _ => Err(report),
        }
    }
}

impl<O: Operation<Query = Nothing, Body = Nothing>> Call<O> {
    /// A call with a path only.
    pub const fn at(path: O::Path) -> Self {
        Self {
            path,
            query: Nothing {},
            body: Nothing {},
        }
    }
}

impl<O: Operation<Path = NoPath, Query = Nothing, Body = Nothing>> Call<O> {
    /// A call without path, query and body.
    pub const fn plain() -> Self {
        Self::at(NoPath)
    }
}

impl<O: Operation<Path = NoPath, Body = Nothing>> Call<O> {
    /// A call with a query only.
    pub const fn with_query(query: O::Query) -> Self {
        Self {
            path: NoPath,
            query,
            body: Nothing {},
        }
    }
}

impl<O: Operation<Path = NoPath, Query = Nothing>> Call<O> {
    /// A call with a body only.
    pub const fn with_body(body: O::Body) -> Self {
        Self {
            path: NoPath,
            query: Nothing {},
            body,
        }
    }
}

fn target(template: &str, texts: &[String], pairs: &[(&'static str, String)]) -> String {
    let mut target = String::from(PREFIX);
    let mut rest = template;
    for text in texts {
        let Some((before, after)) = rest.split_once('{') else {
            break;
        };
        target.push_str(before);
        target.extend(utf8_percent_encode(text, SEGMENT));
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    target.push_str(rest);
    if !pairs.is_empty() {
        target.push('?');
        target.push_str(&query_text(pairs));
    }
    target
}

fn request(
    method: Method,
    base: &str,
    target: &str,
    body: Option<Vec<u8>>,
) -> Result<Request<Vec<u8>>, Report> {
    let mut request = Request::builder()
        .method(method)
        .uri([base.trim_end_matches('/'), target].concat());
    if body.is_some() {
        request = request.header(http::header::CONTENT_TYPE, "application/json");
    }
    request
        .header(http::header::ACCEPT, "application/json")
        .body(body.unwrap_or_default())
        .map_err(|error| {
            let mut report = Report::default();
            report.refuse(
                Reason::RequestMalformed,
                format!("the URL of the service is malformed: {error}"),
            );
            report
        })
}

/// An operation reduced to building requests from loosely typed arguments.
///
/// Holds one function per type of path, query and body instead of code per operation: clients link the whole catalogue, so
/// another operation must cost almost no bytes.
#[derive(Debug, Clone)]
pub struct Outline {
    method: Method,
    path: &'static str,
    query_params: &'static [&'static str],
    body_fields: &'static [&'static str],
    path_texts: PathTexts,
    query_pairs: QueryPairs,
    check_body: CheckBody,
}

type PathTexts = fn(&dyn Fn(&str) -> Option<String>, &mut Report) -> Option<Vec<String>>;
type QueryPairs = fn(&[(String, String)], &mut Report) -> Option<Vec<(&'static str, String)>>;
type CheckBody = fn(&Map<String, Value>, &mut Report);

fn path_texts<P: PathParams>(
    find: &dyn Fn(&str) -> Option<String>,
    report: &mut Report,
) -> Option<Vec<String>> {
    Some(P::from_texts(find, report)?.to_texts())
}

fn query_pairs<Q: Query>(
    given: &[(String, String)],
    report: &mut Report,
) -> Option<Vec<(&'static str, String)>> {
    let query = read_pairs::<Q>(given, report)?;
    let mut pairs = Vec::new();
    query.to_pairs(&mut pairs);
    Some(pairs)
}

impl Outline {
    /// Outline of an operation.
    pub const fn of<O: Operation>() -> Self {
        Self {
            method: O::METHOD,
            path: O::PATH,
            query_params: O::Query::FIELDS,
            body_fields: O::Body::FIELDS,
            path_texts: path_texts::<O::Path>,
            query_pairs: query_pairs::<O::Query>,
            check_body: |fields, report| drop(check_object::<O::Body>(fields, report)),
        }
    }

    /// Builds the request from loosely typed arguments of a form or a JavaScript caller.
    ///
    /// The body is sent as given, without nulls, after it passes the operation's own validation.
    ///
    /// # Errors
    /// All validation errors of path, query and body, in that order.
    pub fn request(&self, base: &str, arguments: Arguments) -> Result<Request<Vec<u8>>, Report> {
        self.request_to(base, arguments, false)
    }

    /// [`Outline::request`] for a service whose ids may have forms of their own.
    ///
    /// # Errors
    /// As [`Outline::request`].
    pub fn request_to(
        &self,
        base: &str,
        arguments: Arguments,
        is_foreign: bool,
    ) -> Result<Request<Vec<u8>>, Report> {
        let mut report = Report::of_foreign(is_foreign);
        let texts = self.read_path(&arguments.path, &mut report);
        let pairs = self.read_query(&arguments.query, &mut report);
        let fields = self.read_body(arguments.body, &mut report);
        match (texts, pairs, fields) {
            (Some(texts), Some(pairs), Some(mut fields)) if report.is_clean() => {
                let body = (!self.body_fields.is_empty()).then(|| {
                    fields.retain(|_, value| !value.is_null());
                    serde_json::to_vec(&fields).unwrap_or_default()
                });
                let target = target(self.path, &texts, &pairs);
                request(self.method.clone(), base, &target, body)
            }
            _ => Err(report),
        }
    }

    /// Validates loosely typed arguments: reports what [`Outline::request`] would reject.
    pub fn validate(&self, arguments: Arguments) -> Report {
        let mut report = Report::default();
        self.read_path(&arguments.path, &mut report);
        self.read_query(&arguments.query, &mut report);
        self.read_body(arguments.body, &mut report);
        report
    }

    /// Validates query parameters alone.
    pub fn validate_query(&self, given: &Map<String, Value>) -> Report {
        let mut report = Report::default();
        self.read_query(given, &mut report);
        report
    }

    /// Validates a body alone.
    pub fn validate_body(&self, body: Option<Value>) -> Report {
        let mut report = Report::default();
        self.read_body(body, &mut report);
        report
    }

    fn read_path(&self, given: &Map<String, Value>, report: &mut Report) -> Option<Vec<String>> {
        (self.path_texts)(&|name| given.get(name).map(text_of), report)
    }

    fn read_query(
        &self,
        given: &Map<String, Value>,
        report: &mut Report,
    ) -> Option<Vec<(&'static str, String)>> {
        let given: Vec<(String, String)> = given
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), text_of(value)))
            .collect();
        (self.query_pairs)(&given, report)
    }

    fn read_body(&self, body: Option<Value>, report: &mut Report) -> Option<Map<String, Value>> {
        let fields = object_within(body, report)?;
        (self.check_body)(&fields, report);
        Some(fields)
    }

    /// Query parameters.
    pub const fn query_params(&self) -> &'static [&'static str] {
        self.query_params
    }

    /// Body fields.
    pub const fn body_fields(&self) -> &'static [&'static str] {
        self.body_fields
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        // Lists in paths and queries are comma-separated.
        Value::Array(entries) => entries.iter().map(text_of).collect::<Vec<_>>().join(","),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

/// Loosely typed arguments of a call, by name.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(default)]
pub struct Arguments {
    /// Path parameters.
    pub path: Map<String, Value>,
    /// Query parameters; null means absent.
    pub query: Map<String, Value>,
    /// Body.
    pub body: Option<Value>,
}

/// Why a response holds no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The service answered with an error; its `code` is the status.
    Refused(ApiError),
    /// The response does not match the operation.
    Unreadable {
        /// HTTP status.
        status: u16,
        /// Error, for logs.
        message: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => fmt::Display::fmt(error, f),
            Self::Unreadable { status, message } => {
                write!(f, "the answer (status {status}) cannot be read: {message}")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Reads the response to an operation.
///
/// # Errors
/// [`Failure::Refused`] for an error envelope or a body with `error: true`, otherwise [`Failure::Unreadable`].
pub fn read<O: Operation>(response: &Response<Vec<u8>>) -> Result<O::Response, Failure> {
    read_as::<O, O::Response>(response)
}

/// Reads the response to an operation as another type, such as one with the further fields of another service.
///
/// # Errors
/// As [`read`].
pub fn read_as<O: Operation, T: DeserializeOwned>(
    response: &Response<Vec<u8>>,
) -> Result<T, Failure> {
    let mut message = String::new();
    if response.status().is_success() {
        let record = match O::WIRE {
            Wire::Bare => serde_json::from_slice(response.body()),
            Wire::Envelope | Wire::List => {
                serde_json::from_slice::<Data<T>>(response.body()).map(|envelope| envelope.data)
            }
        };
        match record {
            Ok(record) => return Ok(record),
            Err(error) => message = error.to_string(),
        }
        if O::WIRE == Wire::Bare {
            return Err(Failure::Unreadable {
                status: response.status().as_u16(),
                message,
            });
        }
    }
    let body = serde_json::from_slice(response.body()).unwrap_or_default();
    Err(failure(response.status(), &body, message))
}

/// The failure of a response without a record. `message` says why there is none; `body` is null if it is not JSON.
pub fn failure(status: StatusCode, body: &Value, message: String) -> Failure {
    match error_within(body, status.as_u16()) {
        Some(error) => Failure::Refused(error),
        None => Failure::Unreadable {
            status: status.as_u16(),
            message: if status.is_success() {
                message
            } else {
                "it is not an error envelope".into()
            },
        },
    }
}

impl Failure {
    /// Whether the service does not have the operation, as `docs/decisions/0112-other-services.md` decides.
    ///
    /// `names_record` is whether the request's path names a record, which may be what was not found.
    pub fn lacks_operation(&self, status: StatusCode, names_record: bool) -> bool {
        match status {
            StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => true,
            StatusCode::NOT_FOUND => match self {
                // The contract's errors have an envelope: this is the answer of a router or a proxy.
                Self::Unreadable { .. } => true,
                Self::Refused(error) => match error.errors.first() {
                    Some(detail) => detail.reason == Reason::PathUnknown.as_str(),
                    None => !names_record,
                },
            },
            _ => false,
        }
    }
}
