//! What a customer has spent on a payment.

use settlekit_core::payment::{Payment, PaymentStatus};

use crate::money::rounding::{Rounding, divide_wide};
use crate::store;
use crate::store::spent::PaidDeposit;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Stores what its customer has spent on a payment, after a change of its status, deposits or refunds: the worth of its deposits when
/// they were booked, less the part that was refunded. It counts once the payment was confirmed.
pub(super) fn update_spent(unit: &mut Unit<'_>, payment: &Payment) -> Result<(), StoreError> {
    let mut past = payment.timeline.iter().flatten();
    let was_confirmed = past.any(|entry| entry.status == PaymentStatus::Confirmed);
    let Some(customer) = payment.customer_id.filter(|_| was_confirmed) else {
        return Ok(());
    };
    let organisation = payment.org_id;
    let deposits = store::spent::deposits(unit.database, organisation, payment.id)?;
    // A booked deposit stays booked: without one, nothing was stored before either.
    let Some(stored) = deposits.first() else {
        return Ok(());
    };
    let (before, by_customer) = (stored.on_payment, stored.by_customer);
    let parts = match payment.refunded_amount {
        Some(_) => store::refund::parts(unit.database, organisation, payment.id)?,
        None => Vec::new(),
    };
    let kept = |deposit: &PaidDeposit| {
        let parts = parts.iter().filter(|part| {
            part.movement == deposit.movement && part.status == PaymentStatus::Confirmed
        });
        let returned: i128 = parts.map(|part| part.units).sum();
        (deposit.units - returned).max(0)
    };
    let worth = deposits.iter().filter_map(|deposit| {
        let factors = [deposit.usd?, kept(deposit)];
        divide_wide(factors, [deposit.units], Rounding::HalfEven)
    });
    let usd = worth.fold(0, i128::saturating_add);
    if usd == before {
        return Ok(());
    }
    let by_customer = by_customer.saturating_add(usd - before);
    store::spent::set(
        unit.database,
        organisation,
        (payment.id, usd),
        (customer, by_customer),
    )
}
