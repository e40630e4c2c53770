//! Transactions of hot wallets.

use alloy_primitives::{Address, B256, Bytes};
use settlekit_core::value::{ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use super::columns::{self, Column, columns, parse};
use super::sql::{Database, Row, StoreError};
use super::statement::{delete, insert, insert_numbered, update};
use super::{hex, int};

/// Where an outgoing transaction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// To be estimated and signed.
    Queued,
    /// Signed, with a nonce; to be broadcast.
    Signed,
    /// A node took it.
    Sent,
    /// In a block.
    Mined,
    /// In a block with its confirmations.
    Settled,
    /// Refused by the network before it was signed.
    Refused,
}

const STATUSES: [(Status, &str); 6] = [
    (Status::Queued, "Queued"),
    (Status::Signed, "Signed"),
    (Status::Sent, "Sent"),
    (Status::Mined, "Mined"),
    (Status::Settled, "Settled"),
    (Status::Refused, "Refused"),
];

impl Status {
    fn as_str(self) -> &'static str {
        let mut all = STATUSES.iter();
        all.find(|(status, _)| *status == self)
            .map_or("", |(_, text)| text)
    }
}

impl std::str::FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = STATUSES.iter();
        all.find(|(_, known)| *known == text)
            .map(|(status, _)| *status)
            .ok_or(())
    }
}

impl Column for Status {
    fn maybe(row: &Row, column: usize) -> Result<Option<Self>, StoreError> {
        row.maybe_text(column)?.map(parse).transpose()
    }
}

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Pays out.
    Payout(OrganisationId, PaymentId),
    /// Empties proxies into their destination.
    Sweep,
    /// Deploys the factory of proxies.
    Deploy,
    /// Was sent by somebody else who has the wallet's key.
    Unknown,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Payout(..) => "payout",
            Self::Sweep => "sweep",
            Self::Deploy => "deploy",
            Self::Unknown => "unknown",
        }
    }
}

/// A transaction of a hot wallet.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    pub(crate) id: i64,
    pub(crate) chain: ChainId,
    pub(crate) sender: Address,
    /// Taken when it is signed.
    pub(crate) nonce: Option<u64>,
    pub(crate) purpose: String,
    pub(crate) organisation: Option<OrganisationId>,
    pub(crate) payment: Option<PaymentId>,
    pub(crate) to: Address,
    /// In wei.
    pub(crate) value: i128,
    pub(crate) data: Bytes,
    /// What leaves the wallet, in the currency's smallest unit.
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) gas_limit: Option<u64>,
    pub(crate) status: Status,
    /// The block that it is in.
    pub(crate) block: Option<u64>,
    /// The form of it that is in the block.
    pub(crate) hash: Option<B256>,
    /// Whether it succeeded, once mined; otherwise it was reverted.
    pub(crate) succeeded: Option<bool>,
    /// What the network took, in wei, once mined.
    pub(crate) fee: Option<i128>,
}

columns! { Outgoing {
    id, chain, sender, nonce, purpose, organisation, payment, to, value, data, currency, units, gas_limit,
    status, block, hash, succeeded,
    fee
} }

macro_rules! outgoing_columns {
    () => {
        "SELECT id, chain_id, sender, nonce, purpose, org_id, payment_id, to_address, value, data, currency, amount, gas_limit, \
         status, block, hash, succeeded, fee \
         FROM outgoing_transactions"
    };
}

impl Outgoing {
    pub(crate) fn purpose(&self) -> Purpose {
        match (self.organisation, self.payment) {
            (Some(organisation), Some(payment)) => Purpose::Payout(organisation, payment),
            _ if self.purpose == Purpose::Sweep.as_str() => Purpose::Sweep,
            _ if self.purpose == Purpose::Deploy.as_str() => Purpose::Deploy,
            _ => Purpose::Unknown,
        }
    }
}

/// A new transaction.
pub(crate) struct NewOutgoing {
    pub(crate) chain: ChainId,
    pub(crate) sender: Address,
    pub(crate) purpose: Purpose,
    pub(crate) to: Address,
    pub(crate) value: i128,
    pub(crate) data: Bytes,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
}

/// Queues a transaction and returns its id.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: &NewOutgoing,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let (organisation, payment) = match new.purpose {
        Purpose::Payout(organisation, payment) => (Some(organisation), Some(payment)),
        Purpose::Sweep | Purpose::Deploy | Purpose::Unknown => (None, None),
    };
    insert_numbered!(database, "outgoing_transactions" {
        chain_id: new.chain,
        sender: &hex(new.sender),
        purpose: new.purpose.as_str(),
        org_id: organisation,
        payment_id: payment,
        to_address: &hex(new.to),
        value: new.value,
        data: &new.data.to_string(),
        currency: new.currency.as_str(),
        amount: new.units,
        status: Status::Queued.as_str(),
        due_at: now,
        created_at: now,
        updated_at: now,
    })
}

/// The transactions of a chain that something is due for, oldest first, locked until the database transaction ends.
pub(crate) fn due(
    database: &mut dyn Database,
    chain: ChainId,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Outgoing>, StoreError> {
    const DUE: &str = concat!(
        outgoing_columns!(),
        " WHERE chain_id = ?1 AND due_at <= ?2 ORDER BY due_at, id LIMIT ?3 FOR UPDATE"
    );
    columns::all(&database.query(DUE, &[chain.into(), now.into(), limit.into()])?)
}

/// A transaction, locked until the database transaction ends.
pub(crate) fn lock(database: &mut dyn Database, id: i64) -> Result<Option<Outgoing>, StoreError> {
    const LOCK: &str = concat!(outgoing_columns!(), " WHERE id = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[id.into()])?)
}

/// The transaction with a signed form of this hash, locked until the database transaction ends.
pub(crate) fn by_hash(
    database: &mut dyn Database,
    hash: B256,
) -> Result<Option<Outgoing>, StoreError> {
    const FIND: &str = concat!(
        outgoing_columns!(),
        " WHERE id = (SELECT transaction_id FROM outgoing_attempts WHERE hash = ?1) FOR UPDATE"
    );
    columns::first(&database.query(FIND, &[(&hex(hash)).into()])?)
}

/// The transaction of a wallet with a nonce, locked until the database transaction ends.
pub(crate) fn by_nonce(
    database: &mut dyn Database,
    (sender, chain): (Address, ChainId),
    nonce: u64,
) -> Result<Option<Outgoing>, StoreError> {
    const FIND: &str = concat!(
        outgoing_columns!(),
        " WHERE sender = ?1 AND chain_id = ?2 AND nonce = ?3 FOR UPDATE"
    );
    let sender = hex(sender);
    let key = [(&sender).into(), chain.into(), int(nonce).into()];
    columns::first(&database.query(FIND, &key)?)
}

/// The mined transactions up to a block, in the order of the blocks.
pub(crate) fn mined(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Outgoing>, StoreError> {
    const MINED: &str = concat!(
        outgoing_columns!(),
        " WHERE chain_id = ?1 AND status = 'Mined' AND block <= ?2 ORDER BY block, id FOR UPDATE"
    );
    columns::all(&database.query(MINED, &[chain.into(), int(block).into()])?)
}

/// The transactions in blocks above one, in the order of the blocks.
pub(crate) fn above(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Outgoing>, StoreError> {
    const ABOVE: &str = concat!(
        outgoing_columns!(),
        " WHERE chain_id = ?1 AND block > ?2 ORDER BY block, id FOR UPDATE"
    );
    columns::all(&database.query(ABOVE, &[chain.into(), int(block).into()])?)
}

/// Whether a sweep of a chain, or the deployment of its factory, is under way. A sweep that no node has estimated since a time
/// holds up no other.
pub(crate) fn is_sweeping(
    database: &mut dyn Database,
    chain: ChainId,
    since: Timestamp,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND purpose IN ('sweep', 'deploy') \
         AND status NOT IN ('Settled', 'Refused') AND (purpose = 'deploy' OR status <> 'Queued' OR created_at >= ?2) LIMIT 1";
    Ok(!database
        .query(FIND, &[chain.into(), since.into()])?
        .is_empty())
}

/// What signed transactions of a wallet may still take from it until they are settled, in the smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reserved {
    /// Of the currency asked for.
    pub(crate) units: i128,
    /// For gas at the highest fee that they offer, in wei.
    pub(crate) gas: i128,
}

/// What the wallet's signed transactions take of a currency, and for gas.
pub(crate) fn reserved(
    database: &mut dyn Database,
    (sender, chain): (Address, ChainId),
    currency: &Currency,
) -> Result<Reserved, StoreError> {
    const OPEN: &str = "SELECT o.currency, o.amount, o.gas_limit, (SELECT a.max_fee FROM outgoing_attempts a \
         WHERE a.transaction_id = o.id ORDER BY a.number DESC LIMIT 1) FROM outgoing_transactions o WHERE o.chain_id = ?1 \
         AND o.status NOT IN ('Settled', 'Refused') AND o.status <> 'Queued' AND o.sender = ?2";
    let sender = hex(sender);
    let mut reserved = Reserved { units: 0, gas: 0 };
    for row in &database.query(OPEN, &[chain.into(), (&sender).into()])? {
        let of: Currency = columns::get(row, 0)?;
        let units: i128 = columns::get(row, 1)?;
        let limit: Option<i64> = columns::get(row, 2)?;
        let max_fee: Option<i128> = columns::get(row, 3)?;
        if of == *currency {
            reserved.units = reserved.units.saturating_add(units);
        }
        let gas = i128::from(limit.unwrap_or(0)).saturating_mul(max_fee.unwrap_or(0));
        reserved.gas = reserved.gas.saturating_add(gas);
    }
    Ok(reserved)
}

/// The lowest nonce of a wallet's signed transactions that are in no block: the network waits for it.
pub(crate) fn lowest_open_nonce(
    database: &mut dyn Database,
    (sender, chain): (Address, ChainId),
) -> Result<Option<u64>, StoreError> {
    const LOWEST: &str = "SELECT nonce FROM outgoing_transactions WHERE sender = ?1 AND chain_id = ?2 \
         AND status IN ('Signed', 'Sent') AND nonce IS NOT NULL ORDER BY nonce LIMIT 1";
    let sender = hex(sender);
    columns::value(&database.query(LOWEST, &[(&sender).into(), chain.into()])?)
}

/// Whether a chain has transactions that are not final.
pub(crate) fn is_any_open(database: &mut dyn Database, chain: ChainId) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    Ok(!database.query(FIND, &[chain.into()])?.is_empty())
}

/// Deletes the final transactions of a chain.
pub(crate) fn delete_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    const ATTEMPTS: &str = "DELETE FROM outgoing_attempts WHERE transaction_id IN (SELECT id FROM outgoing_transactions WHERE chain_id = ?1)";
    database.execute(ATTEMPTS, &[chain.into()])?;
    delete!(database, "outgoing_transactions" [chain_id: chain])
}

/// Writes what changes in the life of a transaction, and when it is looked at next.
pub(crate) fn update(
    database: &mut dyn Database,
    outgoing: &Outgoing,
    due_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "outgoing_transactions" [id: outgoing.id] {
        nonce: outgoing.nonce.map(int),
        gas_limit: outgoing.gas_limit.map(int),
        status: outgoing.status.as_str(),
        block: outgoing.block.map(int),
        hash: &outgoing.hash.map(hex),
        succeeded: outgoing.succeeded.map(i64::from),
        fee: outgoing.fee,
        due_at: due_at,
        updated_at: now,
    })
}

/// A signed form of a transaction.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) transaction: i64,
    /// From 1.
    pub(crate) number: u32,
    pub(crate) hash: B256,
    pub(crate) signed: Bytes,
    pub(crate) max_fee: i128,
    pub(crate) priority_fee: i128,
}

columns! { Attempt { transaction, number, hash, signed, max_fee, priority_fee } }

pub(crate) fn insert_attempt(
    database: &mut dyn Database,
    attempt: &Attempt,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "outgoing_attempts" {
        transaction_id: attempt.transaction,
        number: attempt.number,
        hash: &hex(attempt.hash),
        signed: &attempt.signed.to_string(),
        max_fee: attempt.max_fee,
        priority_fee: attempt.priority_fee,
        created_at: now,
    })
}

/// The latest signed form of a transaction.
pub(crate) fn latest_attempt(
    database: &mut dyn Database,
    transaction: i64,
) -> Result<Option<Attempt>, StoreError> {
    const LATEST: &str = "SELECT transaction_id, number, hash, signed, max_fee, priority_fee FROM outgoing_attempts \
         WHERE transaction_id = ?1 ORDER BY number DESC LIMIT 1";
    columns::first(&database.query(LATEST, &[transaction.into()])?)
}

/// Whether a transaction has a signed form with a hash.
pub(crate) fn has_attempt(
    database: &mut dyn Database,
    transaction: i64,
    hash: B256,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_attempts WHERE hash = ?1 AND transaction_id = ?2";
    let rows = database.query(FIND, &[(&hex(hash)).into(), transaction.into()])?;
    Ok(!rows.is_empty())
}

/// Forgets the signed forms of a transaction whose nonce another one has used for good.
pub(crate) fn delete_attempts(
    database: &mut dyn Database,
    transaction: i64,
) -> Result<(), StoreError> {
    delete!(database, "outgoing_attempts" [transaction_id: transaction])
}
