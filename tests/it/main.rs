//! What needs more than one crate to test.

mod store;
