//! One page of a list, as fast at the end as at the start, with its exact total.
//!
//! Rows carry a dense number per owner, and their moments never go back along it. So a page is a range of numbers, a
//! bound in time is found by halves, and the total is a difference.

use settlekit_core::page::{ListQuery, Page, Sort};
use settlekit_core::value::Timestamp;

use super::count::{Counted, PIECE};
use super::filter::Filter;
use super::sql::{Database, Row, StoreError, Value};
use super::{first, sequence};

/// A table that is listed by its owner.
pub(crate) struct Listing {
    /// The table with the dense numbers.
    pub(crate) table: &'static str,
    /// The column that names the owner.
    pub(crate) owner: &'static str,
    /// What the owner's numbers are counted under.
    pub(crate) kind: &'static str,
    /// What to read of a row, from the table as `l`, with joins if need be: `SELECT … FROM table l …`.
    pub(crate) select: &'static str,
}

/// The numbers of one page, and what a page says besides its items.
struct Range {
    from: i64,
    to: i64,
    total: u64,
    next: Option<u32>,
}

impl Listing {
    /// One page; `read` makes an item and the moment of its last change from a row.
    pub(crate) fn page<T>(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        owner_text: &str,
        query: &ListQuery,
        read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
    ) -> Result<Page<T>, StoreError> {
        let (first_seq, last_seq) = self.bounds(database, owner, owner_text, query)?;
        let range = range(first_seq, last_seq, query);
        let direction = match query.sort() {
            Sort::Ascending => "ASC",
            Sort::Descending => "DESC",
        };
        let rows = if range.from > range.to {
            Vec::new()
        } else {
            let sql = format!(
                "{} WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3 ORDER BY l.seq {direction}",
                self.select, self.owner
            );
            database.query(&sql, &[owner, range.from.into(), range.to.into()])?
        };
        collect(&rows, range.total, range.next, read)
    }

    /// One row of the owner's by its id.
    pub(crate) fn find<T>(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        id: Value<'_>,
        read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let sql = format!("{} WHERE l.{} = ?1 AND l.id = ?2", self.select, self.owner);
        one(database.query(&sql, &[owner, id])?, read)
    }

    /// As [`Listing::find`], locked until the transaction ends. Not for a list that joins.
    pub(crate) fn lock<T>(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        id: Value<'_>,
        read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let sql = format!(
            "{} WHERE l.{} = ?1 AND l.id = ?2 FOR UPDATE",
            self.select, self.owner
        );
        one(database.query(&sql, &[owner, id])?, read)
    }

    /// The first and last number within the bounds in time.
    fn bounds(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        owner_text: &str,
        query: &ListQuery,
    ) -> Result<(i64, i64), StoreError> {
        let last = sequence::last(database, owner_text, self.kind)?;
        let first_seq = match query.since {
            None => 1,
            Some(since) => self.before(database, owner, since.micros(), last)? + 1,
        };
        let last_seq = match query.until {
            None => last,
            Some(until) => self.before(database, owner, until.micros().saturating_add(1), last)?,
        };
        Ok((first_seq, last_seq))
    }

    /// The number of the last row before a moment; 0 when there is none. As moments never go back along the numbers, it is
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
    /// When the filter is one value whose rows are counted, this costs the same for every page. Otherwise the total is counted
    /// and earlier pages are stepped over: the cost grows with the number of matches, so that is for filters that an index
    /// narrows.
    pub(crate) fn matching<T>(
        &self,
        database: &mut dyn Database,
        owner: &str,
        query: &ListQuery,
        filter: &Filter<'_>,
        read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
    ) -> Result<Page<T>, StoreError> {
        if filter.is_empty() {
            return self.page(database, owner.into(), owner, query, read);
        }
        let (owner_text, owner): (&str, Value<'_>) = (owner, owner.into());
        let (first_seq, last_seq) = self.bounds(database, owner, owner_text, query)?;
        if let Some(one) = filter.one_counted() {
            return self.counted(database, owner, query, one, (first_seq, last_seq), read);
        }
        let bounds = format!(
            "WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3{}",
            self.owner,
            filter.condition()
        );
        let mut given = vec![owner, first_seq.into(), last_seq.into()];
        given.extend_from_slice(filter.values());
        let total = first(database.query(
            &format!("SELECT COUNT(*) FROM {} l {bounds}", self.table),
            &given,
        )?);
        let total = total.map_or(Ok(0), |row| row.int(0))?;
        let limit = i64::from(query.limit());
        let skipped = limit * (i64::from(query.page()) - 1);
        let direction = match query.sort() {
            Sort::Ascending => "ASC",
            Sort::Descending => "DESC",
        };
        let sql = format!(
            "{} {bounds} {} LIMIT {limit} OFFSET {skipped}",
            self.select,
            filter.order(direction)
        );
        let rows = if skipped < total {
            database.query(&sql, &given)?
        } else {
            Vec::new()
        };
        let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
        collect(&rows, u64::try_from(total).unwrap_or(0), next, read)
    }

    /// One page of the rows that have a counted value: its first row is looked for in the one piece that holds it.
    fn counted<T>(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        query: &ListQuery,
        (counted, value): (&Counted, &str),
        (first_seq, last_seq): (i64, i64),
        read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
    ) -> Result<Page<T>, StoreError> {
        let within = (query.since.is_some(), query.until.is_some());
        let range = (first_seq, last_seq);
        let mut pieces = counted.pieces(database, owner, value.into(), range, within)?;
        let total: i64 = pieces.iter().map(|(_, held)| held).sum();
        let limit = i64::from(query.limit());
        let skipped = limit * (i64::from(query.page()) - 1);
        let ascending = query.sort() == Sort::Ascending;
        if !ascending {
            pieces.reverse();
        }
        let mut before = 0;
        let holding = pieces.iter().find(|(_, held)| {
            before += held;
            before > skipped
        });
        let Some((piece, held)) = holding else {
            return collect(&[], u64::try_from(total).unwrap_or(0), None, read);
        };
        let (from, to, direction) = if ascending {
            (first_seq.max(piece * PIECE), last_seq, "ASC")
        } else {
            (first_seq, last_seq.min(piece * PIECE + PIECE - 1), "DESC")
        };
        let matches = format!(
            "l.{} = ?1 AND l.{} = ?2 AND l.seq BETWEEN ?3 AND ?4",
            self.owner, counted.column
        );
        let start = format!(
            "SELECT l.seq FROM {} l WHERE {matches} ORDER BY l.seq {direction} LIMIT 1 OFFSET {}",
            self.table,
            skipped - (before - held)
        );
        let given = [owner, value.into(), from.into(), to.into()];
        let rows = match first(database.query(&start, &given)?) {
            None => Vec::new(),
            Some(row) => {
                let start = row.int(0)?;
                let (from, to) = if ascending {
                    (start, to)
                } else {
                    (from, start)
                };
                let sql = format!(
                    "{} WHERE {matches} ORDER BY l.seq {direction} LIMIT {limit}",
                    self.select
                );
                database.query(&sql, &[owner, value.into(), from.into(), to.into()])?
            }
        };
        let next = (skipped + limit < total).then(|| query.page().saturating_add(1));
        collect(&rows, u64::try_from(total).unwrap_or(0), next, read)
    }
}

fn one<T>(
    rows: Vec<Row>,
    read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
) -> Result<Option<T>, StoreError> {
    first(rows)
        .map(|row| read(&row).map(|(item, _)| item))
        .transpose()
}

fn collect<T>(
    rows: &[Row],
    total: u64,
    next: Option<u32>,
    read: impl Fn(&Row) -> Result<(T, Timestamp), StoreError>,
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
