//! Values one by one: amounts, timestamps, ids, references, currencies and addresses in their canonical form.

use settlekit_core::value::id::INTEGER;
use settlekit_core::value::parse::parse;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{local, unusable, wrap};

/// Error domain of a value.
const DOMAIN: &str = "value";

/// Parses a value: `kind` is its type (`Amount`, `PaymentId`), `text` its text. Returns `{"ok": value}` in canonical form, or
/// `{"error": …}`.
#[wasm_bindgen]
pub fn parse_value(kind: &str, text: &str) -> String {
    let is_integer = INTEGER.contains(&kind);
    match parse(kind, text) {
        None => wrap(
            "error",
            &unusable(format!("there is no value of type `{kind}`")),
        ),
        Some(Ok(text)) if is_integer => format!("{{\"ok\":{text}}}"),
        Some(Ok(text)) => wrap("ok", &text),
        Some(Err((reason, message))) => wrap("error", &local(DOMAIN, reason, &message)),
    }
}
