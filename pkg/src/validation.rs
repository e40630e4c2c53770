//! Validation without sending.

use serde_json::{Map, Value};
use settlekit_core::validate::Report;
use settlekit_forms::scan;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{Description, errors, find, sort_out, to_body, unusable, wrap};

/// Validates the arguments of an operation.
///
/// `part` is `all`, `query` or `body`; `given` is JSON, or empty for none. With a `field`, only its errors and those of everything
/// within it count; an empty text means all. Returns `{"ok": null}` or `{"error": …}`, whose list of errors is empty if there is no
/// such operation.
#[wasm_bindgen]
pub fn validate(operation: &str, part: &str, field: &str, given: &str) -> String {
    let outcome = find(operation).and_then(|description| {
        let given = match given {
            "" => Value::Object(Map::new()),
            text => scan::tree(text.as_bytes())
                .map_err(|_| unusable("the arguments are not JSON".to_owned()))?,
        };
        let mut report = report(description, part, given);
        if !field.is_empty() {
            report.keep_field(field);
        }
        match report.is_clean() {
            true => Ok(()),
            false => Err(errors(&report, description.room)),
        }
    });
    match outcome {
        Ok(()) => "{\"ok\":null}".to_owned(),
        Err(refusal) => wrap("error", &refusal),
    }
}

fn report(description: &Description, part: &str, given: Value) -> Report {
    let outline = &description.outline;
    match (part, given) {
        ("query", Value::Object(query)) => outline.validate_query(&query),
        ("all", Value::Object(arguments)) => outline.validate(sort_out(description, arguments)),
        // `validate_body` rejects every value that is not an object.
        (_, body) => outline.validate_body(Some(to_body(description, body))),
    }
}
