//! Subscriptions. The record omits the customer and the plans, which are read from their own tables. Every write updates the
//! organisation's totals of subscriptions.

use serde::{Deserialize, Serialize};
use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::plan::RecurringInterval;
use settlekit_core::subscription::{ListSubscriptionsQuery, Subscription, SubscriptionStatus};
use settlekit_core::value::{Amount, OrganisationId, SubscriptionId, Timestamp};

use super::columns::get;
use super::currency_total::{self, TotalChange, TotalKind};
use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, SUBSCRIPTIONS};
use super::listing::{Listing, listing, record};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{find, first, read_record, subscription_day, write_record};

pub(crate) const LISTING: Listing<Subscription, SubscriptionId> = listing!("subscriptions");

/// Subscriptions with their billing.
pub(crate) const WITH_BILLING: Listing<(Subscription, Billing), SubscriptionId> = listing!(
    "subscriptions",
    "l.record, l.updated_at, l.billing",
    read_subscription
);

fn read_subscription(row: &Row) -> Result<((Subscription, Billing), Timestamp), StoreError> {
    let (subscription, updated_at) = record(row)?;
    Ok(((subscription, read_record(row.text(2)?)?), updated_at))
}

/// A subscription's billing cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Billing {
    /// The start of the first period.
    pub(crate) anchor: Timestamp,
    pub(crate) interval: RecurringInterval,
    /// Intervals per period.
    pub(crate) count: u32,
    /// Periods begun.
    pub(crate) begun: u32,
    /// The end of the trial, if any.
    pub(crate) trial_end: Option<Timestamp>,
    /// The price of a period. Neither the plans nor their prices ever change.
    pub(crate) price: Amount,
}

impl Billing {
    /// The length of a period: months, or days negated.
    fn period(&self) -> Option<i64> {
        let count = i64::from(self.count);
        match self.interval {
            RecurringInterval::Day => Some(-count),
            RecurringInterval::Week => Some(-7 * count),
            RecurringInterval::Month => Some(count),
            RecurringInterval::Year => Some(12 * count),
            RecurringInterval::Unknown | RecurringInterval::Other(_) => None,
        }
    }
}

/// Whether a period has begun, and the subscription has not ended.
fn is_running(subscription: &Subscription, billing: &Billing) -> bool {
    let status = &subscription.status;
    let has_not_ended = matches!(
        status,
        SubscriptionStatus::Active | SubscriptionStatus::Paused
    );
    has_not_ended && billing.begun > 0
}

/// The UTC day on which a subscription issues its next invoice, if it runs or is in its trial.
fn renewal_day(subscription: &Subscription, due_at: Option<Timestamp>) -> Option<i64> {
    let status = &subscription.status;
    let bills = matches!(
        status,
        SubscriptionStatus::Active | SubscriptionStatus::InTrial
    );
    due_at
        .filter(|_| bills && !subscription.cancel_at_period_end)
        .map(Timestamp::day_number)
}

/// The totals that a subscription is part of.
fn totals(
    subscription: &Subscription,
    billing: &Billing,
    renewal_day: Option<i64>,
) -> Vec<(TotalKind, i64)> {
    let is_active = subscription.status == SubscriptionStatus::Active && billing.begun > 0;
    let period = billing.period().filter(|_| is_active);
    let period = period.map(|period| (TotalKind::Subscriptions, period));
    let renewal = renewal_day.map(|day| (TotalKind::Renewals, day));
    period.into_iter().chain(renewal).collect()
}

/// The price of a subscription that enters a total, or leaves it.
fn change((kind, bucket): (TotalKind, i64), billing: &Billing, by: i64) -> TotalChange {
    TotalChange {
        kind,
        bucket,
        amount: billing.price,
        by,
    }
}

/// A subscription as it is stored, before a change.
struct Before {
    subscription: Subscription,
    billing: Billing,
    renewal_day: Option<i64>,
    seq: i64,
}

fn before(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: SubscriptionId,
) -> Result<Option<Before>, StoreError> {
    const BEFORE: &str =
        "SELECT record, billing, renewal_day, seq FROM subscriptions WHERE org_id = ?1 AND id = ?2";
    let Some(row) = first(database.query(BEFORE, &[organisation.into(), id.into()])?) else {
        return Ok(None);
    };
    Ok(Some(Before {
        subscription: read_record(row.text(0)?)?,
        billing: read_record(row.text(1)?)?,
        renewal_day: get(&row, 2)?,
        seq: row.int(3)?,
    }))
}

/// Inserts a subscription; `due_at` is when the service next processes it.
pub(crate) fn insert(
    database: &mut dyn Database,
    subscription: Subscription,
    billing: &Billing,
    due_at: Option<Timestamp>,
) -> Result<Subscription, StoreError> {
    let (seq, subscription) = LISTING.number(database, subscription.org_id, subscription)?;
    let (organisation, status) = (subscription.org_id, subscription.status.as_str());
    let renewal_day = renewal_day(&subscription, due_at);
    insert!(database, "subscriptions" {
        seq: seq,
        customer_id: subscription.customer_id,
        status: status,
        billing: &write_record(billing)?,
        due_at: due_at,
        renewal_day: renewal_day,
        ..subscription
    })?;
    SUBSCRIPTIONS.add(database, organisation, FilterKey::status(status), seq)?;
    let entered = totals(&subscription, billing, renewal_day).into_iter();
    let changes: Vec<TotalChange> = entered.map(|total| change(total, billing, 1)).collect();
    currency_total::change(database, organisation, &subscription.currency, &changes)?;
    let reference = subscription.reference.as_deref();
    let found = (FoundKind::Subscription, subscription.id);
    find::index_text(database, organisation, found, reference)?;
    Ok(subscription)
}

pub(crate) fn update(
    database: &mut dyn Database,
    subscription: &Subscription,
    billing: &Billing,
    due_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let (organisation, status) = (subscription.org_id, subscription.status.as_str());
    let renewal_day = renewal_day(subscription, due_at);
    if let Some(before) = before(database, organisation, subscription.id)? {
        count_change(database, &before, (subscription, billing, renewal_day))?;
    }
    update!(database, "subscriptions" {
        status: status,
        billing: &write_record(billing)?,
        due_at: due_at,
        renewal_day: renewal_day,
        ..subscription
    })
}

/// Moves a subscription between the counts and totals.
fn count_change(
    database: &mut dyn Database,
    before: &Before,
    (subscription, billing, renewal_day): (&Subscription, &Billing, Option<i64>),
) -> Result<(), StoreError> {
    let organisation = subscription.org_id;
    let statuses = (
        FilterKey::status(before.subscription.status.as_str()),
        FilterKey::status(subscription.status.as_str()),
    );
    SUBSCRIPTIONS.shift(database, organisation, statuses, before.seq)?;
    let left = totals(&before.subscription, &before.billing, before.renewal_day);
    let entered = totals(subscription, billing, renewal_day);
    let leaves = left.iter().filter(|total| !entered.contains(total));
    let leaves = leaves.map(|total| change(*total, &before.billing, -1));
    let enters = entered.iter().filter(|total| !left.contains(total));
    let enters = enters.map(|total| change(*total, billing, 1));
    let changes: Vec<TotalChange> = leaves.chain(enters).collect();
    currency_total::change(database, organisation, &subscription.currency, &changes)?;
    let ran = is_running(&before.subscription, &before.billing);
    let runs = is_running(subscription, billing);
    match ran == runs {
        true => Ok(()),
        false => subscription_day::add(database, organisation, subscription.updated_at, runs),
    }
}

/// A page of the organisation's subscriptions, each with its billing.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListSubscriptionsQuery,
) -> Result<Page<(Subscription, Billing)>, StoreError> {
    let status = query.status.as_ref();
    let values = FilterValues::status(status.map(SubscriptionStatus::as_str));
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .counted(&SUBSCRIPTIONS, values);
    let list = (&query.list, query.counts.as_ref());
    WITH_BILLING.matching_by_status(
        database,
        organisation,
        list,
        &filter,
        SubscriptionStatus::KNOWN,
    )
}
