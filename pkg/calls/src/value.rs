//! Values one by one: amounts, timestamps, ids, references, currencies and addresses in their canonical form.

use settlekit_core::value::id::INTEGER;
use settlekit_core::value::parse;

use crate::error::CallError;

/// Error domain of a value.
const DOMAIN: &str = "value";

/// Parses a value into its canonical text: `kind` is its type (`Amount`, `PaymentId`).
///
/// # Errors
/// The text is not a value of the type, or there is no such type.
pub fn parse(kind: &str, text: &str) -> Result<String, CallError> {
    match parse::parse(kind, text) {
        None => Err(CallError::invalid_argument(format!(
            "there is no value of type `{kind}`"
        ))),
        Some(Ok(text)) => Ok(text),
        Some(Err((reason, message))) => Err(CallError::local(DOMAIN, reason, &message)),
    }
}

/// Whether the values of a type are integers.
pub fn is_integer(kind: &str) -> bool {
    INTEGER.contains(&kind)
}
