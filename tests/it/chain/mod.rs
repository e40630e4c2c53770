//! Chains.

mod deposits;
mod extended_keys;
mod list_chains;
mod model;
mod own_wallets;
mod payouts;
mod wallets;
