//! Stored counts of a list's rows per filter value and segment of `seq`.
//!
//! Adding up segments finds the start of page 10 000 of the Confirmed rows; at most the rows of one smallest segment are skipped
//! one by one. Sixteen full segments form one segment of the level above, so a sum reads at most thirty segments per level,
//! whatever the length of the list. A new row counts in its smallest segment only; a segment of a higher level is added up when
//! it is full.
//!
//! A row counts once, under the key of all its filter values: every filter is a sum over some keys, and a changed row moves
//! between keys. Only lists that grow without limit have counts, by the values that screens filter by.
//!
//! A row is counted in the transaction that writes it. Nearly all movements are Confirmed: that status is not counted but is the
//! remainder of a segment.

mod by_status;
mod lists;
mod read;
pub(in crate::store) mod segment;

use settlekit_core::value::OrganisationId;

pub(crate) use lists::{
    CUSTOMERS, CountedList, EVENTS, FilterKey, FilterValues, INVOICES, MOVEMENTS, PAYLINKS,
    PAYMENTS, SUBSCRIPTIONS, Wanted,
};

use super::sql::{CachedTable, Change, Database, StoreError, Value};
use super::{first, sequence};
use segment::{FAN_OUT, LEVELS, SEGMENT_ROWS, size};

static CACHED: CachedTable = CachedTable::new(
    "filter_counts",
    &[
        "org_id", "list", "level", "segment", "type", "action", "status", "sent",
    ],
    &["row_count"],
    "INSERT INTO filter_counts (org_id, list, level, segment, type, action, status, sent, row_count) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (org_id, list, level, segment, type, action, status, sent) \
     DO UPDATE SET row_count = filter_counts.row_count + excluded.row_count",
);

impl CountedList {
    /// Counts a new row, which has the list's last `seq`.
    pub(crate) fn add(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        key: FilterKey<'_>,
        seq: i64,
    ) -> Result<(), StoreError> {
        if self.rest.is_some() {
            return self.write_everywhere(database, organisation.into(), key, (seq, 1));
        }
        self.write(database, organisation.into(), 0, key, (seq, 1))?;
        for level in 1..LEVELS {
            if (seq + 1) % size(level) != 0 {
                break;
            }
            let segment = seq / size(level);
            self.add_up(database, organisation.into(), level, (segment, segment))?;
        }
        Ok(())
    }

    pub(crate) fn shift(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        (from, to): (FilterKey<'_>, FilterKey<'_>),
        seq: i64,
    ) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        if self.rest.is_some() {
            self.write_everywhere(database, organisation.into(), from, (seq, -1))?;
            return self.write_everywhere(database, organisation.into(), to, (seq, 1));
        }
        let last = sequence::given(database, organisation.into(), self.table)?;
        for level in 0..LEVELS {
            if level > 0 && (seq / size(level) + 1) * size(level) > last + 1 {
                break;
            }
            self.write(database, organisation.into(), level, from, (seq, -1))?;
            self.write(database, organisation.into(), level, to, (seq, 1))?;
        }
        Ok(())
    }

    /// As [`CountedList::shift`], for a row about to get a status: reads its key first.
    pub(crate) fn set_status(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        id: Value<'_>,
        status: &str,
    ) -> Result<(), StoreError> {
        let Self { table, columns, .. } = self;
        let read = format!(
            "SELECT {}, l.seq FROM {table} l WHERE l.org_id = ?1 AND l.id = ?2",
            columns[2]
        );
        let Some(row) = first(database.query(&read, &[organisation.into(), id])?) else {
            return Ok(());
        };
        let change = (FilterKey::status(row.text(0)?), FilterKey::status(status));
        self.shift(database, organisation, change, row.int(1)?)
    }

    /// Counts a row on every level, unless its status is the remainder.
    fn write_everywhere(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        key: FilterKey<'_>,
        (seq, by): (i64, i64),
    ) -> Result<(), StoreError> {
        if self.rest == Some(key.status) {
            return Ok(());
        }
        (0..LEVELS).try_for_each(|level| self.write(database, owner, level, key, (seq, by)))
    }

    fn write(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        level: i64,
        key: FilterKey<'_>,
        (seq, by): (i64, i64),
    ) -> Result<(), StoreError> {
        let values = [
            owner,
            self.table.into(),
            level.into(),
            (seq / size(level)).into(),
            key.r#type.into(),
            key.action.into(),
            key.status.into(),
            i64::from(key.sent).into(),
        ];
        database.write_cached(&CACHED, &values, Change::Add(by))
    }

    /// Adds up segments of a level from the level below.
    fn add_up(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        level: i64,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        const BELOW: &str = "INSERT INTO filter_counts (org_id, list, level, segment, type, action, status, sent, row_count) \
             SELECT org_id, list, level + 1, segment / 16, type, action, status, sent, SUM(row_count) FROM filter_counts \
             WHERE org_id = ?1 AND list = ?2 AND level = ?3 AND segment BETWEEN ?4 AND ?5 \
             GROUP BY org_id, list, level + 1, segment / 16, type, action, status, sent";
        self.forget(database, owner, level, (from, to))?;
        let below = (from * FAN_OUT, to * FAN_OUT + FAN_OUT - 1);
        let given = [
            owner,
            self.table.into(),
            (level - 1).into(),
            below.0.into(),
            below.1.into(),
        ];
        database.execute(BELOW, &given).map(drop)
    }

    fn forget(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        level: i64,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        const FORGET: &str = "DELETE FROM filter_counts WHERE org_id = ?1 AND list = ?2 AND level = ?3 AND segment BETWEEN ?4 AND ?5";
        let given = [
            owner,
            self.table.into(),
            level.into(),
            from.into(),
            to.into(),
        ];
        database.execute(FORGET, &given).map(drop)
    }

    /// Recounts segments of level 0, and the full segments above them.
    fn count_anew(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        let Self { table, columns, .. } = self;
        let [kind, action, status, sent] = columns;
        let last = sequence::last(database, owner, table)?;
        self.forget(database, owner, 0, (from, to))?;
        let counted = self.apart();
        let count = format!(
            "INSERT INTO filter_counts (org_id, list, level, segment, type, action, status, sent, row_count) \
             SELECT org_id, '{table}', 0, segment, type, action, status, sent, COUNT(*) FROM (SELECT l.org_id, l.seq / {SEGMENT_ROWS} AS segment, \
             {kind} AS type, {action} AS action, {status} AS status, {sent} AS sent FROM {table} l \
             WHERE l.org_id = ?1 AND l.seq BETWEEN ?2 AND ?3{counted}) counting GROUP BY org_id, segment, type, action, status, sent"
        );
        let range = (from * SEGMENT_ROWS, (to + 1) * SEGMENT_ROWS - 1);
        database.execute(&count, &[owner, range.0.into(), range.1.into()])?;
        for level in 1..LEVELS {
            let whole = match self.rest {
                None => (last + 1) / size(level) - 1,
                Some(_) => last / size(level),
            };
            let above = (range.0 / size(level), (range.1 / size(level)).min(whole));
            if above.0 > above.1 {
                break;
            }
            self.add_up(database, owner, level, above)?;
        }
        Ok(())
    }

    /// ` AND …` for the counted rows, as their partial index has it; empty if all rows count.
    fn apart(&self) -> String {
        let rest = self.rest.map(|rest| format!(" AND l.status <> '{rest}'"));
        rest.unwrap_or_default()
    }
}

/// Recounts all lists of an organisation, after an import without counts.
pub(crate) fn count_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    for list in [
        &PAYLINKS,
        &PAYMENTS,
        &EVENTS,
        &CUSTOMERS,
        &SUBSCRIPTIONS,
        &INVOICES,
        &MOVEMENTS,
    ] {
        let last = sequence::last(database, organisation.into(), list.table)?;
        list.count_anew(database, organisation.into(), (0, last / SEGMENT_ROWS))?;
    }
    Ok(())
}
