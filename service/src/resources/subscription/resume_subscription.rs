//! Resumes a paused subscription.

use settlekit_core::subscription::{ResumeSubscription, Subscription, SubscriptionStatus};

use super::renewal;
use super::status::{lock, move_to, period_end};
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Resumes a paused subscription with a new period at once: the period paid before the pause is over. A running trial continues
/// without charge, and so does a period at whose end the subscription is cancelled.
pub(crate) fn resume_subscription(
    unit: &mut Unit<'_>,
    call: Received<ResumeSubscription>,
) -> Outcome<Subscription> {
    let (subscription, billing) = lock(unit, call.caller.organisation, call.path.subscription_id)?;
    if subscription.status != SubscriptionStatus::Paused {
        return Err(Refusal::state_forbids(format!(
            "a {} subscription is not paused",
            subscription.status
        )));
    }
    if billing.trial_end.is_some_and(|end| end > unit.now) {
        let (status, due_at) = (SubscriptionStatus::InTrial, billing.trial_end);
        return move_to(unit, subscription, &billing, status, due_at);
    }
    if subscription.cancel_at_period_end {
        let (status, due_at) = (SubscriptionStatus::Active, period_end(&billing));
        return move_to(unit, subscription, &billing, status, due_at);
    }
    let billing = Billing {
        anchor: unit.now,
        begun: 0,
        trial_end: None,
        ..billing
    };
    renewal::activate(unit, subscription, billing)
}
