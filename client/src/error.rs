//! Errors of a call.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use settlekit_core::error::{ApiError, Reason};
use settlekit_core::validate::Report;

/// Error of a call.
#[derive(Debug)]
pub enum Error {
    /// The settings are invalid.
    Settings(String),
    /// The request fails validation and was not sent.
    Invalid(Report),
    /// The service answered with an error.
    Refused(Refused),
    /// The service does not have the operation: it is older, or another one that speaks the contract. The answer, if it was an error
    /// envelope, has details.
    Unsupported {
        /// The operation, `CreatePaylink`.
        operation: &'static str,
        /// The answer.
        refused: Refused,
    },
    /// The response does not match the operation.
    Unreadable {
        /// HTTP status.
        status: StatusCode,
        /// Error, for logs.
        message: String,
        /// Request id in the service's log.
        request_id: Option<String>,
    },
    /// No response in time. The operation may or may not have been executed.
    Timeout(Duration),
    /// The service is unreachable or the connection broke. The operation may or may not have been executed.
    Connection(reqwest::Error),
}

/// An error response of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// HTTP status.
    pub status: StatusCode,
    /// Content of the error envelope.
    pub error: ApiError,
    /// Request id in the service's log.
    pub request_id: Option<String>,
    /// `Retry-After` of the response.
    pub retry_after: Option<Duration>,
}

impl Refused {
    /// Whether one of the errors has this reason.
    pub fn is(&self, reason: Reason) -> bool {
        self.error
            .errors
            .iter()
            .any(|detail| detail.reason == reason.as_str())
    }
}

impl Error {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused(Refused { status, .. }) | Self::Unreadable { status, .. } => {
                matches!(status.as_u16(), 408 | 429 | 502..=504)
            }
            Self::Timeout(_) | Self::Connection(_) => true,
            Self::Settings(_) | Self::Invalid(_) | Self::Unsupported { .. } => false,
        }
    }

    /// Whether a validation error or an error of the service has this reason.
    pub fn is(&self, reason: Reason) -> bool {
        match self {
            Self::Refused(refused) | Self::Unsupported { refused, .. } => refused.is(reason),
            Self::Invalid(report) => report.errors().iter().any(|error| error.reason == reason),
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(message) => f.write_str(message),
            Self::Invalid(report) => {
                for (number, error) in report.errors().iter().enumerate() {
                    let separator = if number > 0 { "; " } else { "" };
                    write!(f, "{separator}{}", error.sentence())?;
                }
                Ok(())
            }
            Self::Refused(Refused {
                error, request_id, ..
            }) => {
                write!(f, "{error}")?;
                match request_id {
                    Some(id) => write!(f, " (request {id})"),
                    None => Ok(()),
                }
            }
            Self::Unsupported { operation, refused } => {
                let status = refused.status;
                write!(
                    f,
                    "the service has no operation {operation} (status {status})"
                )
            }
            Self::Unreadable {
                status, message, ..
            } => write!(f, "the answer (status {status}) cannot be read: {message}"),
            Self::Timeout(length) => write!(f, "no answer within {length:?}"),
            Self::Connection(error) => write!(f, "the service cannot be reached: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connection(error) => Some(error),
            _ => None,
        }
    }
}
