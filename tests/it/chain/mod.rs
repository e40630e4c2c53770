//! Chains.

mod deposits;
mod list_chains;
mod payouts;
mod wallets;
