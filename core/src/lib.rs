//! The Settlekit contract as types.
//!
//! Records, operations, validation, exact decimals, request signing, webhook signatures, requests and responses as data.
//! Compiles natively and to wasm32 for the service, the dashboard, the npm package and the Rust client.
//!
//! This crate has no clock, randomness, network, files or global state. Times and random bytes are arguments.

pub mod call;
pub mod catalogue;
pub mod decode;
pub mod envelope;
pub mod error;
pub mod field;
pub mod header;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod operation;
pub mod page;
mod rules;
pub mod sign;
pub mod state;
pub mod validate;
pub mod value;
pub mod webhook;

pub mod account;
pub mod api_key;
pub mod automation;
pub mod chain;
pub mod checkout;
pub mod customer;
pub mod event;
pub mod external_account;
pub mod find;
pub mod invoice;
pub mod member;
pub mod organisation;
pub mod overview;
pub mod partner;
pub mod paylink;
pub mod payment;
pub mod payout;
pub mod plan;
pub mod quote;
pub mod sandbox;
pub mod session;
pub mod subscription;
pub mod trade;

/// Version prefix of every API path.
pub const PREFIX: &str = "/v1";
