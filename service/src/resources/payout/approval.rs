//! Approval of payouts above a limit: by a member of the organisation, not the one who created the payout, and never by an API key.

use settlekit_core::error::Reason;
use settlekit_core::payment::{Payment, PaymentMethod, PayoutApproval};
use settlekit_core::value::{OrganisationId, PaymentId, UserId};

use super::transaction::damaged;
use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::caller::{Caller, Via};
use crate::unit::{Outcome, Refusal, Unit};

/// The member who decides.
pub(super) fn member(caller: &Caller) -> Outcome<UserId> {
    match &caller.via {
        Via::Session { user, .. } => Ok(*user),
        Via::Key { .. } => Err(Refusal::because(
            Reason::SessionInvalid,
            "this needs a session of the dashboard",
        )),
    }
}

/// A payout that needs or needed a second member, locked.
pub(super) fn locked(
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
pub(super) fn decided(unit: &Unit<'_>, payment: &Payment, user: UserId) -> Outcome<PayoutApproval> {
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
