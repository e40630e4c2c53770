//! The store: SQL and nothing but SQL. No rule of the product lives here.

pub mod dialect;
pub mod migrate;
#[cfg(not(target_family = "wasm"))]
mod numeric;
#[cfg(not(target_family = "wasm"))]
pub mod postgres;
pub mod sql;
pub mod sqlite;
