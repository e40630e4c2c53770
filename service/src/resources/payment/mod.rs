//! Payments: create, pay, cancel, expire.

mod cancel_payment;
mod create_payment;
mod expire;
mod get_payment_timeline;
mod net;
mod progress;
mod refund;
mod refund_payment;
mod spent;

pub(crate) use cancel_payment::cancel_payment;
pub(crate) use create_payment::{PaidBy, PaymentTerms, create_payment, start};
pub(crate) use expire::expire_due;
pub(crate) use get_payment_timeline::get_payment_timeline;
pub(crate) use progress::{
    expire_unpaid_payment, set_payment_status, transaction_changed, transaction_moved,
};
pub(crate) use refund::{NewRefund, refund, refund_ended};
pub(crate) use refund_payment::refund_payment;

use std::time::Duration;

use settlekit_core::chain::Asset;
use settlekit_core::page::Page;
use settlekit_core::payment::{
    CryptoTransaction, GetPayment, ListPayments, NextAction, Payment, PaymentMethod, PaymentStatus,
    TimelineEntry, TransactionSummary,
};
use settlekit_core::value::{Amount, ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use crate::chains::{depth, payer_fee};
use crate::money::prices;
use crate::money::test_network::is_test_network;
use crate::resources::payout;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The validity of a price.
pub(crate) const VALIDITY: Duration = Duration::from_secs(30 * 60);

/// A payment created now, of a method and in a status, without details.
pub(crate) fn blank(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (payment_method, status): (PaymentMethod, PaymentStatus),
    (amount, currency, chain): (Amount, Currency, ChainId),
    (units, scale): (i128, u32),
) -> Result<Payment, StoreError> {
    let is_test = is_test_network(unit, chain)?;
    let usd = match is_test {
        true => None,
        false => prices::of(unit, [&currency])?.usd_of(units, scale, &currency),
    };
    Ok(Payment {
        id: PaymentId::new(unit.now, unit.id_bytes()),
        reference: None,
        parent_id: None,
        org_id: organisation,
        invoice_id: None,
        customer_id: None,
        amount,
        amount_usd: usd.and_then(prices::usd_shown),
        currency,
        chain_id: Some(chain),
        test_network: is_test.then_some(true),
        status: status.clone(),
        reason: None,
        payment_method,
        source: None,
        next_action: Some(NextAction::None),
        scheduled_time: None,
        sender_address: None,
        deposit_address: None,
        paid_amount: Amount::ZERO,
        refunded_amount: None,
        refunding_amount: None,
        gross_amount: None,
        fee_amount: None,
        net_amount: None,
        expires_at: None,
        customer: None,
        payment_link: None,
        from_account: None,
        to_account: None,
        payout_splits: None,
        approval: None,
        prepared_transaction: None,
        crypto_transaction: None,
        settlement_transaction: None,
        crypto_transactions: None,
        network_fee: None,
        network_fee_currency: None,
        network_fee_usd: None,
        timeline: Some(vec![TimelineEntry {
            status,
            at: unit.now,
        }]),
        cf_headers: None,
        metadata: None,
        properties: None,
        created_at: unit.now,
        updated_at: unit.now,
    })
}

pub(crate) fn scale_of(unit: &mut Unit<'_>, payment: &Payment) -> Result<u32, StoreError> {
    let chain = payment
        .chain_id
        .ok_or_else(|| StoreError::Damaged("a payment has no chain".into()))?;
    Ok(asset(unit, chain, &payment.currency)?.scale)
}

fn asset(unit: &mut Unit<'_>, chain: ChainId, currency: &Currency) -> Result<Asset, StoreError> {
    store::chain::asset(unit.database, chain, currency)?
        .ok_or_else(|| StoreError::Damaged("a payment is of an unknown asset".into()))
}

pub(crate) fn with_transactions(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<Payment, StoreError> {
    if payment.payment_method == PaymentMethod::Payout {
        return payout::with_transaction(unit, payment);
    }
    let seen = store::transaction::of_payment(unit.database, payment.org_id, payment.id)?;
    with_seen(unit, payment, &seen)
}

/// As [`with_transactions`], with transactions that were read before.
fn with_seen(unit: &mut Unit<'_>, payment: Payment, seen: &[Seen]) -> Result<Payment, StoreError> {
    let mut records: Vec<CryptoTransaction> = Vec::with_capacity(seen.len());
    for seen in seen {
        // A transfer may be in another currency than the payment's.
        let record = seen.record(&asset(unit, seen.chain, &seen.currency)?)?;
        let known = store::chain::find(unit.database, seen.chain)?;
        records.push(CryptoTransaction {
            confirmations: Some(depth::confirmations(unit, seen)?),
            confirmations_required: known.map(|known| known.confirmations_required),
            ..record
        });
    }
    let latest = records.last().map(|record| TransactionSummary {
        chain_id: record.chain_id,
        created_at: record.created_at,
        payment_id: payment.id,
        status: record.status.clone(),
        transaction_hash: record.transaction_hash.clone(),
        r#type: record.r#type.clone(),
        confirmations: record.confirmations,
        confirmations_required: record.confirmations_required,
        block_number: record.block_number,
        updated_at: record.updated_at,
    });
    Ok(Payment {
        crypto_transaction: latest,
        crypto_transactions: Some(records),
        ..payment
    })
}

/// When the service next processes a payment.
pub(crate) fn due_at(payment: &Payment) -> Option<Timestamp> {
    due_in_status(&payment.status, payment)
}

/// As [`due_at`], for another status.
fn due_in_status(status: &PaymentStatus, payment: &Payment) -> Option<Timestamp> {
    match status {
        PaymentStatus::Pending | PaymentStatus::Processing => payment.expires_at,
        _ => None,
    }
}

pub(crate) fn get_payment(unit: &mut Unit<'_>, call: Received<GetPayment>) -> Outcome<Payment> {
    let (organisation, id) = (call.caller.organisation, call.path.payment_id);
    let found = store::payment::LISTING.find(unit.database, organisation, id)?;
    let payment = found.ok_or_else(|| Refusal::not_found("payment"))?;
    let payment = with_transactions(unit, payment)?;
    // Events do without: each change of a payment would read them.
    let payment = net::with_net(unit, payment)?;
    Ok(payer_fee::with_network_fee(unit, payment)?)
}

pub(crate) fn list_payments(
    unit: &mut Unit<'_>,
    call: Received<ListPayments>,
) -> Outcome<Page<Payment>> {
    let page = store::payment::list(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}
