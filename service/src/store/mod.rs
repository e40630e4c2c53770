//! The store: SQL only, no product rules.
//!
//! Every statement names the organisation, except lookups across organisations (by key, session or address) and those of the
//! simulated chain, which belongs to none. One SQL text serves both databases; their differences are in `dialect`.
//!
//! Amounts are canonical TEXT in STRICT SQLite tables, `NUMERIC(38,0)` in PostgreSQL and checked `i128` in Rust. Times are
//! microseconds UTC. A record is stored as JSON, beside the columns that queries filter and sort by. Rows are numbered per
//! owner without gaps, so page 10 000 costs what page 1 costs (decision 27). Secrets are sealed (XChaCha20-Poly1305) under the
//! master key; API keys, session tokens and passwords are stored as hashes.
//!
//! A table's module declares its list (`listing!` in `listing`), the columns that it writes with their values (`insert!`,
//! `update!`, `delete!` in `statement`) and the columns that it reads (`columns!` in `columns`).

#[cfg(not(target_family = "wasm"))]
pub mod backup;
pub mod derived;
pub(crate) mod derived_address;
pub mod dialect;
pub mod migrate;
pub mod mode;
#[cfg(not(target_family = "wasm"))]
pub mod postgres;
pub mod sql;
pub mod sqlite;

pub(crate) mod account;
mod amount_rank;
pub(crate) mod api_key;
pub(crate) mod authorization;
pub(crate) mod automation;
pub(crate) mod books;
pub(crate) mod bundle;
mod by_addresses;
pub(crate) mod chain;
pub(crate) mod chain_report;
pub(crate) mod checkout_hold;
mod columns;
pub(crate) mod connection;
pub(crate) mod counter;
pub(crate) mod currency_total;
pub(crate) mod customer;
pub(crate) mod delivery;
pub(crate) mod delivery_order;
pub(crate) mod destination;
pub(crate) mod due;
pub(crate) mod event;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod exchange;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod exchange_market;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod exchange_order;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod exchange_position;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod exchange_withdrawal;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod execution;
pub(crate) mod external_account;
pub(crate) mod fault;
pub(crate) mod filter;
pub(crate) mod filter_counts;
pub(crate) mod find;
mod folding;
pub(crate) mod held_transfer;
pub(crate) mod holding;
pub(crate) mod id_prefix;
pub(crate) mod idempotency;
pub(crate) mod inbox;
pub(crate) mod invoice;
pub(crate) mod ledger;
pub(crate) mod list;
pub(crate) mod listed_balance;
pub(crate) mod listing;
pub(crate) mod member;
pub(crate) mod movement;
mod movement_index;
pub(crate) mod movement_list;
pub(crate) mod named;
pub(crate) mod note;
pub(crate) mod opening;
pub(crate) mod opening_balance;
pub(crate) mod operator_entry;
pub(crate) mod operator_money;
pub(crate) mod order;
pub(crate) mod organisation;
pub(crate) mod outgoing;
pub(crate) mod outgoing_attempt;
pub(crate) mod outgoing_list;
pub(crate) mod outgoing_open;
pub(crate) mod own_transfer;
pub(crate) mod ownership;
pub(crate) mod password_failure;
pub(crate) mod pay_in_address;
pub(crate) mod payer_fees;
pub(crate) mod payer_transaction;
pub(crate) mod paylink;
pub(crate) mod paylink_day;
pub(crate) mod payment;
mod payment_search;
pub(crate) mod payout;
pub(crate) mod payout_limit;
pub(crate) mod person;
pub(crate) mod plan;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod poll_state;
pub(crate) mod price;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod price_source;
pub(crate) mod proxy;
pub(crate) mod quote;
pub(crate) mod refund;
pub(crate) mod replay;
pub(crate) mod saved_view;
pub(crate) mod sealed;
pub(crate) mod sequence;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod signing_secret;
pub(crate) mod simulated;
pub(crate) mod spent;
mod statement;
mod status_counts;
pub(crate) mod subscription;
pub(crate) mod subscription_day;
pub(crate) mod token_domain;
pub(crate) mod token_opening;
pub(crate) mod transaction;
pub(crate) mod transfer_index;
mod trigram;
pub(crate) mod unconfigured_token;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod venue;
pub(crate) mod volume;
pub(crate) mod wallet;
pub(crate) mod wallet_link;
pub(crate) mod watched_address;
pub(crate) mod withdrawal;
mod write_cache;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sql::{Row, StoreError};

/// Serializes a record for its column.
fn write_record<T: Serialize>(record: &T) -> Result<String, StoreError> {
    serde_json::to_string(record)
        .map_err(|error| StoreError::Broken(format!("a record cannot be written: {error}")))
}

/// Parses the record in a column.
///
/// In a module for WebAssembly from bytes, as the client reads responses: the code for each record is in it once then.
fn read_record<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    #[cfg(target_family = "wasm")]
    let read = serde_json::from_slice(text.as_bytes());
    #[cfg(not(target_family = "wasm"))]
    let read = serde_json::from_str(text);
    read.map_err(|error| StoreError::Damaged(format!("a record cannot be read: {error}")))
}

/// An address or a hash as it is stored: 0x and lower-case digits.
fn hex(value: impl std::fmt::LowerHex) -> String {
    format!("{value:#x}")
}

/// A count as it is stored. No chain comes near the limit.
fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn first(rows: Vec<Row>) -> Option<Row> {
    rows.into_iter().next()
}

/// Reads the first row.
fn one<T>(
    rows: Vec<Row>,
    read: impl FnOnce(&Row) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    rows.first().map(read).transpose()
}

/// Reads the record in column 0 of the first row.
fn one_record<T: DeserializeOwned>(rows: Vec<Row>) -> Result<Option<T>, StoreError> {
    one(rows, |row| read_record(row.text(0)?))
}

/// Reports a duplicate, which another transaction inserted, as a conflict: the transaction runs again and finds it.
fn conflict_on_duplicate<T>(inserted: Result<T, StoreError>) -> Result<T, StoreError> {
    match inserted {
        Err(StoreError::Constraint(_)) => Err(StoreError::Conflict),
        inserted => inserted,
    }
}

/// The id that a table assigned to a new row.
fn new_id<Id>(id: Option<Id>) -> Result<Id, StoreError> {
    id.ok_or_else(|| StoreError::Broken("a new row has no valid id".into()))
}

/// The id from RETURNING.
fn returned(rows: Vec<Row>) -> Result<i64, StoreError> {
    first(rows)
        .ok_or_else(|| StoreError::Broken("the statement returned no row".into()))?
        .int(0)
}
