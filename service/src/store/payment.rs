//! Payments.

use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::payment::{ListPaymentsQuery, Payment, PaymentStatus};
use settlekit_core::value::{AccountId, OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::filter::Filter;
use super::filter_counts::{FilterKey, FilterValues, PAYMENTS};
use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{find, first, read_record, read_text, returned, sequence, write_record};

pub(crate) const LISTING: Listing<Payment, PaymentId> = Listing {
    table: "payments",
    owner: "org_id",
    kind: "payments",
    select: "SELECT l.record, l.updated_at FROM payments l",
    read: record,
    ids: PhantomData,
};

/// Inserts a payment; `lapses_at` is when the service next processes it.
pub(crate) fn insert(
    database: &mut dyn Database,
    payment: Payment,
    account: AccountId,
    lapses_at: Option<Timestamp>,
) -> Result<Payment, StoreError> {
    const INSERT: &str = "INSERT INTO payments (id, org_id, seq, status, paylink_id, customer_id, account_id, lapses_at, record, \
         created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)";
    let (seq, at) = sequence::next(
        database,
        payment.org_id.into(),
        LISTING.kind,
        payment.created_at,
    )?;
    let payment = Payment {
        created_at: at,
        updated_at: at,
        ..payment
    };
    let record = write_record(&payment)?;
    let paylink = payment.payment_link.as_ref().map(|paylink| paylink.id);
    database.execute(
        INSERT,
        &[
            payment.id.into(),
            payment.org_id.into(),
            seq.into(),
            payment.status.as_str().into(),
            paylink.into(),
            payment.customer_id.into(),
            account.into(),
            lapses_at.into(),
            (&record).into(),
            at.into(),
        ],
    )?;
    let kind = FilterKey::status(payment.status.as_str());
    PAYMENTS.add(database, payment.org_id, kind, seq)?;
    let reference = payment.reference.as_deref();
    find::note(
        database,
        payment.org_id,
        reference,
        &FoundKind::Payment,
        payment.id,
    )?;
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
    first(database.query(OWNER, &[id.into()])?)
        .map(|row| read_text(row.text(0)?))
        .transpose()
}

/// Updates a payment whose stored status is `before`.
pub(crate) fn update(
    database: &mut dyn Database,
    payment: &Payment,
    before: &PaymentStatus,
    lapses_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE payments SET status = ?3, lapses_at = ?4, record = ?5, updated_at = ?6 WHERE org_id = ?1 AND id = ?2 RETURNING seq";
    let record = write_record(payment)?;
    let rows = database.query(
        UPDATE,
        &[
            payment.org_id.into(),
            payment.id.into(),
            payment.status.as_str().into(),
            lapses_at.into(),
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
    let kinds = FilterValues {
        status: query.status.as_ref().map(|status| status.as_str()),
        ..FilterValues::default()
    };
    let filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .equals("paylink_id", query.paylink_id)
        .counted(&PAYMENTS, kinds);
    LISTING.matching(database, organisation, &query.list, &filter)
}
