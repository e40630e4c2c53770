//! Types of the interface to and from those of the crates.

use http::Request;
use settlekit_calls::error::{self, Kind};
use settlekit_calls::request;

use crate::bindings::exports::settlekit::core::calls::{Credentials, HttpRequest};
use crate::bindings::exports::settlekit::core::errors::{CallError, ErrorDetail, ErrorKind};

pub(crate) fn error(error: error::CallError) -> CallError {
    let details = error.errors.into_iter().map(|detail| ErrorDetail {
        domain: detail.domain,
        reason: detail.reason,
        field: detail.field,
        message: detail.message,
    });
    CallError {
        kind: kind(error.kind),
        status: error.status,
        message: error.message,
        details: details.collect(),
        request_id: error.request_id,
        retry_after_seconds: error.retry_after_seconds,
        server_time_ms: error.server_time_ms,
        transient: error.transient,
    }
}

fn kind(kind: Kind) -> ErrorKind {
    match kind {
        Kind::Authentication => ErrorKind::Authentication,
        Kind::Permission => ErrorKind::Permission,
        Kind::NotFound => ErrorKind::NotFound,
        Kind::Validation => ErrorKind::Validation,
        Kind::Conflict => ErrorKind::Conflict,
        Kind::RateLimit => ErrorKind::RateLimit,
        Kind::Unsupported => ErrorKind::Unsupported,
        Kind::Api => ErrorKind::Api,
    }
}

pub(crate) fn credentials(given: Credentials) -> request::Credentials {
    request::Credentials {
        base_url: given.base_url,
        api_key: given.api_key,
        signing_secret: given.signing_secret,
        org_id: given.org_id,
        idempotency_key: given.idempotency_key,
        ..request::Credentials::default()
    }
}

pub(crate) fn request(request: Request<Vec<u8>>) -> HttpRequest {
    let repeatable = request::is_repeatable(&request);
    let (parts, body) = request.into_parts();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = parts.headers.iter();
    HttpRequest {
        method: parts.method.to_string(),
        url: parts.uri.to_string(),
        headers: headers
            .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
            .collect(),
        body: (!body.is_empty()).then(|| text(&body)),
        repeatable,
    }
}
