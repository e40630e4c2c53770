//! The lifecycle of a payout: sent in the next round, confirmed and booked after its blocks, or failed on the chain, which costs
//! the network fee.

use settlekit_core::account::{Account, Movement, MovementFailure, MovementStatus, MovementType};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::find::FoundKind;
use settlekit_core::payment::{Payment, PaymentReason, PaymentStatus};
use settlekit_core::value::{ChainId, OrganisationId, PaymentId, Timestamp};

use super::limit;
use super::transaction::{damaged, with_transaction};
use crate::resources::account::book::{self, Money};
use crate::resources::{account, automation, event, payment, trade};
use crate::store;
use crate::store::payout::Payout;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Records the transaction of a queued or replaced payout.
pub(super) fn record_sent(
    unit: &mut Unit<'_>,
    payment: Payment,
    payout: &Payout,
    hash: &str,
) -> Outcome<()> {
    let organisation = payment.org_id;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let movement = payout.movement.ok_or_else(|| damaged("movement"))?;
    let sent = (hash, payout.sent_at.unwrap_or(unit.now));
    record_transaction(unit, &payment, sent)?;
    store::movement::set_transaction(unit.database, organisation, movement, chain, hash)?;
    if payment.status != PaymentStatus::Pending {
        return Ok(());
    }
    let after = &MovementStatus::Processing;
    account::set_movement_status(unit, organisation, movement, after, None)?;
    set_payout_status(unit, payment, PaymentStatus::Processing)?;
    Ok(())
}

/// A node took the payout's transaction, or a replacement of it.
pub(crate) fn broadcast(
    unit: &mut Unit<'_>,
    payout: (OrganisationId, PaymentId),
    hash: &str,
) -> Outcome<()> {
    let (payment, payout) = locked(unit, payout)?;
    record_sent(unit, payment, &payout, hash)
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
        false => fail(unit, payment, &MovementFailure::Reverted),
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

/// The network refuses the payout's transaction permanently, so it is never sent. A reorganisation can repeat that.
pub(crate) fn refused(unit: &mut Unit<'_>, named: (OrganisationId, PaymentId)) -> Outcome<()> {
    let (payment, _) = locked(unit, named)?;
    match payment.status {
        PaymentStatus::Pending | PaymentStatus::Processing => {
            fail(unit, payment, &MovementFailure::NotAccepted)
        }
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

/// Changes a payout's status. Its end has effects on the payment that it refunds, or on its order.
pub(super) fn set_payout_status(
    unit: &mut Unit<'_>,
    payout: Payment,
    status: PaymentStatus,
) -> Outcome<Payment> {
    let payout = payment::set_payment_status(unit, payout, status, None, None)?;
    if matches!(
        payout.status,
        PaymentStatus::Confirmed | PaymentStatus::Failed | PaymentStatus::Canceled
    ) {
        payment::refund_ended(unit, &payout)?;
        trade::payout_ended(unit, &payout)?;
    }
    Ok(payout)
}

/// Cancels a payout that the merchant's own wallet has not signed. It has reserved nothing.
pub(crate) fn cancel_unsigned(unit: &mut Unit<'_>, payout: Payment) -> Outcome<Payment> {
    set_payout_status(unit, payout, PaymentStatus::Canceled)
}

/// Whether a payout has failed, so that its money was returned.
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
    let movement = store::movement::find_movement(unit.database, organisation, movement)?
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
    let payment = set_payout_status(unit, payment, PaymentStatus::Confirmed)?;
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

/// Fails the pending payouts of a transaction that the simulated chain has dropped: the money is released and the service takes no
/// fee; the network fee is spent.
pub(crate) fn transaction_dropped(
    unit: &mut Unit<'_>,
    (chain, hash): (ChainId, &str),
    to: &str,
) -> Result<(), StoreError> {
    for payment in under_way_in(unit, (chain, hash), to)? {
        fail(unit, payment, &MovementFailure::Dropped).map_err(|refusal| {
            refusal.unexpected("the reserved amount of a payout could not be booked")
        })?;
    }
    Ok(())
}

fn fail(unit: &mut Unit<'_>, payment: Payment, failure: &MovementFailure) -> Outcome<()> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let reserved = reserved(unit, &payment, &payout)?;
    let account = &reserved.account;
    book::fail_sent_withdrawal(
        unit,
        account,
        &reserved.movement,
        (&reserved.money, &reserved.gas),
        failure,
    )?;
    if let Some(fee) = &reserved.service_fee {
        book::release(unit, account, fee)?;
    }
    let payment = set_payout_status(unit, payment, PaymentStatus::Failed)?;
    Ok(automation::payout_failed(unit, &payment, account.id)?)
}

/// Fails a locked payout that a second member refused.
pub(super) fn refuse_unsent(unit: &mut Unit<'_>, payment: Payment) -> Outcome<Payment> {
    let end = (PaymentStatus::Failed, &MovementFailure::ApprovalRefused);
    end_unsent(unit, payment, end)
}

/// Cancels a locked payout that is not sent, unless its transaction has a nonce by now: signed, it can be in a block at any time.
pub(crate) fn cancel_unsent(unit: &mut Unit<'_>, payment: Payment) -> Outcome<Payment> {
    let named = (payment.org_id, payment.id);
    if !store::outgoing_open::withdraw_queued_payout(unit.database, named, unit.now)? {
        return Err(Refusal::because(
            Reason::NotCancellable,
            "the payout's transaction is signed and about to be sent",
        ));
    }
    limit::subtract_canceled(unit, &payment)?;
    let payment = match payment.reason {
        Some(PaymentReason::ApprovalRequired) => {
            store::payout::withdraw_approval(unit.database, named)?;
            Payment {
                reason: None,
                ..payment
            }
        }
        _ => payment,
    };
    let end = (PaymentStatus::Canceled, &MovementFailure::Canceled);
    end_unsent(unit, payment, end)
}

/// Ends a locked payout that was never signed: all of its money is released, that for the network too.
fn end_unsent(
    unit: &mut Unit<'_>,
    payment: Payment,
    (status, failure): (PaymentStatus, &MovementFailure),
) -> Outcome<Payment> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let reserved = reserved(unit, &payment, &payout)?;
    let account = &reserved.account;
    book::fail_reserved(unit, account, &reserved.movement, &reserved.money, failure)?;
    for money in std::iter::once(&reserved.gas).chain(&reserved.service_fee) {
        book::release(unit, account, money)?;
    }
    let payment = set_payout_status(unit, payment, status)?;
    automation::payout_failed(unit, &payment, account.id)?;
    Ok(payment)
}

/// A payout with its payment, locked.
pub(super) fn locked(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
) -> Result<(Payment, Payout), StoreError> {
    let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
    let payout = store::payout::find(unit.database, organisation, id)?;
    Ok((
        payment.ok_or_else(|| damaged("payment"))?,
        payout.ok_or_else(|| damaged("row"))?,
    ))
}

/// Records the transaction of a payout, by which the payment that it refunds, or its order, is found too.
pub(super) fn record_transaction(
    unit: &mut Unit<'_>,
    payment: &Payment,
    (hash, at): (&str, Timestamp),
) -> Result<(), StoreError> {
    let organisation = payment.org_id;
    store::payout::sent(unit.database, organisation, payment.id, (hash, at))?;
    if let Some(refunded) = payment.parent_id {
        let found = (FoundKind::Payment, refunded);
        store::find::index_text(unit.database, organisation, found, Some(hash))?;
    }
    if let Some(order) = payment.order_id() {
        let found = (FoundKind::Order, order);
        store::find::index_text(unit.database, organisation, found, Some(hash))?;
    }
    Ok(())
}
