//! Cancels a payment that nobody has paid, or a payout that is not signed.

use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{CancelPayment, Payment, PaymentStatus};

use super::progress;
use crate::chains::authorization;
use crate::resources::payout;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn cancel_payment(
    unit: &mut Unit<'_>,
    call: Received<CancelPayment>,
) -> Outcome<Payment> {
    let payment = store::payment::LISTING
        .lock(
            unit.database,
            call.caller.organisation,
            call.path.payment_id,
        )?
        .ok_or_else(|| Refusal::not_found("payment"))?;
    if !payment.may_cancel() {
        return Err(Refusal::because(
            Reason::NotCancellable,
            format!(
                "only a Processing one-time payment with nothing paid, or a payout that is not sent, can be canceled; this one is {}{} with {} paid",
                payment.status,
                if payment.is_recurring() {
                    " for a recurring plan"
                } else {
                    ""
                },
                payment.paid_amount
            ),
        ));
    }
    if authorization::executable(unit, &payment)?.is_some() {
        return Err(Refusal::because(
            Reason::NotCancellable,
            "the payer has authorized the payment, which may still be executed",
        ));
    }
    if payment.is_unsigned() {
        return payout::cancel_unsigned(unit, payment);
    }
    if payment.is_unsent_payout() {
        // Refunds, shares and payouts that others count on: a key that cannot create them must not stop them.
        call.caller.need(Scope::Payout)?;
        return payout::cancel_unsent(unit, payment);
    }
    progress::move_to(unit, payment, PaymentStatus::Canceled)
}
