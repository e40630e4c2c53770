//! Transfers that payers signed (EIP-3009), and the transfers in blocks that executed them.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use super::columns::{self, Column, columns, parse};
use super::sql::{Database, Row, StoreError};
use super::statement::{delete, insert, insert_numbered, update};
use super::transfer_index::TransferIndex;
use super::{conflict_on_duplicate, hex, int};

/// The status of an authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It may still be executed.
    Open,
    /// A transfer executed it.
    Executed,
    /// It never will be.
    Failed,
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Executed => "Executed",
            Self::Failed => "Failed",
        }
    }
}

impl std::str::FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = [Self::Open, Self::Executed, Self::Failed].into_iter();
        all.find(|status| status.as_str() == text).ok_or(())
    }
}

impl Column for Status {
    fn maybe(row: &Row, column: usize) -> Result<Option<Self>, StoreError> {
        row.maybe_text(column)?.map(parse).transpose()
    }
}

/// The unique key of an authorization: a token takes a nonce of a payer once.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
    pub(crate) payer: Address,
    pub(crate) nonce: B256,
}

/// An authorization that was accepted.
#[derive(Debug, Clone)]
pub(crate) struct Authorized {
    pub(crate) id: i64,
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
    pub(crate) payer: Address,
    pub(crate) nonce: B256,
    pub(crate) organisation: OrganisationId,
    pub(crate) payment: PaymentId,
    pub(crate) account: AccountId,
    pub(crate) to: Address,
    pub(crate) units: i128,
    /// Until then the token executes the latest signature.
    pub(crate) valid_before: Timestamp,
    /// Until then it executes one of all that were signed.
    pub(crate) executable_until: Timestamp,
    /// The outgoing transaction that executes it. A simulated chain has none.
    pub(crate) transaction: Option<i64>,
    /// The network's fee in wei; before it is known, its maximum.
    pub(crate) network_fee: i128,
    pub(crate) status: Status,
    /// The time of the facilitator's answer that it was settled (x402).
    pub(crate) answered_at: Option<Timestamp>,
    pub(crate) created_at: Timestamp,
}

columns! { Authorized {
    id, chain, currency, payer, nonce, organisation, payment, account, to, units, valid_before, executable_until, transaction, network_fee, status,
    answered_at, created_at
} }

macro_rules! authorized_columns {
    () => {
        "SELECT id, chain_id, currency, payer, nonce, org_id, payment_id, account_id, to_address, amount, valid_before, \
         executable_until, transaction_id, network_fee, status, answered_at, created_at FROM authorizations"
    };
}

/// Adds an authorization. The id is assigned.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: &Authorized,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let inserted = insert_numbered!(database, "authorizations" {
        chain_id: new.chain,
        currency: new.currency.as_str(),
        payer: &hex(new.payer),
        nonce: &hex(new.nonce),
        org_id: new.organisation,
        payment_id: new.payment,
        account_id: new.account,
        to_address: &hex(new.to),
        amount: new.units,
        valid_before: new.valid_before,
        executable_until: new.executable_until,
        transaction_id: new.transaction,
        network_fee: new.network_fee,
        status: new.status.as_str(),
        answered_at: new.answered_at,
        created_at: now,
        updated_at: now,
    });
    // Another transaction inserted the same nonce.
    conflict_on_duplicate(inserted)
}

/// Writes an authorization that failed and that its payer has signed again, with the same nonce.
pub(crate) fn renew(
    database: &mut dyn Database,
    signed: &Authorized,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "authorizations" [id: signed.id] {
        account_id: signed.account,
        to_address: &hex(signed.to),
        amount: signed.units,
        valid_before: signed.valid_before,
        executable_until: signed.executable_until,
        transaction_id: signed.transaction,
        network_fee: signed.network_fee,
        status: signed.status.as_str(),
        created_at: now,
        updated_at: now,
    })
}

/// Writes what changes in the life of an authorization.
pub(crate) fn update(
    database: &mut dyn Database,
    changed: &Authorized,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "authorizations" [id: changed.id] {
        network_fee: changed.network_fee,
        status: changed.status.as_str(),
        updated_at: now,
    })
}

/// The authorization with a payer's nonce.
pub(crate) fn by_nonce(
    database: &mut dyn Database,
    key: &Key,
) -> Result<Option<Authorized>, StoreError> {
    const FIND: &str = concat!(
        authorized_columns!(),
        " WHERE chain_id = ?1 AND currency = ?2 AND payer = ?3 AND nonce = ?4"
    );
    let (payer, nonce) = (hex(key.payer), hex(key.nonce));
    let values = [
        key.chain.into(),
        key.currency.as_str().into(),
        (&payer).into(),
        (&nonce).into(),
    ];
    columns::first(&database.query(FIND, &values)?)
}

/// An authorization, locked until the database transaction ends.
pub(crate) fn lock(database: &mut dyn Database, id: i64) -> Result<Option<Authorized>, StoreError> {
    const FIND: &str = concat!(authorized_columns!(), " WHERE id = ?1 FOR UPDATE");
    columns::first(&database.query(FIND, &[id.into()])?)
}

/// Whether an authorization is under way, and no transfer in a block has executed it.
pub(crate) fn is_under_way(database: &mut dyn Database, id: i64) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM authorizations WHERE id = ?1 AND status = 'Open' \
         AND NOT EXISTS (SELECT 1 FROM authorized_transfers t WHERE t.authorization_id = authorizations.id AND t.block IS NOT NULL)";
    Ok(!database.query(FIND, &[id.into()])?.is_empty())
}

/// Records the facilitator's answer that an authorization was settled.
pub(crate) fn set_answered(
    database: &mut dyn Database,
    id: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "authorizations" [id: id] { answered_at: now, updated_at: now })
}

/// The authorization for a payment that is under way, or that failed and could be executed since a time.
pub(crate) fn executable(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
    since: Timestamp,
) -> Result<Option<Authorized>, StoreError> {
    const FIND: &str = concat!(
        authorized_columns!(),
        " WHERE org_id = ?1 AND payment_id = ?2 AND (status = 'Open' OR (status = 'Failed' AND executable_until > ?3)) \
         ORDER BY CASE status WHEN 'Open' THEN 0 ELSE 1 END, id LIMIT 1"
    );
    let values = [organisation.into(), payment.into(), since.into()];
    columns::first(&database.query(FIND, &values)?)
}

/// The authorization that an outgoing transaction executes, locked until the database transaction ends.
pub(crate) fn of_transaction(
    database: &mut dyn Database,
    transaction: i64,
) -> Result<Option<Authorized>, StoreError> {
    const FIND: &str = concat!(
        authorized_columns!(),
        " WHERE transaction_id = ?1 FOR UPDATE"
    );
    columns::first(&database.query(FIND, &[transaction.into()])?)
}

/// A payer's authorizations of a token that are under way, and that no transfer in a block has executed.
pub(crate) fn open_of(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
    payer: Address,
) -> Result<Vec<Authorized>, StoreError> {
    const OPEN: &str = concat!(
        authorized_columns!(),
        " WHERE chain_id = ?1 AND currency = ?2 AND payer = ?3 AND status = 'Open' \
         AND NOT EXISTS (SELECT 1 FROM authorized_transfers t WHERE t.authorization_id = authorizations.id AND t.block IS NOT NULL)"
    );
    let payer = hex(payer);
    let values = [chain.into(), currency.as_str().into(), (&payer).into()];
    columns::all(&database.query(OPEN, &values)?)
}

/// How many authorizations of a payment were executed.
pub(crate) fn count_executed(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
) -> Result<u32, StoreError> {
    const COUNT: &str = "SELECT COUNT(*) FROM authorizations WHERE org_id = ?1 AND payment_id = ?2 AND status = 'Executed'";
    let values = [organisation.into(), payment.into()];
    Ok(columns::value(&database.query(COUNT, &values)?)?.unwrap_or(0))
}

/// The authorizations that transfers in blocks above one executed, locked until the database transaction ends.
pub(crate) fn executed_above(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Authorized>, StoreError> {
    const ABOVE: &str = concat!(
        authorized_columns!(),
        " WHERE id IN (SELECT authorization_id FROM authorized_transfers WHERE chain_id = ?1 AND block > ?2) ORDER BY id FOR UPDATE"
    );
    columns::all(&database.query(ABOVE, &[chain.into(), int(block).into()])?)
}

/// Records that a transfer in a block executed an authorization.
pub(crate) fn insert_transfer(
    database: &mut dyn Database,
    (chain, block): (ChainId, u64),
    (hash, transfer): (B256, TransferIndex),
    authorization: i64,
) -> Result<(), StoreError> {
    insert!(database, "authorized_transfers" {
        chain_id: chain,
        hash: &hex(hash),
        transfer: &transfer.to_string(),
        block: int(block),
        authorization_id: authorization,
    })
}

/// Whether a transfer in a block executed an authorization.
pub(crate) fn is_authorized(
    database: &mut dyn Database,
    chain: ChainId,
    (hash, transfer): (B256, TransferIndex),
) -> Result<bool, StoreError> {
    Ok(by_transfer(database, chain, (hash, transfer))?.is_some())
}

/// Whether a transfer in a block executed an authorization.
pub(crate) fn has_transfer(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<bool, StoreError> {
    Ok(transfer_hash(database, authorization)?.is_some())
}

/// The transaction whose transfer in a block executed an authorization.
pub(crate) fn transfer_hash(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<Option<String>, StoreError> {
    let transfer = executing_transfer(database, authorization)?;
    Ok(transfer.map(|(hash, _)| hash))
}

/// The transfer in a block that executed an authorization: the hash of its transaction, and its position.
pub(crate) fn executing_transfer(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<Option<(String, TransferIndex)>, StoreError> {
    const FIND: &str = "SELECT hash, transfer FROM authorized_transfers WHERE authorization_id = ?1 AND block IS NOT NULL LIMIT 1";
    columns::first(&database.query(FIND, &[authorization.into()])?)
}

/// Takes a booked transfer that executed an authorization out of its block, and keeps it.
pub(crate) fn keep_booked_transfer(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<(), StoreError> {
    const KEEP: &str = "UPDATE authorized_transfers SET block = NULL WHERE authorization_id = ?1";
    database.execute(KEEP, &[authorization.into()]).map(drop)
}

/// Removes the booked transfer that executed an authorization before a reorganisation, and returns it.
pub(crate) fn take_booked_transfer(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<Option<(String, TransferIndex)>, StoreError> {
    const FIND: &str = "SELECT hash, transfer FROM authorized_transfers WHERE authorization_id = ?1 AND block IS NULL LIMIT 1";
    const DELETE: &str =
        "DELETE FROM authorized_transfers WHERE authorization_id = ?1 AND block IS NULL";
    let booked = columns::first(&database.query(FIND, &[authorization.into()])?)?;
    if booked.is_some() {
        database.execute(DELETE, &[authorization.into()])?;
    }
    Ok(booked)
}

/// Forgets the booked transfer at a position in a transaction that executes something else now.
pub(crate) fn forget_booked_transfer(
    database: &mut dyn Database,
    chain: ChainId,
    (hash, transfer): (B256, TransferIndex),
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM authorized_transfers WHERE chain_id = ?1 AND hash = ?2 AND transfer = ?3 AND block IS NULL";
    let (hash, transfer) = (hex(hash), transfer.to_string());
    let values = [chain.into(), (&hash).into(), (&transfer).into()];
    database.execute(FORGET, &values).map(drop)
}

/// The authorization that a transfer in a block executed.
pub(crate) fn by_transfer(
    database: &mut dyn Database,
    chain: ChainId,
    (hash, transfer): (B256, TransferIndex),
) -> Result<Option<Authorized>, StoreError> {
    const FIND: &str = concat!(
        authorized_columns!(),
        " WHERE id = (SELECT authorization_id FROM authorized_transfers WHERE chain_id = ?1 AND hash = ?2 AND transfer = ?3 \
         AND block IS NOT NULL)"
    );
    let (hash, transfer) = (hex(hash), transfer.to_string());
    let values = [chain.into(), (&hash).into(), (&transfer).into()];
    columns::first(&database.query(FIND, &values)?)
}

/// Takes the transfers out of blocks that a reorganisation took away.
pub(crate) fn delete_transfers_above(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM authorized_transfers WHERE chain_id = ?1 AND block > ?2";
    database
        .execute(DELETE, &[chain.into(), int(block).into()])
        .map(drop)
}

/// Takes the transfers of an authorization out of the chain.
pub(crate) fn delete_transfers(
    database: &mut dyn Database,
    authorization: i64,
) -> Result<(), StoreError> {
    delete!(database, "authorized_transfers" [authorization_id: authorization])
}

/// Deletes the authorizations of an unused chain.
pub(crate) fn delete_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "authorized_transfers" [chain_id: chain])?;
    delete!(database, "authorizations" [chain_id: chain])
}
