//! Sends a payout that waits for a second member.

use settlekit_core::event::EventAction;
use settlekit_core::payment::Payment;
use settlekit_core::payout::ApprovePayout;

use super::approval::{decided, locked, member};
use super::limit;
use super::transaction::with_transaction;
use crate::resources::event;
use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Sends a payout that waits.
pub(crate) fn approve_payout(
    unit: &mut Unit<'_>,
    call: Received<ApprovePayout>,
) -> Outcome<Payment> {
    let user = member(&call.caller)?;
    let named = (call.caller.organisation, call.path.payment_id);
    let (payment, state) = locked(unit, named)?;
    match state {
        ApprovalState::Waiting => {}
        ApprovalState::Approved => return Ok(with_transaction(unit, payment)?),
        ApprovalState::Refused => {
            return Err(Refusal::state_forbids("the payout has been refused"));
        }
    }
    let approval = decided(unit, &payment, user)?;
    store::payout::decide(unit.database, named, ApprovalState::Approved)?;
    let counted = (payment.amount, &payment.currency);
    limit::count_approved(unit, named.0, payment.chain_id, counted)?;
    let payment = Payment {
        reason: None,
        approval: Some(approval),
        updated_at: unit.now,
        ..payment
    };
    // Sent in the next round.
    let due_at = Some(unit.now);
    store::payment::update(unit.database, &payment, &payment.status, due_at)?;
    let payment = with_transaction(unit, payment)?;
    event::record(unit, named.0, EventAction::Updated, &payment)?;
    Ok(payment)
}
