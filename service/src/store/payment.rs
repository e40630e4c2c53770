//! Payments.

use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::payment::{ListPaymentsQuery, Payment, PaymentStatus};
use settlekit_core::value::{AccountId, OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::columns;
use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, PAYMENTS};
use super::listing::{Listing, listing};
use super::sql::{Database, StoreError};
use super::statement::insert;
use super::{find, read_record, returned, write_record};

pub(crate) const LISTING: Listing<Payment, PaymentId> = listing!("payments");

/// Inserts a payment. `expires_at` is set while the service has to expire it.
pub(crate) fn insert(
    database: &mut dyn Database,
    payment: Payment,
    account: AccountId,
    expires_at: Option<Timestamp>,
) -> Result<Payment, StoreError> {
    let (seq, payment) = LISTING.number(database, payment.org_id, payment)?;
    let (organisation, status) = (payment.org_id, payment.status.as_str());
    insert!(database, "payments" {
        seq: seq,
        status: status,
        paylink_id: payment.payment_link.as_ref().map(|paylink| paylink.id),
        customer_id: payment.customer_id,
        account_id: account,
        expires_at: expires_at,
        ..payment
    })?;
    PAYMENTS.add(database, organisation, FilterKey::status(status), seq)?;
    let found = (FoundKind::Payment, payment.id);
    find::index_text(database, organisation, found, payment.reference.as_deref())?;
    Ok(payment)
}

/// The pending payments of a paylink.
pub(crate) fn under_way_by(
    database: &mut dyn Database,
    organisation: OrganisationId,
    link: PaylinkId,
) -> Result<Vec<Payment>, StoreError> {
    const BEGUN: &str = "SELECT record FROM payments WHERE org_id = ?1 AND status = 'Processing' AND paylink_id = ?2";
    let rows = database.query(BEGUN, &[organisation.into(), link.into()])?;
    rows.iter().map(|row| read_record(row.text(0)?)).collect()
}

/// Whether money for a payment of a paylink is under way, even if the payment's price has expired. Scans the transactions under
/// way, which are few.
pub(crate) fn is_awaited_by(
    database: &mut dyn Database,
    organisation: OrganisationId,
    link: PaylinkId,
) -> Result<bool, StoreError> {
    const ON_ITS_WAY: &str = "SELECT 1 FROM movements m JOIN payments p ON p.org_id = m.org_id AND p.id = m.entity_id \
         WHERE m.org_id = ?1 AND m.status IN ('Pending', 'Processing') AND m.status <> 'Confirmed' AND m.direction = 'IN' \
         AND p.paylink_id = ?2 LIMIT 1";
    let rows = database.query(ON_ITS_WAY, &[organisation.into(), link.into()])?;
    Ok(!rows.is_empty())
}

/// Finds a payment's organisation for a payer, across organisations.
pub(crate) fn owner(
    database: &mut dyn Database,
    id: PaymentId,
) -> Result<Option<OrganisationId>, StoreError> {
    const OWNER: &str = "SELECT org_id FROM payments WHERE id = ?1";
    columns::value(&database.query(OWNER, &[id.into()])?)
}

/// Updates a payment whose stored status is `before`.
pub(crate) fn update(
    database: &mut dyn Database,
    payment: &Payment,
    before: &PaymentStatus,
    expires_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE payments SET status = ?3, expires_at = ?4, record = ?5, updated_at = ?6 WHERE org_id = ?1 AND id = ?2 RETURNING seq";
    let record = write_record(payment)?;
    let rows = database.query(
        UPDATE,
        &[
            payment.org_id.into(),
            payment.id.into(),
            payment.status.as_str().into(),
            expires_at.into(),
            (&record).into(),
            payment.updated_at.into(),
        ],
    )?;
    let change = (before.as_str(), payment.status.as_str());
    let change = (FilterKey::status(change.0), FilterKey::status(change.1));
    PAYMENTS.shift(database, payment.org_id, change, returned(rows)?)
}

/// A page of the organisation's payments.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListPaymentsQuery,
) -> Result<Page<Payment>, StoreError> {
    let values = FilterValues::status(query.status.as_ref().map(PaymentStatus::as_str));
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .equals("paylink_id", query.paylink_id)
        .counted(&PAYMENTS, values);
    LISTING.matching(database, organisation, &query.list, &filter)
}
