//! Signed forms of the transactions of hot wallets, and those that an external signer is to sign.

use alloy_primitives::{B256, Bytes};
use settlekit_core::value::Timestamp;

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};
use super::{hex, int};

/// A signed form of a transaction.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) transaction: i64,
    /// From 1.
    pub(crate) number: u32,
    pub(crate) hash: Option<B256>,
    pub(crate) signed: Option<Bytes>,
    pub(crate) max_fee: i128,
    pub(crate) priority_fee: i128,
    pub(crate) gas_limit: u64,
    /// Sends nothing, and only uses the nonce.
    pub(crate) is_filler: bool,
}

columns! { Attempt { transaction, number, hash, signed, max_fee, priority_fee, gas_limit, is_filler } }

macro_rules! attempt_columns {
    () => {
        "SELECT transaction_id, number, hash, signed, max_fee, priority_fee, gas_limit, is_filler FROM outgoing_attempts"
    };
}

impl Attempt {
    /// The most that the network may take for it, in wei.
    pub(crate) fn gas_cost(&self) -> i128 {
        i128::from(self.gas_limit).saturating_mul(self.max_fee)
    }
}

pub(crate) fn insert(
    database: &mut dyn Database,
    attempt: &Attempt,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "outgoing_attempts" {
        transaction_id: attempt.transaction,
        number: attempt.number,
        hash: &attempt.hash.map(hex),
        signed: &attempt.signed.as_ref().map(ToString::to_string),
        max_fee: attempt.max_fee,
        priority_fee: attempt.priority_fee,
        gas_limit: int(attempt.gas_limit),
        is_filler: i64::from(attempt.is_filler),
        created_at: now,
    })
}

/// Records the signature of an external signer.
pub(crate) fn set_signed(
    database: &mut dyn Database,
    attempt: &Attempt,
    (hash, signed): (B256, &Bytes),
) -> Result<(), StoreError> {
    update!(database, "outgoing_attempts" [transaction_id: attempt.transaction, number: attempt.number] {
        hash: &hex(hash),
        signed: &signed.to_string(),
    })
}

/// The signed forms of a transaction, the latest first: at most some tens.
pub(crate) fn attempts_of(
    database: &mut dyn Database,
    transaction: i64,
) -> Result<Vec<Attempt>, StoreError> {
    const OF: &str = concat!(
        attempt_columns!(),
        " WHERE transaction_id = ?1 ORDER BY number DESC"
    );
    columns::all(&database.query(OF, &[transaction.into()])?)
}

/// The latest signed form of a transaction.
pub(crate) fn latest_attempt(
    database: &mut dyn Database,
    transaction: i64,
) -> Result<Option<Attempt>, StoreError> {
    const LATEST: &str = concat!(
        attempt_columns!(),
        " WHERE transaction_id = ?1 ORDER BY number DESC LIMIT 1"
    );
    columns::first(&database.query(LATEST, &[transaction.into()])?)
}

/// The signed form of a transaction with a hash.
pub(crate) fn find(
    database: &mut dyn Database,
    transaction: i64,
    hash: B256,
) -> Result<Option<Attempt>, StoreError> {
    const FIND: &str = concat!(
        attempt_columns!(),
        " WHERE hash = ?1 AND transaction_id = ?2"
    );
    columns::first(&database.query(FIND, &[(&hex(hash)).into(), transaction.into()])?)
}

/// Deletes the signed forms of a transaction whose nonce a settled transaction has used.
pub(crate) fn delete(database: &mut dyn Database, transaction: i64) -> Result<(), StoreError> {
    delete!(database, "outgoing_attempts" [transaction_id: transaction])
}
