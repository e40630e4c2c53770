//! Requests and answers as data. Nothing here sends.

use std::fmt;

use http::{Request, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::PREFIX;
use crate::envelope::{Data, error_within};
use crate::error::ApiError;
use crate::field::{Body, Query, read_body, read_query};
use crate::operation::{Operation, PathParams, Wire};
use crate::validate::{Report, Validate};

/// Everything but the unreserved characters of RFC 3986 is escaped in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// One call of an operation, before it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<O: Operation> {
    /// The path's parameters.
    pub path: O::Path,
    /// The query.
    pub query: O::Query,
    /// The body.
    pub body: O::Body,
}

impl<O: Operation> Call<O> {
    /// The path and query as they go on the wire, from the version prefix on.
    pub fn target(&self) -> String {
        let mut target = String::from(PREFIX);
        let texts = self.path.to_texts();
        let mut rest = O::PATH;
        for text in &texts {
            let Some((before, after)) = rest.split_once('{') else {
                break;
            };
            target.push_str(before);
            target.extend(utf8_percent_encode(text, SEGMENT));
            rest = after.split_once('}').map_or("", |(_, after)| after);
        }
        target.push_str(rest);
        let mut pairs = Vec::new();
        self.query.to_pairs(&mut pairs);
        if !pairs.is_empty() {
            target.push('?');
            target.push_str(&serde_urlencoded::to_string(pairs).unwrap_or_default());
        }
        target
    }

    /// The request to send to the service at `base`, the address before the version prefix (`https://pay.example`).
    ///
    /// # Errors
    /// The complaints of the operation's own rules: what they forbid does not leave.
    pub fn to_http(&self, base: &str) -> Result<Request<Vec<u8>>, Report> {
        let mut report = Report::default();
        self.query.validate(&mut report);
        self.body.validate(&mut report);
        if !report.is_clean() {
            return Err(report);
        }
        let body = self.body.to_bytes();
        let mut request = Request::builder().method(O::METHOD).uri(format!(
            "{}{}",
            base.trim_end_matches('/'),
            self.target()
        ));
        if body.is_some() {
            request = request.header(http::header::CONTENT_TYPE, "application/json");
        }
        request
            .header(http::header::ACCEPT, "application/json")
            .body(body.unwrap_or_default())
            .map_err(|error| {
                let mut report = Report::default();
                report.refuse(
                    crate::error::Reason::RequestMalformed,
                    format!("the address of the service is not well formed: {error}"),
                );
                report
            })
    }

    /// Reads a received request whose path has been matched already: `find` gives the decoded parameters.
    ///
    /// # Errors
    /// Every complaint about path, query and body, in that order.
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

    /// The call that loosely typed arguments stand for: what a JavaScript caller passes.
    ///
    /// # Errors
    /// Every complaint about path, query and body, in that order.
    pub fn from_arguments(arguments: &Arguments) -> Result<Self, Report> {
        let mut report = Report::default();
        let path = O::Path::from_texts(&|name| arguments.path.get(name).map(text_of), &mut report);
        let pairs: Vec<(String, String)> = arguments
            .query
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), text_of(value)))
            .collect();
        let query = read_query::<O::Query>(
            &serde_urlencoded::to_string(pairs).unwrap_or_default(),
            &mut report,
        );
        let body = read_body::<O::Body>(
            arguments
                .body
                .as_ref()
                .map(Value::to_string)
                .unwrap_or_default()
                .as_bytes(),
            &mut report,
        );
        match (path, query, body) {
            (Some(path), Some(query), Some(body)) if report.is_clean() => {
                Ok(Self { path, query, body })
            }
            _ => Err(report),
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Loosely typed arguments of a call: maps of names to values.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(default)]
pub struct Arguments {
    /// The path's parameters.
    pub path: Map<String, Value>,
    /// The query's parameters; null stands for absent.
    pub query: Map<String, Value>,
    /// The body.
    pub body: Option<Value>,
}

/// Why an answer is not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The service refused; the status is the error's code.
    Refused(ApiError),
    /// The answer is not one of this interface.
    Unreadable {
        /// The status of the answer.
        status: u16,
        /// What is wrong with it.
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

/// Reads the answer to an operation.
///
/// # Errors
/// [`Failure::Refused`] for every error envelope and every body with `error: true`; [`Failure::Unreadable`] for the rest.
pub fn read<O: Operation>(response: &Response<Vec<u8>>) -> Result<O::Response, Failure> {
    let status = response.status();
    let unreadable = |message: String| Failure::Unreadable {
        status: status.as_u16(),
        message,
    };
    if !status.is_success() {
        let error = error_within(response.body(), status.as_u16());
        return Err(error.map_or_else(
            || unreadable("it is not an error envelope".into()),
            Failure::Refused,
        ));
    }
    match O::WIRE {
        Wire::Bare => {
            serde_json::from_slice(response.body()).map_err(|error| unreadable(error.to_string()))
        }
        Wire::Envelope | Wire::List => {
            match serde_json::from_slice::<Data<O::Response>>(response.body()) {
                Ok(envelope) => Ok(envelope.data),
                Err(error) => Err(error_within(response.body(), status.as_u16())
                    .map_or_else(|| unreadable(error.to_string()), Failure::Refused)),
            }
        }
    }
}
