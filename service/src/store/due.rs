//! Finds due rows across organisations, and the time of the next one.

use std::str::FromStr;

use settlekit_core::value::{OrganisationId, Timestamp};

use super::columns::{get, parse};
use super::first;
use super::sql::{Database, StoreError, Value};

/// A table with a column for the due time, or NULL.
pub(crate) struct DueRows {
    table: &'static str,
    column: &'static str,
    is_numbered: bool,
}

pub(crate) const AUTOMATIONS: DueRows = DueRows {
    is_numbered: true,
    ..due_rows("automations", "due_at")
};
/// Automations whose conversion needs answers of nodes. The host asks them.
#[cfg(not(target_family = "wasm"))]
pub(crate) const CONVERSIONS: DueRows = DueRows {
    is_numbered: true,
    ..due_rows("automations", "ask_at")
};
pub(crate) const INVOICES: DueRows = due_rows("invoices", "looked_at");
pub(crate) const ORDERS: DueRows = due_rows("orders", "due_at");
pub(crate) const PAYLINKS: DueRows = due_rows("paylinks", "expires_at");
pub(crate) const PAYMENTS: DueRows = due_rows("payments", "expires_at");
pub(crate) const QUOTES: DueRows = due_rows("quotes", "expires_at");
pub(crate) const SUBSCRIPTIONS: DueRows = due_rows("subscriptions", "due_at");

/// Tables with due queries in modules of their own.
const BLOCKS: DueRows = due_rows("simulated_transactions", "next_block_at");
const DELIVERIES: DueRows = due_rows("delivery_turns", "due_at");

const fn due_rows(table: &'static str, column: &'static str) -> DueRows {
    DueRows {
        table,
        column,
        is_numbered: false,
    }
}

impl DueRows {
    pub(crate) fn table(&self) -> &'static str {
        self.table
    }

    /// The rows due at or before `now`, oldest first.
    pub(crate) fn due<Id: FromStr>(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<(OrganisationId, Id)>, StoreError> {
        let Self { table, column, .. } = self;
        let due = format!(
            "SELECT org_id, id FROM {table} WHERE {column} <= ?1 ORDER BY {column}, id LIMIT ?2"
        );
        let rows = database.query(&due, &[now.into(), limit.into()])?;
        rows.iter()
            .map(|row| {
                let id = match self.is_numbered {
                    true => parse(&row.int(1)?.to_string())?,
                    false => parse(row.text(1)?)?,
                };
                Ok((get(row, 0)?, id))
            })
            .collect()
    }

    /// Changes the due time of a row only.
    pub(crate) fn postpone(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        id: &str,
        until: Timestamp,
    ) -> Result<(), StoreError> {
        let Self { table, column, .. } = self;
        let postpone = format!("UPDATE {table} SET {column} = ?3 WHERE org_id = ?1 AND id = ?2");
        let id: Value<'_> = match self.is_numbered {
            true => parse::<i64>(id)?.into(),
            false => id.into(),
        };
        database
            .execute(&postpone, &[organisation.into(), id, until.into()])
            .map(drop)
    }

    /// The earliest due time, from the index that [`DueRows::due`] reads.
    fn first(&self, database: &mut dyn Database) -> Result<Option<Timestamp>, StoreError> {
        let Self { table, column, .. } = self;
        let sql = format!(
            "SELECT {column} FROM {table} WHERE {column} IS NOT NULL ORDER BY {column} LIMIT 1"
        );
        match first(database.query(&sql, &[])?) {
            Some(row) => get(&row, 0),
            None => Ok(None),
        }
    }
}

/// Deletes expired rows of all organisations.
pub(crate) fn delete_expired(
    database: &mut dyn Database,
    now: Timestamp,
) -> Result<(), StoreError> {
    const EXPIRED: [&str; 5] = [
        "DELETE FROM nonces WHERE expires_at < ?1",
        "DELETE FROM idempotency WHERE expires_at < ?1",
        "DELETE FROM sessions WHERE expires_at < ?1",
        "DELETE FROM password_failures WHERE expires_at < ?1",
        "DELETE FROM retired_signing_secrets WHERE retires_at <= ?1",
    ];
    let mut expired = EXPIRED.iter();
    expired.try_for_each(|delete| database.execute(delete, &[now.into()]).map(drop))
}

/// The next due time; `None` if nothing is scheduled.
pub(crate) fn next(
    database: &mut dyn Database,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let step = next_step(database, now)?;
    let delivery = DELIVERIES.first(database)?;
    Ok(step.into_iter().chain(delivery).min())
}

/// As [`next`], without webhook deliveries. A running replay is due at once.
pub(crate) fn next_step(
    database: &mut dyn Database,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    const RUNNING: &str = "SELECT 1 FROM replays WHERE status = 'Running' LIMIT 1";
    if !database.query(RUNNING, &[])?.is_empty() {
        return Ok(Some(now));
    }
    let mut next = None;
    for rows in [
        AUTOMATIONS,
        BLOCKS,
        INVOICES,
        ORDERS,
        PAYLINKS,
        PAYMENTS,
        QUOTES,
        SUBSCRIPTIONS,
    ] {
        let first = rows.first(database)?;
        next = next.into_iter().chain(first).min();
    }
    Ok(next)
}
