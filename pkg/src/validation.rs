//! Validation without sending.

use settlekit_calls::operation::{at, index};
use settlekit_calls::outcome;
use settlekit_calls::validation::Part;
use wasm_bindgen::prelude::wasm_bindgen;

/// Index of an operation, for [`validate`]: `{"ok": index}`, or `{"error": …}` if there is no such operation.
#[wasm_bindgen]
pub fn operation_index(operation: &str) -> String {
    match index(operation) {
        Ok(index) => format!("{{\"ok\":{index}}}"),
        Err(error) => outcome::of_error(&error),
    }
}

/// Validates the arguments of an operation, given by its index.
///
/// `part` is 0 for all, 1 for the query, 2 for the body; `given` is JSON, or empty for none: as bytes, which cross the boundary faster
/// than text. With a `field`, only its errors and those of everything within it count. Returns nothing for valid arguments, else
/// `{"error": …}`.
#[wasm_bindgen]
pub fn validate(operation: usize, part: u8, field: Option<String>, given: &[u8]) -> Option<String> {
    let part = match part {
        0 => Part::All,
        1 => Part::Query,
        _ => Part::Body,
    };
    let field = field.unwrap_or_default();
    let given = std::str::from_utf8(given).unwrap_or_default();
    at(operation)
        .and_then(|description| description.validate(part, &field, given))
        .err()
        .map(|error| outcome::of_error(&error))
}
