//! Network fees that the operator pays for the payers of an organisation, by day.

use settlekit_core::value::{ChainId, OrganisationId};

use super::columns;
use super::sql::{Database, StoreError};
use super::statement::insert;

/// A day (UTC) of an organisation on a chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeeDay {
    pub(crate) chain: ChainId,
    pub(crate) organisation: OrganisationId,
    pub(crate) day: i64,
}

/// The fees of a day, paid or reserved, in wei.
pub(crate) fn spent(database: &mut dyn Database, of: FeeDay) -> Result<i128, StoreError> {
    const FIND: &str =
        "SELECT amount FROM payer_fees WHERE chain_id = ?1 AND org_id = ?2 AND day = ?3";
    let key = [of.chain.into(), of.organisation.into(), of.day.into()];
    Ok(columns::value(&database.query(FIND, &key)?)?.unwrap_or(0))
}

/// Changes the cost of a day. Deletes the days before.
pub(crate) fn add(database: &mut dyn Database, of: FeeDay, change: i128) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM payer_fees WHERE chain_id = ?1 AND org_id = ?2 AND day <= ?3";
    let before = spent(database, of)?;
    let key = [of.chain.into(), of.organisation.into(), of.day.into()];
    database.execute(DELETE, &key)?;
    insert!(database, "payer_fees" {
        chain_id: of.chain,
        org_id: of.organisation,
        day: of.day,
        amount: before.saturating_add(change).max(0),
    })
}
