//! Why there is no record.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use settlekit_core::error::{ApiError, Reason};
use settlekit_core::validate::Report;

/// Why there is no record.
#[derive(Debug)]
pub enum Error {
    /// The client cannot be made, or not call, with these settings.
    Settings(String),
    /// The request breaks the operation's own rules; it did not leave.
    Invalid(Report),
    /// The service refused.
    Refused(Refused),
    /// The answer is not one of this interface.
    Unreadable {
        /// The status of the answer.
        status: StatusCode,
        /// What is wrong with it.
        message: String,
        /// Names the request in the service's log.
        request_id: Option<String>,
    },
    /// There was no answer in time. Whether the service did what was asked is not known.
    Timeout(Duration),
    /// The service cannot be reached, or the connection broke. Whether it did what was asked is not known.
    Connection(reqwest::Error),
}

/// A refusal of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The status of the answer.
    pub status: StatusCode,
    /// What the service says, every complaint included.
    pub error: ApiError,
    /// Names the request in the service's log.
    pub request_id: Option<String>,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
}

impl Refused {
    /// Whether one of the complaints has this reason.
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
            Self::Settings(_) | Self::Invalid(_) => false,
        }
    }

    /// Whether a complaint, of the service or of the operation's own rules, has this reason.
    pub fn is(&self, reason: Reason) -> bool {
        match self {
            Self::Refused(refused) => refused.is(reason),
            Self::Invalid(report) => report
                .complaints()
                .iter()
                .any(|complaint| complaint.reason == reason),
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(message) => f.write_str(message),
            Self::Invalid(report) => {
                for (number, complaint) in report.complaints().iter().enumerate() {
                    let separator = if number > 0 { "; " } else { "" };
                    write!(f, "{separator}{}", complaint.sentence())?;
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
