//! What tests of several crates share: the databases they run on.

pub mod postgres;
