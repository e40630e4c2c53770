//! Outgoing transactions that are not final, and the money they reserve.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use super::columns;
use super::hex;
#[cfg(not(target_family = "wasm"))]
use super::outgoing::Outgoing;
use super::outgoing::{Purpose, Status, WAIT_MAX};
use super::sql::{Database, StoreError};

/// Whether a sweep of a chain is under way. One that no node has estimated since a time holds up no other.
pub(crate) fn is_sweeping(
    database: &mut dyn Database,
    chain: ChainId,
    since: Timestamp,
) -> Result<bool, StoreError> {
    // A row from a wrong clock's future holds up nothing either.
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND purpose = 'sweep' \
         AND status NOT IN ('Settled', 'Refused') AND (status <> 'Queued' OR (created_at >= ?2 AND created_at <= ?3)) LIMIT 1";
    let latest = since.plus(WAIT_MAX);
    Ok(!database
        .query(FIND, &[chain.into(), since.into(), latest.into()])?
        .is_empty())
}

/// Whether the deployment of a chain's factory is under way.
pub(crate) fn is_deploying(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND purpose = 'deploy' \
         AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    Ok(!database.query(FIND, &[chain.into()])?.is_empty())
}

/// Whether a wallet has moved a currency since a time, or a move is under way.
pub(crate) fn has_moved(
    database: &mut dyn Database,
    (chain, sender): (ChainId, Address),
    currency: &Currency,
    since: Timestamp,
) -> Result<bool, StoreError> {
    // A row from a wrong clock's future holds up nothing.
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND sender = ?2 AND currency = ?3 AND purpose = 'move' \
         AND (status NOT IN ('Settled', 'Refused') OR (created_at >= ?4 AND created_at <= ?5)) LIMIT 1";
    let (sender, latest) = (hex(sender), since.plus(WAIT_MAX));
    let values = [
        chain.into(),
        (&sender).into(),
        currency.as_str().into(),
        since.into(),
        latest.into(),
    ];
    Ok(!database.query(FIND, &values)?.is_empty())
}

/// Takes the transaction of a payout out of the queue, if it is there; false if it has a nonce by now. The row stays: SQLite would give
/// its id to the next transaction, which a late answer to its estimate would refuse or sign with other gas.
pub(crate) fn withdraw_queued_payout(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
    now: Timestamp,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT id, status FROM outgoing_transactions WHERE org_id = ?1 AND payment_id = ?2 AND purpose = 'payout' \
         AND status NOT IN ('Settled', 'Refused') FOR UPDATE";
    const WITHDRAW: &str = "UPDATE outgoing_transactions SET status = 'Refused', due_at = NULL, updated_at = ?2 WHERE id = ?1";
    let rows = database.query(FIND, &[organisation.into(), payment.into()])?;
    let Some(row) = rows.first() else {
        return Ok(true);
    };
    let (id, status): (i64, Status) = (columns::get(row, 0)?, columns::get(row, 1)?);
    if status != Status::Queued {
        return Ok(false);
    }
    database.execute(WITHDRAW, &[id.into(), now.into()])?;
    Ok(true)
}

/// How many sweeps of derived addresses of a chain are under way.
pub(crate) fn count_derived_sweeps(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<u32, StoreError> {
    const COUNT: &str = "SELECT COUNT(*) FROM outgoing_transactions WHERE chain_id = ?1 AND purpose = 'sweep_derived' \
         AND status NOT IN ('Settled', 'Refused')";
    Ok(columns::value(&database.query(COUNT, &[chain.into()])?)?.unwrap_or(0))
}

/// Whether a sweep of a currency from a derived address is under way.
pub(crate) fn is_sweeping_derived(
    database: &mut dyn Database,
    (chain, sender): (ChainId, Address),
    currency: &Currency,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND sender = ?2 AND currency = ?3 \
         AND purpose = 'sweep_derived' AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    let sender = hex(sender);
    let values = [chain.into(), (&sender).into(), currency.as_str().into()];
    Ok(!database.query(FIND, &values)?.is_empty())
}

#[cfg(not(target_family = "wasm"))]
/// Whether a part of an order or a revocation uses the router's allowance for a currency: its last transaction has not succeeded in a block. After
/// a reorganisation, nonces keep successful transactions in order.
pub(crate) fn is_allowance_in_use(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions o WHERE o.chain_id = ?1 AND o.currency = ?2 \
         AND o.purpose IN ('approval', 'swap', 'revocation') AND o.status NOT IN ('Settled', 'Refused') \
         AND NOT EXISTS (SELECT 1 FROM outgoing_transactions u JOIN outgoing_attempts a ON a.transaction_id = u.id AND a.hash = u.hash \
         WHERE (u.id = o.id AND u.purpose <> 'approval' OR u.org_id = o.org_id AND u.order_id = o.order_id AND u.part = o.part AND u.purpose = 'swap') \
         AND u.status IN ('Mined', 'Settled') AND u.succeeded = 1 AND a.is_filler = 0) LIMIT 1";
    let values = [chain.into(), currency.as_str().into()];
    Ok(!database.query(FIND, &values)?.is_empty())
}

#[cfg(not(target_family = "wasm"))]
/// Whether another approval was queued after one, of the same currency.
pub(crate) fn is_approved_since(
    database: &mut dyn Database,
    approval: &Outgoing,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE id > ?1 AND chain_id = ?2 AND currency = ?3 \
         AND purpose = 'approval' LIMIT 1";
    let values = [
        approval.id.into(),
        approval.chain.into(),
        approval.currency.as_str().into(),
    ];
    Ok(!database.query(FIND, &values)?.is_empty())
}

/// Whether a withdrawal of the operator's money in a currency is under way on a chain.
pub(crate) fn is_withdrawing(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND currency = ?2 \
         AND purpose = 'operator_withdrawal' AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    let values = [chain.into(), currency.as_str().into()];
    Ok(!database.query(FIND, &values)?.is_empty())
}

/// Whether gas money is under way to a derived address.
pub(crate) fn is_gas_money_sent(
    database: &mut dyn Database,
    (chain, to): (ChainId, Address),
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND to_address = ?2 AND purpose = 'gas_money' \
         AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    let to = hex(to);
    Ok(!database
        .query(FIND, &[chain.into(), (&to).into()])?
        .is_empty())
}

/// The most that a wallet's signed transactions can still spend, in the smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reserved {
    /// Of the currency asked for, of merchants' money.
    pub(crate) units: i128,
    /// Of the currency asked for, of the operator's own money: withdrawals.
    pub(crate) own: i128,
    /// For gas at the highest fee that they offer, and as gas money for others, in wei.
    pub(crate) gas: i128,
}

/// The amounts of a currency, and of gas, that a wallet's signed transactions reserve.
pub(crate) fn reserved(
    database: &mut dyn Database,
    (sender, chain): (Address, ChainId),
    currency: &Currency,
) -> Result<Reserved, StoreError> {
    // One whose settlement is set aside has moved its money.
    const OPEN: &str = "SELECT o.id, o.currency, o.amount, a.gas_limit, a.max_fee, o.purpose, o.value FROM outgoing_transactions o \
         LEFT JOIN outgoing_attempts a ON a.transaction_id = o.id WHERE o.chain_id = ?1 \
         AND o.status NOT IN ('Settled', 'Refused') AND o.status <> 'Queued' AND NOT (o.status = 'Mined' AND o.due_at IS NOT NULL) AND o.sender = ?2 ORDER BY o.id";
    let sender = hex(sender);
    let mut reserved = Reserved {
        units: 0,
        own: 0,
        gas: 0,
    };
    // Of the forms of a transaction the most expensive counts, whichever is mined.
    let (mut latest, mut highest) = (None, 0_i128);
    for row in &database.query(OPEN, &[chain.into(), (&sender).into()])? {
        let id: i64 = columns::get(row, 0)?;
        if latest != Some(id) {
            reserved.gas = reserved.gas.saturating_add(highest);
            (latest, highest) = (Some(id), 0);
            let of: Currency = columns::get(row, 1)?;
            let (purpose, value): (String, i128) = (columns::get(row, 5)?, columns::get(row, 6)?);
            if purpose == Purpose::GasMoney.as_str() {
                reserved.gas = reserved.gas.saturating_add(value);
            }
            if of == *currency {
                let units = match purpose == Purpose::SweepDerived.as_str() && value > 0 {
                    // The rest of a native sweep pays its gas.
                    true => value,
                    false => columns::get(row, 2)?,
                };
                let sum = match purpose == Purpose::OperatorWithdrawal.as_str() {
                    true => &mut reserved.own,
                    false => &mut reserved.units,
                };
                *sum = sum.saturating_add(units);
            }
        }
        let limit: Option<i64> = columns::get(row, 3)?;
        let max_fee: Option<i128> = columns::get(row, 4)?;
        let gas = i128::from(limit.unwrap_or(0)).saturating_mul(max_fee.unwrap_or(0));
        highest = highest.max(gas);
    }
    reserved.gas = reserved.gas.saturating_add(highest);
    Ok(reserved)
}

/// The lowest nonce of a wallet's signed transactions that are in no block: the network waits for it.
pub(crate) fn lowest_nonce(
    database: &mut dyn Database,
    (sender, chain): (Address, ChainId),
) -> Result<Option<u64>, StoreError> {
    const LOWEST: &str = "SELECT nonce FROM outgoing_transactions WHERE sender = ?1 AND chain_id = ?2 \
         AND status IN ('Unsigned', 'Signed', 'Sent', 'Abandoned') AND nonce IS NOT NULL ORDER BY nonce LIMIT 1";
    let sender = hex(sender);
    columns::value(&database.query(LOWEST, &[(&sender).into(), chain.into()])?)
}

/// Whether a chain has transactions that are not final.
pub(crate) fn is_any(database: &mut dyn Database, chain: ChainId) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM outgoing_transactions WHERE chain_id = ?1 AND status NOT IN ('Settled', 'Refused') LIMIT 1";
    Ok(!database.query(FIND, &[chain.into()])?.is_empty())
}
