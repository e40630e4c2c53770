//! The installation, as the members who operate it see it. Belongs to no organisation, so no query here names one.

mod chains;
mod list_outgoing_transactions;
mod list_unswept_proxies;
mod transactions;
mod update_installation_chain;
mod wallet_links;
mod wallets;

pub(crate) use chains::{all as all_chains, list_installation_chains};
pub(crate) use list_outgoing_transactions::list_outgoing_transactions;
pub(crate) use list_unswept_proxies::list_unswept_proxies;
pub(crate) use transactions::{oldest as oldest_transactions, raise_transaction_fee};
pub(crate) use update_installation_chain::update_installation_chain;
pub use wallet_links::WalletLinkError;
#[cfg(not(target_family = "wasm"))]
pub(crate) use wallet_links::all as all_wallet_links;
pub(crate) use wallet_links::{
    create_wallet_link, delete_wallet_link, list_wallet_links, restore_wallet_links,
};
pub(crate) use wallets::{all as all_wallets, list_hot_wallets};

use settlekit_core::value::{Amount, ChainId, Currency};

use crate::store;
use crate::store::sql::{Database, StoreError};

/// An amount of a currency on a chain.
fn shown(
    database: &mut dyn Database,
    chain: ChainId,
    (currency, units): (&Currency, i128),
) -> Result<Amount, StoreError> {
    let asset = store::chain::asset(database, chain, currency)?
        .ok_or_else(|| StoreError::Damaged("money of an unknown currency".to_owned()))?;
    Amount::from_units(units, asset.scale)
        .map_err(|_| StoreError::Damaged("an amount on a chain is too large".to_owned()))
}
