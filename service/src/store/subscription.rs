//! Subscriptions. The record omits the customer and the plans, which are read from their own tables.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::plan::RecurringInterval;
use settlekit_core::subscription::{ListSubscriptionsQuery, Subscription};
use settlekit_core::value::{OrganisationId, SubscriptionId, Timestamp};

use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, SUBSCRIPTIONS};
use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{find, first, read_record, sequence, write_record};

pub(crate) const LISTING: Listing<Subscription, SubscriptionId> = Listing {
    table: "subscriptions",
    owner: "org_id",
    kind: "subscriptions",
    select: "SELECT l.record, l.updated_at FROM subscriptions l",
    read: record,
    ids: PhantomData,
};

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
    const INSERT: &str = "INSERT INTO subscriptions (id, org_id, seq, customer_id, status, billing, due_at, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)";
    let (seq, at) = sequence::next(
        database,
        subscription.org_id.into(),
        LISTING.kind,
        subscription.created_at,
    )?;
    let subscription = Subscription {
        created_at: at,
        updated_at: at,
        ..subscription
    };
    let (record, billing) = (write_record(&subscription)?, write_record(billing)?);
    database.execute(
        INSERT,
        &[
            subscription.id.into(),
            subscription.org_id.into(),
            seq.into(),
            subscription.customer_id.into(),
            subscription.status.as_str().into(),
            (&billing).into(),
            due_at.into(),
            (&record).into(),
            at.into(),
        ],
    )?;
    let (organisation, reference) = (subscription.org_id, subscription.reference.as_deref());
    let kind = FilterKey::status(subscription.status.as_str());
    SUBSCRIPTIONS.add(database, organisation, kind, seq)?;
    find::note(
        database,
        organisation,
        reference,
        &FoundKind::Subscription,
        subscription.id,
    )?;
    Ok(subscription)
}

/// Reads and locks a subscription with its billing.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: SubscriptionId,
) -> Result<Option<(Subscription, Billing)>, StoreError> {
    const LOCK: &str =
        "SELECT record, billing FROM subscriptions WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    first(database.query(LOCK, &[organisation.into(), id.into()])?)
        .map(|row| Ok((read_record(row.text(0)?)?, read_record(row.text(1)?)?)))
        .transpose()
}

pub(crate) fn update(
    database: &mut dyn Database,
    subscription: &Subscription,
    billing: &Billing,
    due_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE subscriptions SET status = ?3, billing = ?4, due_at = ?5, record = ?6, updated_at = ?7 \
         WHERE org_id = ?1 AND id = ?2";
    let (record, billing) = (write_record(subscription)?, write_record(billing)?);
    let status = subscription.status.as_str();
    SUBSCRIPTIONS.set_status(
        database,
        subscription.org_id,
        subscription.id.into(),
        status,
    )?;
    database.execute(
        UPDATE,
        &[
            subscription.org_id.into(),
            subscription.id.into(),
            subscription.status.as_str().into(),
            (&billing).into(),
            due_at.into(),
            (&record).into(),
            subscription.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// A page of the organisation's subscriptions.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListSubscriptionsQuery,
) -> Result<Page<Subscription>, StoreError> {
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .counted(
            &SUBSCRIPTIONS,
            FilterValues {
                status: query.status.as_ref().map(|status| status.as_str()),
                ..FilterValues::default()
            },
        );
    LISTING.matching(database, organisation, &query.list, &filter)
}
