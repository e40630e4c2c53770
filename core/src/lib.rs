//! The Settlekit contract as types.
//!
//! Records, operations, validation, exact decimals, request signing, webhook signing and verification, requests and
//! responses as data. Compiles natively and to wasm32, and serves the service, the dashboard, the npm package and native
//! Rust alike.
//!
//! This crate knows no clock, no randomness, no network, no file and no global state: a time and random bytes are
//! arguments, and nothing here sends anything.

pub mod call;
pub mod catalogue;
pub mod envelope;
pub mod error;
pub mod field;
pub mod given;
pub mod header;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod operation;
pub mod page;
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

/// What every path of the API begins with.
pub const PREFIX: &str = "/v1";
