//! Chains.

mod abandoned;
mod added_tokens;
mod clock;
mod deposits;
mod derived;
mod explorer;
pub(crate) mod extended_keys;
mod fees;
mod finality;
mod leases;
mod list_chains;
mod mempool;
mod model;
mod own_wallets;
mod payouts;
mod refunds;
mod rotation;
mod sending;
mod set_aside;
mod signer;
mod spam;
mod token_fees;
mod traces;
mod virtual_accounts;
mod wallets;
