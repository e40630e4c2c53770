//! One page of a list, as fast at the end as at the start, with its exact total.
//!
//! Rows carry a dense number per owner, and their times never go back along it. So a page is a range of numbers, a
//! bound in time is found by halves, and the total is a difference.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use settlekit_core::page::{ListQuery, Page, Sort};
use settlekit_core::value::{OrganisationId, Timestamp};

use super::filter::Filter;
use super::filter_counts::{CountedList, FilterValues};
use super::sql::{Database, Row, StoreError, Value};
use super::{first, read_record, sequence, timestamp};

/// A table of records that is listed by its owner.
pub(crate) struct Listing<T, Id, Owner = OrganisationId> {
    /// The table with the dense numbers.
    pub(crate) table: &'static str,
    /// The column that names the owner.
    pub(crate) owner: &'static str,
    /// What the owner's numbers are counted under.
    pub(crate) kind: &'static str,
    /// What to read of a row, from the table as `l`, with joins if need be: `SELECT … FROM table l …`.
    pub(crate) select: &'static str,
    /// Makes a record and the time of its last change from such a row.
    pub(crate) read: ReadRow<T>,
    /// Which ids name a record and its owner.
    pub(crate) ids: PhantomData<fn(Owner, Id)>,
}

/// Makes a record and the time of its last change from a row.
pub(super) type ReadRow<T> = fn(&Row) -> Result<(T, Timestamp), StoreError>;

/// Reads a row of a record and the time of its last change.
pub(super) fn record<T: DeserializeOwned>(row: &Row) -> Result<(T, Timestamp), StoreError> {
    Ok((read_record(row.text(0)?)?, timestamp(row, 1)?))
}

/// The numbers of a list that lie within the bounds in time, and its last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) last: i64,
}

/// The numbers of one page, and what a page says besides its items.
struct Range {
    from: i64,
    to: i64,
    total: u64,
    next: Option<u32>,
}

impl<T, Id, Owner> Listing<T, Id, Owner>
where
    Id: for<'a> Into<Value<'a>>,
    Owner: for<'a> Into<Value<'a>>,
{
    /// One page.
    pub(crate) fn page(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        query: &ListQuery,
    ) -> Result<Page<T>, StoreError> {
        let owner = owner.into();
        let bounds = self.bounds(database, owner, query)?;
        let range = range(bounds.from, bounds.to, query);
        let direction = direction(query);
        let rows = if range.from > range.to {
            Vec::new()
        } else {
            let sql = format!(
                "{} WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3 ORDER BY l.seq {direction}",
                self.select, self.owner
            );
            database.query(&sql, &[owner, range.from.into(), range.to.into()])?
        };
        collect(&rows, range.total, range.next, self.read)
    }

    /// One row of the owner's by its id.
    pub(crate) fn find(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        id: Id,
    ) -> Result<Option<T>, StoreError> {
        let sql = format!("{} WHERE l.{} = ?1 AND l.id = ?2", self.select, self.owner);
        one(database.query(&sql, &[owner.into(), id.into()])?, self.read)
    }

    /// As [`Listing::find`], locked until the transaction ends. Not for a list that joins.
    pub(crate) fn lock(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        id: Id,
    ) -> Result<Option<T>, StoreError> {
        let sql = format!(
            "{} WHERE l.{} = ?1 AND l.id = ?2 FOR UPDATE",
            self.select, self.owner
        );
        one(database.query(&sql, &[owner.into(), id.into()])?, self.read)
    }

    /// The first and last number within the bounds in time, and the list's last.
    pub(super) fn bounds(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
    ) -> Result<Bounds, StoreError> {
        let last = sequence::last(database, owner, self.kind)?;
        let from = match query.since {
            None => 1,
            Some(since) => self.before(database, owner, since.micros(), last)? + 1,
        };
        let to = match query.until {
            None => last,
            Some(until) => self.before(database, owner, until.micros().saturating_add(1), last)?,
        };
        Ok(Bounds { from, to, last })
    }

    /// The number of the last row before a time; 0 when there is none. As times never go back along the numbers, it is
    /// found by halves, the largest step first: an index by time would have to be written with every row.
    fn before(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        moment: i64,
        last: i64,
    ) -> Result<i64, StoreError> {
        let sql = format!(
            "WITH RECURSIVE steps (seq, step) AS (SELECT CAST(0 AS BIGINT), CAST(?3 AS BIGINT) \
             UNION ALL SELECT COALESCE(l.seq, s.seq), s.step / 2 FROM steps s \
             LEFT JOIN {} l ON l.{} = ?1 AND l.seq = s.seq + s.step AND l.created_at < ?2 WHERE s.step > 0) \
             SELECT seq FROM steps WHERE step = 0",
            self.table, self.owner
        );
        // The largest power of two that is not past the last number.
        let step = last.checked_ilog2().map_or(0, |power| 1_i64 << power);
        let rows = database.query(&sql, &[owner, moment.into(), step.into()])?;
        first(rows).map_or(Ok(0), |row| row.int(0))
    }

    /// One page of the rows that a filter leaves.
    ///
    /// When the list is counted by all that is asked for, this costs the same for every page. Otherwise the total is counted
    /// and earlier pages are stepped over: the cost grows with the number of matches, so that is for filters that an index
    /// narrows. In another order than that of the numbers earlier pages are always stepped over.
    pub(crate) fn matching(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        query: &ListQuery,
        filter: &Filter<'_>,
    ) -> Result<Page<T>, StoreError> {
        if filter.is_empty() {
            return self.page(database, owner, query);
        }
        let owner = owner.into();
        let bounds = self.bounds(database, owner, query)?;
        let total = match filter.all_counted() {
            Some(counted) if !filter.is_ordered() => {
                return self.counted(database, owner, query, counted, bounds);
            }
            Some((counted, kinds)) => {
                let kinds = FilterValues {
                    sent: Some(true),
                    ..kinds
                };
                let range = (bounds.from, bounds.to);
                let sum = counted.sum(database, owner, kinds, range, bounds.last)?;
                sum.total()
            }
            None => self.count(database, owner, bounds, filter)?,
        };
        let mut given = vec![owner, bounds.from.into(), bounds.to.into()];
        given.extend_from_slice(filter.values());
        let limit = i64::from(query.limit());
        let skipped = limit * (i64::from(query.page()) - 1);
        // Where nothing narrows the rows but their order, the index of that is to be walked and not that of the numbers.
        let plus = if filter.is_ordered() { "+" } else { "" };
        let order = filter.order(direction(query));
        let matches = format!(
            "SELECT l.seq FROM {} l WHERE l.{} = ?1 AND {plus}l.seq BETWEEN ?2 AND ?3{} {order} LIMIT {limit} OFFSET {skipped}",
            self.table,
            self.owner,
            filter.condition()
        );
        let rows = if skipped < total {
            let sql = format!(
                "{} WHERE l.{} = ?1 AND l.seq IN ({matches}) {order}",
                self.select, self.owner
            );
            database.query(&sql, &given)?
        } else {
            Vec::new()
        };
        let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
        collect(&rows, u64::try_from(total).unwrap_or(0), next, self.read)
    }

    /// How many rows a filter leaves.
    pub(super) fn total(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        filter: &Filter<'_>,
    ) -> Result<u64, StoreError> {
        let bounds = self.bounds(database, owner, query)?;
        let total = match filter.all_counted() {
            Some((counted, kinds)) => {
                let range = (bounds.from, bounds.to);
                let sum = counted.sum(database, owner, kinds, range, bounds.last)?;
                sum.total()
            }
            None => self.count(database, owner, bounds, filter)?,
        };
        Ok(u64::try_from(total).unwrap_or(0))
    }

    fn count(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        bounds: Bounds,
        filter: &Filter<'_>,
    ) -> Result<i64, StoreError> {
        let count = format!(
            "SELECT COUNT(*) FROM {} l WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3{}",
            self.table,
            self.owner,
            filter.condition()
        );
        let mut given = vec![owner, bounds.from.into(), bounds.to.into()];
        given.extend_from_slice(filter.values());
        first(database.query(&count, &given)?).map_or(Ok(0), |row| row.int(0))
    }

    /// One page of the rows of the kinds asked for: its first row is looked for in the one segment that holds it.
    pub(super) fn counted(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        (counted, kinds): (&CountedList, FilterValues<'_>),
        bounds: Bounds,
    ) -> Result<Page<T>, StoreError> {
        let range = (bounds.from, bounds.to);
        let sum = counted.sum(database, owner, kinds, range, bounds.last)?;
        let total = sum.total();
        let limit = i64::from(query.limit());
        let skipped = limit * (i64::from(query.page()) - 1);
        let ascending = query.sort() == Sort::Ascending;
        let mut segments = sum.segments;
        // How many rows are stepped over in the segment where the page begins.
        let mut inside = skipped;
        let mut begins = None;
        while !segments.is_empty() {
            if !ascending {
                segments.reverse();
            }
            let holding = segments.iter().find(|segment| {
                let holds = segment.held > inside;
                inside -= if holds { 0 } else { segment.held };
                holds
            });
            let Some(segment) = holding else { break };
            begins = Some(segment.range());
            segments = counted.below(database, owner, kinds, segment, bounds.last)?;
        }
        let rows = match begins {
            Some(segment) if skipped < total => {
                let segment = (segment.0.max(bounds.from), segment.1.min(bounds.to));
                let edge = if ascending { segment.0 } else { segment.1 };
                let start = match inside {
                    0 => Some(edge),
                    _ => counted.start(
                        database,
                        owner,
                        kinds.sent,
                        &sum.kinds,
                        segment,
                        (query, inside),
                    )?,
                };
                match start {
                    None => Vec::new(),
                    Some(start) => {
                        let (from, to) = match ascending {
                            true => (start, bounds.to),
                            false => (bounds.from, start),
                        };
                        let mut given = vec![owner, from.into(), to.into()];
                        let end = format!("ORDER BY seq {} LIMIT {limit}", direction(query));
                        let numbers = counted.rows(&sum.kinds, kinds.sent, &end, &mut given);
                        let sql = format!(
                            "{} WHERE l.{} = ?1 AND l.seq IN (SELECT seq FROM ({numbers}) numbers {end}) ORDER BY l.seq {}",
                            self.select,
                            self.owner,
                            direction(query)
                        );
                        database.query(&sql, &given)?
                    }
                }
            }
            _ => Vec::new(),
        };
        let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
        collect(&rows, u64::try_from(total).unwrap_or(0), next, self.read)
    }

    /// One page of rows that were found already, of all that there are, by their numbers.
    pub(super) fn found(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        numbers: &BTreeSet<i64>,
    ) -> Result<Page<T>, StoreError> {
        let (limit, total) = (i64::from(query.limit()), numbers.len() as i64);
        let skipped = limit * (i64::from(query.page()) - 1);
        let skip = usize::try_from(skipped).unwrap_or(usize::MAX);
        let limit_of = query.limit() as usize;
        let shown: Vec<i64> = match query.sort() {
            Sort::Ascending => numbers.iter().skip(skip).take(limit_of).copied().collect(),
            Sort::Descending => numbers
                .iter()
                .rev()
                .skip(skip)
                .take(limit_of)
                .copied()
                .collect(),
        };
        let mut given: Vec<Value<'_>> = vec![owner];
        given.extend(shown.into_iter().map(Value::Int));
        let rows = if given.len() > 1 {
            let places: Vec<String> = (2..=given.len()).map(|place| format!("?{place}")).collect();
            let sql = format!(
                "{} WHERE l.{} = ?1 AND l.seq IN ({}) ORDER BY l.seq {}",
                self.select,
                self.owner,
                places.join(", "),
                direction(query)
            );
            database.query(&sql, &given)?
        } else {
            Vec::new()
        };
        let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
        collect(&rows, u64::try_from(total).unwrap_or(0), next, self.read)
    }
}

pub(super) fn direction(query: &ListQuery) -> &'static str {
    match query.sort() {
        Sort::Ascending => "ASC",
        Sort::Descending => "DESC",
    }
}

fn one<T>(rows: Vec<Row>, read: ReadRow<T>) -> Result<Option<T>, StoreError> {
    first(rows)
        .map(|row| read(&row).map(|(item, _)| item))
        .transpose()
}

pub(super) fn collect<T>(
    rows: &[Row],
    total: u64,
    next: Option<u32>,
    read: ReadRow<T>,
) -> Result<Page<T>, StoreError> {
    let mut items = Vec::with_capacity(rows.len());
    let mut last_update = None;
    for row in rows {
        let (item, updated_at) = read(row)?;
        last_update = last_update.max(Some(updated_at));
        items.push(item);
    }
    Ok(Page {
        items,
        total,
        next,
        last_update,
    })
}

fn range(first_seq: i64, last_seq: i64, query: &ListQuery) -> Range {
    let total = (last_seq - first_seq + 1).max(0);
    let limit = i64::from(query.limit());
    let skipped = limit * (i64::from(query.page()) - 1);
    let (from, to) = match query.sort() {
        Sort::Ascending => (
            first_seq + skipped,
            (first_seq + skipped + limit - 1).min(last_seq),
        ),
        Sort::Descending => (
            (last_seq - skipped - limit + 1).max(first_seq),
            last_seq - skipped,
        ),
    };
    let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
    Range {
        from,
        to,
        total: u64::try_from(total).unwrap_or(0),
        next,
    }
}
