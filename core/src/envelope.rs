//! The envelopes (contract, "Envelopes and shared conventions" and "Errors" 1 and 7).

use serde::{Deserialize, Serialize};
use serde_json::value::Value;

use crate::error::{ApiError, ErrorDetail};
use crate::operation::Wire;

/// `{error: {code, message, errors}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorEnvelope {
    /// The error.
    pub error: ApiError,
}

#[derive(Serialize)]
struct Success<'a, T> {
    data: &'a T,
    error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// The body of a successful answer.
///
/// # Errors
/// When the record cannot be written as JSON, which no record of this crate does.
pub fn wrap<T: Serialize>(wire: Wire, data: &T, message: &str) -> serde_json::Result<Vec<u8>> {
    match wire {
        Wire::Envelope => serde_json::to_vec(&Success {
            data,
            error: false,
            message: Some(message),
        }),
        Wire::List => serde_json::to_vec(&Success {
            data,
            error: false,
            message: None,
        }),
        Wire::Bare => serde_json::to_vec(data),
    }
}

/// The body of a refusal.
pub fn wrap_error(error: &ApiError) -> Vec<u8> {
    serde_json::to_vec(&ErrorEnvelope {
        error: error.clone(),
    })
    .unwrap_or_default()
}

/// What a body without `data` says about an error: the contract allows the envelope, and `error: true` in any body.
///
/// Read from the tree and not by serde, so that a client which reads its answers in its own way links nothing more.
pub fn error_within(body: &Value, status: u16) -> Option<ApiError> {
    let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let value = body;
    match value.get("error")? {
        error @ Value::Object(_) => {
            let detail = |detail: &Value| {
                Some(ErrorDetail {
                    domain: text(detail, "domain")?,
                    reason: text(detail, "reason")?,
                    field: text(detail, "field"),
                    message: text(detail, "message").unwrap_or_default(),
                })
            };
            let details = error.get("errors").and_then(Value::as_array);
            Some(ApiError {
                code: error.get("code")?.to_string().parse().ok()?,
                message: text(error, "message")?,
                errors: details
                    .map_or(&[][..], Vec::as_slice)
                    .iter()
                    .map(detail)
                    .collect::<Option<_>>()?,
            })
        }
        Value::Bool(true) => Some(ApiError {
            code: status,
            message: value
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or("the request failed")
                .to_owned(),
            errors: Vec::new(),
        }),
        _ => None,
    }
}

/// The envelope of a success, as far as it is read.
#[derive(Debug, Deserialize)]
pub struct Data<T> {
    /// The record, or the page of records.
    pub data: T,
}
