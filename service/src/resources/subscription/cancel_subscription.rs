//! Cancels a subscription at once, or at the end of its period.

use settlekit_core::event::EventAction;
use settlekit_core::subscription::{CancelSubscription, Subscription, SubscriptionStatus};

use super::renewal;
use super::status::{lock, move_to, record_event};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn cancel_subscription(
    unit: &mut Unit<'_>,
    call: Received<CancelSubscription>,
) -> Outcome<Subscription> {
    let (subscription, billing) = lock(unit, call.caller.organisation, call.path.subscription_id)?;
    let Some(at_period_end) = call.body.at_period_end else {
        return move_to(
            unit,
            subscription,
            &billing,
            SubscriptionStatus::Canceled,
            None,
        );
    };
    let runs = matches!(
        subscription.status,
        SubscriptionStatus::Active | SubscriptionStatus::InTrial
    );
    if !runs {
        return Err(Refusal::state_forbids(format!(
            "a {} subscription has no current period",
            subscription.status
        )));
    }
    let due_at = renewal::due_at(&subscription, &billing);
    let subscription = Subscription {
        cancel_at_period_end: at_period_end,
        updated_at: unit.now,
        ..subscription
    };
    store::subscription::update(unit.database, &subscription, &billing, due_at)?;
    record_event(unit, subscription, EventAction::Updated)
}
