//! Derived addresses: pay-in addresses whose keys come from a hot wallet's seed.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::by_addresses::{ByAddresses, by_addresses};
use super::columns::{self, columns};
use super::hex;
use super::holding::LONGEST_WAIT;
use super::sql::{Database, StoreError};
use super::statement::insert;

/// A derived address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DerivedAddress {
    pub(crate) address: Address,
    /// The hot wallet that has the seed.
    pub(crate) wallet: Address,
    /// The index of its key in the seed's path.
    pub(crate) index: u32,
}

columns! { DerivedAddress { address, wallet, index } }

pub(crate) fn insert(
    database: &mut dyn Database,
    derived: &DerivedAddress,
) -> Result<(), StoreError> {
    insert!(database, "derived_addresses" {
        address: &hex(derived.address),
        wallet: &hex(derived.wallet),
        derivation_index: i64::from(derived.index),
    })
}

/// Takes the next index, from 0. It counts for the installation and not for a seed: the same words may come back.
pub(crate) fn take_index(database: &mut dyn Database) -> Result<u32, StoreError> {
    const TAKE: &str = "INSERT INTO derived_indexes (id, next) VALUES (0, 1) \
         ON CONFLICT (id) DO UPDATE SET next = derived_indexes.next + 1 RETURNING next - 1";
    let taken = columns::value(&database.query(TAKE, &[])?)?;
    taken.ok_or_else(|| StoreError::Broken("no index was taken".to_owned()))
}

pub(crate) fn find(
    database: &mut dyn Database,
    address: Address,
) -> Result<Option<DerivedAddress>, StoreError> {
    Ok(derived_among(database, &[address])?.pop())
}

/// The derived addresses among some addresses.
pub(crate) fn derived_among(
    database: &mut dyn Database,
    addresses: &[Address],
) -> Result<Vec<DerivedAddress>, StoreError> {
    const AMONG: ByAddresses<'static> = ByAddresses {
        columns: "address, wallet, derivation_index",
        table: "derived_addresses",
        and: "",
        values: &[],
    };
    columns::all(&by_addresses(database, &AMONG, addresses)?)
}

/// All of them, to compare them with a chain.
pub(crate) fn addresses(database: &mut dyn Database) -> Result<Vec<Address>, StoreError> {
    const ADDRESSES: &str = "SELECT address FROM derived_addresses ORDER BY address";
    let rows = database.query(ADDRESSES, &[])?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}

/// Money at a derived address.
#[derive(Debug, Clone)]
pub(crate) struct Unswept {
    pub(crate) address: Address,
    pub(crate) currency: Currency,
    pub(crate) sweep_at: Timestamp,
}

columns! { Unswept { address, currency, sweep_at } }

/// The money at derived addresses that is swept until a time, in that order. A time far ahead was written while the clock was wrong.
pub(crate) fn unswept(
    database: &mut dyn Database,
    chain: ChainId,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Unswept>, StoreError> {
    const UNSWEPT: &str = "SELECT h.address, h.currency, h.sweep_at FROM holdings h JOIN derived_addresses d ON d.address = h.address \
         WHERE h.chain_id = ?1 AND (h.sweep_at <= ?2 OR h.sweep_at > ?3) ORDER BY h.sweep_at, h.address, h.currency LIMIT ?4";
    let latest = until.plus(LONGEST_WAIT);
    let values = [chain.into(), until.into(), latest.into(), limit.into()];
    columns::all(&database.query(UNSWEPT, &values)?)
}
