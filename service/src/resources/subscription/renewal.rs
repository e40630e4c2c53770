//! What time does to subscriptions: they begin, their trials end, their periods follow each other, they end.

use std::time::Duration;

use settlekit_core::plan::Plan;
use settlekit_core::subscription::{Subscription, SubscriptionStatus};
use settlekit_core::value::{Amount, Timestamp};

use super::{damaged, move_to, period_end, stored};
use crate::resources::invoice;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::subscription::Billing;
use crate::unit::refusal::Outcome;
use crate::unit::{Unit, due_job};

/// How long a customer has to pay for a period that has begun.
pub(crate) const PAYABLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// When the service looks at a subscription next by itself.
pub(crate) fn due_at(subscription: &Subscription, billing: &Billing) -> Option<Timestamp> {
    match subscription.status {
        SubscriptionStatus::Future => Some(subscription.start_at),
        SubscriptionStatus::InTrial => billing.trial_end,
        SubscriptionStatus::Active => period_end(billing),
        // It ends all the same.
        SubscriptionStatus::Paused if subscription.cancel_at_period_end => period_end(billing),
        _ => None,
    }
}

/// Begins a period that is billed, from the billing's anchor on.
pub(crate) fn activate(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    billing: Billing,
) -> Outcome<Subscription> {
    let (begins, subscription) = begin(unit, subscription, billing)?;
    bill(unit, &subscription, begins)?;
    Ok(subscription)
}

/// As [`activate`], of a period that is billed otherwise; gives the period's beginning too.
pub(super) fn begin(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    billing: Billing,
) -> Outcome<(Timestamp, Subscription)> {
    let (begins, billing) = next_period(billing)?;
    let due = period_end(&billing);
    let active = SubscriptionStatus::Active;
    let subscription = move_to(unit, stored(subscription), &billing, active, due)?;
    Ok((begins, subscription))
}

/// The next period's beginning, and the billing with it begun.
fn next_period(billing: Billing) -> Result<(Timestamp, Billing), StoreError> {
    let begins = period_end(&billing).ok_or_else(damaged)?;
    let billing = Billing {
        begun: billing.begun.saturating_add(1),
        ..billing
    };
    Ok((begins, billing))
}

/// What one period costs.
pub(crate) fn price(subscription: &Subscription) -> Result<Amount, StoreError> {
    let plans: Option<Vec<&Plan>> = subscription
        .items
        .iter()
        .map(|item| item.plan.as_ref())
        .collect();
    let plans = plans
        .filter(|plans| !plans.is_empty())
        .ok_or_else(damaged)?;
    together(plans).ok_or_else(|| StoreError::Damaged("a subscription costs too much".into()))
}

/// What plans cost together; none when that is too much to be shown exactly.
pub(super) fn together<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Option<Amount> {
    let mut prices = plans.into_iter().map(|plan| plan.price);
    prices
        .try_fold(Amount::ZERO, |sum, price| sum.plus(price))
        .ok()
}

/// Each period has its own due date, also when several are billed in one time: an invoice is told from others by that.
fn bill(unit: &mut Unit<'_>, subscription: &Subscription, begins: Timestamp) -> Outcome<()> {
    invoice::issue(unit, subscription, begins.plus(PAYABLE), None, None)?;
    Ok(())
}

/// Takes every subscription that is due its next step; gives how many were.
pub(crate) fn run_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    let goes_on = |unit: &mut Unit<'_>, organisation, id| match store::subscription::lock(
        unit.database,
        organisation,
        id,
    )? {
        Some((subscription, billing)) => step(unit, subscription, billing),
        None => Ok(()),
    };
    due_job::run_each(unit, &store::due::SUBSCRIPTIONS, limit, goes_on)
}

fn step(unit: &mut Unit<'_>, subscription: Subscription, billing: Billing) -> Outcome<()> {
    match subscription.status {
        SubscriptionStatus::Future if subscription.start_at <= unit.now => {
            if billing.trial_end.is_some_and(|end| end > unit.now) {
                let due = billing.trial_end;
                move_to(
                    unit,
                    subscription,
                    &billing,
                    SubscriptionStatus::InTrial,
                    due,
                )?;
            } else {
                activate(unit, subscription, billing)?;
            }
        }
        SubscriptionStatus::InTrial if billing.trial_end.is_some_and(|end| end <= unit.now) => {
            if subscription.cancel_at_period_end {
                let status = SubscriptionStatus::Canceled;
                move_to(unit, subscription, &billing, status, None)?;
            } else {
                activate(unit, subscription, billing)?;
            }
        }
        SubscriptionStatus::Active | SubscriptionStatus::Paused
            if due_at(&subscription, &billing).is_some_and(|end| end <= unit.now) =>
        {
            if subscription.cancel_at_period_end {
                let status = SubscriptionStatus::Canceled;
                move_to(unit, subscription, &billing, status, None)?;
            } else {
                renew(unit, subscription, billing)?;
            }
        }
        // Changed since it was looked up.
        _ => {}
    }
    Ok(())
}

/// One period at a time: what a clock that jumped has passed over is billed by the rounds that follow.
fn renew(unit: &mut Unit<'_>, subscription: Subscription, billing: Billing) -> Outcome<()> {
    let (begins, billing) = next_period(billing)?;
    let due = period_end(&billing);
    store::subscription::update(unit.database, &subscription, &billing, due)?;
    let subscription = super::whole(unit, subscription)?;
    bill(unit, &subscription, begins)
}
