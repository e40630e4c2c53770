//! The transfer data of outgoing payments.

use settlekit_core::account::Account;
use settlekit_core::find::FoundKind;
use settlekit_core::page::{ListQuery, Page};
use settlekit_core::payment::{Payment, PaymentMethod, PaymentStatus};
use settlekit_core::payout::ListPayoutsQuery;
use settlekit_core::value::{Currency, MovementId, OrganisationId, PaymentId, Timestamp};

use super::columns::{self, Columns, columns};
use super::filter::Filter;
use super::filter_counts::{FilterValues, PAYMENTS, Wanted};
use super::find;
use super::listing::{Listing, listing, record};
use super::read_record;
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};

/// Payouts with their transactions.
pub(crate) const LISTING: Listing<(Payment, Option<Sent>), PaymentId> = listing!(
    "payouts" by "org_id" in "payouts",
    "p.record, p.updated_at, l.hash, l.sent_at",
    " JOIN payments p ON p.id = l.payment_id",
    with_sent
);

/// Payouts among the payments, which are counted by status.
const AMONG_PAYMENTS: Listing<(Payment, Option<Sent>), PaymentId> = listing!(
    "payments" by "org_id" in "payments",
    "l.record, l.updated_at, o.hash, o.sent_at",
    " LEFT JOIN payouts o ON o.payment_id = l.id",
    with_sent
);

fn with_sent(row: &Row) -> Result<((Payment, Option<Sent>), Timestamp), StoreError> {
    let (payment, updated_at) = record(row)?;
    let sent: (Option<String>, Option<Timestamp>) = Columns::read(row, 2)?;
    Ok(((payment, sent.0.zip(sent.1)), updated_at))
}

/// The transaction hash of a payout, and when it was sent.
pub(crate) type Sent = (String, Timestamp);

/// A payout, with what its payment omits.
#[derive(Debug, Clone)]
pub(crate) struct Payout {
    /// The withdrawal movement; none before a block brings a prepared payout.
    pub(crate) movement: Option<MovementId>,
    pub(crate) to: String,
    /// In the currency's smallest unit.
    pub(crate) units: i128,
    /// In the fee currency's smallest unit.
    pub(crate) fee: i128,
    pub(crate) fee_currency: Currency,
    /// The service's fee, in the currency's smallest unit.
    pub(crate) service_fee: i128,
    /// The transaction hash, once sent.
    pub(crate) hash: Option<String>,
    pub(crate) sent_at: Option<Timestamp>,
}

columns! { Payout { movement, to, units, fee, fee_currency, service_fee, hash, sent_at } }

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    payout: &Payout,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (seq, at) = LISTING.next(database, organisation, now)?;
    insert!(database, "payouts" {
        payment_id: payment,
        org_id: organisation,
        seq: seq,
        movement_id: payout.movement,
        to_address: &payout.to,
        amount: payout.units,
        fee: payout.fee,
        fee_currency: payout.fee_currency.as_str(),
        service_fee: payout.service_fee,
        created_at: at,
    })
}

pub(crate) fn find(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Option<Payout>, StoreError> {
    const FIND: &str = "SELECT movement_id, to_address, amount, fee, fee_currency, service_fee, hash, sent_at FROM payouts \
         WHERE org_id = ?1 AND payment_id = ?2";
    let named = [organisation.into(), payment.into()];
    columns::first(&database.query(FIND, &named)?)
}

/// The payouts of a transaction, found by its hash across organisations.
pub(crate) fn by_hash(
    database: &mut dyn Database,
    hash: &str,
) -> Result<Vec<(OrganisationId, PaymentId)>, StoreError> {
    const FIND: &str =
        "SELECT org_id, payment_id FROM payouts WHERE hash = ?1 ORDER BY org_id, seq";
    columns::all(&database.query(FIND, &[hash.into()])?)
}

/// The prepared payouts of an amount to an address that no block has brought and nobody has canceled, oldest first.
pub(crate) fn prepared(
    database: &mut dyn Database,
    organisation: OrganisationId,
    to: &str,
    units: i128,
) -> Result<Vec<PaymentId>, StoreError> {
    const FIND: &str = "SELECT o.payment_id FROM payouts o JOIN payments p ON p.id = o.payment_id \
         WHERE o.org_id = ?1 AND o.to_address = ?2 AND o.movement_id IS NULL AND o.amount = ?3 AND p.status = 'Pending' ORDER BY o.seq";
    let values = [organisation.into(), to.into(), units.into()];
    let rows = database.query(FIND, &values)?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}

/// The prepared payouts of an account that no block has brought and nobody has canceled, each with its amount in the smallest unit.
pub(crate) fn unsigned(
    database: &mut dyn Database,
    account: &Account,
) -> Result<Vec<(Payment, i128)>, StoreError> {
    const UNSIGNED: &str = "SELECT p.record, o.amount FROM payments p JOIN payouts o ON o.payment_id = p.id \
         WHERE p.org_id = ?1 AND p.account_id = ?2 AND p.status = 'Pending' AND o.movement_id IS NULL";
    let rows = database.query(UNSIGNED, &[account.org_id.into(), account.id.into()])?;
    let read = |row: &Row| Ok((read_record(row.text(0)?)?, columns::get(row, 1)?));
    rows.iter().map(read).collect()
}

/// Records the movement of a prepared payout that a block brought.
pub(crate) fn set_movement(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    movement: MovementId,
) -> Result<(), StoreError> {
    update!(database, "payouts" [org_id: organisation, payment_id: payment] {
        movement_id: movement,
    })
}

/// Records the transaction of a payout, and when a node took its first form.
pub(crate) fn sent(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    (hash, at): (&str, Timestamp),
) -> Result<(), StoreError> {
    update!(database, "payouts" [org_id: organisation, payment_id: payment] {
        hash: hash,
        sent_at: at,
    })?;
    let found = (FoundKind::Payment, payment);
    find::index_text(database, organisation, found, Some(hash))
}

/// Whether a payout needs a second member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApprovalState {
    /// It waits for one.
    Waiting,
    Approved,
    Refused,
}

impl ApprovalState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Approved, Self::Refused];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "Waiting",
            Self::Approved => "Approved",
            Self::Refused => "Refused",
        }
    }
}

/// Makes a new payout wait for a second member.
pub(crate) fn await_approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<(), StoreError> {
    decide(database, (organisation, payment), ApprovalState::Waiting)
}

/// The approval of a payout; `None` for one that needed none. Its payment is locked.
pub(crate) fn approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Option<ApprovalState>, StoreError> {
    const FIND: &str = "SELECT approval FROM payouts WHERE org_id = ?1 AND payment_id = ?2";
    let rows = database.query(FIND, &[organisation.into(), payment.into()])?;
    let Some(text) = rows
        .first()
        .map(|row| row.maybe_text(0))
        .transpose()?
        .flatten()
    else {
        return Ok(None);
    };
    let mut states = ApprovalState::ALL.into_iter();
    let state = states.find(|state| state.as_str() == text);
    state
        .map(Some)
        .ok_or_else(|| StoreError::Damaged(format!("the approval {text} of a payout is unknown")))
}

/// Records the decision of a second member.
pub(crate) fn decide(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
    state: ApprovalState,
) -> Result<(), StoreError> {
    update!(database, "payouts" [org_id: organisation, payment_id: payment] {
        approval: state.as_str(),
    })
}

/// A payout no longer waits for a second member.
pub(crate) fn withdraw_approval(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
) -> Result<(), StoreError> {
    let none: Option<&str> = None;
    update!(database, "payouts" [org_id: organisation, payment_id: payment] { approval: none })
}

/// A page of the payouts, by status if the query has one. Every page costs the same.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListPayoutsQuery,
) -> Result<Page<(Payment, Option<Sent>)>, StoreError> {
    if query.status.is_none() && query.counts.is_none() {
        return LISTING.page(database, organisation, &query.list);
    }
    let values = FilterValues {
        r#type: Wanted::One(PaymentMethod::Payout.as_str()),
        ..FilterValues::status(query.status.as_ref().map(PaymentStatus::as_str))
    };
    let filter = Filter::default().counted(&PAYMENTS, values);
    let list = (&query.list, query.counts.as_ref());
    AMONG_PAYMENTS.matching_by_status(database, organisation, list, &filter, PaymentStatus::KNOWN)
}

/// A page of the payouts in a state of approval.
pub(crate) fn by_approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
    state: ApprovalState,
    query: &ListQuery,
) -> Result<Page<(Payment, Option<Sent>)>, StoreError> {
    let filter = Filter::default().equals("approval", Some(state.as_str()));
    LISTING.matching(database, organisation, query, &filter)
}

/// The number of payouts that wait for a second member. Only these are counted.
pub(crate) fn awaiting_approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<u64, StoreError> {
    const COUNT: &str = "SELECT COUNT(*) FROM payouts WHERE org_id = ?1 AND approval = 'Waiting'";
    let rows = database.query(COUNT, &[organisation.into()])?;
    let count = rows.first().map_or(Ok(0), |row| row.int(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}
