//! What needs more than one crate to test.

mod catalogue;
mod journey;
mod server;
mod store;
