//! A page of a list with its exact total, at the same cost for every page.
//!
//! Rows have a dense `seq` per owner, along which times never decrease. So a page is a range of `seq`, a time bound is found by
//! binary search over `seq`, and the total is a difference.

use std::collections::BTreeSet;

use settlekit_core::page::{ListQuery, Page, Sort};

use super::filter::Filter;
use super::filter_counts::{CountedList, FilterValues};
use super::listing::{Listing, ReadRow};
use super::sql::{Database, Row, StoreError, Value};
use super::{first, sequence};

/// The range of `seq` within the time bounds, and the list's last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) last: i64,
}

impl<T, Id, Owner> Listing<T, Id, Owner>
where
    Id: for<'a> Into<Value<'a>>,
    Owner: for<'a> Into<Value<'a>>,
{
    /// A page of the owner's rows.
    pub(crate) fn page(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        query: &ListQuery,
    ) -> Result<Page<T>, StoreError> {
        let owner = owner.into();
        let bounds = self.bounds(database, owner, query)?;
        let (from, to) = range(bounds, query);
        let direction = direction(query);
        let rows = if from > to {
            Vec::new()
        } else {
            let sql = format!(
                "{} WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3 ORDER BY l.seq {direction}",
                self.select, self.owner
            );
            database.query(&sql, &[owner, from.into(), to.into()])?
        };
        self.collect(&rows, bounds.to - bounds.from + 1, query)
    }

    /// The first and last `seq` within the time bounds, and the list's last.
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

    /// The `seq` of the last row before a time; 0 if there is none. A binary search over `seq`, largest step first, as times
    /// never decrease along it: an index by time would cost a write per row.
    fn before(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        micros: i64,
        last: i64,
    ) -> Result<i64, StoreError> {
        let sql = format!(
            "WITH RECURSIVE steps (seq, step) AS (SELECT CAST(0 AS BIGINT), CAST(?3 AS BIGINT) \
             UNION ALL SELECT COALESCE(l.seq, s.seq), s.step / 2 FROM steps s \
             LEFT JOIN {} l ON l.{} = ?1 AND l.seq = s.seq + s.step AND l.created_at < ?2 WHERE s.step > 0) \
             SELECT seq FROM steps WHERE step = 0",
            self.table, self.owner
        );
        // The largest power of two up to the last `seq`.
        let step = last.checked_ilog2().map_or(0, |power| 1_i64 << power);
        let rows = database.query(&sql, &[owner, micros.into(), step.into()])?;
        first(rows).map_or(Ok(0), |row| row.int(0))
    }

    /// A page of the rows that match a filter.
    ///
    /// With a counted filter every page costs the same. Otherwise the total is counted and earlier pages are skipped row by row:
    /// the cost grows with the number of matches, so an index should narrow the filter. In an order other than by `seq`, earlier
    /// pages are always skipped row by row.
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
        let (limit, skipped) = (query.limit(), skipped(query));
        let plus = filter.plus();
        let order = filter.order(direction(query));
        let matches = format!(
            "SELECT l.seq FROM {} WHERE l.{} = ?1 AND {plus}l.seq BETWEEN ?2 AND ?3{} {order} LIMIT {limit} OFFSET {skipped}",
            filter.tables(self.table),
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
        self.collect(&rows, total, query)
    }

    /// The count of rows that match a filter.
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
            "SELECT COUNT(*) FROM {} WHERE l.{} = ?1 AND {}l.seq BETWEEN ?2 AND ?3{}",
            filter.tables(self.table),
            self.owner,
            filter.plus(),
            filter.condition()
        );
        let mut given = vec![owner, bounds.from.into(), bounds.to.into()];
        given.extend_from_slice(filter.values());
        first(database.query(&count, &given)?).map_or(Ok(0), |row| row.int(0))
    }

    /// A page by a counted filter: its first row is found within a single segment.
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
        let (limit, skipped) = (query.limit(), skipped(query));
        let ascending = query.sort() == Sort::Ascending;
        let mut segments = sum.segments;
        // Rows to skip in the segment where the page begins.
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
        self.collect(&rows, total, query)
    }

    /// A page of rows already found, given all matches.
    pub(super) fn found(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        numbers: &BTreeSet<i64>,
    ) -> Result<Page<T>, StoreError> {
        let skip = usize::try_from(skipped(query)).unwrap_or(usize::MAX);
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
        self.numbered(database, owner, query, &shown, numbers.len() as i64)
    }

    /// A page of the rows with these `seq`, given the count of all matches.
    pub(super) fn numbered(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        shown: &[i64],
        total: i64,
    ) -> Result<Page<T>, StoreError> {
        let mut given: Vec<Value<'_>> = vec![owner];
        given.extend(shown.iter().map(|seq| Value::Int(*seq)));
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
        self.collect(&rows, total, query)
    }

    /// A page of these rows, given the count of all matches.
    fn collect(&self, rows: &[Row], total: i64, query: &ListQuery) -> Result<Page<T>, StoreError> {
        let next = (skipped(query) + i64::from(query.limit()) < total)
            .then(|| query.page().saturating_add(1));
        collect(rows, u64::try_from(total).unwrap_or(0), next, self.read)
    }
}

/// The rows on earlier pages.
pub(super) fn skipped(query: &ListQuery) -> i64 {
    i64::from(query.limit()) * (i64::from(query.page()) - 1)
}

pub(super) fn direction(query: &ListQuery) -> &'static str {
    match query.sort() {
        Sort::Ascending => "ASC",
        Sort::Descending => "DESC",
    }
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
        counts: None,
    })
}

/// The first and last `seq` of a page.
fn range(bounds: Bounds, query: &ListQuery) -> (i64, i64) {
    let (limit, skipped) = (i64::from(query.limit()), skipped(query));
    match query.sort() {
        Sort::Ascending => {
            let from = bounds.from + skipped;
            (from, (from + limit - 1).min(bounds.to))
        }
        Sort::Descending => {
            let to = bounds.to - skipped;
            ((to - limit + 1).max(bounds.from), to)
        }
    }
}
