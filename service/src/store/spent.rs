//! What customers have spent, in millionths of a US dollar: stored for each payment, and summed for its customer.

use settlekit_core::value::{Currency, CustomerId, MovementId, OrganisationId, PaymentId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::update;

/// A booked deposit of a payment.
#[derive(Debug, Clone)]
pub(crate) struct PaidDeposit {
    pub(crate) movement: MovementId,
    /// In the currency's smallest unit.
    pub(crate) units: i128,
    /// Its worth when it was booked, if there was a price.
    pub(crate) usd: Option<i128>,
}

columns! { PaidDeposit { movement, units, usd } }

/// The booked deposits of a payment in its currency.
pub(crate) fn deposits(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
    currency: &Currency,
) -> Result<Vec<PaidDeposit>, StoreError> {
    const DEPOSITS: &str = "SELECT c.movement_id, c.amount, m.amount_usd FROM chain_transactions c \
         JOIN movements m ON m.org_id = c.org_id AND m.id = c.movement_id \
         WHERE c.org_id = ?1 AND c.payment_id = ?2 AND c.currency = ?3 AND c.status = 'Success' AND c.direction = 'IN' ORDER BY c.id";
    let values = [
        organisation.into(),
        payment.into(),
        currency.as_str().into(),
    ];
    columns::all(&database.query(DEPOSITS, &values)?)
}

/// Stores what a customer has spent on a payment.
pub(crate) fn set(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (payment, customer): (PaymentId, CustomerId),
    usd: i128,
) -> Result<(), StoreError> {
    const ON_PAYMENT: &str = "SELECT spent_usd FROM payments WHERE org_id = ?1 AND id = ?2";
    const IN_ALL: &str = "SELECT spent_usd FROM customers WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    let before = database.query(ON_PAYMENT, &[organisation.into(), payment.into()])?;
    let before: i128 = columns::value(&before)?.unwrap_or(0);
    if usd == before {
        return Ok(());
    }
    update!(database, "payments" [org_id: organisation, id: payment] { spent_usd: usd })?;
    let sum = database.query(IN_ALL, &[organisation.into(), customer.into()])?;
    let sum: i128 = columns::value(&sum)?.unwrap_or(0);
    update!(database, "customers" [org_id: organisation, id: customer] {
        spent_usd: sum.saturating_add(usd - before),
    })
}
