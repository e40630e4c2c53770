//! Approval of payouts above a limit: by a member of the organisation, not the one who created the payout, and never by an API key.

use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::payment::{Payment, PaymentMethod, PaymentReason, PayoutApproval};
use settlekit_core::payout::{ApprovePayout, RefusePayout};
use settlekit_core::value::{OrganisationId, PaymentId, UserId};

use super::transaction::{damaged, with_transaction};
use super::{limit, progress};
use crate::resources::event;
use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::caller::{Caller, Via};
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
    limit::count_approved(unit, named.0, (payment.amount, &payment.currency))?;
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

/// Gives the money of a payout that waits back to its account.
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

/// The member who decides.
fn member(caller: &Caller) -> Outcome<UserId> {
    match &caller.via {
        Via::Session { user, .. } => Ok(*user),
        Via::Key { .. } => Err(Refusal::because(
            Reason::SessionInvalid,
            "this needs a session of the dashboard",
        )),
    }
}

/// A payout that needs or needed a second member, locked.
fn locked(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
) -> Outcome<(Payment, ApprovalState)> {
    let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
    let payment = payment.filter(|payment| payment.payment_method == PaymentMethod::Payout);
    let payment = payment.ok_or_else(|| Refusal::not_found("payout"))?;
    let state = store::payout::approval(unit.database, organisation, id)?;
    let state = state.ok_or_else(|| Refusal::state_forbids("the payout needs no approval"))?;
    Ok((payment, state))
}

/// The approval with the decision of a member, who must be another than the one who created the payout.
fn decided(unit: &Unit<'_>, payment: &Payment, user: UserId) -> Outcome<PayoutApproval> {
    let approval = payment.approval.clone();
    let approval = approval.ok_or_else(|| damaged("approval"))?;
    if approval.requested_by == Some(user) {
        return Err(Refusal::state_forbids(
            "another member than the one who created the payout must decide",
        ));
    }
    Ok(PayoutApproval {
        decided_by: Some(user),
        decided_at: Some(unit.now),
        ..approval
    })
}
