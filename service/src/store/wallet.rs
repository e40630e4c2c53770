//! Hot wallets and their nonces.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Timestamp};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::insert;
use super::{hex, int};

/// A hot wallet.
#[derive(Debug, Clone)]
pub(crate) struct Wallet {
    pub(crate) address: Address,
    /// Sealed: the seed, or the URL of an external signer.
    pub(crate) secret: Vec<u8>,
    pub(crate) is_external: bool,
    /// The index of its key in the seed's path.
    pub(crate) derivation_index: u32,
    pub(crate) retired_at: Option<Timestamp>,
}

columns! { Wallet { address, secret, is_external, derivation_index, retired_at } }

macro_rules! wallet_columns {
    () => {
        "SELECT address, secret, is_external, derivation_index, retired_at FROM wallets"
    };
}

pub(crate) fn insert(
    database: &mut dyn Database,
    wallet: &Wallet,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "wallets" {
        address: &hex(wallet.address),
        secret: wallet.secret.as_slice(),
        is_external: wallet.is_external,
        derivation_index: i64::from(wallet.derivation_index),
        created_at: now,
    })
}

/// The hot wallet in use.
pub(crate) fn current_wallet(database: &mut dyn Database) -> Result<Option<Wallet>, StoreError> {
    const CURRENT: &str = concat!(
        wallet_columns!(),
        " WHERE retired_at IS NULL ORDER BY created_at DESC LIMIT 1"
    );
    columns::first(&database.query(CURRENT, &[])?)
}

/// All hot wallets, oldest first: a few.
pub(crate) fn all_wallets(database: &mut dyn Database) -> Result<Vec<Wallet>, StoreError> {
    const ALL: &str = concat!(wallet_columns!(), " ORDER BY created_at, derivation_index");
    columns::all(&database.query(ALL, &[])?)
}

pub(crate) fn find(
    database: &mut dyn Database,
    address: Address,
) -> Result<Option<Wallet>, StoreError> {
    const FIND: &str = concat!(wallet_columns!(), " WHERE address = ?1");
    columns::first(&database.query(FIND, &[(&hex(address)).into()])?)
}

/// Takes a hot wallet out of use; false if it was already.
pub(crate) fn retire(
    database: &mut dyn Database,
    address: Address,
    now: Timestamp,
) -> Result<bool, StoreError> {
    const RETIRE: &str =
        "UPDATE wallets SET retired_at = ?2 WHERE address = ?1 AND retired_at IS NULL";
    let address = hex(address);
    Ok(database.execute(RETIRE, &[(&address).into(), now.into()])? > 0)
}

/// Takes the next nonce of a wallet on a chain.
pub(crate) fn take_nonce(
    database: &mut dyn Database,
    wallet: (Address, ChainId),
) -> Result<u64, StoreError> {
    let nonce = next_nonce(database, wallet)?;
    skip_nonce(database, wallet, nonce)?;
    Ok(nonce)
}

fn next_nonce(
    database: &mut dyn Database,
    (address, chain): (Address, ChainId),
) -> Result<u64, StoreError> {
    const LOCK: &str =
        "SELECT next FROM nonces_of_wallets WHERE address = ?1 AND chain_id = ?2 FOR UPDATE";
    let address = hex(address);
    let next = columns::value(&database.query(LOCK, &[(&address).into(), chain.into()])?)?;
    Ok(next.unwrap_or(0))
}

/// Never takes a nonce that has been used, nor one below it.
pub(crate) fn skip_nonce(
    database: &mut dyn Database,
    wallet: (Address, ChainId),
    nonce: u64,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO nonces_of_wallets (address, chain_id, next) VALUES (?1, ?2, ?3) \
         ON CONFLICT (address, chain_id) DO UPDATE SET next = excluded.next";
    let next = next_nonce(database, wallet)?.max(nonce.saturating_add(1));
    let (address, chain) = (hex(wallet.0), wallet.1);
    let values = [(&address).into(), chain.into(), int(next).into()];
    database.execute(WRITE, &values).map(drop)
}
