//! Unpaid checkouts of limited links, by the network they were begun from.

use settlekit_core::value::{OrganisationId, PaylinkId, PaymentId, Timestamp};

use super::sql::{Database, StoreError};
use super::{first, timestamp};

/// What one network began of a link since a time, without paying.
pub(crate) struct Unpaid {
    pub(crate) count: i64,
    /// When the oldest of them was begun.
    pub(crate) oldest: Option<Timestamp>,
}

/// Counts the unpaid checkouts of a link that a network began since a time.
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

/// Forgets the checkouts of all organisations that were begun at a time or before.
pub(crate) fn forget(database: &mut dyn Database, since: Timestamp) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM checkout_holds WHERE created_at <= ?1";
    database.execute(FORGET, &[since.into()])?;
    Ok(())
}

/// Notes a checkout.
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

/// A checkout was paid: it counts against nobody.
pub(crate) fn paid(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<(), StoreError> {
    const PAID: &str = "DELETE FROM checkout_holds WHERE payment_id = ?1 AND org_id = ?2";
    database.execute(PAID, &[payment.into(), organisation.into()])?;
    Ok(())
}
