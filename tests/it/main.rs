//! What needs more than one crate to test.

mod server;
mod store;
