//! How a payout goes on with time: sent by the next round of work, confirmed and booked when its blocks have come.

use std::time::Duration;

use settlekit_core::account::MovementStatus;
use settlekit_core::payment::{
    Payment, PaymentStatus, TransactionStatus, TransactionSummary, TransactionType,
};
use settlekit_core::value::ChainId;

use crate::account::book::{self, Money};
use crate::refusal::Outcome;
use crate::store::payout::Payout;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{account, payment, simulated, store};

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("a payout has no {what}"))
}

/// Takes a payout, locked, its next step.
pub(crate) fn go_on(unit: &mut Unit<'_>, payment: Payment) -> Outcome<()> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    match payment.status {
        PaymentStatus::Pending => send(unit, payment, &payout, chain),
        PaymentStatus::Processing => confirm(unit, payment, &payout),
        _ => Ok(()),
    }
}

fn send(unit: &mut Unit<'_>, payment: Payment, payout: &Payout, chain: ChainId) -> Outcome<()> {
    let known = store::chain::find(unit.database, chain)?.ok_or_else(|| damaged("chain"))?;
    let sent = simulated::send(unit, chain, &payout.to, &payment.currency, payout.units)?;
    let organisation = payment.org_id;
    store::payout::sent(
        unit.database,
        organisation,
        payment.id,
        &sent.hash,
        unit.now,
    )?;
    store::movement::set_transaction(
        unit.database,
        organisation,
        payout.movement,
        chain,
        &sent.hash,
    )?;
    account::set_movement_status(
        unit,
        organisation,
        payout.movement,
        (&MovementStatus::Pending, &MovementStatus::Processing),
        None,
    )?;
    let deep_enough = u64::from(known.block_seconds) * u64::from(known.confirmations_required);
    let looked_at = unit.now.plus(Duration::from_secs(deep_enough.max(1)));
    payment::move_on(unit, payment, PaymentStatus::Processing, Some(looked_at))?;
    Ok(())
}

fn confirm(unit: &mut Unit<'_>, payment: Payment, payout: &Payout) -> Outcome<()> {
    let organisation = payment.org_id;
    let movement = store::movement::find(unit.database, organisation, payout.movement)?
        .ok_or_else(|| damaged("movement"))?;
    let account = store::account::find(unit.database, organisation, movement.account_id)?
        .ok_or_else(|| damaged("account"))?;
    let money = Money {
        currency: payment.currency.clone(),
        units: payout.units,
    };
    let fee = Money {
        currency: payout.fee_currency.clone(),
        units: payout.fee,
    };
    book::finish_withdrawal(unit, &account, &movement, &money, Some(&fee))?;
    if payout.service_fee > 0 {
        let fee = Money {
            currency: payment.currency.clone(),
            units: payout.service_fee,
        };
        book::take_fee(unit, &account, &fee, Some(payment.id.to_string()))?;
    }
    let payment = Payment {
        paid_amount: payment.amount,
        ..payment
    };
    payment::move_on(unit, payment, PaymentStatus::Confirmed, None)?;
    Ok(())
}

/// The payout with the transaction that carries it, once there is one.
pub(crate) fn with_transaction(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<Payment, StoreError> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?;
    let sent = payout.and_then(|payout| Some((payout.hash?, payout.sent_at?)));
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
            updated_at: payment.updated_at,
        });
    Ok(Payment {
        settlement_transaction: summary,
        ..payment
    })
}
