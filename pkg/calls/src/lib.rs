//! Calls of the API as text and data, for callers in other languages: requests from JSON arguments, records from response bodies.
//!
//! The caller sends the requests and provides the time and the random bytes. Paths, headers, rules, signatures and status codes come
//! from `settlekit-core`, the form of each record from `settlekit-forms`.

pub mod error;
pub mod operation;
pub mod outcome;
pub mod request;
pub mod response;
pub mod validation;
pub mod value;

use settlekit_core::json::{Fields, Json};
use settlekit_forms::scan;

use crate::error::CallError;

/// Reads a JSON object; `what` names it in the error.
fn object<'a>(text: &'a str, what: &str) -> Result<Fields<'a>, CallError> {
    match scan::tree_of(text) {
        Ok(Json::Object(fields)) => Ok(fields),
        _ => Err(CallError::invalid_argument(format!(
            "{what} must be one JSON object"
        ))),
    }
}
