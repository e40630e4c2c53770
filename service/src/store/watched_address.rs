//! Addresses that are only watched: the money at them is the merchants' own.

use alloy_primitives::Address;
use settlekit_core::value::ChainId;

use super::by_addresses::{ByAddresses, by_addresses};
use super::columns::get;
use super::sql::{Database, StoreError};

/// The addresses on a chain that are watched only, of any organisation: merchants' own wallets, also those of deleted accounts, and
/// addresses of extended public keys.
pub(crate) fn all(database: &mut dyn Database, chain: ChainId) -> Result<Vec<Address>, StoreError> {
    const ALL: &str = "SELECT DISTINCT address FROM addresses WHERE chain_id = ?1 AND watched = 1";
    let rows = database.query(ALL, &[chain.into()])?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// The addresses of some that are merchants' own wallets on a chain.
pub(crate) fn among(
    database: &mut dyn Database,
    chain: ChainId,
    addresses: &[Address],
) -> Result<Vec<Address>, StoreError> {
    let own = ByAddresses {
        columns: "DISTINCT address",
        table: "addresses",
        and: "AND chain_id = ?1 AND watched = 1",
        values: &[chain.into()],
    };
    let rows = by_addresses(database, &own, addresses)?;
    rows.iter().map(|row| get(row, 0)).collect()
}
