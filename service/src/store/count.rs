//! How many rows of a list have a value: kept rather than counted, for each piece of the list's numbers.
//!
//! A row keeps its number, whatever its values become. So where page 10 000 of what is Confirmed begins is found by adding
//! up pieces, and no more rows than one piece has are stepped over. What is kept this way costs one more statement when a
//! row is added or its value changes; so it is kept for lists that grow without end and the values that screens filter by.

use settlekit_core::value::OrganisationId;

use super::first;
use super::sql::{Database, Kept, StoreError, Value};

/// How many numbers a piece has.
pub(super) const PIECE: i64 = 4096;

/// A column by which a list is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    table: &'static str,
    pub(super) column: &'static str,
    list: &'static str,
}

macro_rules! counted {
    ($table:literal, $column:literal) => {
        Counted {
            table: $table,
            column: $column,
            list: concat!($table, " by ", $column),
        }
    };
}

pub(crate) const PAYMENTS_BY_STATUS: Counted = counted!("payments", "status");
pub(crate) const EVENTS_BY_TYPE: Counted = counted!("events", "type");
pub(crate) const EVENTS_BY_DELIVERY: Counted = counted!("events", "delivery_status");

static KEPT: Kept = Kept {
    table: "counts",
    write: "INSERT INTO counts (org_id, list, value, piece, held) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (org_id, list, value, piece) DO UPDATE SET held = counts.held + excluded.held",
};

const ALL: [Counted; 3] = [PAYMENTS_BY_STATUS, EVENTS_BY_TYPE, EVENTS_BY_DELIVERY];

impl Counted {
    /// A row with a number has a value, or with -1 has it no more.
    pub(crate) fn add(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        value: &str,
        seq: i64,
        by: i64,
    ) -> Result<(), StoreError> {
        let owner = organisation.to_string();
        let piece = seq / PIECE;
        let key = [
            (&owner).into(),
            self.list.into(),
            value.into(),
            piece.into(),
        ];
        database.add(&KEPT, &key, by)
    }

    /// A row with a number has another value.
    pub(crate) fn shift(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        (from, to): (&str, &str),
        seq: i64,
    ) -> Result<(), StoreError> {
        if from != to {
            self.add(database, organisation, from, seq, -1)?;
            self.add(database, organisation, to, seq, 1)?;
        }
        Ok(())
    }

    /// How many rows have a value.
    pub(crate) fn total(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        value: &str,
    ) -> Result<u64, StoreError> {
        const TOTAL: &str = "SELECT COALESCE(SUM(held), 0) FROM counts WHERE org_id = ?1 AND list = ?2 AND value = ?3";
        let owner = organisation.to_string();
        let rows = database.query(TOTAL, &[(&owner).into(), self.list.into(), value.into()])?;
        let total = first(rows).map_or(Ok(0), |row| row.int(0))?;
        Ok(u64::try_from(total).unwrap_or(0))
    }

    /// The pieces between two numbers that hold the value, in order, each with how many it holds. Where the numbers are a
    /// bound in time, only what lies within is counted of their pieces.
    pub(super) fn pieces(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        value: Value<'_>,
        (first_seq, last_seq): (i64, i64),
        (bound_below, bound_above): (bool, bool),
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        const PIECES: &str = "SELECT piece, held FROM counts WHERE org_id = ?1 AND list = ?2 AND value = ?3 \
             AND piece BETWEEN ?4 AND ?5 AND held > 0 ORDER BY piece";
        let (lowest, highest) = (first_seq / PIECE, last_seq / PIECE);
        let given = [
            owner,
            self.list.into(),
            value,
            lowest.into(),
            highest.into(),
        ];
        let rows = database.query(PIECES, &given)?;
        let mut pieces = Vec::with_capacity(rows.len());
        for row in &rows {
            let (piece, mut held) = (row.int(0)?, row.int(1)?);
            if (bound_below && piece == lowest) || (bound_above && piece == highest) {
                let within = format!(
                    "SELECT COUNT(*) FROM {} WHERE org_id = ?1 AND {} = ?2 AND seq BETWEEN ?3 AND ?4",
                    self.table, self.column
                );
                let from = first_seq.max(piece * PIECE);
                let to = last_seq.min(piece * PIECE + PIECE - 1);
                let rows = database.query(&within, &[owner, value, from.into(), to.into()])?;
                held = first(rows).map_or(Ok(0), |row| row.int(0))?;
            }
            pieces.push((piece, held));
        }
        Ok(pieces)
    }
}

/// Counts all lists of an organisation anew, whose rows came without their counts.
pub(crate) fn count_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    let owner = organisation.to_string();
    for Counted {
        table,
        column,
        list,
    } in ALL
    {
        let count = format!(
            "INSERT INTO counts (org_id, list, value, piece, held) SELECT org_id, '{list}', {column}, seq / {PIECE}, COUNT(*) \
             FROM {table} WHERE org_id = ?1 GROUP BY org_id, {column}, seq / {PIECE}"
        );
        database.execute(&count, &[(&owner).into()])?;
    }
    Ok(())
}
