//! The error of a call, whether the service refuses the request or it is never sent.

use http::StatusCode;
use serde::Serialize;
use settlekit_core::call::Failure;
use settlekit_core::error::{ApiError, ErrorDetail, Reason};
use settlekit_core::header;
use settlekit_core::validate::Report;
use settlekit_core::value::Timestamp;

/// Error kinds, by HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 401
    Authentication,
    /// 403
    Permission,
    /// 404
    NotFound,
    /// 400, 413, 422, and requests that cannot be sent
    Validation,
    /// 409
    Conflict,
    /// 429
    RateLimit,
    /// The service does not have the operation
    Unsupported,
    /// Every other status, and responses that cannot be read
    Api,
}

/// The error of a call.
#[derive(Debug, Serialize)]
pub struct CallError {
    /// Its kind.
    pub kind: Kind,
    /// HTTP status; none if the request was not sent.
    pub status: Option<u16>,
    /// A sentence for developers.
    pub message: String,
    /// All errors of the request.
    pub errors: Vec<ErrorDetail>,
    /// Id of the request, for support.
    pub request_id: Option<String>,
    /// `Retry-After` of the response.
    pub retry_after_seconds: Option<u32>,
    /// Server time of a nonce time error, in Unix milliseconds.
    pub server_time_ms: Option<i64>,
    /// Whether the same request may succeed later.
    pub transient: bool,
}

impl CallError {
    /// An error for a request that cannot be sent.
    pub fn invalid_argument(message: String) -> Self {
        Self {
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

    /// An error with one reason, for a request that is not sent.
    pub(crate) fn local(domain: &str, reason: Reason, message: &str) -> Self {
        let detail = ErrorDetail {
            domain: domain.to_owned(),
            reason: reason.as_str().to_owned(),
            field: None,
            message: message.to_owned(),
        };
        Self {
            kind: kind(reason.status().as_u16()),
            errors: vec![detail],
            ..Self::invalid_argument(message.to_owned())
        }
    }

    /// The error of a request that fails validation, identical to the service's.
    pub(crate) fn invalid(report: &Report, domain: &str) -> Self {
        match report.to_error(domain) {
            Some(error) => Self {
                message: error.message,
                errors: error.errors,
                ..Self::invalid_argument(String::new())
            },
            None => Self::invalid_argument("the request cannot be made".to_owned()),
        }
    }

    /// The error of a response; `find_header` takes lower-case names, `names_record` is whether the path names a record.
    pub(crate) fn of_response(
        failure: Failure,
        code: StatusCode,
        names_record: bool,
        find_header: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let status = code.as_u16();
        let lacks_operation = failure.lacks_operation(code, names_record);
        // Only a nonce time error can be fixed by adjusting the clock.
        let is_clock_error = errors_of(&failure)
            .iter()
            .any(|detail| detail.reason == Reason::NonceOutOfWindow.as_str());
        let (message, errors) = match failure {
            Failure::Refused(ApiError {
                message, errors, ..
            }) => (message, errors),
            Failure::Unreadable { .. } if lacks_operation => {
                let message = "the service does not have this operation";
                (message.to_owned(), Vec::new())
            }
            unreadable @ Failure::Unreadable { .. } => (unreadable.to_string(), Vec::new()),
        };
        Self {
            kind: match lacks_operation {
                true => Kind::Unsupported,
                false => kind(status),
            },
            status: Some(status),
            message,
            errors,
            request_id: find_header(header::REQUEST_ID),
            retry_after_seconds: find_header(header::RETRY_AFTER)
                .and_then(|seconds| seconds.parse().ok()),
            server_time_ms: find_header(header::SERVER_TIME)
                .filter(|_| is_clock_error)
                .and_then(|time| time.parse().ok())
                .map(Timestamp::millis),
            transient: matches!(status, 408 | 429 | 502..=504),
        }
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
