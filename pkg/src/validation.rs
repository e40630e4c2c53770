//! Validation without sending.

use settlekit_calls::operation::find;
use settlekit_calls::outcome;
use settlekit_calls::validation::Part;
use wasm_bindgen::prelude::wasm_bindgen;

/// Validates the arguments of an operation.
///
/// `part` is `all`, `query` or `body`; `given` is JSON, or empty for none. With a `field`, only its errors and those of everything
/// within it count; an empty text means all. Returns `{"ok": null}` or `{"error": …}`, whose list of errors is empty if there is no
/// such operation.
#[wasm_bindgen]
pub fn validate(operation: &str, part: &str, field: &str, given: &str) -> String {
    let part = match part {
        "all" => Part::All,
        "query" => Part::Query,
        _ => Part::Body,
    };
    match find(operation).and_then(|description| description.validate(part, field, given)) {
        Ok(()) => "{\"ok\":null}".to_owned(),
        Err(error) => outcome::of_error(&error),
    }
}
