//! Transactions of hot wallets.
//!
//! Longer than 400 lines: every query here reads or writes the columns of one private list.

use std::time::Duration;

use alloy_primitives::{Address, B256, Bytes};
use settlekit_core::value::{ChainId, Currency, OrderId, OrganisationId, PaymentId, Timestamp};

use super::columns::{self, Column, columns, parse};
use super::order::OrderPart;
use super::sql::{Database, Row, StoreError};
use super::statement::{delete, insert_numbered, update};
use super::{hex, int};

/// Longer than any transaction waits: a due time further ahead was written while the clock was wrong.
pub(super) const WAIT_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The status of an outgoing transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// To be estimated and signed.
    Queued,
    /// With a nonce; an external signer is to sign it.
    Unsigned,
    /// Signed, with a nonce; to be broadcast.
    Signed,
    /// A node took it.
    Sent,
    /// Signed, but no node takes it: a filler is to use its nonce.
    Abandoned,
    /// In a block.
    Mined,
    /// In a block with its confirmations.
    Settled,
    /// Refused by the network or withdrawn before it was signed, or replaced by a settled filler.
    Refused,
}

const STATUSES: [(Status, &str); 8] = [
    (Status::Queued, "Queued"),
    (Status::Unsigned, "Unsigned"),
    (Status::Signed, "Signed"),
    (Status::Sent, "Sent"),
    (Status::Abandoned, "Abandoned"),
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

/// The purpose of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Pays out.
    Payout(OrganisationId, PaymentId),
    /// Empties proxies into their destination.
    Sweep,
    /// Deploys the factory of proxies.
    Deploy,
    /// Sends the money of a hot wallet that is out of use to the one in use.
    Move,
    /// Sends the money of a derived address to the hot wallet; signed by the address itself.
    SweepDerived,
    /// Sends native coins of the operator's to a derived address, for the gas of its sweep.
    GasMoney,
    /// Approves the router of an exchange for the sold amount of a part of an order.
    Approval(OrderPart),
    /// Executes a part of an order on an exchange.
    Swap(OrderPart),
    /// Revokes the router's allowance.
    Revocation,
    /// Executes a transfer that a payer signed.
    Authorization,
    /// Pays the operator's own money to the operator.
    OperatorWithdrawal,
    /// Was sent by somebody else who has the wallet's key.
    Unknown,
}

impl Purpose {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Payout(..) => "payout",
            Self::Sweep => "sweep",
            Self::Deploy => "deploy",
            Self::Move => "move",
            Self::SweepDerived => "sweep_derived",
            Self::GasMoney => "gas_money",
            Self::Approval(_) => "approval",
            Self::Swap(_) => "swap",
            Self::Revocation => "revocation",
            Self::Authorization => "authorization",
            Self::OperatorWithdrawal => "operator_withdrawal",
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
    pub(crate) order: Option<OrderId>,
    pub(crate) part: Option<u32>,
    pub(crate) to: Address,
    /// In wei.
    pub(crate) value: i128,
    pub(crate) data: Bytes,
    /// Outgoing amount, in the currency's smallest unit.
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
    /// Network fee in wei, once mined.
    pub(crate) fee: Option<i128>,
    /// How often nodes refused the estimate or the signed bytes since one took them.
    pub(crate) refusals: u32,
    pub(crate) created_at: Timestamp,
}

columns! { Outgoing {
    id, chain, sender, nonce, purpose, organisation, payment, order, part, to, value, data, currency, units, gas_limit,
    status, block, hash, succeeded,
    fee, refusals, created_at
} }

macro_rules! outgoing_columns {
    () => {
        "SELECT id, chain_id, sender, nonce, purpose, org_id, payment_id, order_id, part, to_address, value, data, currency, amount, gas_limit, \
         status, block, hash, succeeded, fee, refusals, created_at \
         FROM outgoing_transactions"
    };
}

impl Outgoing {
    pub(crate) fn purpose(&self) -> Purpose {
        if let (Some(organisation), Some(payment)) = (self.organisation, self.payment) {
            return Purpose::Payout(organisation, payment);
        }
        match self.order_part() {
            Some(part) if self.purpose == "swap" => Purpose::Swap(part),
            Some(part) => Purpose::Approval(part),
            _ if self.purpose == Purpose::Revocation.as_str() => Purpose::Revocation,
            _ if self.purpose == Purpose::Sweep.as_str() => Purpose::Sweep,
            _ if self.purpose == Purpose::Deploy.as_str() => Purpose::Deploy,
            _ if self.purpose == Purpose::Move.as_str() => Purpose::Move,
            _ if self.purpose == Purpose::SweepDerived.as_str() => Purpose::SweepDerived,
            _ if self.purpose == Purpose::GasMoney.as_str() => Purpose::GasMoney,
            _ if self.purpose == Purpose::Authorization.as_str() => Purpose::Authorization,
            _ if self.purpose == Purpose::OperatorWithdrawal.as_str() => {
                Purpose::OperatorWithdrawal
            }
            _ => Purpose::Unknown,
        }
    }

    /// The part of an order that it belongs to.
    fn order_part(&self) -> Option<OrderPart> {
        Some(OrderPart {
            organisation: self.organisation?,
            order: self.order?,
            part: self.part?,
        })
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
    let (payout, of_order) = match new.purpose {
        Purpose::Payout(organisation, payment) => (Some((organisation, payment)), None),
        Purpose::Approval(part) | Purpose::Swap(part) => (None, Some(part)),
        _ => (None, None),
    };
    let organisation = payout.map(|(organisation, _)| organisation);
    let organisation = organisation.or(of_order.map(|part| part.organisation));
    insert_numbered!(database, "outgoing_transactions" {
        chain_id: new.chain,
        sender: &hex(new.sender),
        purpose: new.purpose.as_str(),
        org_id: organisation,
        payment_id: payout.map(|(_, payment)| payment),
        order_id: of_order.map(|part| part.order),
        part: of_order.map(|part| i64::from(part.part)),
        to_address: &hex(new.to),
        value: new.value,
        data: &new.data.to_string(),
        currency: new.currency.as_str(),
        amount: new.units,
        status: Status::Queued.as_str(),
        refusals: 0_u32,
        due_at: now,
        created_at: now,
        updated_at: now,
    })
}

/// The transactions of a chain that something is due for, oldest first, locked until the database transaction ends.
pub(crate) fn due_transactions(
    database: &mut dyn Database,
    chain: ChainId,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Outgoing>, StoreError> {
    const DUE: &str = concat!(
        outgoing_columns!(),
        " WHERE chain_id = ?1 AND due_at IS NOT NULL AND (due_at <= ?2 OR due_at > ?3) ORDER BY due_at, id LIMIT ?4 FOR UPDATE"
    );
    let latest = now.plus(WAIT_MAX);
    let values = [chain.into(), now.into(), latest.into(), limit.into()];
    columns::all(&database.query(DUE, &values)?)
}

/// A transaction.
pub(crate) fn find(database: &mut dyn Database, id: i64) -> Result<Option<Outgoing>, StoreError> {
    const FIND: &str = concat!(outgoing_columns!(), " WHERE id = ?1");
    columns::first(&database.query(FIND, &[id.into()])?)
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

/// The mined transactions up to a block, in the order of the blocks, without those whose settlement failed and is tried again
/// later.
pub(crate) fn mined(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Outgoing>, StoreError> {
    const MINED: &str = concat!(
        outgoing_columns!(),
        " WHERE chain_id = ?1 AND status = 'Mined' AND due_at IS NULL AND block <= ?2 ORDER BY block, id FOR UPDATE"
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

/// Makes the queued transactions of a hot wallet due: gas money has come.
pub(crate) fn set_queued_due(
    database: &mut dyn Database,
    (chain, sender): (ChainId, Address),
    now: Timestamp,
) -> Result<(), StoreError> {
    const SET: &str = "UPDATE outgoing_transactions SET due_at = ?3 WHERE chain_id = ?1 AND sender = ?2 \
         AND due_at IS NOT NULL AND status = 'Queued'";
    let sender = hex(sender);
    database
        .execute(SET, &[chain.into(), (&sender).into(), now.into()])
        .map(drop)
}

/// Makes the queued sweeps of a derived address due: its gas money is there.
pub(crate) fn set_derived_due(
    database: &mut dyn Database,
    (chain, sender): (ChainId, Address),
    now: Timestamp,
) -> Result<(), StoreError> {
    const SET: &str = "UPDATE outgoing_transactions SET due_at = ?3 WHERE chain_id = ?1 AND sender = ?2 \
         AND purpose = 'sweep_derived' AND status = 'Queued'";
    let sender = hex(sender);
    database
        .execute(SET, &[chain.into(), (&sender).into(), now.into()])
        .map(drop)
}

#[cfg(not(target_family = "wasm"))]
/// The transactions of a part of an order, oldest first, locked until the database transaction ends.
pub(crate) fn of_part(
    database: &mut dyn Database,
    of: OrderPart,
) -> Result<Vec<Outgoing>, StoreError> {
    const OF_PART: &str = concat!(
        outgoing_columns!(),
        " WHERE org_id = ?1 AND order_id = ?2 AND part = ?3 ORDER BY id FOR UPDATE"
    );
    let values = [of.organisation.into(), of.order.into(), of.part.into()];
    columns::all(&database.query(OF_PART, &values)?)
}

#[cfg(not(target_family = "wasm"))]
/// Whether a part of an order has transactions. They are not locked.
pub(crate) fn has_part(database: &mut dyn Database, of: OrderPart) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE org_id = ?1 AND order_id = ?2 AND part = ?3 LIMIT 1";
    let values = [of.organisation.into(), of.order.into(), of.part.into()];
    Ok(!database.query(FIND, &values)?.is_empty())
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
        sender: &hex(outgoing.sender),
        value: outgoing.value,
        amount: outgoing.units,
        nonce: outgoing.nonce.map(int),
        gas_limit: outgoing.gas_limit.map(int),
        status: outgoing.status.as_str(),
        block: outgoing.block.map(int),
        hash: &outgoing.hash.map(hex),
        succeeded: outgoing.succeeded.map(i64::from),
        fee: outgoing.fee,
        refusals: outgoing.refusals,
        due_at: due_at,
        updated_at: now,
    })
}
