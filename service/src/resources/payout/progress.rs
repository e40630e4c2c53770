//! The lifecycle of a payout: sent in the next round, confirmed and booked after its blocks, or failed on the chain, which costs
//! the network fee.

use settlekit_core::account::{Account, Movement, MovementStatus, MovementType};
use settlekit_core::event::EventAction;
use settlekit_core::payment::{
    Payment, PaymentReason, PaymentStatus, TransactionStatus, TransactionSummary, TransactionType,
};
use settlekit_core::value::{ChainId, OrganisationId, PaymentId};

use super::{damaged, locked, note_sent, prepared};
use crate::chains::{queue, simulated};
use crate::mode::Simulation;
use crate::money::connection::{self, Connection};
use crate::resources::account::book::{self, Money};
use crate::resources::{account, automation, event, payment, trade};
use crate::store;
use crate::store::payout::{Payout, Sent};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Advances a locked payout by one step.
pub(crate) fn advance(unit: &mut Unit<'_>, payment: Payment) -> Outcome<()> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    match payment.status {
        PaymentStatus::Pending if is_waiting(&payment) => Ok(()),
        PaymentStatus::Pending => send(unit, payment, &payout, chain),
        _ => Ok(()),
    }
}

/// Whether a payout waits for a second member. Nothing but its approval sends it.
fn is_waiting(payment: &Payment) -> bool {
    payment.reason == Some(PaymentReason::ApprovalRequired)
}

fn send(unit: &mut Unit<'_>, payment: Payment, payout: &Payout, chain: ChainId) -> Outcome<()> {
    match connection::connected(unit, chain, None)? {
        Connection::Simulated(simulation) => {
            let between = (payment.sender_address.as_deref(), payout.to.as_str());
            let currency = &payment.currency;
            let sent = simulated::send(simulation, unit, chain, between, currency, payout.units)?;
            sent_as(unit, payment, payout, &sent.hash)
        }
        Connection::Evm(evm) => {
            queue::add_payout(unit, evm, &payment, payout)?;
            // A node has to take it before the payout goes on.
            store::payment::update(unit.database, &payment, &payment.status, None)?;
            Ok(())
        }
    }
}

/// Records the transaction of a queued or replaced payout.
fn sent_as(unit: &mut Unit<'_>, payment: Payment, payout: &Payout, hash: &str) -> Outcome<()> {
    let organisation = payment.org_id;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let movement = payout.movement.ok_or_else(|| damaged("movement"))?;
    let sent = (hash, payout.sent_at.unwrap_or(unit.now));
    note_sent(unit, &payment, sent)?;
    store::movement::set_transaction(unit.database, organisation, movement, chain, hash)?;
    if payment.status != PaymentStatus::Pending {
        return Ok(());
    }
    let after = &MovementStatus::Processing;
    account::set_movement_status(unit, organisation, movement, after, None)?;
    payment::move_on(unit, payment, PaymentStatus::Processing, None, None)?;
    Ok(())
}

/// A node took the payout's transaction, or a replacement of it.
pub(crate) fn broadcast(
    unit: &mut Unit<'_>,
    payout: (OrganisationId, PaymentId),
    hash: &str,
) -> Outcome<()> {
    let (payment, payout) = locked(unit, payout)?;
    sent_as(unit, payment, &payout, hash)
}

/// The payout's transaction has its confirmations.
pub(crate) fn settled(
    unit: &mut Unit<'_>,
    named: (OrganisationId, PaymentId),
    hash: &str,
    succeeded: bool,
) -> Outcome<()> {
    broadcast(unit, named, hash)?;
    let (payment, payout) = locked(unit, named)?;
    // A reorganisation can bring a settled transaction a second time.
    if payment.status != PaymentStatus::Processing {
        if succeeded != (payment.status == PaymentStatus::Confirmed) {
            unit.failures.push(format!(
                "transaction {hash} of payout {} has another outcome after a reorganisation: the payout is {}",
                payment.id, payment.status
            ));
        }
        return Ok(record_block(unit, payment)?);
    }
    match succeeded {
        true => confirm(unit, payment, &payout),
        false => fail(unit, payment),
    }
}

/// A reorganisation took away the block of a settled transaction. The payout stays as it is.
pub(crate) fn unsettled(
    unit: &mut Unit<'_>,
    named: (OrganisationId, PaymentId),
) -> Result<(), StoreError> {
    let (payment, _) = locked(unit, named)?;
    record_block(unit, payment)
}

/// Records the event of a payout that has ended, and whose transaction lost its block or has one again.
fn record_block(unit: &mut Unit<'_>, payment: Payment) -> Result<(), StoreError> {
    let payment = Payment {
        updated_at: unit.now,
        ..payment
    };
    store::payment::update(unit.database, &payment, &payment.status, None)?;
    let payment = with_transaction(unit, payment)?;
    event::record(unit, payment.org_id, EventAction::Updated, &payment)
}

/// The network refuses the payout's transaction for good, so it is never sent. A reorganisation can bring that a second time.
pub(crate) fn refused(unit: &mut Unit<'_>, named: (OrganisationId, PaymentId)) -> Outcome<()> {
    let (payment, _) = locked(unit, named)?;
    match payment.status {
        PaymentStatus::Pending | PaymentStatus::Processing => fail(unit, payment),
        PaymentStatus::Failed => Ok(()),
        status => {
            unit.failures.push(format!(
                "payout {} was not sent after a reorganisation: it is {status}",
                payment.id
            ));
            Ok(())
        }
    }
}

/// The effects of the end of a payout on the payment that it refunds, or on its order.
pub(crate) fn ended(unit: &mut Unit<'_>, payout: &Payment) -> Outcome<()> {
    payment::refund_ended(unit, payout)?;
    Ok(trade::payout_ended(unit, payout)?)
}

/// Whether a payout has failed, so that its money has gone back.
pub(crate) fn has_failed(
    unit: &mut Unit<'_>,
    named: (OrganisationId, PaymentId),
) -> Result<bool, StoreError> {
    let (payment, _) = locked(unit, named)?;
    Ok(payment.status == PaymentStatus::Failed)
}

/// The reserved money of a payout.
struct Reserved {
    account: Account,
    movement: Movement,
    money: Money,
    gas: Money,
    /// The service fee, if any.
    service_fee: Option<Money>,
}

fn reserved(
    unit: &mut Unit<'_>,
    payment: &Payment,
    payout: &Payout,
) -> Result<Reserved, StoreError> {
    let organisation = payment.org_id;
    let movement = payout.movement.ok_or_else(|| damaged("movement"))?;
    let movement = store::movement::find(unit.database, organisation, movement)?
        .ok_or_else(|| damaged("movement"))?;
    let account = store::account::LISTING
        .find(unit.database, organisation, movement.account_id)?
        .ok_or_else(|| damaged("account"))?;
    let of = |units| Money::new(&payment.currency, units);
    Ok(Reserved {
        account,
        movement,
        money: of(payout.units),
        gas: Money::new(&payout.fee_currency, payout.fee),
        service_fee: Some(of(payout.service_fee)).filter(|fee| fee.units > 0),
    })
}

fn confirm(unit: &mut Unit<'_>, payment: Payment, payout: &Payout) -> Outcome<()> {
    let reserved = reserved(unit, &payment, payout)?;
    let account = &reserved.account;
    book::finish_withdrawal(
        unit,
        account,
        &reserved.movement,
        &reserved.money,
        &reserved.gas,
    )?;
    if let Some(fee) = &reserved.service_fee {
        book::release(unit, account, fee)?;
        let entity = Some(payment.id.to_string());
        book::charge(unit, account, MovementType::ServiceFee, fee, entity)?;
    }
    let payment = Payment {
        paid_amount: payment.amount,
        ..payment
    };
    let payment = payment::move_on(unit, payment, PaymentStatus::Confirmed, None, None)?;
    Ok(automation::payout_confirmed(unit, &payment, account.id)?)
}

/// Confirms the pending payouts of a transaction that has its confirmations on the simulated chain.
pub(crate) fn transaction_confirmed(
    unit: &mut Unit<'_>,
    transaction: (ChainId, &str),
    to: &str,
) -> Result<(), StoreError> {
    for payment in under_way_in(unit, transaction, to)? {
        let payout = store::payout::find(unit.database, payment.org_id, payment.id)?;
        let payout = payout.ok_or_else(|| damaged("row"))?;
        confirm(unit, payment, &payout)
            .map_err(|refusal| refusal.unexpected("a payout could not be booked"))?;
    }
    Ok(())
}

/// The pending payouts of a transaction to an address, locked.
fn under_way_in(
    unit: &mut Unit<'_>,
    (chain, hash): (ChainId, &str),
    to: &str,
) -> Result<Vec<Payment>, StoreError> {
    let mut found = Vec::new();
    for (organisation, id) in store::payout::by_hash(unit.database, hash)? {
        let payout = store::payout::find(unit.database, organisation, id)?;
        if !payout.is_some_and(|payout| payout.to.eq_ignore_ascii_case(to)) {
            continue;
        }
        let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
        found.extend(payment.filter(|payment| {
            payment.chain_id == Some(chain) && payment.status == PaymentStatus::Processing
        }));
    }
    Ok(found)
}

/// Fails the pending payouts of a failed transaction: the money is released and the service takes no fee; the network fee is
/// spent.
pub(crate) fn transaction_failed(
    unit: &mut Unit<'_>,
    (chain, hash): (ChainId, &str),
    to: &str,
) -> Result<(), StoreError> {
    for payment in under_way_in(unit, (chain, hash), to)? {
        fail(unit, payment).map_err(|refusal| {
            refusal.unexpected("the reserved amount of a payout could not be booked")
        })?;
    }
    Ok(())
}

fn fail(unit: &mut Unit<'_>, payment: Payment) -> Outcome<()> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let reserved = reserved(unit, &payment, &payout)?;
    let account = &reserved.account;
    book::fail_sent_withdrawal(
        unit,
        account,
        &reserved.movement,
        &reserved.money,
        &reserved.gas,
    )?;
    if let Some(fee) = &reserved.service_fee {
        book::release(unit, account, fee)?;
    }
    let payment = payment::move_on(unit, payment, PaymentStatus::Failed, None, None)?;
    Ok(automation::payout_failed(unit, &payment, account.id)?)
}

/// Fails a locked payout that was never sent: all of its money is released, that for the network too.
pub(super) fn refuse_unsent(unit: &mut Unit<'_>, payment: Payment) -> Outcome<Payment> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let reserved = reserved(unit, &payment, &payout)?;
    let account = &reserved.account;
    book::fail_reserved(unit, account, &reserved.movement, &reserved.money)?;
    for money in std::iter::once(&reserved.gas).chain(&reserved.service_fee) {
        book::release(unit, account, money)?;
    }
    let payment = payment::move_on(unit, payment, PaymentStatus::Failed, None, None)?;
    automation::payout_failed(unit, &payment, account.id)?;
    Ok(payment)
}

/// Fails a locked payout on the simulated chain; sends a queued one first.
pub(crate) fn fail_on_chain(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Outcome<Payment> {
    let (organisation, id) = (payment.org_id, payment.id);
    let forbids = |message: String| Refusal::state_forbids(message);
    if is_waiting(&payment) {
        return Err(Refusal::state_forbids("the payout waits for approval"));
    }
    match payment.status {
        PaymentStatus::Pending => advance(unit, payment)?,
        PaymentStatus::Processing => {}
        status => return Err(forbids(format!("the payout is already {status}"))),
    }
    let again = |unit: &mut Unit<'_>| {
        let found = store::payment::LISTING.find(unit.database, organisation, id)?;
        found.ok_or_else(|| damaged("payment"))
    };
    let payment = again(unit)?;
    let payout = store::payout::find(unit.database, organisation, id)?;
    let payout = payout.ok_or_else(|| damaged("row"))?;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let hash = payout.hash.ok_or_else(|| damaged("transaction"))?;
    if !simulated::reorganise(simulation, unit, (chain, &hash), false)? {
        let message = "the payout's transaction has too many confirmations to fail";
        return Err(forbids(message.to_owned()));
    }
    let payment = again(unit)?;
    Ok(with_transaction(unit, payment)?)
}

/// The payout with its transaction: the one to be signed, or the one that was sent.
pub(crate) fn with_transaction(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<Payment, StoreError> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?;
    let prepared_transaction = match &payout {
        Some(payout) => prepared::transaction(unit, &payment, payout)?,
        None => None,
    };
    let sent = payout.and_then(|payout| Some((payout.hash?, payout.sent_at?)));
    let hash = sent.as_ref().map(|(hash, _)| hash.clone());
    let payment = Payment {
        prepared_transaction,
        ..with_sent(payment, sent)
    };
    let (Some(hash), Some(summary)) = (hash, payment.settlement_transaction.clone()) else {
        return Ok(payment);
    };
    let settlement_transaction = Some(with_depth(unit, summary, &hash)?);
    Ok(Payment {
        settlement_transaction,
        ..payment
    })
}

/// A transaction with its block and depth, if it is in a block.
fn with_depth(
    unit: &mut Unit<'_>,
    summary: TransactionSummary,
    hash: &str,
) -> Result<TransactionSummary, StoreError> {
    let block = match store::outgoing_list::block_of(unit.database, hash)? {
        Some(Some(block)) => block,
        // A reorganisation took the block away.
        Some(None) if summary.status == TransactionStatus::Success => {
            return Ok(TransactionSummary {
                confirmations: Some(0),
                ..summary
            });
        }
        _ => return Ok(summary),
    };
    let known = store::chain::find(unit.database, summary.chain_id)?;
    let head = store::connection::find(unit.database, summary.chain_id)?;
    let deep = head.map(|head| head.block.saturating_sub(block).saturating_add(1));
    Ok(TransactionSummary {
        confirmations: deep.map(|deep| u32::try_from(deep).unwrap_or(u32::MAX)),
        confirmations_required: known.map(|known| known.confirmations_required),
        block_number: Some(block),
        ..summary
    })
}

/// As [`with_transaction`], with the transaction at hand.
pub(super) fn with_sent(payment: Payment, sent: Option<Sent>) -> Payment {
    let summary = sent
        .zip(payment.chain_id)
        .map(|((hash, at), chain)| TransactionSummary {
            chain_id: chain,
            created_at: at,
            payment_id: payment.id,
            status: match payment.status {
                PaymentStatus::Confirmed => TransactionStatus::Success,
                PaymentStatus::Failed => TransactionStatus::Failed,
                _ => TransactionStatus::Pending,
            },
            transaction_hash: hash,
            r#type: TransactionType::Payout,
            confirmations: None,
            confirmations_required: None,
            block_number: None,
            updated_at: payment.updated_at,
        });
    Payment {
        settlement_transaction: summary,
        ..payment
    }
}
