//! Chains.

mod clock;
mod deposits;
mod extended_keys;
mod finality;
mod leases;
mod list_chains;
mod model;
mod own_wallets;
mod payouts;
mod spam;
mod traces;
mod wallets;
