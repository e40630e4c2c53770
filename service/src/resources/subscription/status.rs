//! The status of a subscription, changed with its event, and the record that shows it.

use settlekit_core::event::EventAction;
use settlekit_core::subscription::{
    Subscription, SubscriptionItem, SubscriptionStatus, TRANSITIONS,
};
use settlekit_core::value::{OrganisationId, SubscriptionId, Timestamp};

use super::period;
use crate::resources::{event, plan};
use crate::store;
use crate::store::sql::StoreError;
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Refusal, Unit};

/// The subscription with its current customer and plans.
pub(crate) fn whole(
    unit: &mut Unit<'_>,
    subscription: Subscription,
) -> Result<Subscription, StoreError> {
    let organisation = subscription.org_id;
    let customer =
        store::customer::RECORDS.find(unit.database, organisation, subscription.customer_id)?;
    let mut items = Vec::with_capacity(subscription.items.len());
    for item in subscription.items {
        let plan = store::plan::LISTING.find(unit.database, organisation, item.plan_id)?;
        items.push(SubscriptionItem { plan, ..item });
    }
    Ok(Subscription {
        customer,
        items,
        ..subscription
    })
}

/// The subscription as stored, without customer and plans.
pub(super) fn stored(subscription: Subscription) -> Subscription {
    Subscription {
        customer: None,
        items: subscription
            .items
            .into_iter()
            .map(|item| SubscriptionItem { plan: None, ..item })
            .collect(),
        ..subscription
    }
}

/// A subscription with its billing, locked.
pub(crate) fn lock(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: SubscriptionId,
) -> Outcome<(Subscription, Billing)> {
    store::subscription::WITH_BILLING
        .lock(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("subscription"))
}

/// The end of the current period, where the next would begin.
pub(crate) fn period_end(billing: &Billing) -> Option<Timestamp> {
    let intervals = billing.begun.checked_mul(billing.count)?;
    period::after(billing.anchor, &billing.interval, intervals)
}

/// Changes a subscription's status, if the state machine allows it, with its event.
pub(super) fn move_to(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    billing: &Billing,
    status: SubscriptionStatus,
    due_at: Option<Timestamp>,
) -> Outcome<Subscription> {
    if !TRANSITIONS.allows(&subscription.status, &status) {
        return Err(Refusal::state_forbids(format!(
            "a {} subscription cannot become {status}",
            subscription.status
        )));
    }
    let action = match status {
        SubscriptionStatus::Canceled => EventAction::Canceled,
        SubscriptionStatus::Paused => EventAction::Disabled,
        _ if subscription.status == SubscriptionStatus::Paused => EventAction::Enabled,
        _ => EventAction::Updated,
    };
    let subscription = Subscription {
        status,
        updated_at: unit.now,
        ..subscription
    };
    store::subscription::update(unit.database, &subscription, billing, due_at)?;
    let (organisation, id) = (subscription.org_id, subscription.id);
    // A subscription that was never paid is no sale: return its stock.
    if has_ended(&subscription) && !store::invoice::any_paid(unit.database, organisation, id)? {
        for item in &subscription.items {
            plan::change_stock(unit, organisation, item.plan_id, plan::Stock::Return)?;
        }
    }
    record_event(unit, subscription, action)
}

fn has_ended(subscription: &Subscription) -> bool {
    let status = &subscription.status;
    matches!(
        status,
        SubscriptionStatus::Canceled | SubscriptionStatus::Expired
    )
}

/// Takes back the stock that a subscription returned when it ended unpaid, because it is now paid. If it is sold out, none is taken:
/// no period follows.
pub(crate) fn retake_stock(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: SubscriptionId,
) -> Result<(), StoreError> {
    let found = store::subscription::WITH_BILLING.lock(unit.database, organisation, id)?;
    if let Some((subscription, _)) = found
        && has_ended(&subscription)
    {
        for item in &subscription.items {
            plan::change_stock(unit, organisation, item.plan_id, plan::Stock::Sell)?;
        }
    }
    Ok(())
}

pub(super) fn record_event(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    action: EventAction,
) -> Outcome<Subscription> {
    let subscription = whole(unit, subscription)?;
    event::record(unit, subscription.org_id, action, &subscription)?;
    Ok(subscription)
}

/// The move was checked before: only the database can fail.
pub(super) fn store_error_of(outcome: Outcome<Subscription>) -> Result<(), StoreError> {
    outcome.map(drop).map_err(|refusal| {
        refusal.unexpected("a subscription made a transition that its table does not allow")
    })
}
