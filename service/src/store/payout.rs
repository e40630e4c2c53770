//! The transfer data of outgoing payments.

use settlekit_core::find::FoundKind;
use settlekit_core::payment::Payment;
use settlekit_core::value::{Currency, MovementId, OrganisationId, PaymentId, Timestamp, UserId};

use super::columns::{self, Columns, columns};
use super::find;
use super::listing::{Listing, listing, record};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};

/// Payouts with their transactions.
pub(crate) const LISTING: Listing<(Payment, Option<Sent>), PaymentId> = listing!(
    "payouts" by "org_id" in "payouts",
    "p.record, p.updated_at, l.hash, l.sent_at",
    " JOIN payments p ON p.id = l.payment_id",
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

/// The prepared payouts of an amount to an address that no block has brought, oldest first.
pub(crate) fn prepared(
    database: &mut dyn Database,
    organisation: OrganisationId,
    to: &str,
    units: i128,
) -> Result<Vec<PaymentId>, StoreError> {
    const FIND: &str = "SELECT payment_id FROM payouts WHERE org_id = ?1 AND to_address = ?2 AND movement_id IS NULL \
         AND amount = ?3 ORDER BY seq";
    let values = [organisation.into(), to.into(), units.into()];
    let rows = database.query(FIND, &values)?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
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
    find::note(database, organisation, found, Some(hash))
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
    const ALL: [(Self, &str); 3] = [
        (Self::Waiting, "Waiting"),
        (Self::Approved, "Approved"),
        (Self::Refused, "Refused"),
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "Waiting",
            Self::Approved => "Approved",
            Self::Refused => "Refused",
        }
    }
}

/// The approval of a payout above a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Approval {
    pub(crate) state: ApprovalState,
    /// The member who created the payout; `None` for an API key or an automation.
    pub(crate) created_by: Option<UserId>,
    /// The member who decided.
    pub(crate) decided_by: Option<UserId>,
}

/// Makes a new payout wait for a second member.
pub(crate) fn await_approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    created_by: Option<UserId>,
) -> Result<(), StoreError> {
    update!(database, "payouts" [org_id: organisation, payment_id: payment] {
        approval: ApprovalState::Waiting.as_str(),
        created_by: created_by,
    })
}

/// The approval of a payout; `None` for one that needed none. Its payment is locked.
pub(crate) fn approval(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Option<Approval>, StoreError> {
    const FIND: &str = "SELECT approval, created_by, decided_by FROM payouts WHERE org_id = ?1 AND payment_id = ?2";
    let rows = database.query(FIND, &[organisation.into(), payment.into()])?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let Some(text) = row.maybe_text(0)? else {
        return Ok(None);
    };
    let mut states = ApprovalState::ALL.into_iter();
    let state = states.find(|(_, known)| *known == text);
    let (state, _) = state.ok_or_else(|| {
        StoreError::Damaged(format!("the approval {text} of a payout is unknown"))
    })?;
    Ok(Some(Approval {
        state,
        created_by: columns::get(row, 1)?,
        decided_by: columns::get(row, 2)?,
    }))
}

/// Records what a second member decided.
pub(crate) fn decide(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
    (state, user): (ApprovalState, UserId),
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "payouts" [org_id: organisation, payment_id: payment] {
        approval: state.as_str(),
        decided_by: user,
        decided_at: now,
    })
}
