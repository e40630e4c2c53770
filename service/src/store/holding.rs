//! Balances at proxies, derived addresses and hot wallets, and when they are swept.

use std::time::Duration;

use alloy_primitives::{Address, B256};
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, Timestamp};

use super::columns::{self, columns};
use super::hex;
use super::sql::{Database, StoreError};
use super::statement::{delete, update};

/// Longer than money at a proxy or a derived address waits for its sweep.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// An amount at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holding {
    pub(crate) address: Address,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
}

columns! { Holding { address, currency, units } }

/// Adds to the balance of an address that is no proxy; a negative amount subtracts.
pub(crate) fn add(
    database: &mut dyn Database,
    chain: ChainId,
    holding: &Holding,
    sweep_at: Timestamp,
) -> Result<(), StoreError> {
    change(database, chain, holding, sweep_at).map(drop)
}

/// Adds to the balance of a proxy, to be swept at a time, and to the sum of its currency; a negative amount subtracts.
pub(crate) fn add_at_proxy(
    database: &mut dyn Database,
    chain: ChainId,
    holding: &Holding,
    sweep_at: Timestamp,
) -> Result<(), StoreError> {
    let proxies = change(database, chain, holding, sweep_at)?;
    add_to_sum(database, chain, &holding.currency, (proxies, holding.units))
}

/// Changes the balance of an address; returns by how much the number of holdings changes.
fn change(
    database: &mut dyn Database,
    chain: ChainId,
    holding: &Holding,
    sweep_at: Timestamp,
) -> Result<i64, StoreError> {
    const FIND: &str =
        "SELECT amount FROM holdings WHERE chain_id = ?1 AND address = ?2 AND currency = ?3";
    const WRITE: &str = "INSERT INTO holdings (chain_id, address, currency, amount, sweep_at) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (chain_id, address, currency) DO UPDATE SET amount = excluded.amount, sweep_at = excluded.sweep_at";
    const DELETE: &str =
        "DELETE FROM holdings WHERE chain_id = ?1 AND address = ?2 AND currency = ?3";
    let address = hex(holding.address);
    let key = [
        chain.into(),
        (&address).into(),
        holding.currency.as_str().into(),
    ];
    let before: Option<i128> = columns::value(&database.query(FIND, &key)?)?;
    let after = before
        .unwrap_or(0)
        .checked_add(holding.units)
        .ok_or_else(|| StoreError::Broken("a holding is too large".to_owned()))?;
    let had = i64::from(before.is_some());
    let has = i64::from(after != 0);
    if after == 0 {
        database.execute(DELETE, &key)?;
    } else {
        let [chain, address, currency] = key;
        let values = [chain, address, currency, after.into(), sweep_at.into()];
        database.execute(WRITE, &values)?;
    }
    Ok(has - had)
}

/// The money of a currency at proxies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProxySum {
    pub(crate) currency: Currency,
    pub(crate) proxies: i64,
    pub(crate) units: i128,
}

columns! { ProxySum { currency, proxies, units } }

fn add_to_sum(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
    (proxies, units): (i64, i128),
) -> Result<(), StoreError> {
    const FIND: &str =
        "SELECT currency, proxies, amount FROM proxy_sums WHERE chain_id = ?1 AND currency = ?2";
    const WRITE: &str = "INSERT INTO proxy_sums (chain_id, currency, proxies, amount) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (chain_id, currency) DO UPDATE SET proxies = excluded.proxies, amount = excluded.amount";
    let key = [chain.into(), currency.as_str().into()];
    let before: Option<ProxySum> = columns::first(&database.query(FIND, &key)?)?;
    let (counted, summed) = before.map_or((0, 0), |sum| (sum.proxies, sum.units));
    let summed = summed
        .checked_add(units)
        .ok_or_else(|| StoreError::Broken("the money at proxies is too large".to_owned()))?;
    let [chain, currency] = key;
    let values = [chain, currency, (counted + proxies).into(), summed.into()];
    database.execute(WRITE, &values).map(drop)
}

/// The money at proxies by currency, without adding it up.
pub(crate) fn proxy_sums(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<ProxySum>, StoreError> {
    const SUMS: &str = "SELECT currency, proxies, amount FROM proxy_sums WHERE chain_id = ?1 AND proxies > 0 ORDER BY currency";
    columns::all(&database.query(SUMS, &[chain.into()])?)
}

/// The balances of an address, by currency.
pub(crate) fn holdings_at(
    database: &mut dyn Database,
    chain: ChainId,
    address: Address,
) -> Result<Vec<Holding>, StoreError> {
    const AT: &str = "SELECT address, currency, amount FROM holdings WHERE chain_id = ?1 AND address = ?2 ORDER BY currency";
    columns::all(&database.query(AT, &[chain.into(), (&hex(address)).into()])?)
}

/// The balance of an address in a currency.
pub(crate) fn held_units(
    database: &mut dyn Database,
    chain: ChainId,
    (address, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    let held = holdings_at(database, chain, address)?;
    let mut held = held.into_iter();
    Ok(held
        .find(|held| held.currency == *currency)
        .map_or(0, |held| held.units))
}

/// Money at a proxy.
#[derive(Debug, Clone)]
pub(crate) struct Unswept {
    pub(crate) address: Address,
    pub(crate) destination: Address,
    pub(crate) salt: B256,
    pub(crate) currency: Currency,
    /// How many sweeps left it there.
    pub(crate) sweeps: u32,
}

columns! { Unswept { address, destination, salt, currency, sweeps } }

/// The money at proxies that is swept until a time, in that order. A time far ahead was written while the clock was wrong.
pub(crate) fn unswept(
    database: &mut dyn Database,
    chain: ChainId,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Unswept>, StoreError> {
    const UNSWEPT: &str = "SELECT p.address, p.destination, p.salt, h.currency, h.sweeps FROM holdings h JOIN proxies p ON p.address = h.address \
         WHERE h.chain_id = ?1 AND (h.sweep_at <= ?2 OR h.sweep_at > ?3) ORDER BY h.sweep_at, h.address, h.currency LIMIT ?4";
    let latest = until.plus(LONGEST_WAIT);
    let values = [chain.into(), until.into(), latest.into(), limit.into()];
    columns::all(&database.query(UNSWEPT, &values)?)
}

/// Money at a proxy, with its amount and time.
#[derive(Debug, Clone)]
pub(crate) struct ProxyHolding {
    pub(crate) address: Address,
    pub(crate) destination: Address,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) sweep_at: Timestamp,
}

columns! { ProxyHolding { address, destination, currency, units, sweep_at } }

/// The money at proxies after a place in the order of the sweeps.
pub(crate) fn page_at_proxies(
    database: &mut dyn Database,
    chain: ChainId,
    (sweep_at, address, currency): (Timestamp, &str, &str),
    limit: u32,
) -> Result<Vec<ProxyHolding>, StoreError> {
    const PAGE: &str = "SELECT h.address, COALESCE(p.destination, d.wallet), h.currency, h.amount, h.sweep_at FROM holdings h \
         LEFT JOIN proxies p ON p.address = h.address LEFT JOIN derived_addresses d ON d.address = h.address \
         WHERE h.chain_id = ?1 AND (h.sweep_at, h.address, h.currency) > (?2, ?3, ?4) \
         AND (p.address IS NOT NULL OR d.address IS NOT NULL) ORDER BY h.sweep_at, h.address, h.currency LIMIT ?5";
    let values = [
        chain.into(),
        sweep_at.into(),
        address.into(),
        currency.into(),
        limit.into(),
    ];
    columns::all(&database.query(PAGE, &values)?)
}

/// Counts a sweep of the money at a proxy, and sets when it is swept again, should it still be there.
pub(crate) fn set_swept(
    database: &mut dyn Database,
    chain: ChainId,
    unswept: &Unswept,
    at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "holdings" [chain_id: chain, address: &hex(unswept.address), currency: unswept.currency.as_str()] {
        sweep_at: at,
        sweeps: unswept.sweeps.saturating_add(1),
    })
}

/// Sets when money at a proxy or a derived address is swept again, should it still be there.
pub(crate) fn set_sweep_at(
    database: &mut dyn Database,
    chain: ChainId,
    (address, currency): (Address, &Currency),
    at: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "holdings" [chain_id: chain, address: &hex(address), currency: currency.as_str()] {
        sweep_at: at,
    })
}

/// The money at proxies of a chain.
pub(crate) fn at_proxies(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<Holding>, StoreError> {
    const AT: &str = "SELECT h.address, h.currency, h.amount FROM holdings h WHERE h.chain_id = ?1 AND \
         (EXISTS (SELECT 1 FROM proxies p WHERE p.address = h.address) \
         OR EXISTS (SELECT 1 FROM derived_addresses d WHERE d.address = h.address))";
    columns::all(&database.query(AT, &[chain.into()])?)
}

/// The due time of money at a derived address that is swept next, even if it is dust.
pub(crate) fn at_once() -> Timestamp {
    Timestamp::from_micros(0)
}

/// Sets when the money at all proxies of a chain is swept; that at derived addresses is swept at once.
pub(crate) fn sweep_all_at(
    database: &mut dyn Database,
    chain: ChainId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const PROXIES: &str = "UPDATE holdings SET sweep_at = ?2 WHERE chain_id = ?1 \
         AND EXISTS (SELECT 1 FROM proxies p WHERE p.address = holdings.address)";
    const DERIVED: &str = "UPDATE holdings SET sweep_at = ?2 WHERE chain_id = ?1 \
         AND EXISTS (SELECT 1 FROM derived_addresses d WHERE d.address = holdings.address)";
    database.execute(PROXIES, &[chain.into(), at.into()])?;
    database
        .execute(DERIVED, &[chain.into(), at_once().into()])
        .map(drop)
}

/// The balance of all addresses of an account in a currency.
pub(crate) fn of_account(
    database: &mut dyn Database,
    chain: ChainId,
    (organisation, account): (OrganisationId, AccountId),
    currency: &Currency,
) -> Result<i128, StoreError> {
    const OF_ACCOUNT: &str = "SELECT h.amount FROM holdings h JOIN addresses a ON a.chain_id = h.chain_id AND a.address = h.address AND a.org_id = ?2 \
         WHERE h.chain_id = ?1 AND a.account_id = ?3 AND h.currency = ?4";
    let values = [
        chain.into(),
        organisation.into(),
        account.into(),
        currency.as_str().into(),
    ];
    let mut sum = 0_i128;
    for row in database.query(OF_ACCOUNT, &values)? {
        sum = sum.saturating_add(columns::get(&row, 0)?);
    }
    Ok(sum)
}

/// The balance of an address of an extended public key.
#[derive(Debug, Clone)]
pub(crate) struct DerivedHolding {
    /// The address's number below the key.
    pub(crate) index: u32,
    pub(crate) address: Address,
    pub(crate) units: i128,
}

columns! { DerivedHolding { index, address, units } }

/// The balances of an account's extended public key in a currency, by index. Without those of addresses that hold nothing.
pub(crate) fn of_derived(
    database: &mut dyn Database,
    chain: ChainId,
    (organisation, account): (OrganisationId, AccountId),
    currency: &Currency,
) -> Result<Vec<DerivedHolding>, StoreError> {
    const OF_DERIVED: &str = "SELECT a.derivation_index, a.address, h.amount FROM addresses a \
         JOIN holdings h ON h.chain_id = a.chain_id AND h.address = a.address AND h.currency = ?4 \
         WHERE a.org_id = ?2 AND a.account_id = ?3 AND a.derivation_index IS NOT NULL AND a.chain_id = ?1 ORDER BY a.derivation_index";
    let values = [
        chain.into(),
        organisation.into(),
        account.into(),
        currency.as_str().into(),
    ];
    columns::all(&database.query(OF_DERIVED, &values)?)
}

/// All balances on a chain, by address and currency.
pub(crate) fn all_holdings(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<Holding>, StoreError> {
    const ALL: &str = "SELECT address, currency, amount FROM holdings WHERE chain_id = ?1 ORDER BY address, currency";
    columns::all(&database.query(ALL, &[chain.into()])?)
}

/// Deletes all balances on a chain.
pub(crate) fn delete_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "held_transfers" [chain_id: chain])?;
    delete!(database, "holdings" [chain_id: chain])?;
    delete!(database, "proxy_sums" [chain_id: chain])?;
    delete!(database, "token_openings" [chain_id: chain])?;
    delete!(database, "operator_entries" [chain_id: chain])
}
