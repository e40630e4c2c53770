//! How many rows of a list are what: kept rather than counted, for pieces of the list's numbers.
//!
//! A row keeps its number, whatever becomes of it. So where page 10 000 of what is Confirmed begins is found by adding up
//! pieces, and no more rows than the smallest piece has are stepped over. That the adding up does not grow with the list, sixteen
//! pieces that have all their numbers are one piece of the level above, and so on: of each level at most thirty are read. A
//! new row is counted in the smallest alone; the levels above are added up when the last number of a piece is given.
//!
//! Rows are counted by all they are filtered by at once: any filter is a sum over some of these kinds, and a change of a row is
//! one row less here and one more there. It is kept for lists that grow without end and the values that screens filter by.
//!
//! Payments and events, which every booking writes, are counted by those who write them. Lists that are written less are counted
//! by triggers (migration 0022) and only read here, by no transaction that writes: it would not hear of what a trigger did.

use std::collections::BTreeMap;

use settlekit_core::page::ListQuery;
use settlekit_core::value::OrganisationId;

use super::list::direction;
use super::sql::{Database, Kept, StoreError, Value};
use super::{first, sequence};

/// How many numbers a piece of level 0 has.
pub(super) const PIECE: i64 = 4096;

/// How many pieces are one of the level above.
const TOGETHER: i64 = 16;

/// How many levels there are: a piece of the last has 268 million numbers.
const LEVELS: i64 = 5;

/// With more kinds than this among the rows asked for, they are not told apart: nothing of ours has so many.
const KINDS_MAX: usize = 128;

/// A list whose rows are counted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Its table, and what its numbers are counted under.
    pub(super) table: &'static str,
    /// What it is counted by, of its table as `l`: `type`, `action`, `status`, `sent` in `counted`.
    columns: [&'static str; 4],
    /// The statuses that have an index of their own, in which nothing else is.
    indexed: &'static [&'static str],
    /// What servers of an earlier version count, each by one column.
    pub(super) older: &'static [(&'static str, &'static str)],
}

pub(crate) static PAYMENTS: Counted = Counted {
    table: "payments",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    older: &[("payments by status", "status")],
};

/// Customers by whether they came once or again.
pub(crate) static CUSTOMERS: Counted = Counted {
    table: "customers",
    columns: [
        "''",
        "''",
        "CASE WHEN l.payments_count > 1 THEN 'repeat' ELSE 'first-time' END",
        "0",
    ],
    indexed: &[],
    older: &[],
};

pub(crate) static SUBSCRIPTIONS: Counted = Counted {
    table: "subscriptions",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    older: &[],
};

/// Invoices by where their payment stands.
pub(crate) static INVOICES: Counted = Counted {
    table: "invoices",
    columns: ["''", "''", "l.payment_status", "0"],
    indexed: &[],
    older: &[],
};

pub(crate) static EVENTS: Counted = Counted {
    table: "events",
    columns: [
        "l.type",
        "l.action",
        "l.delivery_status",
        "CASE WHEN l.webhook_sent_at IS NULL THEN 0 ELSE 1 END",
    ],
    indexed: &["pending", "failed"],
    older: &[
        ("events by type", "type"),
        ("events by delivery_status", "status"),
    ],
};

/// What a row is, as far as it is counted by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind<'a> {
    pub(crate) r#type: &'a str,
    pub(crate) action: &'a str,
    pub(crate) status: &'a str,
    pub(crate) sent: bool,
}

impl<'a> Kind<'a> {
    /// Of a list that is counted by its status alone.
    pub(crate) fn status(status: &'a str) -> Self {
        Self {
            r#type: "",
            action: "",
            status,
            sent: false,
        }
    }
}

/// Which kinds are asked for; what is not said may be anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Kinds<'a> {
    pub(crate) r#type: Option<&'a str>,
    pub(crate) action: Option<&'a str>,
    pub(crate) status: Option<&'a str>,
    pub(crate) sent: Option<bool>,
}

/// Of what a row is, the values of the columns that a list is filtered by; empty what the list has not.
pub(super) type Values = [String; 3];

/// A piece, and how many of its rows are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    level: i64,
    number: i64,
    pub(super) held: i64,
}

impl Piece {
    /// Its first number and its last.
    pub(super) fn range(&self) -> (i64, i64) {
        let from = self.number * size(self.level);
        (from, from + size(self.level) - 1)
    }
}

/// The pieces of a range of numbers, in their order, and the kinds that there are among the rows asked for.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) pieces: Vec<Piece>,
    pub(super) kinds: Vec<Values>,
}

impl Sum {
    pub(super) fn total(&self) -> i64 {
        self.pieces.iter().map(|piece| piece.held).sum()
    }
}

/// How many numbers a piece of a level has.
fn size(level: i64) -> i64 {
    (0..level).fold(PIECE, |size, _| size * TOGETHER)
}

/// Pieces of a level next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    level: i64,
    from: i64,
    to: i64,
    /// Only some of its numbers lie in the range: it is one piece, of level 0, whose rows have to be counted.
    is_part: bool,
}

/// The fewest pieces that make up a range of a list's numbers, of which `last` is the last.
fn cover((from, to): (i64, i64), last: i64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // There is no number 0.
    let mut at = if from <= 1 { 0 } else { from };
    while at <= to && from <= to {
        let level = (0..LEVELS)
            .take_while(|level| at % size(*level) == 0 && at + size(*level) - 1 <= to)
            .last();
        // Behind the list's last number there is nothing to be left out.
        let is_part = level.is_none() && !(at % PIECE == 0 && to >= last);
        let level = level.unwrap_or(0);
        let piece = at / size(level);
        match runs.last_mut() {
            Some(run) if run.level == level && !run.is_part && !is_part => run.to = piece,
            _ => runs.push(Run {
                level,
                from: piece,
                to: piece,
                is_part,
            }),
        }
        at = (piece + 1) * size(level);
    }
    runs
}

static KEPT: Kept = Kept {
    table: "counted",
    write: "INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (org_id, list, level, piece, type, action, status, sent) \
         DO UPDATE SET held = counted.held + excluded.held",
};

impl Counted {
    /// Counts a new row, whose number is the list's last.
    pub(crate) fn add(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        kind: Kind<'_>,
        seq: i64,
    ) -> Result<(), StoreError> {
        let owner = organisation.to_string();
        self.write(database, &owner, 0, kind, (seq, 1))?;
        for level in 1..LEVELS {
            if (seq + 1) % size(level) != 0 {
                break;
            }
            let piece = seq / size(level);
            self.add_up(database, &owner, level, (piece, piece))?;
        }
        Ok(())
    }

    /// A row with a number is of another kind.
    pub(crate) fn shift(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        (from, to): (Kind<'_>, Kind<'_>),
        seq: i64,
    ) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        let owner = organisation.to_string();
        let last = sequence::given(database, &owner, self.table)?;
        for level in 0..LEVELS {
            if level > 0 && (seq / size(level) + 1) * size(level) > last + 1 {
                break;
            }
            self.write(database, &owner, level, from, (seq, -1))?;
            self.write(database, &owner, level, to, (seq, 1))?;
        }
        Ok(())
    }

    fn write(
        &self,
        database: &mut dyn Database,
        owner: &str,
        level: i64,
        kind: Kind<'_>,
        (seq, by): (i64, i64),
    ) -> Result<(), StoreError> {
        let key = [
            owner.into(),
            self.table.into(),
            level.into(),
            (seq / size(level)).into(),
            kind.r#type.into(),
            kind.action.into(),
            kind.status.into(),
            i64::from(kind.sent).into(),
        ];
        database.add(&KEPT, &key, by)
    }

    /// Adds up pieces of a level from those of the level below.
    fn add_up(
        &self,
        database: &mut dyn Database,
        owner: &str,
        level: i64,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        const BELOW: &str = "INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held) \
             SELECT org_id, list, level + 1, piece / 16, type, action, status, sent, SUM(held) FROM counted \
             WHERE org_id = ?1 AND list = ?2 AND level = ?3 AND piece BETWEEN ?4 AND ?5 \
             GROUP BY org_id, list, level + 1, piece / 16, type, action, status, sent";
        self.forget(database, owner, level, (from, to))?;
        let below = (from * TOGETHER, to * TOGETHER + TOGETHER - 1);
        let given = [
            owner.into(),
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
        owner: &str,
        level: i64,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        const FORGET: &str = "DELETE FROM counted WHERE org_id = ?1 AND list = ?2 AND level = ?3 AND piece BETWEEN ?4 AND ?5";
        let given = [
            owner.into(),
            self.table.into(),
            level.into(),
            from.into(),
            to.into(),
        ];
        database.execute(FORGET, &given).map(drop)
    }

    /// Counts pieces of level 0 anew, and those above that have all their numbers.
    pub(super) fn count_anew(
        &self,
        database: &mut dyn Database,
        owner: &str,
        (from, to): (i64, i64),
    ) -> Result<(), StoreError> {
        let Self { table, columns, .. } = self;
        let [kind, action, status, sent] = columns;
        let last = sequence::last(database, owner, table)?;
        self.forget(database, owner, 0, (from, to))?;
        let count = format!(
            "INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held) \
             SELECT org_id, '{table}', 0, piece, type, action, status, sent, COUNT(*) FROM (SELECT l.org_id, l.seq / {PIECE} AS piece, \
             {kind} AS type, {action} AS action, {status} AS status, {sent} AS sent FROM {table} l \
             WHERE l.org_id = ?1 AND l.seq BETWEEN ?2 AND ?3) counting GROUP BY org_id, piece, type, action, status, sent"
        );
        let range = (from * PIECE, (to + 1) * PIECE - 1);
        database.execute(&count, &[owner.into(), range.0.into(), range.1.into()])?;
        for level in 1..LEVELS {
            let whole = (last + 1) / size(level) - 1;
            let above = (range.0 / size(level), (range.1 / size(level)).min(whole));
            if above.0 > above.1 {
                break;
            }
            self.add_up(database, owner, level, above)?;
        }
        Ok(())
    }

    /// The columns with the values that are asked for.
    pub(super) fn asked<'a>(&self, kinds: &Kinds<'a>) -> [(&'static str, Option<&'a str>); 3] {
        let [kind, action, status, _] = self.columns;
        [
            (kind, kinds.r#type),
            (action, kinds.action),
            (status, kinds.status),
        ]
    }

    /// How many rows there are of the kinds asked for.
    pub(crate) fn total(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        kinds: Kinds<'_>,
    ) -> Result<u64, StoreError> {
        let owner = organisation.to_string();
        let last = sequence::last(database, &owner, self.table)?;
        let sum = self.sum(database, (&owner).into(), kinds, (1, last), last)?;
        Ok(u64::try_from(sum.total()).unwrap_or(0))
    }

    /// The pieces that make up a range of the list's numbers, of which `last` is the last.
    pub(super) fn sum(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: Kinds<'_>,
        range: (i64, i64),
        last: i64,
    ) -> Result<Sum, StoreError> {
        let runs = cover(range, last);
        let mut sum = self.read(database, owner, kinds, &runs)?;
        for run in runs.iter().filter(|run| run.is_part) {
            let is_it = |piece: &&mut Piece| piece.level == 0 && piece.number == run.from;
            if let Some(piece) = sum.pieces.iter_mut().find(is_it) {
                let (from, to) = piece.range();
                let within = (from.max(range.0), to.min(range.1));
                piece.held = self.count(database, owner, kinds.sent, &sum.kinds, within)?;
            }
        }
        Ok(sum)
    }

    /// The pieces of the level below that make up a piece; none when it is of the lowest.
    pub(super) fn below(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: Kinds<'_>,
        piece: &Piece,
    ) -> Result<Vec<Piece>, StoreError> {
        if piece.level == 0 {
            return Ok(Vec::new());
        }
        let run = Run {
            level: piece.level - 1,
            from: piece.number * TOGETHER,
            to: piece.number * TOGETHER + TOGETHER - 1,
            is_part: false,
        };
        Ok(self.read(database, owner, kinds, &[run])?.pieces)
    }

    fn read(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: Kinds<'_>,
        runs: &[Run],
    ) -> Result<Sum, StoreError> {
        if runs.is_empty() {
            return Ok(Sum::default());
        }
        let mut given = vec![owner, self.table.into()];
        let mut asked = String::new();
        let sent = kinds.sent.map(i64::from);
        for (column, value) in [
            ("type", kinds.r#type.map(Value::Text)),
            ("action", kinds.action.map(Value::Text)),
            ("status", kinds.status.map(Value::Text)),
            ("sent", sent.map(Value::Int)),
        ] {
            if let Some(value) = value {
                given.push(value);
                asked.push_str(&format!(" AND {column} = ?{}", given.len()));
            }
        }
        let mut parts = Vec::with_capacity(runs.len());
        for run in runs {
            let at = given.len();
            given.extend::<[Value<'_>; 3]>([run.level.into(), run.from.into(), run.to.into()]);
            parts.push(format!(
                "SELECT level, piece, type, action, status, held FROM counted WHERE org_id = ?1 AND list = ?2 \
                 AND level = ?{} AND piece BETWEEN ?{} AND ?{} AND held > 0{asked}",
                at + 1,
                at + 2,
                at + 3
            ));
        }
        let rows = database.query(&parts.join(" UNION ALL "), &given)?;
        // By their first numbers, no two of which are alike.
        let mut pieces = BTreeMap::new();
        let mut found = BTreeMap::new();
        for row in &rows {
            let (level, number) = (row.int(0)?, row.int(1)?);
            let piece = pieces.entry(number * size(level)).or_insert(Piece {
                level,
                number,
                held: 0,
            });
            piece.held += row.int(5)?;
            let kind = (row.text(2)?, row.text(3)?, row.text(4)?);
            found.entry(kind).or_insert(());
        }
        let named = [kinds.r#type, kinds.action, kinds.status];
        // Rows of all kinds, and those of a status that has an index of its own, are in its order; others by all that they are.
        let in_order = match named {
            [None, None, None] => true,
            [None, None, Some(status)] => self.indexed.contains(&status),
            _ => false,
        };
        let kinds = match in_order || found.len() > KINDS_MAX {
            true => vec![named.map(|value| value.unwrap_or_default().to_owned())],
            false => found
                .into_keys()
                .map(|(r#type, action, status)| [r#type, action, status].map(str::to_owned))
                .collect(),
        };
        Ok(Sum {
            kinds,
            pieces: pieces.into_values().collect(),
        })
    }

    /// How many rows of so many kinds there are among a few numbers.
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

    /// The number of a row of so many kinds, so many of them behind the beginning of a piece in the list's order.
    pub(super) fn start(
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

    /// Asks for the numbers of the rows of so many kinds, each by a range of an index; owner, first and last number are given.
    /// What ends the statement ends that of each kind, too: PostgreSQL would read and sort all of them for a few.
    pub(super) fn rows<'a>(
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
                // An index of one status is found by its word alone.
                if let Some(status) = own {
                    part.push_str(&format!(" AND {column} = '{status}'"));
                } else {
                    given.push(value.as_str().into());
                    part.push_str(&format!(" AND {column} = ?{}", given.len()));
                }
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

/// Has no new row counted from here on: [`count_all`] does it, when all are there.
pub(crate) fn count_later(database: &mut dyn Database) -> Result<(), StoreError> {
    const LATER: &str = "INSERT INTO importing (one) VALUES (1)";
    database.execute(LATER, &[]).map(drop)
}

/// Counts all lists of an organisation anew, whose rows came without their counts.
pub(crate) fn count_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const NO_LATER: &str = "DELETE FROM importing";
    database.execute(NO_LATER, &[])?;
    let owner = organisation.to_string();
    for list in [&PAYMENTS, &EVENTS, &CUSTOMERS, &SUBSCRIPTIONS, &INVOICES] {
        let last = sequence::last(database, &owner, list.table)?;
        list.count_anew(database, &owner, (0, last / PIECE))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a range: level, first and last piece, and a mark where only a part of it lies within.
    fn shown(range: (i64, i64), last: i64) -> Vec<String> {
        let shown = |run: Run| {
            let part = if run.is_part { " in part" } else { "" };
            format!("{}: {}-{}{part}", run.level, run.from, run.to)
        };
        cover(range, last).into_iter().map(shown).collect()
    }

    #[test]
    fn a_list_is_few_pieces_however_long_it_is() {
        assert_eq!(shown((1, 0), 0), Vec::<String>::new());
        assert_eq!(shown((1, 5), 5), ["0: 0-0"]);
        assert_eq!(shown((1, 4095), 4095), ["0: 0-0"]);
        assert_eq!(shown((1, 4096), 4096), ["0: 0-1"]);
        assert_eq!(shown((1, 65_535), 65_535), ["1: 0-0"]);
        assert_eq!(shown((1, 65_534), 65_534), ["0: 0-15"]);
        let ten_million = ["2: 0-8", "1: 144-151", "0: 2432-2441"];
        assert_eq!(shown((1, 10_000_000), 10_000_000), ten_million);
    }

    #[test]
    fn what_lies_only_partly_within_the_bounds_is_told() {
        assert_eq!(shown((3, 10), 100), ["0: 0-0 in part"]);
        assert_eq!(shown((3, 100), 100), ["0: 0-0 in part"]);
        assert_eq!(shown((1, 10), 100), ["0: 0-0 in part"]);
        assert_eq!(
            shown((4097, 70_000), 80_000),
            ["0: 1-1 in part", "0: 2-16", "0: 17-17 in part"]
        );
        assert_eq!(shown((4096, 65_535), 65_535), ["0: 1-15"]);
    }

    #[test]
    fn a_range_is_covered_once_and_whole() {
        for (from, to) in [
            (1, 1),
            (2, 70_000),
            (65_536, 1_200_000),
            (5, 1_048_575),
            (1, 1_048_576),
        ] {
            let mut next = if from <= 1 { 0 } else { from };
            for run in cover((from, to), 1_300_000) {
                let begins = run.from * size(run.level);
                assert_eq!(next.max(begins), next, "a hole before {run:?}");
                assert!(run.is_part || begins == next, "{run:?} begins before");
                next = (run.to + 1) * size(run.level);
            }
            assert!(next > to, "{from} to {to} ends at {next}");
        }
    }
}
