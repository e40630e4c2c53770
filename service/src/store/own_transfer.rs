//! Transfers on a chain between accounts of one organisation: withdrawals whose deposit is not booked yet.

use std::time::Duration;

use settlekit_core::value::{ChainId, Currency, OrganisationId, Timestamp};

use super::columns;
use super::sql::{Database, StoreError, Value};
use super::statement::{delete, insert_numbered};

/// How long a withdrawal is remembered: most deposits are booked at the same time, and a few never.
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A transfer on a chain from or to an account of an organisation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainTransfer<'a> {
    pub(crate) organisation: OrganisationId,
    pub(crate) chain: ChainId,
    pub(crate) hash: &'a str,
    /// In lower case.
    pub(crate) to: &'a str,
    pub(crate) currency: &'a Currency,
    pub(crate) units: i128,
}

impl ChainTransfer<'_> {
    fn values(&self) -> [Value<'_>; 6] {
        [
            self.organisation.into(),
            self.chain.into(),
            self.hash.into(),
            self.to.into(),
            self.currency.as_str().into(),
            self.units.into(),
        ]
    }
}

/// When the deposit of a transfer was booked, and its worth then; `None` before.
pub(crate) fn booked_deposit(
    database: &mut dyn Database,
    transfer: &ChainTransfer<'_>,
) -> Result<Option<(Timestamp, Option<i128>)>, StoreError> {
    const BOOKED: &str = "SELECT m.confirmed_at, m.amount_usd FROM chain_transactions c \
         JOIN movements m ON m.org_id = c.org_id AND m.id = c.movement_id \
         WHERE c.org_id = ?1 AND c.chain_id = ?2 AND c.hash = ?3 AND c.to_address = ?4 AND c.currency = ?5 AND c.amount = ?6 \
         AND c.direction = 'IN' AND c.status = 'Success' AND m.confirmed_at IS NOT NULL ORDER BY c.id LIMIT 1";
    columns::first(&database.query(BOOKED, &transfer.values())?)
}

/// Forgets the withdrawals whose deposit was not booked for a month.
pub(crate) fn delete_old(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(), StoreError> {
    const DELETE_OLD: &str = "DELETE FROM own_transfers WHERE org_id = ?1 AND created_at < ?2";
    let oldest = now.minus(REMEMBERED);
    database.write(DELETE_OLD, &[organisation.into(), oldest.into()])
}

/// Remembers a withdrawal until its deposit is booked.
pub(crate) fn insert(
    database: &mut dyn Database,
    transfer: &ChainTransfer<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert_numbered!(database, "own_transfers" {
        org_id: transfer.organisation,
        chain_id: transfer.chain,
        hash: transfer.hash,
        to_address: transfer.to,
        currency: transfer.currency.as_str(),
        amount: transfer.units,
        created_at: now,
    })?;
    Ok(())
}

/// Deletes the remembered withdrawal of a deposit; false without one.
pub(crate) fn take(
    database: &mut dyn Database,
    transfer: &ChainTransfer<'_>,
) -> Result<bool, StoreError> {
    // The write cache holds this answer: most deposits cost no query.
    const ANY: &str = "SELECT 1 FROM own_transfers WHERE org_id = ?1 LIMIT 1";
    const FIND: &str = "SELECT id FROM own_transfers WHERE org_id = ?1 AND chain_id = ?2 AND hash = ?3 AND to_address = ?4 \
         AND currency = ?5 AND amount = ?6 ORDER BY id LIMIT 1";
    if database
        .query(ANY, &[transfer.organisation.into()])?
        .is_empty()
    {
        return Ok(false);
    }
    let found: Option<i64> = columns::value(&database.query(FIND, &transfer.values())?)?;
    let Some(id) = found else {
        return Ok(false);
    };
    delete!(database, "own_transfers" [org_id: transfer.organisation, id: id])?;
    Ok(true)
}
