//! Payments.

use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::payment::{ListPaymentsQuery, Payment, PaymentMethod, PaymentStatus};
use settlekit_core::value::{AccountId, Currency, OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::amount_rank::amount_rank;
use super::columns;
use super::currency_total::{self, TotalChange, TotalKind};
use super::filter::{Filter, distinct};
use super::filter_counts::{FilterKey, FilterValues, PAYMENTS, Wanted};
use super::listing::{Listing, listing};
use super::payment_search::Search;
use super::sql::{Database, StoreError, Value};
use super::statement::insert;
use super::{find, read_record, returned, write_record};

pub(crate) const LISTING: Listing<Payment, PaymentId> = listing!("payments");

/// The key that a payment with a status is counted under.
fn filter_key<'a>(payment: &'a Payment, status: &'a PaymentStatus) -> FilterKey<'a> {
    FilterKey {
        r#type: payment.payment_method.as_str(),
        action: payment.currency.as_str(),
        ..FilterKey::status(status.as_str())
    }
}

/// Whether a payment in a status is a payout that is not confirmed. Money of a test network has no worth to add up.
fn is_open_payout(payment: &Payment, status: &PaymentStatus) -> bool {
    payment.payment_method == PaymentMethod::Payout
        && payment.test_network != Some(true)
        && matches!(status, PaymentStatus::Pending | PaymentStatus::Processing)
}

/// Adds a payout to the total of those that are not confirmed, or with -1 takes it away.
fn change_open_payouts(
    database: &mut dyn Database,
    payment: &Payment,
    by: i64,
) -> Result<(), StoreError> {
    let change = TotalChange {
        kind: TotalKind::Payouts,
        bucket: 0,
        amount: payment.amount,
        by,
    };
    currency_total::change(database, payment.org_id, &payment.currency, &[change])
}

/// Inserts a payment. `expires_at` is set while the service has to expire it.
pub(crate) fn insert(
    database: &mut dyn Database,
    payment: Payment,
    account: AccountId,
    expires_at: Option<Timestamp>,
) -> Result<Payment, StoreError> {
    let (seq, payment) = LISTING.number(database, payment.org_id, payment)?;
    let organisation = payment.org_id;
    insert!(database, "payments" {
        seq: seq,
        status: payment.status.as_str(),
        payment_method: payment.payment_method.as_str(),
        currency: payment.currency.as_str(),
        amount_rank: &amount_rank(payment.amount),
        paylink_id: payment.payment_link.as_ref().map(|paylink| paylink.id),
        customer_id: payment.customer_id,
        account_id: account,
        expires_at: expires_at,
        ..payment
    })?;
    let key = filter_key(&payment, &payment.status);
    PAYMENTS.add(database, organisation, key, seq)?;
    if is_open_payout(&payment, &payment.status) {
        change_open_payouts(database, &payment, 1)?;
    }
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
    let change = [before, &payment.status].map(|status| filter_key(payment, status));
    PAYMENTS.shift(database, payment.org_id, change.into(), returned(rows)?)?;
    let [was_open, is_open] =
        [before, &payment.status].map(|status| is_open_payout(payment, status));
    match (was_open, is_open) {
        (true, false) => change_open_payouts(database, payment, -1),
        (false, true) => change_open_payouts(database, payment, 1),
        _ => Ok(()),
    }
}

/// The count of payments in progress, without payouts.
pub(crate) fn count_processing(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<u64, StoreError> {
    let methods = [PaymentMethod::ProxyWallet, PaymentMethod::Direct];
    let methods = methods.each_ref().map(PaymentMethod::as_str);
    let status = PaymentStatus::Processing;
    let values = FilterValues {
        r#type: Wanted::OneOf(&methods),
        ..FilterValues::status(Some(status.as_str()))
    };
    PAYMENTS.total(database, organisation, values)
}

/// A page of the organisation's payments. By method, currency and status every page costs the same. The cost of the others grows
/// with the number of matches, which an index selects.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListPaymentsQuery,
) -> Result<Page<Payment>, StoreError> {
    let methods = query.payment_method.as_ref();
    let methods = methods.map(|list| distinct(list.iter().map(PaymentMethod::as_str)));
    let currencies = query.currency.as_ref();
    let currencies = currencies.map(|list| distinct(list.iter().map(Currency::as_str)));
    let values = FilterValues {
        r#type: Wanted::among(methods.as_deref()),
        action: Wanted::among(currencies.as_deref()),
        ..FilterValues::status(query.status.as_ref().map(PaymentStatus::as_str))
    };
    let [from, to] = [query.amount_from, query.amount_to].map(|amount| amount.map(amount_rank));
    let search = match &query.search {
        Some(text) => Some(Search::new(database, organisation, text.trim())?),
        None => None,
    };
    let mut filter = Filter::default()
        .equals("customer_id", query.customer_id)
        .equals("paylink_id", query.paylink_id)
        .holds("amount_rank >=", from.as_deref().map(Value::Text))
        .holds("amount_rank <=", to.as_deref().map(Value::Text))
        .counted(&PAYMENTS, values);
    let is_of_one = query.customer_id.is_some() || query.paylink_id.is_some();
    if !is_of_one && (from.is_some() || to.is_some()) {
        filter = filter.narrow();
    }
    if let Some(search) = &search {
        filter = search.narrow(filter);
    }
    let list = (&query.list, query.counts.as_ref());
    LISTING.matching_by_status(database, organisation, list, &filter, PaymentStatus::KNOWN)
}
