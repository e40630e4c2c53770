//! Invoices, one per subscription and due date.

use settlekit_core::find::FoundKind;
use settlekit_core::invoice::{Invoice, InvoicePaymentStatus, ListInvoicesQuery};
use settlekit_core::page::Page;
use settlekit_core::value::{InvoiceId, OrganisationId, SubscriptionId, Timestamp};

use super::columns::get;
use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, INVOICES};
use super::listing::{Listing, listing, record};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};
use super::{conflict_on_duplicate, find, one_record};

pub(crate) const LISTING: Listing<Invoice, InvoiceId> = listing!("invoices");

/// Invoices with their subscription.
pub(crate) const WITH_SUBSCRIPTION: Listing<(Invoice, SubscriptionId), InvoiceId> = listing!(
    "invoices",
    "l.record, l.updated_at, l.subscription_id",
    read_invoice
);

fn read_invoice(row: &Row) -> Result<((Invoice, SubscriptionId), Timestamp), StoreError> {
    let (invoice, updated_at) = record(row)?;
    Ok(((invoice, get(row, 2)?), updated_at))
}

/// Inserts an invoice with its `seq` in its number; dunning starts at its due date.
pub(crate) fn insert(
    database: &mut dyn Database,
    subscription: SubscriptionId,
    invoice: Invoice,
) -> Result<Invoice, StoreError> {
    let (seq, mut invoice) = LISTING.number(database, invoice.org_id, invoice)?;
    invoice.reference = Some(format!("INV-{seq}"));
    let (organisation, status) = (invoice.org_id, invoice.payment_status.as_str());
    let inserted = insert!(database, "invoices" {
        seq: seq,
        subscription_id: subscription,
        customer_id: invoice.customer_id,
        payment_status: status,
        dunning_status: invoice.dunning_status.as_str(),
        due_at: invoice.due_at,
        looked_at: invoice.due_at,
        ..invoice
    });
    // Another transaction inserted the invoice of this due date.
    conflict_on_duplicate(inserted)?;
    INVOICES.add(database, organisation, FilterKey::status(status), seq)?;
    let found = (FoundKind::Invoice, invoice.id);
    find::index_text(database, organisation, found, invoice.reference.as_deref())?;
    Ok(invoice)
}

pub(crate) fn due_on(
    database: &mut dyn Database,
    organisation: OrganisationId,
    subscription: SubscriptionId,
    due_at: Timestamp,
) -> Result<Option<Invoice>, StoreError> {
    const FIND: &str =
        "SELECT record FROM invoices WHERE org_id = ?1 AND subscription_id = ?2 AND due_at = ?3";
    let named = [organisation.into(), subscription.into(), due_at.into()];
    one_record(database.query(FIND, &named)?)
}

/// Whether a subscription has an overdue unpaid invoice.
pub(crate) fn any_overdue(
    database: &mut dyn Database,
    organisation: OrganisationId,
    subscription: SubscriptionId,
) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT 1 FROM invoices WHERE org_id = ?1 AND subscription_id = ?2 AND dunning_status <> 'None' LIMIT 1";
    let named = [organisation.into(), subscription.into()];
    Ok(!database.query(ANY, &named)?.is_empty())
}

/// Whether a subscription has a paid invoice.
pub(crate) fn any_paid(
    database: &mut dyn Database,
    organisation: OrganisationId,
    subscription: SubscriptionId,
) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT 1 FROM invoices WHERE org_id = ?1 AND subscription_id = ?2 AND payment_status = 'Succeeded' LIMIT 1";
    let named = [organisation.into(), subscription.into()];
    Ok(!database.query(ANY, &named)?.is_empty())
}

pub(crate) fn update(
    database: &mut dyn Database,
    invoice: &Invoice,
    looked_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let status = invoice.payment_status.as_str();
    INVOICES.set_status(database, invoice.org_id, invoice.id.into(), status)?;
    update!(database, "invoices" {
        payment_status: status,
        dunning_status: invoice.dunning_status.as_str(),
        looked_at: looked_at,
        ..invoice
    })
}

/// A page of the organisation's invoices.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListInvoicesQuery,
) -> Result<Page<Invoice>, StoreError> {
    let status = query.payment_status.as_ref();
    let values = FilterValues::status(status.map(InvoicePaymentStatus::as_str));
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .equals("subscription_id", query.subscription_id)
        .counted(&INVOICES, values);
    let list = (&query.list, query.counts.as_ref());
    LISTING.matching_by_status(
        database,
        organisation,
        list,
        &filter,
        InvoicePaymentStatus::KNOWN,
    )
}
