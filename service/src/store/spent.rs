//! What customers have spent, in millionths of a US dollar: stored for each payment, and summed for its customer.

use settlekit_core::value::{CustomerId, MovementId, OrganisationId, PaymentId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};

/// A booked deposit of a payment, with what is stored for the payment and for its customer.
#[derive(Debug, Clone)]
pub(crate) struct PaidDeposit {
    pub(crate) movement: MovementId,
    /// In the currency's smallest unit.
    pub(crate) units: i128,
    /// Its worth when it was booked, if there was a price.
    pub(crate) usd: Option<i128>,
    pub(crate) on_payment: i128,
    pub(crate) by_customer: i128,
}

columns! { PaidDeposit { movement, units, usd, on_payment, by_customer } }

/// The booked deposits of a customer's payment in its currency.
pub(crate) fn deposits(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<PaidDeposit>, StoreError> {
    // One query for all, as each costs a round trip.
    const DEPOSITS: &str = "SELECT c.movement_id, c.amount, m.amount_usd, p.spent_usd, b.spent_usd FROM chain_transactions c \
         JOIN movements m ON m.org_id = c.org_id AND m.id = c.movement_id \
         JOIN payments p ON p.org_id = c.org_id AND p.id = c.payment_id AND p.currency = c.currency \
         JOIN customers b ON b.org_id = p.org_id AND b.id = p.customer_id \
         WHERE c.org_id = ?1 AND c.payment_id = ?2 AND c.status = 'Success' AND c.direction = 'IN' ORDER BY c.id";
    columns::all(&database.query(DEPOSITS, &[organisation.into(), payment.into()])?)
}

/// Stores what a customer has spent on a payment, and in all.
pub(crate) fn set(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (payment, on_payment): (PaymentId, i128),
    (customer, by_customer): (CustomerId, i128),
) -> Result<(), StoreError> {
    const SET_PAYMENT: &str = "UPDATE payments SET spent_usd = ?3 WHERE org_id = ?1 AND id = ?2";
    const SET_CUSTOMER: &str = "UPDATE customers SET spent_usd = ?3 WHERE org_id = ?1 AND id = ?2";
    let owner = organisation.into();
    database.write(SET_PAYMENT, &[owner, payment.into(), on_payment.into()])?;
    database.write(SET_CUSTOMER, &[owner, customer.into(), by_customer.into()])
}
