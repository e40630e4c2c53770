//! Shared test support: databases, and a service in process.

pub mod database;
pub mod many;
pub mod postgres;
pub mod wallet;
pub mod world;
