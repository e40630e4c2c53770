//! Response envelopes (contract, "Envelopes and shared conventions" and "Errors" 1 and 7).

use serde::{Deserialize, Serialize};
use serde_json::value::Value;

use crate::error::{ApiError, ErrorDetail};
use crate::operation::Wire;

/// `{error: {code, message, errors}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorEnvelope {
    /// Error.
    pub error: ApiError,
}

#[derive(Serialize)]
struct Success<'a, T> {
    data: &'a T,
    error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// Body of a successful response.
///
/// # Errors
/// When the record cannot be serialised as JSON; no record of this crate fails.
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

/// Body of an error response.
pub fn wrap_error(error: &ApiError) -> Vec<u8> {
    serde_json::to_vec(&ErrorEnvelope {
        error: error.clone(),
    })
    .unwrap_or_default()
}

/// The error in a body without `data`: an error envelope, or any body with `error: true`, both allowed by the contract.
///
/// Reads the JSON tree instead of using serde, so that clients with their own decoding link no extra code.
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

/// Success envelope, read side only.
#[derive(Debug, Deserialize)]
pub struct Data<T> {
    /// Record or page of records.
    pub data: T,
}
