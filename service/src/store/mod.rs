//! The store: SQL and nothing but SQL. No rule of the product lives here.

pub mod dialect;
pub mod migrate;
pub mod sql;
pub mod sqlite;
