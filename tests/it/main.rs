//! Tests that need more than one crate.
//!
//! Most are in a folder per room. These cover all rooms:
//!
//! - `model`: random operations of several organisations against a simple model of the books, with crashes and faults.
//! - `golden`, and `core/tests/core/golden.rs`: a recorded line for each record and operation, equal on every target.
//!
//! Outside this crate: the stage `interface` sends requests generated from `docs/openapi.json` to a server on each database,
//! `tests/second` is another service that speaks the contract, in Python, against which the Rust client and the npm package are
//! tested, and `tests/browser/specs` drives dashboard, payer's page and demo in a real browser.

mod account;
mod api_key;
mod attacks;
mod audit;
mod automation;
mod books;
mod catalogue;
mod chain;
mod chain_reader;
mod checkout;
mod clock;
mod customer;
mod decisions;
mod demo;
mod documents;
mod event;
mod exchange;
mod external_account;
mod find;
mod golden;
mod guides;
mod idempotency;
mod installation;
mod invoice;
mod journey;
mod language;
mod member;
mod model;
mod module_graph;
mod note;
mod organisation;
mod overview;
mod partner;
mod paylink;
mod payment;
mod payout;
mod plan;
mod pooler;
mod prices;
mod processes;
mod public_api;
mod quote;
mod rate;
mod records;
mod refusals;
mod replication;
mod sandbox;
mod saved_view;
mod server;
mod session;
mod status_counts;
mod store;
mod subscription;
mod tidy;
mod trade;
mod uniswap;
mod x402;
