//! Invoices, one per subscription and due date.

use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::invoice::{Invoice, ListInvoicesQuery};
use settlekit_core::page::Page;
use settlekit_core::value::{InvoiceId, OrganisationId, SubscriptionId, Timestamp};

use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, INVOICES};
use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{find, first, read_record, read_text, sequence, write_record};

pub(crate) const LISTING: Listing<Invoice, InvoiceId> = Listing {
    table: "invoices",
    owner: "org_id",
    kind: "invoices",
    select: "SELECT l.record, l.updated_at FROM invoices l",
    read: record,
    ids: PhantomData,
};

/// Inserts an invoice with its `seq` in its number; dunning starts at its due date.
pub(crate) fn insert(
    database: &mut dyn Database,
    subscription: SubscriptionId,
    invoice: Invoice,
) -> Result<Invoice, StoreError> {
    const INSERT: &str = "INSERT INTO invoices (id, org_id, seq, subscription_id, customer_id, payment_status, dunning_status, \
         due_at, looked_at, record, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?10)";
    let (seq, at) = sequence::next(
        database,
        invoice.org_id.into(),
        LISTING.kind,
        invoice.created_at,
    )?;
    let invoice = Invoice {
        reference: Some(format!("INV-{seq}")),
        created_at: at,
        updated_at: at,
        ..invoice
    };
    let record = write_record(&invoice)?;
    let values = [
        invoice.id.into(),
        invoice.org_id.into(),
        seq.into(),
        subscription.into(),
        invoice.customer_id.into(),
        invoice.payment_status.as_str().into(),
        invoice.dunning_status.as_str().into(),
        invoice.due_at.into(),
        (&record).into(),
        at.into(),
    ];
    match database.execute(INSERT, &values) {
        // Another transaction inserted the invoice of this due date.
        Err(StoreError::Constraint(_)) => return Err(StoreError::Conflict),
        outcome => outcome?,
    };
    let (organisation, reference) = (invoice.org_id, invoice.reference.as_deref());
    let kind = FilterKey::status(invoice.payment_status.as_str());
    INVOICES.add(database, organisation, kind, seq)?;
    find::note(
        database,
        organisation,
        reference,
        &FoundKind::Invoice,
        invoice.id,
    )?;
    Ok(invoice)
}

/// Reads and locks an invoice with its subscription.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: InvoiceId,
) -> Result<Option<(Invoice, SubscriptionId)>, StoreError> {
    const LOCK: &str =
        "SELECT record, subscription_id FROM invoices WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    first(database.query(LOCK, &[organisation.into(), id.into()])?)
        .map(|row| Ok((read_record(row.text(0)?)?, read_text(row.text(1)?)?)))
        .transpose()
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
    first(database.query(FIND, &named)?)
        .map(|row| read_record(row.text(0)?))
        .transpose()
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
    const UPDATE: &str = "UPDATE invoices SET payment_status = ?3, dunning_status = ?4, looked_at = ?5, record = ?6, updated_at = ?7 \
         WHERE org_id = ?1 AND id = ?2";
    let record = write_record(invoice)?;
    let status = invoice.payment_status.as_str();
    INVOICES.set_status(database, invoice.org_id, invoice.id.into(), status)?;
    database.execute(
        UPDATE,
        &[
            invoice.org_id.into(),
            invoice.id.into(),
            invoice.payment_status.as_str().into(),
            invoice.dunning_status.as_str().into(),
            looked_at.into(),
            (&record).into(),
            invoice.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// A page of the organisation's invoices.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListInvoicesQuery,
) -> Result<Page<Invoice>, StoreError> {
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .counted(
            &INVOICES,
            FilterValues {
                status: query.payment_status.as_ref().map(|status| status.as_str()),
                ..FilterValues::default()
            },
        );
    LISTING.matching(database, organisation, &query.list, &filter)
}
