//! Requests and responses as data, without I/O.

use std::fmt;

use http::{Method, Request, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::PREFIX;
use crate::base_url;
use crate::decode::FieldValues;
use crate::envelope::{Data, error_within};
use crate::error::{ApiError, Reason};
use crate::field::{
    Body, Nothing, Query, check_fields, check_pairs, object_within, query_text, read_body,
    read_query,
};
use crate::json::{Fields, Json};
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

    /// The HTTP request for the service at `base`, its base URL (`https://pay.example`).
    ///
    /// # Errors
    /// Validation errors of the operation's own rules, or of the base URL: an invalid call is not sent.
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
    let base = base_url::parse(base).map_err(|error| malformed(error.to_string()))?;
    let mut request = Request::builder()
        .method(method)
        .uri([base, target].concat());
    if body.is_some() {
        request = request.header(http::header::CONTENT_TYPE, "application/json");
    }
    request
        .header(http::header::ACCEPT, "application/json")
        .body(body.unwrap_or_default())
        .map_err(|error| malformed(format!("the base URL is malformed: {error}")))
}

fn malformed(message: String) -> Report {
    let mut report = Report::default();
    report.refuse(Reason::RequestMalformed, message);
    report
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
type QueryPairs = fn(&[(String, String)], &mut Report, &mut Report) -> Pairs;
type CheckBody = fn(&FieldValues<'_>, &mut Report, &mut Report);
type Pairs = Vec<(&'static str, String)>;

fn path_texts<P: PathParams>(
    find: &dyn Fn(&str) -> Option<String>,
    report: &mut Report,
) -> Option<Vec<String>> {
    Some(P::from_texts(find, report)?.to_texts())
}

fn query_pairs<Q: Query>(
    given: &[(String, String)],
    unread: &mut Report,
    broken: &mut Report,
) -> Pairs {
    let query = Q::from_pairs(given, unread);
    query.validate(broken);
    let mut pairs = Vec::new();
    query.to_pairs(&mut pairs);
    pairs
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
            check_body: |values, unread, broken| {
                O::Body::from_values(values, unread).validate(broken);
            },
        }
    }

    /// Builds the request from loosely typed arguments of a form or a JavaScript caller.
    ///
    /// The body is sent as given, without nulls, after it passes the operation's own validation.
    ///
    /// # Errors
    /// All validation errors of path, query and body, in that order.
    pub fn request<'a>(
        &self,
        base: &str,
        given: impl Into<Given<'a>>,
    ) -> Result<Request<Vec<u8>>, Report> {
        self.request_to(base, given, false)
    }

    /// [`Outline::request`] for a service whose ids may have forms of their own.
    ///
    /// # Errors
    /// As [`Outline::request`].
    pub fn request_to<'a>(
        &self,
        base: &str,
        given: impl Into<Given<'a>>,
        is_foreign: bool,
    ) -> Result<Request<Vec<u8>>, Report> {
        let mut given = given.into();
        self.request_of(base, &given, is_foreign).or_else(|_| {
            given.sort();
            self.request_of(base, &given, is_foreign)
        })
    }

    fn request_of(
        &self,
        base: &str,
        given: &Given<'_>,
        is_foreign: bool,
    ) -> Result<Request<Vec<u8>>, Report> {
        let mut report = Report::of_foreign(is_foreign);
        let texts = self.read_path(&given.path, &mut report);
        let pairs = self.read_query(&given.query, &mut report);
        let fields = self.read_body(given.body.as_ref(), &mut report);
        match (texts, pairs, fields) {
            (Some(texts), Some(pairs), Some(fields)) if report.is_clean() => {
                let body = (!self.body_fields.is_empty()).then(|| {
                    let mut fields = fields.to_map();
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
    pub fn validate<'a>(&self, given: impl Into<Given<'a>>) -> Report {
        self.validate_part(Part::All, given.into())
    }

    /// Validates a part of the arguments.
    pub fn validate_part(&self, part: Part, mut given: Given<'_>) -> Report {
        // Errors come in the service's order, which has the fields of each object sorted.
        given.sort();
        let mut report = Report::default();
        self.read_part(part, &given, &mut report);
        report
    }

    /// Whether a part of the arguments has no errors, which takes less time than finding them all. No text in them may contain NUL:
    /// that is not checked.
    pub fn accepts(&self, part: Part, given: &Given<'_>) -> bool {
        let mut report = Report::verdict();
        self.read_part(part, given, &mut report);
        report.is_clean()
    }

    fn read_part(&self, part: Part, given: &Given<'_>, report: &mut Report) {
        if part == Part::All {
            self.read_path(&given.path, report);
        }
        if part != Part::Body {
            self.read_query(&given.query, report);
        }
        if part != Part::Query {
            self.read_body(given.body.as_ref(), report);
        }
    }

    fn read_path(&self, given: &Fields<'_>, report: &mut Report) -> Option<Vec<String>> {
        (self.path_texts)(&|name| given.get(name).map(text_of), report)
    }

    fn read_query(&self, given: &Fields<'_>, report: &mut Report) -> Option<Pairs> {
        if given.is_empty() && self.query_params.is_empty() {
            return Some(Pairs::new());
        }
        // An earlier value of the same name does not count, not even before a null.
        let is_set = |name: &str, value: &Json<'_>| {
            *value != Json::Null
                && given
                    .get(name)
                    .is_some_and(|last| std::ptr::eq(last, value))
        };
        let given: Vec<(String, String)> = given
            .iter()
            .filter(|(name, value)| is_set(name, value))
            .map(|(name, value)| (name.to_owned(), text_of(value)))
            .collect();
        let mut pairs = Vec::new();
        let mut pass = |unread: &mut Report, broken: &mut Report| {
            pairs = (self.query_pairs)(&given, unread, broken);
        };
        check_pairs(&mut pass, &given, self.query_params, report).then_some(pairs)
    }

    fn read_body<'a, 'b>(
        &self,
        body: Option<&'a Json<'b>>,
        report: &mut Report,
    ) -> Option<&'a Fields<'b>> {
        let fields = object_within(body, report)?;
        let mut pass = |values: &FieldValues<'_>, unread: &mut Report, broken: &mut Report| {
            (self.check_body)(values, unread, broken);
        };
        check_fields(&mut pass, fields, self.body_fields, report).then_some(fields)
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

fn text_of(value: &Json<'_>) -> String {
    match value {
        Json::Text(text) => text.clone().into_owned(),
        Json::Null => String::new(),
        // Lists in paths and queries are comma-separated.
        Json::List(entries) => entries.iter().map(text_of).collect::<Vec<_>>().join(","),
        other => serde_json::to_string(&other.to_value()).unwrap_or_default(),
    }
}

/// A part of the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Path, query and body.
    All,
    /// The query alone.
    Query,
    /// The body alone.
    Body,
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

/// [`Arguments`] that borrow their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// Path parameters.
    pub path: Fields<'a>,
    /// Query parameters; null means absent.
    pub query: Fields<'a>,
    /// Body.
    pub body: Option<Json<'a>>,
}

impl Given<'_> {
    /// Sorts the fields of every object by name.
    fn sort(&mut self) {
        self.path.sort();
        self.query.sort();
        if let Some(body) = &mut self.body {
            body.sort();
        }
    }
}

impl<'a> From<&'a Arguments> for Given<'a> {
    fn from(arguments: &'a Arguments) -> Self {
        Self {
            path: (&arguments.path).into(),
            query: (&arguments.query).into(),
            body: arguments.body.as_ref().map(Json::from),
        }
    }
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
