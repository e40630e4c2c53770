//! The hot wallet's transactions for what payers signed, and their network fees.

use settlekit_core::value::{ChainId, OrganisationId, PaymentId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::{insert, update};

/// The network's fee of a transaction in a block.
#[derive(Debug, Clone)]
pub(crate) struct PaidFee {
    pub(crate) chain: ChainId,
    /// In wei.
    pub(crate) fee: i128,
    /// Worth in millionths of a US dollar when the block was read.
    pub(crate) usd: Option<i128>,
}

columns! { PaidFee { chain, fee, usd } }

pub(crate) fn insert(
    database: &mut dyn Database,
    transaction: i64,
    (organisation, payment): (OrganisationId, PaymentId),
) -> Result<(), StoreError> {
    insert!(database, "payer_transactions" {
        transaction_id: transaction,
        org_id: organisation,
        payment_id: payment,
        fee_usd: None::<i128>,
    })
}

/// Records the worth of a transaction's fee now.
pub(crate) fn set_usd(
    database: &mut dyn Database,
    transaction: i64,
    usd: Option<i128>,
) -> Result<(), StoreError> {
    update!(database, "payer_transactions" [transaction_id: transaction] { fee_usd: usd })
}

/// The fees for a payment. A transaction of somebody else who used the nonce has none of the signed forms.
pub(crate) fn fees(
    database: &mut dyn Database,
    (organisation, payment): (OrganisationId, PaymentId),
) -> Result<Vec<PaidFee>, StoreError> {
    const FEES: &str = "SELECT o.chain_id, o.fee, p.fee_usd FROM payer_transactions p \
         JOIN outgoing_transactions o ON o.id = p.transaction_id \
         JOIN outgoing_attempts a ON a.transaction_id = o.id AND a.hash = o.hash \
         WHERE p.org_id = ?1 AND p.payment_id = ?2 AND o.fee IS NOT NULL ORDER BY p.transaction_id";
    let values = [organisation.into(), payment.into()];
    columns::all(&database.query(FEES, &values)?)
}

/// Deletes the transactions of an unused chain.
pub(crate) fn delete_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM payer_transactions WHERE transaction_id IN \
         (SELECT id FROM outgoing_transactions WHERE chain_id = ?1)";
    database.execute(DELETE, &[chain.into()]).map(drop)
}
