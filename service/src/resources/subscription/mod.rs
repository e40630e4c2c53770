//! Subscriptions: recurring purchases, periods and their end.

mod by_checkout;
mod create_subscription;
pub(crate) mod period;
mod renewal;

pub(crate) use by_checkout::{starts_with_trial, subscribe};
pub(crate) use create_subscription::create_subscription;
pub(crate) use renewal::{price, run_due};

use settlekit_core::event::EventAction;
use settlekit_core::page::Page;
use settlekit_core::subscription::{
    CancelSubscription, GetSubscription, ListSubscriptions, PauseSubscription, ResumeSubscription,
    Subscription, SubscriptionItem, SubscriptionStatus, TRANSITIONS,
};
use settlekit_core::value::{OrganisationId, SubscriptionId, Timestamp};

use crate::resources::{event, plan};
use crate::store;
use crate::store::sql::StoreError;
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Received, Refusal, Unit};

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

/// The end of the current period, where the next would begin.
pub(crate) fn period_end(billing: &Billing) -> Option<Timestamp> {
    let intervals = billing.begun.checked_mul(billing.count)?;
    period::after(billing.anchor, &billing.interval, intervals)
}

/// Changes a subscription's status, if the state machine allows it, with its event.
fn move_to(
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

fn record_event(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    action: EventAction,
) -> Outcome<Subscription> {
    let subscription = whole(unit, subscription)?;
    event::record(unit, subscription.org_id, action, &subscription)?;
    Ok(subscription)
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

pub(crate) fn get_subscription(
    unit: &mut Unit<'_>,
    call: Received<GetSubscription>,
) -> Outcome<Subscription> {
    let (organisation, id) = (call.caller.organisation, call.path.subscription_id);
    let found = store::subscription::LISTING.find(unit.database, organisation, id)?;
    let subscription = found.ok_or_else(|| Refusal::not_found("subscription"))?;
    Ok(whole(unit, subscription)?)
}

pub(crate) fn list_subscriptions(
    unit: &mut Unit<'_>,
    call: Received<ListSubscriptions>,
) -> Outcome<Page<Subscription>> {
    let mut page = store::subscription::list(unit.database, call.caller.organisation, &call.query)?;
    for subscription in std::mem::take(&mut page.items) {
        page.items.push(whole(unit, subscription)?);
    }
    Ok(page)
}

pub(crate) fn pause_subscription(
    unit: &mut Unit<'_>,
    call: Received<PauseSubscription>,
) -> Outcome<Subscription> {
    let (subscription, billing) = lock(unit, call.caller.organisation, call.path.subscription_id)?;
    // A subscription set to end with its period does so even when paused.
    let ends = subscription.cancel_at_period_end;
    let due_at = period_end(&billing).filter(|_| ends);
    let status = SubscriptionStatus::Paused;
    move_to(unit, subscription, &billing, status, due_at)
}

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

/// Ends an unpaid subscription: no further period is billed. One that is paused, ended or not started stays.
pub(crate) fn expire(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: SubscriptionId,
) -> Result<(), StoreError> {
    let Some((subscription, billing)) =
        store::subscription::WITH_BILLING.lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    let expired = SubscriptionStatus::Expired;
    if !TRANSITIONS.allows(&subscription.status, &expired) {
        return Ok(());
    }
    store_error_of(move_to(unit, subscription, &billing, expired, None))
}

/// The move was checked before: only the database can fail.
fn store_error_of(outcome: Outcome<Subscription>) -> Result<(), StoreError> {
    outcome.map(drop).map_err(|refusal| {
        refusal.unexpected("a subscription made a transition that its table does not allow")
    })
}

/// Updates a subscription when one of its invoices becomes overdue or is paid.
pub(crate) fn set_overdue(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: SubscriptionId,
    is_overdue: bool,
) -> Result<(), StoreError> {
    let Some((subscription, billing)) =
        store::subscription::WITH_BILLING.lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    if subscription.is_overdue == is_overdue {
        return Ok(());
    }
    let due_at = renewal::due_at(&subscription, &billing);
    let action = if is_overdue {
        EventAction::Overdue
    } else {
        EventAction::Updated
    };
    let subscription = Subscription {
        is_overdue,
        updated_at: unit.now,
        ..subscription
    };
    store::subscription::update(unit.database, &subscription, &billing, due_at)?;
    store_error_of(record_event(unit, subscription, action))
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

/// A stored subscription always has an item.
pub(super) fn damaged() -> StoreError {
    StoreError::Damaged("a subscription has no plan".into())
}
