//! What tests of several crates share: the databases they run on, and a service in process.

pub mod database;
pub mod many;
pub mod postgres;
pub mod wallet;
pub mod world;
