//! Every client-visible failure, and the only place that maps one to an HTTP status and an error body.

use http::{HeaderValue, Response, StatusCode};
use settlekit_core::envelope::wrap_error;
use settlekit_core::error::{ApiError, ErrorDetail, Reason};
use settlekit_core::header;
use settlekit_core::validate::Report;
use settlekit_core::value::AmountError;

use crate::store::sql::StoreError;

/// Why an operation was not carried out.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// All validation errors of the request.
    Invalid(Report),
    /// One reason, with its field if there is one.
    Because {
        reason: Reason,
        field: Option<&'static str>,
        message: String,
    },
    Store(StoreError),
}

pub(crate) type Outcome<T> = Result<T, Refusal>;

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Refusal {
    /// Refuses a request with validation errors.
    pub(crate) fn reported(report: Report) -> Outcome<()> {
        if report.is_clean() {
            return Ok(());
        }
        Err(Self::Invalid(report))
    }

    /// Refuses the request as a whole.
    pub(crate) fn because(reason: Reason, message: impl Into<String>) -> Self {
        Self::of(None, reason, message)
    }

    /// Refuses one field.
    pub(crate) fn field(field: &'static str, reason: Reason, message: impl Into<String>) -> Self {
        Self::of(Some(field), reason, message)
    }

    /// Refuses one field if given, else the request as a whole.
    pub(crate) fn of(
        field: Option<&'static str>,
        reason: Reason,
        message: impl Into<String>,
    ) -> Self {
        Self::Because {
            reason,
            field,
            message: message.into(),
        }
    }

    /// The state of a record forbids the operation.
    pub(crate) fn state_forbids(message: impl Into<String>) -> Self {
        Self::because(Reason::StateForbids, message)
    }

    /// A field asks for something that the service, a chain or an account lacks.
    pub(crate) fn not_supported(field: &'static str, message: impl Into<String>) -> Self {
        Self::field(field, Reason::NotSupported, message)
    }

    /// A field names no record of the organisation.
    pub(crate) fn reference_unknown(field: &'static str, message: impl Into<String>) -> Self {
        Self::field(field, Reason::ReferenceUnknown, message)
    }

    /// A field repeats what another record has.
    pub(crate) fn already_exists(field: &'static str, message: impl Into<String>) -> Self {
        Self::field(field, Reason::AlreadyExists, message)
    }

    /// A field is not an address of the chain.
    pub(crate) fn address_malformed(field: &'static str, message: impl Into<String>) -> Self {
        Self::field(field, Reason::AddressMalformed, message)
    }

    /// A field's amount is too fine or too large for its currency.
    pub(crate) fn amount(field: &'static str, error: AmountError) -> Self {
        Self::field(field, error.reason(), error.to_string())
    }

    /// An amount has no exact decimal form.
    pub(crate) fn amount_too_large() -> Self {
        Self::because(
            Reason::AmountTooLarge,
            "the amount is too large to represent exactly",
        )
    }

    /// The error of a step that no rule can refuse: that of the database, else a broken invariant.
    pub(crate) fn unexpected(self, message: &str) -> StoreError {
        match self {
            Self::Store(error) => error,
            _ => StoreError::Broken(message.to_owned()),
        }
    }

    /// Adds the amount's field to a refusal for insufficient funds, because the ledger knows no field names; others stay
    /// unchanged.
    pub(crate) fn of_funds(self, field: &'static str) -> Self {
        match self {
            Self::Because {
                reason: Reason::InsufficientFunds,
                field: None,
                message: _,
            } => Self::field(
                field,
                Reason::InsufficientFunds,
                "exceeds the available balance",
            ),
            other => other,
        }
    }

    /// Adds a refusal of a list's entry to the report, so that all entries are checked; returns any other refusal.
    pub(crate) fn at(self, lists: &[&str], place: usize, report: &mut Report) -> Outcome<()> {
        match self {
            Self::Because {
                reason,
                field: Some(field),
                message,
            } if lists.contains(&field) => {
                report.add_error(&format!("{field}[{place}]"), reason, message);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Adds a refusal of a field of a list's entry to the report; returns any other refusal.
    pub(crate) fn inside(self, list: &str, place: usize, report: &mut Report) -> Outcome<()> {
        match self {
            Self::Because {
                reason,
                field: Some(field),
                message,
            } => {
                report.add_error(&format!("{list}[{place}].{field}"), reason, message);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// No such record, or another organisation's: the answer is the same.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::because(Reason::NotFound, format!("{what} not found"))
    }

    /// The error for the envelope; failures of the database are not exposed.
    pub(crate) fn into_error(self, domain: &str) -> Result<ApiError, StoreError> {
        match self {
            Self::Invalid(report) => {
                Ok(report.to_error(domain).unwrap_or_else(|| internal(domain)))
            }
            Self::Because {
                reason,
                field,
                message,
            } => Ok(single(domain, reason, field, &message)),
            Self::Store(error) => Err(error),
        }
    }
}

fn internal(domain: &str) -> ApiError {
    single(
        domain,
        Reason::Internal,
        None,
        "the request could not be completed",
    )
}

/// An error with one detail.
fn single(domain: &str, reason: Reason, field: Option<&str>, message: &str) -> ApiError {
    ApiError {
        code: reason.status().as_u16(),
        message: field.map_or_else(
            || message.to_owned(),
            |field| format!("`{field}` {message}"),
        ),
        errors: vec![ErrorDetail {
            domain: domain.to_owned(),
            reason: reason.as_str().to_owned(),
            field: field.map(str::to_owned),
            message: message.to_owned(),
        }],
    }
}

/// The public error for a failure of the database, without its text.
pub(crate) fn store_failure(error: &StoreError) -> ApiError {
    match error {
        StoreError::Busy
        | StoreError::Conflict
        | StoreError::Unreachable(_)
        | StoreError::Full
        | StoreError::ReadOnly => single(
            "service",
            Reason::Unavailable,
            None,
            "the service is temporarily unavailable",
        ),
        StoreError::Damaged(_)
        | StoreError::Newer { .. }
        | StoreError::WrongMode { .. }
        | StoreError::NotConnected(_)
        | StoreError::Constraint(_)
        | StoreError::Broken(_) => internal("service"),
    }
}

/// The HTTP response of an error.
pub fn error_response(error: &ApiError) -> Response<Vec<u8>> {
    let mut response = Response::new(wrap_error(error));
    *response.status_mut() =
        StatusCode::from_u16(error.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(
        http::header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    match error.reason() {
        // A host with its own limits overrides the value.
        Some(Reason::Unavailable | Reason::RateLimited) => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        Some(Reason::StepUpRequired) => {
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(
                    "Session error=\"insufficient_user_authentication\", max_age=\"300\"",
                ),
            );
        }
        _ => {}
    }
    response
}
