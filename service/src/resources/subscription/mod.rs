//! Subscriptions: recurring purchases, periods and their end.

mod by_checkout;
mod cancel_subscription;
mod create_subscription;
mod list_subscriptions;
pub(crate) mod period;
mod price;
mod renewal;
mod resume_subscription;
mod status;

pub(crate) use by_checkout::{starts_with_trial, subscribe};
pub(crate) use cancel_subscription::cancel_subscription;
pub(crate) use create_subscription::create_subscription;
pub(crate) use list_subscriptions::list_subscriptions;
pub(crate) use price::price;
pub(crate) use renewal::run_due;
pub(crate) use resume_subscription::resume_subscription;
pub(crate) use status::{lock, period_end, retake_stock, whole};

use list_subscriptions::with_times;
use settlekit_core::event::EventAction;
use settlekit_core::subscription::{
    GetSubscription, PauseSubscription, Subscription, SubscriptionStatus, TRANSITIONS,
};
use settlekit_core::value::{OrganisationId, SubscriptionId};
use status::{move_to, record_event, store_error_of};

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn get_subscription(
    unit: &mut Unit<'_>,
    call: Received<GetSubscription>,
) -> Outcome<Subscription> {
    let (organisation, id) = (call.caller.organisation, call.path.subscription_id);
    let found = store::subscription::WITH_BILLING.find(unit.database, organisation, id)?;
    let (subscription, billing) = found.ok_or_else(|| Refusal::not_found("subscription"))?;
    let subscription = with_times(unit, subscription, &billing);
    Ok(whole(unit, subscription)?)
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
