//! Proxy wallets.

use std::collections::HashSet;

use alloy_primitives::{Address, B256};

use super::by_addresses::{ByAddresses, by_addresses};
use super::columns::{self, columns};
use super::hex;
use super::sql::{Database, StoreError};
use super::statement::insert;

/// A proxy wallet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) address: Address,
    /// The only address that it can pay.
    pub(crate) destination: Address,
    pub(crate) salt: B256,
}

columns! { Proxy { address, destination, salt } }

pub(crate) fn insert(database: &mut dyn Database, proxy: &Proxy) -> Result<(), StoreError> {
    insert!(database, "proxies" {
        address: &hex(proxy.address),
        destination: &hex(proxy.destination),
        salt: &hex(proxy.salt),
    })
}

/// The proxies among some addresses that pay to others than hot wallets.
pub(crate) fn to_others(
    database: &mut dyn Database,
    addresses: &[Address],
) -> Result<HashSet<Address>, StoreError> {
    let wallets = super::wallet::all_wallets(database)?;
    let is_hot = |address| wallets.iter().any(|wallet| wallet.address == address);
    let proxies = proxies_among(database, addresses)?.into_iter();
    let others = proxies.filter(|proxy| !is_hot(proxy.destination));
    Ok(others.map(|proxy| proxy.address).collect())
}

/// The addresses of all proxies, to compare them with a chain.
pub(crate) fn addresses(database: &mut dyn Database) -> Result<Vec<Address>, StoreError> {
    const ADDRESSES: &str = "SELECT address FROM proxies ORDER BY address";
    let rows = database.query(ADDRESSES, &[])?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}

/// The proxies among some addresses.
pub(crate) fn proxies_among(
    database: &mut dyn Database,
    addresses: &[Address],
) -> Result<Vec<Proxy>, StoreError> {
    const AMONG: ByAddresses<'static> = ByAddresses {
        columns: "address, destination, salt",
        table: "proxies",
        and: "",
        values: &[],
    };
    columns::all(&by_addresses(database, &AMONG, addresses)?)
}
