//! What needs more than one crate to test.

mod catalogue;
mod checkout;
mod delivery;
mod demo;
mod documents;
mod journey;
mod quantity;
mod records;
mod server;
mod store;
mod tidy;
