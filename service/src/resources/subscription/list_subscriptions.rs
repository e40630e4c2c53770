//! Lists subscriptions, each with the end of its period and of its trial.

use settlekit_core::page::Page;
use settlekit_core::subscription::{ListSubscriptions, Subscription, SubscriptionStatus};

use super::status::{period_end, whole};
use crate::store;
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_subscriptions(
    unit: &mut Unit<'_>,
    call: Received<ListSubscriptions>,
) -> Outcome<Page<Subscription>> {
    let page = store::subscription::list(unit.database, call.caller.organisation, &call.query)?;
    let mut items = Vec::with_capacity(page.items.len());
    for (subscription, billing) in page.items {
        let subscription = with_times(unit, subscription, &billing);
        items.push(whole(unit, subscription)?);
    }
    Ok(Page {
        items,
        total: page.total,
        next: page.next,
        last_update: page.last_update,
        counts: page.counts,
    })
}

/// The subscription with the end of its period and of its trial. Events have neither: the next period begins without one.
pub(super) fn with_times(
    unit: &Unit<'_>,
    subscription: Subscription,
    billing: &Billing,
) -> Subscription {
    use SubscriptionStatus::{Active, Future, InTrial, Paused};
    let is_before_end = billing.trial_end.is_some_and(|end| end > unit.now);
    let (has_period, has_trial) = match subscription.status {
        Future | InTrial => (true, true),
        Active => (true, false),
        // It ends even when paused.
        Paused => (subscription.cancel_at_period_end, is_before_end),
        _ => (false, false),
    };
    Subscription {
        period_end: period_end(billing).filter(|_| has_period),
        trial_ends_at: billing.trial_end.filter(|_| has_trial),
        ..subscription
    }
}
