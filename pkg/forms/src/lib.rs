//! JSON of the service as JavaScript gets it: scanned, checked against the form of its record and converted, in one pass.
//!
//! A crate of its own, because it is compiled for speed and the rest of the package's wasm for size.

pub mod form;
/// The forms of all records, printed from core's types.
#[rustfmt::skip]
pub mod forms;
pub mod numbers;
pub mod scan;
