//! Validation without sending.

use settlekit_calls::operation::find;
use settlekit_calls::outcome;
use settlekit_calls::validation::Part;
use wasm_bindgen::prelude::wasm_bindgen;

/// Validates the arguments of an operation.
///
/// `part` is `all`, `query` or `body`; `given` is JSON, or empty for none: as bytes, which cross the boundary faster than text. With a
/// `field`, only its errors and those of everything within it count. Returns nothing for valid arguments, else `{"error": …}`, whose
/// list of errors is empty if there is no such operation.
#[wasm_bindgen]
pub fn validate(
    operation: &str,
    part: &str,
    field: Option<String>,
    given: &[u8],
) -> Option<String> {
    let part = match part {
        "all" => Part::All,
        "query" => Part::Query,
        _ => Part::Body,
    };
    let field = field.unwrap_or_default();
    let given = std::str::from_utf8(given).unwrap_or_default();
    find(operation)
        .and_then(|description| description.validate(part, &field, given))
        .err()
        .map(|error| outcome::of_error(&error))
}
