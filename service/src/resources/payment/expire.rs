//! Ends payments with expired prices, and advances payouts: the due job of both.

use settlekit_core::payment::{Payment, PaymentMethod, PaymentReason, PaymentStatus};
use settlekit_core::value::{OrganisationId, PaymentId};

use super::progress::{Due, due, measured, paid, set_payment_status};
use super::{VALIDITY, due_at};
use crate::chains::authorization;
use crate::resources::payout;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit, due_job};

/// Ends payments with expired prices: Expired without money, Failed with too little.
///
/// A payment with unconfirmed money waits for it.
pub(crate) fn expire_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    due_job::run_each(unit, &store::due::PAYMENTS, limit, expire_if_due)
}

fn expire_if_due(unit: &mut Unit<'_>, organisation: OrganisationId, id: PaymentId) -> Outcome<()> {
    let Some(payment) = store::payment::LISTING.lock(unit.database, organisation, id)? else {
        return Ok(());
    };
    if payment.payment_method == PaymentMethod::Payout {
        return payout::advance(unit, payment);
    }
    if due_at(&payment).is_none_or(|at| at > unit.now) {
        return Ok(());
    }
    let seen = store::transaction::of_payment(unit.database, organisation, id)?;
    let (under_way, confirmed, _) = paid(&payment, &seen);
    if under_way > confirmed || authorization::executable(unit, &payment)?.is_some() {
        // Checked again when its transactions change, at the latest after another validity. The record stays unchanged.
        let (status, again) = (&payment.status, unit.now.plus(VALIDITY));
        store::payment::update(unit.database, &payment, status, Some(again))?;
        return Ok(());
    }
    let Due { due, least, .. } = due(unit, &payment)?;
    let (status, reason) = if confirmed >= least {
        // The tolerance was raised since.
        (PaymentStatus::Confirmed, measured(confirmed, due))
    } else if confirmed > 0 {
        (PaymentStatus::Failed, Some(PaymentReason::Underpaid))
    } else {
        (PaymentStatus::Expired, None)
    };
    let payment = Payment {
        reason: reason.or(payment.reason),
        ..payment
    };
    set_payment_status(unit, payment, status, None, Some(&seen)).map(drop)
}
