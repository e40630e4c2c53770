//! Finds the movements of a page by the index, with their exact total.
//!
//! In the order of the list, the matching movements are: those at the beginning of a segment that the time bounds cut, those of whole
//! segments, whose counts are added up, those of a cut segment at the end, and those after the last indexed segment.

use std::collections::{BTreeMap, BTreeSet};

use settlekit_core::page::{ListQuery, Sort};
use settlekit_core::value::OrganisationId;

use super::filter::{AmountRange, MovementFilter};
use super::page::{Page, Part, needed, without};
use super::positions::decoded;
use super::search::Search;
use super::{MovementList, Source, amount};
use crate::store::filter_counts::segment::{FAN_OUT, Run, SEGMENT_ROWS, Segment, cover, size};
use crate::store::list::{Bounds, skipped};
use crate::store::sql::{Database, Row, StoreError, Value};

/// Segments whose amounts are read at once: about three megabytes.
const SEGMENTS_AT_ONCE: i64 = 64;

/// Reads the matching movements of a list.
pub(in crate::store) struct Reader<'a> {
    pub(in crate::store) list: MovementList,
    pub(in crate::store) organisation: OrganisationId,
    pub(in crate::store) filter: &'a MovementFilter<'a>,
    pub(in crate::store) bounds: Bounds,
}

impl Reader<'_> {
    /// The `seq` of the movements of a page, in its order, and the count of all matches.
    pub(in crate::store) fn page(
        &self,
        database: &mut dyn Database,
        query: &ListQuery,
    ) -> Result<(Vec<i64>, i64), StoreError> {
        let Bounds { from, to, last } = self.bounds;
        let indexed = (last + 1) / SEGMENT_ROWS * SEGMENT_ROWS;
        let within = (from, to.min(indexed - 1));
        let mut except = BTreeSet::new();
        let mut parts = match &self.filter.statuses {
            Some(statuses) if !statuses.has_confirmed() => {
                let found = self.unconfirmed(database, within, statuses.words())?;
                vec![Part::Numbers(found.into_iter().collect())]
            }
            Some(statuses) => {
                except = self.unconfirmed(database, within, &statuses.others())?;
                self.indexed(database, within, &except)?
            }
            None => self.indexed(database, within, &except)?,
        };
        let rest = self.rows(database, (from.max(indexed), to))?;
        parts.push(Part::Numbers(rest));
        let total: i64 = parts.iter().map(Part::total).sum();
        let mut page = Page {
            skip: skipped(query),
            left: query.limit() as usize,
            shown: Vec::new(),
            is_ascending: query.sort() == Sort::Ascending,
        };
        if !page.is_ascending {
            parts.reverse();
        }
        for part in parts {
            match part {
                Part::Numbers(numbers) => page.take(&numbers),
                Part::Segments(segments) => {
                    self.take_from(database, segments, &mut page, &except)?;
                }
            }
        }
        Ok((page.shown, total))
    }

    /// The search results that also match the filter.
    pub(in crate::store) fn among(
        &self,
        database: &mut dyn Database,
        search: &Search,
    ) -> Result<BTreeSet<i64>, StoreError> {
        let range = (self.bounds.from, self.bounds.to);
        self.selected(database, range, |given| {
            let ids = search.movements(given);
            let matching = self.filter.matching(given);
            [
                format!("({ids}) found CROSS JOIN "),
                format!(" AND m.id = found.movement_id{matching}"),
            ]
        })
    }

    /// The movements of a range with one of these statuses, which are not Confirmed, that match except for their status.
    fn unconfirmed<'s>(
        &'s self,
        database: &mut dyn Database,
        range: (i64, i64),
        statuses: &[&'s str],
    ) -> Result<BTreeSet<i64>, StoreError> {
        if range.0 > range.1 || statuses.is_empty() {
            return Ok(BTreeSet::new());
        }
        self.selected(database, range, |given| {
            [String::new(), self.filter.unconfirmed(statuses, given)]
        })
    }

    /// The movements of a range among few: `few` writes the tables to read before the movements `m`, and a condition. `CROSS JOIN`
    /// makes SQLite read the tables in the order in which they stand.
    fn selected<'s>(
        &'s self,
        database: &mut dyn Database,
        (from, to): (i64, i64),
        few: impl FnOnce(&mut Vec<Value<'s>>) -> [String; 2],
    ) -> Result<BTreeSet<i64>, StoreError> {
        let mut given: Vec<Value<'s>> = vec![self.organisation.into(), from.into(), to.into()];
        if let MovementList::One(list) = self.list {
            let last = self.bounds.last;
            let step = last.checked_ilog2().map_or(0, |power| 1_i64 << power);
            given.extend::<[Value<'s>; 2]>([list.into(), step.into()]);
        }
        let [before, condition] = few(&mut given);
        let movements = format!(
            "{before}movements m CROSS JOIN accounts a WHERE m.org_id = ?1 AND a.id = m.account_id{condition}"
        );
        let sql = match self.list {
            // `+` keeps the planner off the range: few movements are left without it.
            MovementList::All(_) => format!(
                "SELECT m.seq, m.amount, m.scale FROM {movements} AND +m.seq BETWEEN ?2 AND ?3"
            ),
            // A list has no index by movement. But their ids ascend along it: a binary search finds each.
            MovementList::One(_) => format!(
                "WITH RECURSIVE candidates (id) AS (SELECT m.id FROM {movements}), \
                 steps (id, seq, step) AS (SELECT id, CAST(0 AS BIGINT), CAST(?5 AS BIGINT) FROM candidates \
                 UNION ALL SELECT s.id, COALESCE(l.seq, s.seq), s.step / 2 FROM steps s LEFT JOIN movement_lists l \
                 ON l.account_id = ?4 AND l.seq = s.seq + s.step AND l.movement_id <= s.id WHERE s.step > 0) \
                 SELECT l.seq, m.amount, m.scale FROM steps s CROSS JOIN movement_lists l CROSS JOIN movements m \
                 WHERE s.step = 0 AND l.account_id = ?4 AND l.seq = s.seq AND l.movement_id = s.id AND m.id = s.id \
                 AND l.seq BETWEEN ?2 AND ?3"
            ),
        };
        let rows = database.query(&sql, &given)?;
        Ok(self.of_amount(&rows)?.into_iter().collect())
    }

    /// The matching movements of a range, read one by one.
    fn rows(
        &self,
        database: &mut dyn Database,
        (from, to): (i64, i64),
    ) -> Result<Vec<i64>, StoreError> {
        if from > to {
            return Ok(Vec::new());
        }
        let Source {
            from: tables,
            owner,
            seq,
        } = self.list.source();
        let mut given = vec![self.list.owner(), from.into(), to.into()];
        let sql = format!(
            "SELECT {seq}, m.amount, m.scale FROM {tables} WHERE {owner} = ?1 AND {seq} BETWEEN ?2 AND ?3{} ORDER BY {seq}",
            self.filter.matching(&mut given)
        );
        self.of_amount(&database.query(&sql, &given)?)
    }

    /// The `seq` of those rows whose amount matches: `seq`, amount and decimal places.
    fn of_amount(&self, rows: &[Row]) -> Result<Vec<i64>, StoreError> {
        let mut numbers = Vec::with_capacity(rows.len());
        for row in rows {
            let is_it = match &self.filter.amounts {
                Some(range) => range.has(amount(row, 1)?),
                None => true,
            };
            if is_it {
                numbers.push(row.int(0)?);
            }
        }
        Ok(numbers)
    }

    /// The matching movements of a range of full segments.
    fn indexed(
        &self,
        database: &mut dyn Database,
        within: (i64, i64),
        except: &BTreeSet<i64>,
    ) -> Result<Vec<Part>, StoreError> {
        let mut parts = Vec::new();
        let mut whole: Vec<Run> = Vec::new();
        // No segment is the list's last, which is not indexed.
        for run in cover(within, i64::MAX) {
            if !run.is_part {
                whole.push(run);
                continue;
            }
            parts.extend(self.of_whole(database, &mut whole, except)?);
            let mut numbers = self.numbers(database, &[run.from])?;
            numbers.retain(|seq| (within.0..=within.1).contains(seq) && !except.contains(seq));
            parts.push(Part::Numbers(numbers.into_iter().collect()));
        }
        parts.extend(self.of_whole(database, &mut whole, except)?);
        Ok(parts)
    }

    /// The counts of whole segments, which are adjacent; empties their list.
    fn of_whole(
        &self,
        database: &mut dyn Database,
        runs: &mut Vec<Run>,
        except: &BTreeSet<i64>,
    ) -> Result<Option<Part>, StoreError> {
        let runs = std::mem::take(runs);
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
            return Ok(None);
        };
        let segments = match &self.filter.amounts {
            None => self.counts(database, &runs, except)?,
            Some(range) => {
                let from = first.from * size(first.level) / SEGMENT_ROWS;
                let to = (last.to + 1) * size(last.level) / SEGMENT_ROWS - 1;
                self.counts_by_amount(database, (from, to), range, except)?
            }
        };
        Ok(Some(Part::Segments(segments)))
    }

    /// The counts of segments, by ascending `seq`.
    fn counts(
        &self,
        database: &mut dyn Database,
        runs: &[Run],
        except: &BTreeSet<i64>,
    ) -> Result<Vec<Segment>, StoreError> {
        let name = self.list.name();
        let mut given: Vec<Value<'_>> = vec![(&name).into()];
        let kinds = self.filter.kinds.of_index(&mut given);
        let mut parts = Vec::with_capacity(runs.len());
        for run in runs {
            let at = given.len();
            given.extend::<[Value<'_>; 3]>([run.level.into(), run.from.into(), run.to.into()]);
            parts.push(format!(
                "SELECT level, segment, CAST(SUM(row_count) AS BIGINT) FROM movement_counts WHERE owner = ?1 \
                 AND level = ?{} AND segment BETWEEN ?{} AND ?{}{kinds} GROUP BY level, segment",
                at + 1,
                at + 2,
                at + 3
            ));
        }
        let mut segments = Vec::new();
        for row in database.query(&parts.join(" UNION ALL "), &given)? {
            segments.push(Segment {
                level: row.int(0)?,
                number: row.int(1)?,
                held: row.int(2)?,
            });
        }
        segments.sort_by_key(|segment| segment.range().0);
        Ok(without(segments, except))
    }

    /// The counts of the segments of level 0 by amount, by ascending `seq`. Only segments with amounts inside and outside of the range
    /// are read amount by amount.
    fn counts_by_amount(
        &self,
        database: &mut dyn Database,
        (from, to): (i64, i64),
        range: &AmountRange,
        except: &BTreeSet<i64>,
    ) -> Result<Vec<Segment>, StoreError> {
        let (name, [lowest, highest]) = (self.list.name(), range.ranks());
        let mut held: BTreeMap<i64, i64> = BTreeMap::new();
        for first in (from..=to).step_by(SEGMENTS_AT_ONCE as usize) {
            let last = to.min(first + SEGMENTS_AT_ONCE - 1);
            let mut given: Vec<Value<'_>> = vec![
                (&name).into(),
                (&lowest).into(),
                (&highest).into(),
                first.into(),
                last.into(),
            ];
            let sql = format!(
                "SELECT segment, row_count, CASE WHEN lowest >= ?2 AND highest <= ?3 THEN NULL ELSE amounts END \
                 FROM movement_positions WHERE owner = ?1 AND segment BETWEEN ?4 AND ?5 AND highest >= ?2 AND lowest <= ?3{}",
                self.filter.kinds.of_index(&mut given)
            );
            for row in database.query(&sql, &given)? {
                let count = match row.maybe_text(2)? {
                    None => row.int(1)?,
                    Some(amounts) => {
                        let is_it =
                            |rank: &&str| *rank >= lowest.as_str() && *rank <= highest.as_str();
                        amounts.split(' ').filter(is_it).count() as i64
                    }
                };
                *held.entry(row.int(0)?).or_default() += count;
            }
        }
        let segments = held.into_iter().map(|(number, held)| Segment {
            level: 0,
            number,
            held,
        });
        Ok(without(segments.collect(), except))
    }

    /// The matching movements of segments of level 0, except for their status.
    fn numbers(
        &self,
        database: &mut dyn Database,
        segments: &[i64],
    ) -> Result<BTreeSet<i64>, StoreError> {
        let name = self.list.name();
        let mut given: Vec<Value<'_>> = vec![(&name).into()];
        given.extend(segments.iter().map(|segment| Value::Int(*segment)));
        let which: Vec<String> = (2..=given.len()).map(|place| format!("?{place}")).collect();
        let ranks = self.filter.amounts.as_ref().map(AmountRange::ranks);
        let sql = format!(
            "SELECT segment, positions, {} FROM movement_positions WHERE owner = ?1 AND segment IN ({}){}",
            if ranks.is_some() { "amounts" } else { "''" },
            which.join(", "),
            self.filter.kinds.of_index(&mut given)
        );
        let mut numbers = BTreeSet::new();
        for row in database.query(&sql, &given)? {
            let begin = row.int(0)? * SEGMENT_ROWS;
            let positions = decoded(row.text(1)?)?;
            match &ranks {
                None => numbers.extend(positions.iter().map(|position| begin + position)),
                Some([lowest, highest]) => {
                    let amounts = row.text(2)?.split(' ');
                    let with = positions.iter().zip(amounts);
                    let with = with
                        .filter(|(_, rank)| *rank >= lowest.as_str() && *rank <= highest.as_str());
                    numbers.extend(with.map(|(position, _)| begin + position));
                }
            }
        }
        Ok(numbers)
    }

    /// Takes movements of a page from whole segments.
    fn take_from(
        &self,
        database: &mut dyn Database,
        mut segments: Vec<Segment>,
        page: &mut Page,
        except: &BTreeSet<i64>,
    ) -> Result<(), StoreError> {
        if !page.is_ascending {
            segments.reverse();
        }
        loop {
            segments = needed(segments, page);
            let above: Vec<Run> = segments
                .iter()
                .filter(|segment| segment.level > 0)
                .map(|segment| Run {
                    level: segment.level - 1,
                    from: segment.number * FAN_OUT,
                    to: segment.number * FAN_OUT + FAN_OUT - 1,
                    is_part: false,
                })
                .collect();
            if above.is_empty() {
                break;
            }
            let below = self.counts(database, &above, except)?;
            let mut next = Vec::new();
            for segment in segments {
                if segment.level == 0 {
                    next.push(segment);
                    continue;
                }
                let is_child = |child: &&Segment| {
                    child.level == segment.level - 1 && child.number / FAN_OUT == segment.number
                };
                let children = below.iter().filter(is_child).cloned();
                match page.is_ascending {
                    true => next.extend(children),
                    false => next.extend(children.rev()),
                }
            }
            segments = next;
        }
        if segments.is_empty() {
            return Ok(());
        }
        let which: Vec<i64> = segments.iter().map(|segment| segment.number).collect();
        let numbers = self.numbers(database, &which)?;
        let numbers: Vec<i64> = numbers.difference(except).copied().collect();
        page.take(&numbers);
        Ok(())
    }
}
