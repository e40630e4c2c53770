//! WebAssembly interface of Settlekit for JavaScript.
//!
//! The interface is text: JSON in, one JSON string out, so that a call costs one copy and JavaScript gets plain objects. Each entry
//! of the npm package has its own wasm, built with one feature. Paths, headers, rules, signatures and status codes come from
//! `settlekit-core`; sending, waiting and time are JavaScript.

#[cfg(feature = "client")]
pub mod client;
#[cfg(all(feature = "sandbox", target_family = "wasm"))]
pub mod files;
#[cfg(feature = "sandbox")]
pub mod sandbox;
#[cfg(feature = "client")]
pub mod validation;
#[cfg(feature = "client")]
pub mod values;
#[cfg(feature = "webhooks")]
pub mod webhooks;
