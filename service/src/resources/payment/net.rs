//! What a payment brought, or a payout cost, by its movements: gross, fee and net in its currency.

use settlekit_core::account::{Movement, MovementStatus};
use settlekit_core::payment::{Payment, PaymentMethod, PaymentStatus, TransactionStatus};
use settlekit_core::value::Amount;

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The payment with gross, fee and net, once something is confirmed; without them if a sum is not exact.
pub(super) fn with_net(unit: &mut Unit<'_>, payment: Payment) -> Result<Payment, StoreError> {
    let is_payout = payment.payment_method == PaymentMethod::Payout;
    let confirmed = confirmed(&payment);
    if confirmed.is_empty() {
        return Ok(payment);
    }
    let charged = store::movement::service_fees(unit.database, payment.org_id, payment.id)?;
    let charged = charged
        .into_iter()
        .filter(|fee| fee.status == MovementStatus::Confirmed && fee.currency == payment.currency);
    let mut fees: Vec<Amount> = charged.map(|fee| fee.amount).collect();
    if is_payout {
        fees.extend(network_fee(unit, &payment)?);
    }
    let (Some(amount), Some(fee)) = (sum(&confirmed), sum(&fees)) else {
        return Ok(payment);
    };
    // Fees are taken out of what is received, and come on top of what is sent.
    let (gross, net) = match is_payout {
        true => (amount.plus(fee).ok(), Some(amount)),
        false => (Some(amount), amount.minus(fee).ok()),
    };
    let is_exact = gross.is_some() && net.is_some();
    Ok(Payment {
        gross_amount: gross.filter(|_| is_exact),
        fee_amount: Some(fee).filter(|_| is_exact),
        net_amount: net.filter(|_| is_exact),
        ..payment
    })
}

/// The confirmed transfers in the payment's currency: of a payout, its amount.
fn confirmed(payment: &Payment) -> Vec<Amount> {
    if payment.payment_method == PaymentMethod::Payout {
        let is_confirmed = payment.status == PaymentStatus::Confirmed;
        return is_confirmed.then_some(payment.amount).into_iter().collect();
    }
    let seen = payment.crypto_transactions.iter().flatten();
    seen.filter(|seen| seen.status == TransactionStatus::Success)
        .filter(|seen| seen.currency.as_ref() == Some(&payment.currency))
        .map(|seen| seen.value)
        .collect()
}

/// The sum, if it is exact.
fn sum(amounts: &[Amount]) -> Option<Amount> {
    let mut amounts = amounts.iter().copied();
    amounts.try_fold(Amount::ZERO, Amount::plus).ok()
}

/// The network's fee on a payout, if it was paid in the payout's currency.
fn network_fee(unit: &mut Unit<'_>, payout: &Payment) -> Result<Option<Amount>, StoreError> {
    let (organisation, id) = (payout.org_id, payout.id);
    let stored = store::payout::find(unit.database, organisation, id)?;
    let Some(id) = stored.and_then(|stored| stored.movement) else {
        return Ok(None);
    };
    let movement = store::movement::find_movement(unit.database, organisation, id)?;
    let of = |movement: Movement| {
        let currency = movement.fee_currency?;
        movement.fee.filter(|_| currency == payout.currency)
    };
    Ok(movement.and_then(of))
}
