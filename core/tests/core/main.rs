//! The contract against vectors of other implementations. Runs natively, under Node and in Chromium.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod amount;
mod calls;
mod explorer;
mod form;
mod golden;
mod rules;
mod signing;
mod state;
mod value;
mod xpub;

/// `#[test]` on every target.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use wasm_bindgen_test::wasm_bindgen_test as test;
