//! The transfer data of outgoing payments.

use std::marker::PhantomData;

use settlekit_core::find::FoundKind;
use settlekit_core::payment::Payment;
use settlekit_core::value::{Currency, MovementId, OrganisationId, PaymentId, Timestamp};

use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{find, first, maybe_timestamp, read_text, sequence};

pub(crate) const LISTING: Listing<Payment, PaymentId> = Listing {
    table: "payouts",
    owner: "org_id",
    kind: "payouts",
    select: "SELECT p.record, p.updated_at FROM payouts l JOIN payments p ON p.id = l.payment_id",
    read: record,
    ids: PhantomData,
};

/// A payout, with what its payment omits.
#[derive(Debug, Clone)]
pub(crate) struct Payout {
    /// The withdrawal movement.
    pub(crate) movement: MovementId,
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

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    payout: &Payout,
    now: Timestamp,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO payouts (payment_id, org_id, seq, movement_id, to_address, amount, fee, fee_currency, service_fee, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let (seq, at) = sequence::next(database, organisation.into(), LISTING.kind, now)?;
    database.execute(
        INSERT,
        &[
            payment.into(),
            organisation.into(),
            seq.into(),
            payout.movement.into(),
            (&payout.to).into(),
            payout.units.into(),
            payout.fee.into(),
            payout.fee_currency.as_str().into(),
            payout.service_fee.into(),
            at.into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn find(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Option<Payout>, StoreError> {
    const FIND: &str = "SELECT movement_id, to_address, amount, fee, fee_currency, hash, sent_at, service_fee FROM payouts \
         WHERE org_id = ?1 AND payment_id = ?2";
    let named = [organisation.into(), payment.into()];
    let Some(row) = first(database.query(FIND, &named)?) else {
        return Ok(None);
    };
    Ok(Some(Payout {
        movement: MovementId::new(row.int(0)?)
            .ok_or_else(|| StoreError::Damaged("a payout has no movement".into()))?,
        to: row.text(1)?.to_owned(),
        units: row.amount(2)?,
        fee: row.amount(3)?,
        fee_currency: read_text(row.text(4)?)?,
        hash: row.maybe_text(5)?.map(str::to_owned),
        sent_at: maybe_timestamp(&row, 6)?,
        service_fee: row.amount(7)?,
    }))
}

/// The payouts of a transaction, found by its hash across organisations.
pub(crate) fn by_hash(
    database: &mut dyn Database,
    hash: &str,
) -> Result<Vec<(OrganisationId, PaymentId)>, StoreError> {
    const FIND: &str =
        "SELECT org_id, payment_id FROM payouts WHERE hash = ?1 ORDER BY org_id, seq";
    let rows = database.query(FIND, &[hash.into()])?;
    rows.iter()
        .map(|row| Ok((read_text(row.text(0)?)?, read_text(row.text(1)?)?)))
        .collect()
}

/// Records that a payout was sent.
pub(crate) fn sent(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    hash: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const SENT: &str =
        "UPDATE payouts SET hash = ?3, sent_at = ?4 WHERE org_id = ?1 AND payment_id = ?2";
    database.execute(
        SENT,
        &[organisation.into(), payment.into(), hash.into(), at.into()],
    )?;
    find::note(
        database,
        organisation,
        Some(hash),
        &FoundKind::Payment,
        payment,
    )
}
