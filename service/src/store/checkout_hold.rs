//! Unpaid checkouts of links with limited stock, by the payer's network.

use settlekit_core::value::{OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::sql::{Database, StoreError};
use super::{first, timestamp};

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
    let oldest = timestamp(&row, 1)?;
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
    const INSERT: &str = "INSERT INTO checkout_holds (payment_id, org_id, paylink_id, network, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5)";
    database.execute(
        INSERT,
        &[
            payment.into(),
            organisation.into(),
            paylink.into(),
            network.into(),
            now.into(),
        ],
    )?;
    Ok(())
}

/// Deletes the hold of a paid checkout.
pub(crate) fn paid(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<(), StoreError> {
    const PAID: &str = "DELETE FROM checkout_holds WHERE payment_id = ?1 AND org_id = ?2";
    database.execute(PAID, &[payment.into(), organisation.into()])?;
    Ok(())
}
