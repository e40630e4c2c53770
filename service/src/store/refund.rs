//! The amounts that refunds return of each deposit of a payment.

use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::value::{MovementId, OrganisationId, PaymentId};

use super::columns::{self, columns};
use super::read_record;
use super::sql::{Database, StoreError};
use super::statement::insert;

/// The part of a deposit that a refund returns.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The deposit's movement.
    pub(crate) movement: MovementId,
    /// In the currency's smallest unit.
    pub(crate) units: i128,
    /// The status of the refund's payout.
    pub(crate) status: PaymentStatus,
}

columns! { Part { movement, units, status } }

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (payment, payout): (PaymentId, PaymentId),
    (movement, units): (MovementId, i128),
) -> Result<(), StoreError> {
    insert!(database, "refund_parts" {
        payout_id: payout,
        movement_id: movement,
        org_id: organisation,
        payment_id: payment,
        amount: units,
    })
}

/// The parts of all refunds of a payment, failed ones too.
pub(crate) fn parts(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<Part>, StoreError> {
    const PARTS: &str = "SELECT r.movement_id, r.amount, p.status FROM refund_parts r \
         JOIN payments p ON p.org_id = r.org_id AND p.id = r.payout_id \
         WHERE r.org_id = ?1 AND r.payment_id = ?2 ORDER BY r.payout_id, r.movement_id";
    columns::all(&database.query(PARTS, &[organisation.into(), payment.into()])?)
}

/// The payouts of all refunds of a payment, oldest first.
pub(crate) fn payouts(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<Payment>, StoreError> {
    const PAYOUTS: &str = "SELECT record FROM payments WHERE org_id = ?1 AND id IN (SELECT payout_id FROM refund_parts \
         WHERE org_id = ?1 AND payment_id = ?2) ORDER BY seq";
    let rows = database.query(PAYOUTS, &[organisation.into(), payment.into()])?;
    rows.iter().map(|row| read_record(row.text(0)?)).collect()
}
