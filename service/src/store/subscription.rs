//! Subscriptions. The record omits the customer and the plans, which are read from their own tables.

use serde::{Deserialize, Serialize};
use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::plan::RecurringInterval;
use settlekit_core::subscription::{ListSubscriptionsQuery, Subscription, SubscriptionStatus};
use settlekit_core::value::{OrganisationId, SubscriptionId, Timestamp};

use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, SUBSCRIPTIONS};
use super::listing::{Listing, listing, record};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{find, read_record, write_record};

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
    insert!(database, "subscriptions" {
        seq: seq,
        customer_id: subscription.customer_id,
        status: status,
        billing: &write_record(billing)?,
        due_at: due_at,
        ..subscription
    })?;
    SUBSCRIPTIONS.add(database, organisation, FilterKey::status(status), seq)?;
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
    SUBSCRIPTIONS.set_status(database, organisation, subscription.id.into(), status)?;
    update!(database, "subscriptions" {
        status: status,
        billing: &write_record(billing)?,
        due_at: due_at,
        ..subscription
    })
}

/// A page of the organisation's subscriptions.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListSubscriptionsQuery,
) -> Result<Page<Subscription>, StoreError> {
    let status = query.status.as_ref();
    let values = FilterValues::status(status.map(SubscriptionStatus::as_str));
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .counted(&SUBSCRIPTIONS, values);
    LISTING.matching(database, organisation, &query.list, &filter)
}
