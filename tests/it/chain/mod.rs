//! Chains.

mod list_chains;
