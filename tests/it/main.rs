//! What needs more than one crate to test.

mod catalogue;
mod demo;
mod documents;
mod journey;
mod server;
mod store;
mod tidy;
