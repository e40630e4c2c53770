//! Unpaid checkouts of links with limited stock, by the payer's network.

use settlekit_core::value::{OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::columns::get;
use super::first;
use super::sql::{Database, StoreError};
use super::statement::{delete, insert};

/// Unpaid checkouts of a link from one network.
pub(crate) struct Unpaid {
    pub(crate) count: i64,
    /// The start of the oldest.
    pub(crate) oldest: Option<Timestamp>,
}

/// Counts the unpaid checkouts of a link from a network since a time.
pub(crate) fn unpaid(
    database: &mut dyn Database,
    (organisation, paylink): (OrganisationId, PaylinkId),
    network: &[u8],
    since: Timestamp,
) -> Result<Unpaid, StoreError> {
    const COUNT: &str = "SELECT COUNT(*), COALESCE(MIN(created_at), 0) FROM checkout_holds \
         WHERE org_id = ?1 AND paylink_id = ?2 AND network = ?3 AND created_at > ?4";
    let row = first(database.query(
        COUNT,
        &[
            organisation.into(),
            paylink.into(),
            network.into(),
            since.into(),
        ],
    )?)
    .ok_or_else(|| StoreError::Broken("a count gave no row".into()))?;
    let count = row.int(0)?;
    let oldest = get(&row, 1)?;
    Ok(Unpaid {
        count,
        oldest: (count > 0).then_some(oldest),
    })
}

/// Deletes the holds of all organisations up to a time.
pub(crate) fn forget(database: &mut dyn Database, since: Timestamp) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM checkout_holds WHERE created_at <= ?1";
    database.execute(FORGET, &[since.into()])?;
    Ok(())
}

pub(crate) fn insert(
    database: &mut dyn Database,
    (organisation, paylink): (OrganisationId, PaylinkId),
    payment: PaymentId,
    network: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "checkout_holds" {
        payment_id: payment,
        org_id: organisation,
        paylink_id: paylink,
        network: network,
        created_at: now,
    })
}

/// Deletes the hold of a paid checkout.
pub(crate) fn paid(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<(), StoreError> {
    delete!(database, "checkout_holds" [payment_id: payment, org_id: organisation])
}
