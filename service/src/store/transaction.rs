//! Transactions observed on chains.
//!
//! Longer than 400 lines: every query here reads or writes the columns of one private list.

use settlekit_core::account::Direction;
use settlekit_core::chain::Asset;
use settlekit_core::payment::{CryptoTransaction, TransactionStatus, TransactionType, TransferLog};
use settlekit_core::value::{
    AccountId, Amount, ChainId, Currency, MovementId, OrganisationId, PaymentId, Timestamp,
    WalletAddress,
};

use super::columns::{self, Columns, columns};
use super::own_transfer::ChainTransfer;
use super::sql::{Added, Database, StoreError};
use super::statement::update;
use super::{conflict_on_duplicate, int};
use crate::store::transfer_index::TransferIndex;

/// A transfer to an address that an organisation has or watches, or from one that it watches.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) id: i64,
    pub(crate) organisation: OrganisationId,
    pub(crate) direction: Direction,
    pub(crate) chain: ChainId,
    pub(crate) hash: String,
    /// The transfer within the transaction.
    pub(crate) transfer: TransferIndex,
    pub(crate) to_address: String,
    pub(crate) from_address: Option<String>,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) account: AccountId,
    pub(crate) payment: Option<PaymentId>,
    pub(crate) movement: MovementId,
    pub(crate) status: TransactionStatus,
    pub(crate) confirmations: u32,
    pub(crate) source: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// The block that it is in; `None` before the first, and after a reorganisation took the block away.
    pub(crate) block: Option<u64>,
}

columns! { Seen {
    id, organisation, chain, hash, to_address, from_address, currency, units, account, payment, movement, status,
    confirmations, source, created_at, updated_at, transfer, block, direction
} }

/// The columns of [`Seen`], shared by several statements.
macro_rules! seen_columns {
    () => {
        "id, org_id, chain_id, hash, to_address, from_address, currency, amount, account_id, payment_id, movement_id, status, \
         confirmations, source, created_at, updated_at, transfer, block, direction"
    };
}

/// The organisation's row of a transfer in a direction, locked until the database transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    (organisation, direction): (OrganisationId, &Direction),
    (chain, hash): (ChainId, &str),
    transfer: TransferIndex,
) -> Result<Option<Seen>, StoreError> {
    const LOCK: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?2 AND hash = ?3 AND org_id = ?1 AND transfer = ?4 AND direction = ?5 FOR UPDATE"
    );
    let transfer = transfer.to_string();
    let unique = [
        organisation.into(),
        chain.into(),
        hash.into(),
        (&transfer).into(),
        direction.as_str().into(),
    ];
    let found = database.look_up(&ADDED, LOCK, &unique)?;
    found.as_ref().map(|row| Seen::read(row, 0)).transpose()
}

/// All rows of a transaction's deposits at a lower-case address, across organisations, locked until the database transaction
/// ends.
pub(crate) fn lock_transfers(
    database: &mut dyn Database,
    (chain, hash): (ChainId, &str),
    to_address: &str,
) -> Result<Vec<Seen>, StoreError> {
    const LOCK: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND hash = ?2 AND to_address = ?3 AND direction = 'IN' ORDER BY id FOR UPDATE"
    );
    let values = [chain.into(), hash.into(), to_address.into()];
    columns::all(&database.query(LOCK, &values)?)
}

/// As [`lock_transfers`], of withdrawals to an address.
pub(crate) fn lock_withdrawals(
    database: &mut dyn Database,
    (chain, hash): (ChainId, &str),
    to_address: &str,
) -> Result<Vec<Seen>, StoreError> {
    const LOCK: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND hash = ?2 AND to_address = ?3 AND direction = 'OUT' ORDER BY id FOR UPDATE"
    );
    let values = [chain.into(), hash.into(), to_address.into()];
    columns::all(&database.query(LOCK, &values)?)
}

/// An organisation's withdrawals in a transaction that is in no block, with its network fee, locked until the database transaction
/// ends.
pub(crate) fn lock_reorganised(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (chain, hash): (ChainId, &str),
) -> Result<Vec<Seen>, StoreError> {
    const LOCK: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?2 AND hash = ?3 AND org_id = ?1 AND direction = 'OUT' AND block IS NULL \
         AND status = 'Pending' ORDER BY id FOR UPDATE"
    );
    let values = [organisation.into(), chain.into(), hash.into()];
    columns::all(&database.query(LOCK, &values)?)
}

/// The pending transfers of an account on a chain that no block has.
pub(crate) fn lock_unmined(
    database: &mut dyn Database,
    (organisation, account): (OrganisationId, AccountId),
    chain: ChainId,
) -> Result<Vec<Seen>, StoreError> {
    const UNMINED: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND block IS NULL AND status = 'Pending' AND source = 'Observed' \
         AND org_id = ?2 AND account_id = ?3 ORDER BY id FOR UPDATE"
    );
    let values = [chain.into(), organisation.into(), account.into()];
    columns::all(&database.query(UNMINED, &values)?)
}

/// The organisation's transaction by hash on the simulated chain, locked until the database transaction ends.
pub(crate) fn lock_simulated(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &str,
) -> Result<Option<Seen>, StoreError> {
    // The index begins with the chain.
    const LOCK: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id IN (SELECT id FROM chains) AND hash = ?2 AND org_id = ?1 \
         AND source = 'Simulated' ORDER BY id LIMIT 1 FOR UPDATE"
    );
    columns::first(&database.query(LOCK, &[organisation.into(), hash.into()])?)
}

/// Whether a transaction pays another organisation at an address held for it.
pub(crate) fn is_received_by_another(
    database: &mut dyn Database,
    organisation: OrganisationId,
    hash: &str,
) -> Result<bool, StoreError> {
    // The index begins with the chain.
    const RECEIVED: &str = "SELECT 1 FROM chain_transactions t JOIN addresses a \
         ON a.chain_id = t.chain_id AND a.address = t.to_address AND a.org_id = t.org_id AND a.watched = 0 \
         WHERE t.chain_id IN (SELECT id FROM chains) AND t.hash = ?2 AND t.org_id <> ?1 LIMIT 1";
    let rows = database.query(RECEIVED, &[organisation.into(), hash.into()])?;
    Ok(!rows.is_empty())
}

static ADDED: Added = Added {
    insert: "INSERT INTO chain_transactions (org_id, chain_id, hash, to_address, from_address, currency, amount, \
         account_id, payment_id, movement_id, status, confirmations, source, created_at, updated_at, transfer, block, direction) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    unique: &[0, 1, 2, 15, 17],
    change: "UPDATE chain_transactions SET status = ?3, confirmations = ?4, updated_at = ?5 WHERE org_id = ?1 AND id = ?2",
    changed: &[10, 11, 14],
};

/// Inserts a transaction and returns its id.
pub(crate) fn insert(database: &mut dyn Database, seen: &Seen) -> Result<i64, StoreError> {
    let transfer = seen.transfer.to_string();
    let values = [
        seen.organisation.into(),
        seen.chain.into(),
        (&seen.hash).into(),
        (&seen.to_address).into(),
        (&seen.from_address).into(),
        seen.currency.as_str().into(),
        seen.units.into(),
        seen.account.into(),
        seen.payment.into(),
        seen.movement.into(),
        seen.status.as_str().into(),
        seen.confirmations.into(),
        (&seen.source).into(),
        seen.created_at.into(),
        seen.created_at.into(),
        (&transfer).into(),
        seen.block.map(int).into(),
        seen.direction.as_str().into(),
    ];
    conflict_on_duplicate(database.insert(ADDED.insert, &values))
}

/// Updates a transaction's state.
pub(crate) fn update(database: &mut dyn Database, seen: &Seen) -> Result<(), StoreError> {
    database.change(
        &ADDED,
        &[
            seen.organisation.into(),
            seen.id.into(),
            seen.status.as_str().into(),
            seen.confirmations.into(),
            seen.updated_at.into(),
        ],
    )
}

/// Records the block of a transfer, or that it has none any more.
pub(crate) fn set_block(
    database: &mut dyn Database,
    id: i64,
    block: Option<u64>,
) -> Result<(), StoreError> {
    update!(database, "chain_transactions" [id: id] { block: block.map(int) })
}

/// Records the sender that the block of a transfer shows.
pub(crate) fn set_sender(
    database: &mut dyn Database,
    id: i64,
    from: &str,
) -> Result<(), StoreError> {
    update!(database, "chain_transactions" [id: id] { from_address: from })
}

/// Gives a transfer to the payment that its block shows.
pub(crate) fn set_payment(
    database: &mut dyn Database,
    id: i64,
    payment: PaymentId,
) -> Result<(), StoreError> {
    update!(database, "chain_transactions" [id: id] { payment_id: payment })
}

/// Changes the transaction of a transfer, and its position.
pub(crate) fn set_position(
    database: &mut dyn Database,
    id: i64,
    (hash, position): (&str, TransferIndex),
) -> Result<(), StoreError> {
    update!(database, "chain_transactions" [id: id] { hash: hash, transfer: &position.to_string() })
}

/// Frees the position of a transfer that was lost.
pub(crate) fn free_position(database: &mut dyn Database, id: i64) -> Result<(), StoreError> {
    let lost = TransferIndex::Lost(id).to_string();
    update!(database, "chain_transactions" [id: id] { transfer: &lost })
}

/// The pending transfers of a chain in blocks up to one, oldest first, across organisations.
pub(crate) fn pending_until(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Seen>, StoreError> {
    const PENDING: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND block <= ?2 AND status = 'Pending' ORDER BY block, id FOR UPDATE"
    );
    columns::all(&database.query(PENDING, &[chain.into(), int(block).into()])?)
}

/// The booked transfers of a chain in blocks after one and up to another, oldest first, across organisations.
pub(crate) fn booked_between(
    database: &mut dyn Database,
    chain: ChainId,
    [after, until]: [u64; 2],
) -> Result<Vec<Seen>, StoreError> {
    const BOOKED: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND block > ?2 AND block <= ?3 AND status = 'Success' \
         AND source = 'Observed' ORDER BY id"
    );
    let values = [chain.into(), int(after).into(), int(until).into()];
    columns::all(&database.query(BOOKED, &values)?)
}

/// The transfers of a chain in blocks above one, across organisations.
pub(crate) fn above(
    database: &mut dyn Database,
    chain: ChainId,
    block: u64,
) -> Result<Vec<Seen>, StoreError> {
    const ABOVE: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND block > ?2 ORDER BY block, id FOR UPDATE"
    );
    columns::all(&database.query(ABOVE, &[chain.into(), int(block).into()])?)
}

/// The pending transfers of a chain, across organisations, without a block since a time; transfers that were never in a block, since
/// another time.
pub(crate) fn adrift_since(
    database: &mut dyn Database,
    chain: ChainId,
    [since, shown_since]: [Timestamp; 2],
) -> Result<Vec<Seen>, StoreError> {
    const ADRIFT: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE chain_id = ?1 AND updated_at <= ?3 AND (updated_at <= ?2 OR confirmations = 0) \
         AND block IS NULL AND status = 'Pending' AND source = 'Observed' ORDER BY id FOR UPDATE"
    );
    let values = [chain.into(), since.into(), shown_since.into()];
    columns::all(&database.query(ADRIFT, &values)?)
}

/// The number of pending transfers of a chain without a block, up to a limit.
pub(crate) fn count_shown(
    database: &mut dyn Database,
    chain: ChainId,
    limit: u32,
) -> Result<u32, StoreError> {
    const COUNT: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM chain_transactions WHERE chain_id = ?1 AND block IS NULL \
         AND status = 'Pending' AND source = 'Observed' LIMIT ?2) shown";
    let found = columns::value(&database.query(COUNT, &[chain.into(), limit.into()])?)?;
    Ok(found.unwrap_or(0))
}

pub(crate) fn of_payment(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<Seen>, StoreError> {
    const OF_PAYMENT: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions WHERE org_id = ?1 AND payment_id = ?2 ORDER BY id"
    );
    columns::all(&database.query(OF_PAYMENT, &[organisation.into(), payment.into()])?)
}

/// The confirmed transactions of a payment in booking order, which later ones never change, whatever the clock.
pub(crate) fn booked(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<Seen>, StoreError> {
    const BOOKED: &str = concat!(
        "SELECT ",
        seen_columns!(),
        " FROM chain_transactions c WHERE org_id = ?1 AND payment_id = ?2 AND status = 'Success' \
         ORDER BY (SELECT transfer_id FROM movements m WHERE m.org_id = c.org_id AND m.id = c.movement_id)"
    );
    columns::all(&database.query(BOOKED, &[organisation.into(), payment.into()])?)
}

/// Takes all pending transactions out of their blocks.
pub(crate) fn forget_pending_blocks(database: &mut dyn Database) -> Result<(), StoreError> {
    const FORGET: &str = "UPDATE chain_transactions SET block = NULL WHERE status = 'Pending'";
    database.execute(FORGET, &[]).map(drop)
}

impl Seen {
    /// The transfer itself.
    pub(crate) fn on_chain(&self) -> ChainTransfer<'_> {
        ChainTransfer {
            organisation: self.organisation,
            chain: self.chain,
            hash: &self.hash,
            to: &self.to_address,
            currency: &self.currency,
            units: self.units,
        }
    }

    /// Whether it is booked, and in no block since a reorganisation.
    pub(crate) fn is_lost(&self) -> bool {
        self.status == TransactionStatus::Success
            && self.block.is_none()
            && self.source == "Observed"
    }

    /// The contract's record; `asset` is the currency on the chain.
    pub(crate) fn record(&self, asset: &Asset) -> Result<CryptoTransaction, StoreError> {
        // Stored in lower case, shown with its checksum where it has one.
        let to = match self.to_address.parse::<WalletAddress>() {
            Ok(address) => address.to_string(),
            Err(_) => self.to_address.clone(),
        };
        let token = asset.token_address.as_ref().zip(self.from_address.as_ref());
        let transfer_logs = token.map(|(address, sender)| {
            vec![TransferLog {
                address: address.clone(),
                recipient: to.clone(),
                sender: sender.clone(),
                value: self.units.to_string(),
            }]
        });
        Ok(CryptoTransaction {
            id: self.id,
            chain_id: self.chain,
            payment_id: self.payment,
            entity_id: self.payment.map(|id| id.to_string()),
            from: self.from_address.clone(),
            to: Some(to),
            value: Amount::from_units(self.units, asset.scale).map_err(|_| {
                StoreError::Damaged("a chain transaction's amount is malformed".into())
            })?,
            currency: Some(self.currency.clone()),
            fee_amount: None,
            fee_currency: None,
            sequence: None,
            transaction_hash: self.hash.clone(),
            raw: None,
            source: self.source.as_str().into(),
            status: self.status.clone(),
            r#type: if self.payment.is_some() {
                TransactionType::Payment
            } else {
                TransactionType::Unknown
            },
            confirmations: Some(self.confirmations),
            confirmations_required: None,
            block_number: self.block,
            transfer_logs,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}
