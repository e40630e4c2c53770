//! Shared test support: databases, and a service in process.

pub mod bulk;
pub mod chain;
pub mod database;
pub mod postgres;
pub mod wallet;
pub mod world;
