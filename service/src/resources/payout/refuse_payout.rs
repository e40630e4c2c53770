//! Gives the money of a payout that waits back to its account.

use settlekit_core::payment::{Payment, PaymentReason};
use settlekit_core::payout::RefusePayout;

use super::approval::{decided, locked, member};
use super::progress;
use super::transaction::with_transaction;
use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn refuse_payout(unit: &mut Unit<'_>, call: Received<RefusePayout>) -> Outcome<Payment> {
    let user = member(&call.caller)?;
    let named = (call.caller.organisation, call.path.payment_id);
    let (payment, state) = locked(unit, named)?;
    match state {
        ApprovalState::Waiting => {}
        ApprovalState::Refused => return Ok(with_transaction(unit, payment)?),
        ApprovalState::Approved => {
            return Err(Refusal::state_forbids("the payout has been approved"));
        }
    }
    let approval = decided(unit, &payment, user)?;
    store::payout::decide(unit.database, named, ApprovalState::Refused)?;
    let payment = Payment {
        reason: Some(PaymentReason::ApprovalRefused),
        approval: Some(approval),
        ..payment
    };
    progress::refuse_unsent(unit, payment)
}
