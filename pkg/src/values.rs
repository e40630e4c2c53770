//! Values one by one: amounts, timestamps, ids, references, currencies and addresses in their canonical form.

use settlekit_calls::outcome;
use wasm_bindgen::prelude::wasm_bindgen;

/// Parses a value: `kind` is its type (`Amount`, `PaymentId`), `text` its text. Returns `{"ok": value}` in canonical form, or
/// `{"error": …}`.
#[wasm_bindgen]
pub fn parse_value(kind: &str, text: &str) -> String {
    outcome::of_value(kind, text)
}
