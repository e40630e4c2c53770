//! What JavaScript sees of Settlekit.
//!
//! The boundary is text: JSON in, one JSON string out, so that crossing it costs one copy and JavaScript gets plain
//! objects. One wasm is built per entry of the npm package, each with one feature. Nothing here decides anything about the
//! contract: paths, headers, rules, signatures and statuses are `settlekit-core`'s, and what waits, sends or knows the
//! time is JavaScript.

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "client")]
mod form;
#[cfg(feature = "client")]
#[rustfmt::skip]
mod forms;
#[cfg(feature = "client")]
mod given;
#[cfg(feature = "sandbox")]
pub mod sandbox;
#[cfg(feature = "client")]
mod scan;
#[cfg(feature = "webhooks")]
pub mod webhooks;
