//! Failed calls: not sent, not answered, or answered with an error.

use settlekit_core::call::Failure;
use settlekit_core::error::Reason;
use settlekit_core::validate::{Report, ValidationError};

use crate::text;

/// A failed call, with the request id if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallFailure {
    pub(crate) cause: Cause,
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cause {
    /// The request failed core's validation and was not sent.
    Unsent(Vec<ValidationError>),
    /// No answer came.
    Offline,
    /// The service answered with an error, or its answer cannot be read.
    Answered(Failure),
}

/// A failure without a request id: nothing was answered.
impl From<Cause> for CallFailure {
    fn from(cause: Cause) -> Self {
        Self {
            cause,
            request_id: None,
        }
    }
}

impl From<Report> for CallFailure {
    fn from(report: Report) -> Self {
        Cause::Unsent(report.errors().to_vec()).into()
    }
}

impl CallFailure {
    /// The errors: each field, the reason as on the wire, and the English message.
    pub(crate) fn errors(&self) -> Vec<(Option<&str>, &str, &str)> {
        match &self.cause {
            Cause::Unsent(errors) => errors
                .iter()
                .map(|one| (one.field.as_deref(), one.reason.as_str(), &*one.message))
                .collect(),
            Cause::Answered(Failure::Refused(error)) => error
                .errors
                .iter()
                .map(|one| (one.field.as_deref(), &*one.reason, &*one.message))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Reason of the first error.
    pub(crate) fn reason(&self) -> Option<Reason> {
        match &self.cause {
            Cause::Answered(Failure::Refused(error)) => error.reason(),
            Cause::Unsent(errors) => errors.first().map(|error| error.reason),
            _ => None,
        }
    }

    /// Whether it says nothing about the record: no answer, an unreadable one, or an internal error.
    pub(crate) fn is_passing(&self) -> bool {
        match &self.cause {
            Cause::Unsent(_) => false,
            Cause::Offline | Cause::Answered(Failure::Unreadable { .. }) => true,
            Cause::Answered(Failure::Refused(error)) => error.code >= 500 || error.code == 429,
        }
    }

    /// Whether the outcome of the operation is unknown: no answer, an unreadable one, or an internal error.
    pub(crate) fn is_unknown(&self) -> bool {
        match &self.cause {
            Cause::Unsent(_) => false,
            Cause::Offline => true,
            Cause::Answered(Failure::Unreadable { status, .. }) => *status != 429,
            Cause::Answered(Failure::Refused(error)) => error.code >= 500,
        }
    }

    /// Whether the request was rejected before execution: by validation, rate limit, session, step-up or scope. An earlier attempt may
    /// still have been executed.
    pub(crate) fn is_rejected_before_execution(&self) -> bool {
        match &self.cause {
            Cause::Unsent(_) => true,
            Cause::Offline => false,
            Cause::Answered(Failure::Refused(error)) => matches!(error.code, 401 | 403 | 429),
            Cause::Answered(Failure::Unreadable { status, .. }) => *status == 429,
        }
    }

    /// Whether a retry fails until the user's permissions change.
    pub(crate) fn is_forbidden(&self) -> bool {
        use Reason::{FeatureMissing, SandboxOnly, ScopeMissing, Suspended};
        let forbids = |reason| {
            matches!(
                reason,
                ScopeMissing | FeatureMissing | Suspended | SandboxOnly
            )
        };
        self.reason().is_some_and(forbids)
    }

    /// What happened, in a few words.
    pub(crate) fn title(&self) -> &'static str {
        match &self.cause {
            Cause::Unsent(_) => text::not_sent(),
            Cause::Offline => text::no_connection(),
            Cause::Answered(Failure::Refused(error)) if error.code >= 500 => text::went_wrong(),
            Cause::Answered(Failure::Refused(error)) if error.code == 404 => text::not_found(),
            Cause::Answered(Failure::Refused(_)) => text::refused(),
            Cause::Answered(Failure::Unreadable { .. }) => text::unreadable(),
        }
    }

    /// What happened and what to do, and the English message if it has no translation.
    pub(crate) fn sentences(&self) -> (String, String) {
        let sentence = match &self.cause {
            Cause::Offline => text::no_connection_long().to_owned(),
            Cause::Answered(Failure::Unreadable { status, .. }) => text::unreadable_of(*status),
            Cause::Answered(Failure::Refused(error)) if error.errors.is_empty() => {
                text::sentence(&error.message)
            }
            _ => return text::refusal(self.errors()),
        };
        (sentence, String::new())
    }
}
