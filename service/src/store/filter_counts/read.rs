//! Reads the counts: totals, and the rows of a page.

use std::collections::BTreeMap;

use settlekit_core::page::ListQuery;
use settlekit_core::value::OrganisationId;

use super::segment::{FAN_OUT, Run, Segment, cover, size};
use super::{CountedList, FilterValues, Wanted};
use crate::store::list::direction;
use crate::store::sql::{Database, StoreError, Value};
use crate::store::{first, sequence};

/// With more keys than this, rows are not read per key. Only payments in many currencies have as many.
const KINDS_MAX: usize = 128;

/// The filter values of a key; empty where the list has no such column.
pub(in crate::store) type Values = [String; 3];

/// The segments of a range of `seq`, in order, and the keys of the matching rows.
#[derive(Debug, Default)]
pub(in crate::store) struct Sum {
    pub(in crate::store) segments: Vec<Segment>,
    pub(in crate::store) kinds: Vec<Values>,
}

impl Sum {
    pub(in crate::store) fn total(&self) -> i64 {
        self.segments.iter().map(|segment| segment.held).sum()
    }
}

impl CountedList {
    /// The filter columns with the requested values.
    pub(in crate::store) fn asked<'a>(
        &self,
        kinds: &FilterValues<'a>,
    ) -> [(&'static str, Wanted<'a>); 3] {
        let [kind, action, status, _] = self.columns;
        [
            (kind, kinds.r#type),
            (action, kinds.action),
            (status, kinds.status),
        ]
    }

    /// The count of matching rows.
    pub(crate) fn total(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        kinds: FilterValues<'_>,
    ) -> Result<u64, StoreError> {
        let last = sequence::last(database, organisation.into(), self.table)?;
        let sum = self.sum(database, organisation.into(), kinds, (1, last), last)?;
        Ok(u64::try_from(sum.total()).unwrap_or(0))
    }

    /// The segments of a range of `seq`; `last` is the list's last.
    pub(in crate::store) fn sum(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: FilterValues<'_>,
        range: (i64, i64),
        last: i64,
    ) -> Result<Sum, StoreError> {
        let runs = cover(range, last);
        let mut sum = self.read(database, owner, kinds, &runs, last)?;
        for run in runs.iter().filter(|run| run.is_part) {
            let is_it = |segment: &&mut Segment| segment.level == 0 && segment.number == run.from;
            if let Some(segment) = sum.segments.iter_mut().find(is_it) {
                let (from, to) = segment.range();
                let within = (from.max(range.0), to.min(range.1));
                segment.held = self.count(database, owner, kinds.sent, &sum.kinds, within)?;
            }
        }
        Ok(sum)
    }

    /// The segments of the level below; `None` for the lowest level.
    pub(in crate::store) fn below(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: FilterValues<'_>,
        segment: &Segment,
        last: i64,
    ) -> Result<Vec<Segment>, StoreError> {
        if segment.level == 0 {
            return Ok(Vec::new());
        }
        let run = Run {
            level: segment.level - 1,
            from: segment.number * FAN_OUT,
            to: segment.number * FAN_OUT + FAN_OUT - 1,
            is_part: false,
        };
        Ok(self.read(database, owner, kinds, &[run], last)?.segments)
    }

    fn read(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: FilterValues<'_>,
        runs: &[Run],
        last: i64,
    ) -> Result<Sum, StoreError> {
        if runs.is_empty() {
            return Ok(Sum::default());
        }
        let mut given = vec![owner, self.table.into()];
        let mut asked = String::new();
        let wanted = [kinds.r#type, kinds.action, kinds.status];
        // If the filter includes the remainder, subtract the other statuses from the size of the segment.
        let is_rest_asked = self
            .rest
            .is_some_and(|rest| kinds.status.values().contains(&rest));
        for (column, wanted) in ["type", "action", "status"].into_iter().zip(&wanted) {
            let is_complement = column == "status" && is_rest_asked;
            match wanted {
                Wanted::Any => {}
                Wanted::One(value) if !is_complement => {
                    given.push(Value::Text(value));
                    asked.push_str(&format!(" AND {column} = ?{}", given.len()));
                }
                Wanted::One(_) | Wanted::OneOf(_) => {
                    let not = if is_complement { "NOT " } else { "" };
                    let places = places_of(wanted.values(), &mut given);
                    asked.push_str(&format!(" AND {column} {not}IN ({places})"));
                }
            }
        }
        if let Some(sent) = kinds.sent {
            given.push(Value::Int(i64::from(sent)));
            asked.push_str(&format!(" AND sent = ?{}", given.len()));
        }
        let mut parts = Vec::with_capacity(runs.len());
        for run in runs {
            let at = given.len();
            given.extend::<[Value<'_>; 3]>([run.level.into(), run.from.into(), run.to.into()]);
            parts.push(format!(
                "SELECT level, segment, type, action, status, row_count FROM filter_counts WHERE org_id = ?1 AND list = ?2 \
                 AND level = ?{} AND segment BETWEEN ?{} AND ?{} AND row_count > 0{asked}",
                at + 1,
                at + 2,
                at + 3
            ));
        }
        let rows = database.query(&parts.join(" UNION ALL "), &given)?;
        // By first `seq`, which is unique.
        let mut segments = BTreeMap::new();
        let mut found = BTreeMap::new();
        if is_rest_asked {
            let all = runs.iter().flat_map(|run| run.segments(last));
            segments.extend(all.map(|segment| (segment.range().0, segment)));
        }
        let sign = if is_rest_asked { -1 } else { 1 };
        for row in &rows {
            let (level, number) = (row.int(0)?, row.int(1)?);
            let segment = segments.entry(number * size(level)).or_insert(Segment {
                level,
                number,
                held: 0,
            });
            segment.held += sign * row.int(5)?;
            let kind = (row.text(2)?, row.text(3)?, row.text(4)?);
            found.entry(kind).or_insert(());
        }
        // Rows of all keys, and those of a status with its own index, are in index order; other rows are read per key.
        let in_order = match wanted {
            [Wanted::Any, Wanted::Any, Wanted::Any] => true,
            [Wanted::Any, Wanted::Any, Wanted::One(status)] => self.indexed.contains(&status),
            _ => false,
        };
        // What was found of a list with a remainder are the other statuses.
        let is_as_asked = in_order || self.rest.is_some();
        let kinds = match is_as_asked || found.len() > KINDS_MAX {
            true => combinations(&wanted),
            false => found
                .into_keys()
                .map(|(r#type, action, status)| [r#type, action, status].map(str::to_owned))
                .collect(),
        };
        Ok(Sum {
            kinds,
            segments: segments.into_values().collect(),
        })
    }

    /// Counts the rows with some keys in a range of `seq`.
    fn count(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        sent: Option<bool>,
        kinds: &[Values],
        (from, to): (i64, i64),
    ) -> Result<i64, StoreError> {
        let mut given = vec![owner, from.into(), to.into()];
        let rows = self.rows(kinds, sent, "", &mut given);
        let count = format!("SELECT COUNT(*) FROM ({rows}) counting");
        first(database.query(&count, &given)?).map_or(Ok(0), |row| row.int(0))
    }

    /// The `seq` of the row after `skipped` matching rows of a range, in the list's order.
    pub(in crate::store) fn start(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        sent: Option<bool>,
        kinds: &[Values],
        (from, to): (i64, i64),
        (query, skipped): (&ListQuery, i64),
    ) -> Result<Option<i64>, StoreError> {
        let mut given = vec![owner, from.into(), to.into()];
        let rows = self.rows(kinds, sent, "", &mut given);
        given.push(skipped.into());
        let start = format!(
            "{rows} ORDER BY seq {} LIMIT 1 OFFSET ?{}",
            direction(query),
            given.len()
        );
        let row = first(database.query(&start, &given)?);
        row.map(|row| row.int(0)).transpose()
    }

    /// A query for the `seq` of rows with some keys, one index range per key; owner, first and last `seq` are in `given`. `end`
    /// applies to each key as well: otherwise PostgreSQL would read and sort all rows for a few.
    pub(in crate::store) fn rows<'a>(
        &self,
        kinds: &'a [Values],
        sent: Option<bool>,
        end: &str,
        given: &mut Vec<Value<'a>>,
    ) -> String {
        let mut parts = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let mut part = format!(
                "SELECT l.seq FROM {} l WHERE l.org_id = ?1 AND l.seq BETWEEN ?2 AND ?3",
                self.table
            );
            let own = match kind {
                [kind, action, status] if kind.is_empty() && action.is_empty() => {
                    self.indexed.iter().find(|indexed| status == **indexed)
                }
                _ => None,
            };
            for (column, value) in self.columns.iter().zip(kind) {
                if value.is_empty() {
                    continue;
                }
                // The partial index of a status is used only with a literal.
                if let Some(status) = own {
                    part.push_str(&format!(" AND {column} = '{status}'"));
                } else {
                    given.push(value.as_str().into());
                    part.push_str(&format!(" AND {column} = ?{}", given.len()));
                }
            }
            if self.rest.is_some_and(|rest| rest != kind[2]) {
                part.push_str(&self.apart());
            }
            if let Some(sent) = sent {
                part.push_str(&format!(" AND {} = {}", self.columns[3], i64::from(sent)));
            }
            if !end.is_empty() {
                part = format!("SELECT seq FROM ({part} {end}) one");
            }
            parts.push(part);
        }
        parts.join(" UNION ALL ")
    }
}

/// Adds values, and returns their placeholders.
pub(super) fn places_of<'a>(values: &[&'a str], given: &mut Vec<Value<'a>>) -> String {
    let from = given.len() + 1;
    given.extend(values.iter().map(|value| Value::Text(value)));
    let places: Vec<String> = (from..=given.len())
        .map(|place| format!("?{place}"))
        .collect();
    places.join(", ")
}

/// The keys with one of the wanted values in each column; an empty value is any.
fn combinations(wanted: &[Wanted<'_>; 3]) -> Vec<Values> {
    let values = wanted.each_ref().map(|wanted| match wanted {
        Wanted::Any => vec![""],
        wanted => wanted.values().to_vec(),
    });
    let [types, actions, statuses] = &values;
    let mut keys = Vec::with_capacity(types.len() * actions.len() * statuses.len());
    for r#type in types {
        for action in actions {
            for status in statuses {
                keys.push([*r#type, *action, *status].map(str::to_owned));
            }
        }
    }
    keys
}
