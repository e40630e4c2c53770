//! What waits for a moment, of every organisation: which rows are due, and when the next one is.

use std::str::FromStr;

use settlekit_core::value::{OrganisationId, Timestamp};

use super::sql::{Database, StoreError, Value};
use super::{first, maybe_moment, read_text};

/// A table whose rows wait for a moment; those that wait for none have no value there.
pub(crate) struct Waiting {
    table: &'static str,
    moment: &'static str,
    /// Whether its ids are numbers.
    is_numbered: bool,
}

pub(crate) const AUTOMATIONS: Waiting = Waiting {
    is_numbered: true,
    ..waiting("automations", "due_at")
};
pub(crate) const INVOICES: Waiting = waiting("invoices", "looked_at");
pub(crate) const ORDERS: Waiting = waiting("orders", "due_at");
pub(crate) const PAYMENTS: Waiting = waiting("payments", "lapses_at");
pub(crate) const QUOTES: Waiting = waiting("quotes", "lapses_at");
pub(crate) const SUBSCRIPTIONS: Waiting = waiting("subscriptions", "due_at");

/// Those whose rooms look them up in a way of their own.
const BLOCKS: Waiting = waiting("simulated_transactions", "next_block_at");
const DELIVERIES: Waiting = waiting("delivery_turns", "due_at");

const fn waiting(table: &'static str, moment: &'static str) -> Waiting {
    Waiting {
        table,
        moment,
        is_numbered: false,
    }
}

impl Waiting {
    /// What its rows are called.
    pub(crate) fn table(&self) -> &'static str {
        self.table
    }

    /// The rows that are due at or before a moment, in the order in which they are.
    pub(crate) fn due<Id: FromStr>(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<(OrganisationId, Id)>, StoreError> {
        let Self { table, moment, .. } = self;
        let due = format!(
            "SELECT org_id, id FROM {table} WHERE {moment} <= ?1 ORDER BY {moment}, id LIMIT ?2"
        );
        let rows = database.query(&due, &[now.micros().into(), limit.into()])?;
        rows.iter()
            .map(|row| {
                let id = match self.is_numbered {
                    true => read_text(&row.int(1)?.to_string())?,
                    false => read_text(row.text(1)?)?,
                };
                Ok((read_text(row.text(0)?)?, id))
            })
            .collect()
    }

    /// Has a row wait for another moment, whatever else it holds.
    pub(crate) fn put_off(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        id: &str,
        until: Timestamp,
    ) -> Result<(), StoreError> {
        let Self { table, moment, .. } = self;
        let put_off = format!("UPDATE {table} SET {moment} = ?3 WHERE org_id = ?1 AND id = ?2");
        let id: Value<'_> = match self.is_numbered {
            true => read_text::<i64>(id)?.into(),
            false => id.into(),
        };
        let owner = organisation.to_string();
        database
            .execute(&put_off, &[(&owner).into(), id, until.micros().into()])
            .map(drop)
    }

    /// The moment of the row that is due first, from the index that [`Waiting::due`] reads.
    fn first(&self, database: &mut dyn Database) -> Result<Option<Timestamp>, StoreError> {
        let Self { table, moment, .. } = self;
        let sql = format!(
            "SELECT {moment} FROM {table} WHERE {moment} IS NOT NULL ORDER BY {moment} LIMIT 1"
        );
        match first(database.query(&sql, &[])?) {
            Some(row) => maybe_moment(&row, 0),
            None => Ok(None),
        }
    }
}

/// When something is due next, in any room; nothing when nothing waits.
pub(crate) fn next(
    database: &mut dyn Database,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let step = next_step(database, now)?;
    let delivery = DELIVERIES.first(database)?;
    Ok(step.into_iter().chain(delivery).min())
}

/// As [`next`], without the deliveries: what the service does by itself. A replay that runs is due at once.
pub(crate) fn next_step(
    database: &mut dyn Database,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    const RUNNING: &str = "SELECT 1 FROM replays WHERE status = 'Running' LIMIT 1";
    if !database.query(RUNNING, &[])?.is_empty() {
        return Ok(Some(now));
    }
    let mut next = None;
    for waiting in [
        AUTOMATIONS,
        BLOCKS,
        INVOICES,
        ORDERS,
        PAYMENTS,
        QUOTES,
        SUBSCRIPTIONS,
    ] {
        let first = waiting.first(database)?;
        next = next.into_iter().chain(first).min();
    }
    Ok(next)
}
