//! Scheduled steps of subscriptions: start, end of trial, renewal, end.

use std::time::Duration;

use settlekit_core::subscription::{Subscription, SubscriptionStatus};
use settlekit_core::value::Timestamp;

use super::price::damaged;
use super::status::{move_to, period_end, stored, whole};
use crate::resources::invoice;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::subscription::Billing;
use crate::unit::{Outcome, Unit, due_job};

/// The payment term of a period that has begun.
pub(crate) const PAYABLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// When the service next processes a subscription.
pub(crate) fn due_at(subscription: &Subscription, billing: &Billing) -> Option<Timestamp> {
    match subscription.status {
        SubscriptionStatus::Future => Some(subscription.start_at),
        SubscriptionStatus::InTrial => billing.trial_end,
        SubscriptionStatus::Active => period_end(billing),
        // It ends even when paused.
        SubscriptionStatus::Paused if subscription.cancel_at_period_end => period_end(billing),
        _ => None,
    }
}

/// Begins and bills a period, starting at the billing's anchor.
pub(crate) fn activate(
    unit: &mut Unit<'_>,
    subscription: Subscription,
    billing: Billing,
) -> Outcome<Subscription> {
    let (begins, subscription) = begin(unit, subscription, billing)?;
    bill(unit, &subscription, begins)?;
    Ok(subscription)
}

/// As [`activate`], without an invoice; returns the start of the period too.
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

/// The start of the next period, and the billing with that period begun.
fn next_period(billing: Billing) -> Result<(Timestamp, Billing), StoreError> {
    let begins = period_end(&billing).ok_or_else(damaged)?;
    let billing = Billing {
        begun: billing.begun.saturating_add(1),
        ..billing
    };
    Ok((begins, billing))
}

/// Each period has its own due date, which identifies its invoice, even if several are billed at once.
fn bill(unit: &mut Unit<'_>, subscription: &Subscription, begins: Timestamp) -> Outcome<()> {
    invoice::issue(unit, subscription, begins.plus(PAYABLE), None, None)?;
    Ok(())
}

/// Advances due subscriptions; returns how many were due.
pub(crate) fn run_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    let job = |unit: &mut Unit<'_>, organisation, id| {
        let found = store::subscription::WITH_BILLING.lock(unit.database, organisation, id)?;
        found.map_or(Ok(()), |(subscription, billing)| {
            step(unit, subscription, billing)
        })
    };
    due_job::run_each(unit, &store::due::SUBSCRIPTIONS, limit, job)
}

fn step(unit: &mut Unit<'_>, subscription: Subscription, billing: Billing) -> Outcome<()> {
    if due_at(&subscription, &billing).is_none_or(|at| at > unit.now) {
        // Changed since it was read.
        return Ok(());
    }
    let status = subscription.status.clone();
    if status == SubscriptionStatus::Future && billing.trial_end.is_some_and(|end| end > unit.now) {
        let (in_trial, due) = (SubscriptionStatus::InTrial, billing.trial_end);
        move_to(unit, subscription, &billing, in_trial, due)?;
    } else if status != SubscriptionStatus::Future && subscription.cancel_at_period_end {
        let canceled = SubscriptionStatus::Canceled;
        move_to(unit, subscription, &billing, canceled, None)?;
    } else if matches!(
        status,
        SubscriptionStatus::Future | SubscriptionStatus::InTrial
    ) {
        activate(unit, subscription, billing)?;
    } else {
        renew(unit, subscription, billing)?;
    }
    Ok(())
}

/// One period per round: after a clock jump, the following rounds bill the rest.
fn renew(unit: &mut Unit<'_>, subscription: Subscription, billing: Billing) -> Outcome<()> {
    let (begins, billing) = next_period(billing)?;
    let due = period_end(&billing);
    store::subscription::update(unit.database, &subscription, &billing, due)?;
    let subscription = whole(unit, subscription)?;
    bill(unit, &subscription, begins)
}
