//! Counts of a list's rows by status: one sum for all statuses.

use std::collections::BTreeMap;

use super::read::places_of;
use super::segment::cover;
use super::{CountedList, FilterValues, Wanted};
use crate::store::list::Bounds;
use crate::store::sql::{Database, Row, StoreError, Value};

impl CountedList {
    /// The counts within the bounds by status, for the other values of a filter; a status without rows may be absent.
    pub(in crate::store) fn by_status(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: FilterValues<'_>,
        Bounds { from, to, last }: Bounds,
    ) -> Result<BTreeMap<String, i64>, StoreError> {
        let mut counts = BTreeMap::new();
        if from > to {
            return Ok(counts);
        }
        let (parts, wholes): (Vec<_>, Vec<_>) = cover((from, to), last)
            .into_iter()
            .partition(|run| run.is_part);
        let mut given = vec![owner, self.table.into()];
        let asked = conditions(["type", "action", "sent"], &kinds, &mut given);
        let mut summed = Vec::with_capacity(wholes.len());
        for run in wholes {
            let at = given.len();
            given.extend::<[Value<'_>; 3]>([run.level.into(), run.from.into(), run.to.into()]);
            summed.push(format!(
                "SELECT status, row_count FROM filter_counts WHERE org_id = ?1 AND list = ?2 \
                 AND level = ?{} AND segment BETWEEN ?{} AND ?{}{asked}",
                at + 1,
                at + 2,
                at + 3
            ));
        }
        if !summed.is_empty() {
            let sum = format!(
                "SELECT status, CAST(SUM(row_count) AS BIGINT) FROM ({}) counting GROUP BY status",
                summed.join(" UNION ALL ")
            );
            add(&mut counts, &database.query(&sum, &given)?)?;
        }
        let [kind, action, status, sent] = self.columns;
        for run in parts {
            let (first, last) = run.rows();
            let mut given = vec![owner, first.max(from).into(), last.min(to).into()];
            let asked = conditions([kind, action, sent], &kinds, &mut given);
            let count = format!(
                "SELECT status, COUNT(*) FROM (SELECT {status} AS status FROM {} l \
                 WHERE l.org_id = ?1 AND l.seq BETWEEN ?2 AND ?3{}{asked}) counting GROUP BY status",
                self.table,
                self.apart()
            );
            add(&mut counts, &database.query(&count, &given)?)?;
        }
        if let Some(rest) = self.rest {
            let others: i64 = counts.values().sum();
            counts.insert(rest.to_owned(), to - from + 1 - others);
        }
        Ok(counts)
    }
}

/// ` AND …` for the values of a filter except the status, in the columns of type, action and `sent`.
fn conditions<'a>(
    [kind, action, sent]: [&str; 3],
    kinds: &FilterValues<'a>,
    given: &mut Vec<Value<'a>>,
) -> String {
    let mut conditions = String::new();
    for (column, wanted) in [(kind, kinds.r#type), (action, kinds.action)] {
        if wanted == Wanted::Any {
            continue;
        }
        let places = places_of(wanted.values(), given);
        conditions.push_str(&format!(" AND {column} IN ({places})"));
    }
    if let Some(wanted) = kinds.sent {
        conditions.push_str(&format!(" AND {sent} = {}", i64::from(wanted)));
    }
    conditions
}

/// Adds rows of a status and a count.
fn add(counts: &mut BTreeMap<String, i64>, rows: &[Row]) -> Result<(), StoreError> {
    for row in rows {
        *counts.entry(row.text(0)?.to_owned()).or_default() += row.int(1)?;
    }
    Ok(())
}
