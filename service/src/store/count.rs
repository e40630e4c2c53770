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
//! by triggers (migration 0022) and only read here, by no transaction that writes: it would not hear of what a trigger did. So are
//! movements (0028), save those of the one status that nearly all have: they are what is left of a piece.

use std::collections::BTreeMap;

use settlekit_core::page::ListQuery;
use settlekit_core::value::OrganisationId;

use super::list::direction;
use super::piece::{LEVELS, PIECE, Piece, Run, TOGETHER, cover, size};
use super::sql::{Database, Kept, StoreError, Value};
use super::{first, sequence};

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
    /// The status of rows that are not counted, if there is one: nearly all are that. The others are counted at every level from
    /// their beginning, and stand in an index without those.
    rest: Option<&'static str>,
    /// What servers of an earlier version count, each by one column.
    pub(super) older: &'static [(&'static str, &'static str)],
}

pub(crate) static PAYMENTS: Counted = Counted {
    table: "payments",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: None,
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
    rest: None,
    older: &[],
};

pub(crate) static SUBSCRIPTIONS: Counted = Counted {
    table: "subscriptions",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: None,
    older: &[],
};

/// Invoices by where their payment stands.
pub(crate) static INVOICES: Counted = Counted {
    table: "invoices",
    columns: ["''", "''", "l.payment_status", "0"],
    indexed: &[],
    rest: None,
    older: &[],
};

pub(crate) static MOVEMENTS: Counted = Counted {
    table: "movements",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: Some("Confirmed"),
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
    rest: None,
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
    /// Any of these instead, each once; of a list that is counted by nothing else.
    pub(crate) statuses: Option<&'a [&'a str]>,
}

/// Of what a row is, the values of the columns that a list is filtered by; empty what the list has not.
pub(super) type Values = [String; 3];

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
        let counted = self.apart();
        let count = format!(
            "INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held) \
             SELECT org_id, '{table}', 0, piece, type, action, status, sent, COUNT(*) FROM (SELECT l.org_id, l.seq / {PIECE} AS piece, \
             {kind} AS type, {action} AS action, {status} AS status, {sent} AS sent FROM {table} l \
             WHERE l.org_id = ?1 AND l.seq BETWEEN ?2 AND ?3{counted}) counting GROUP BY org_id, piece, type, action, status, sent"
        );
        let range = (from * PIECE, (to + 1) * PIECE - 1);
        database.execute(&count, &[owner.into(), range.0.into(), range.1.into()])?;
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

    /// ` AND …` for the rows that are counted, in the words of their index; nothing when all are.
    fn apart(&self) -> String {
        let rest = self.rest.map(|rest| format!(" AND l.status <> '{rest}'"));
        rest.unwrap_or_default()
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
        let mut sum = self.read(database, owner, kinds, &runs, last)?;
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
        last: i64,
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
        Ok(self.read(database, owner, kinds, &[run], last)?.pieces)
    }

    fn read(
        &self,
        database: &mut dyn Database,
        owner: Value<'_>,
        kinds: Kinds<'_>,
        runs: &[Run],
        last: i64,
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
        // With the rest among what is asked for, what is not asked for is taken from what there is.
        let is_rest_asked =
            |statuses: &&[&str]| self.rest.is_some_and(|rest| statuses.contains(&rest));
        let left = kinds.statuses.filter(is_rest_asked);
        if let Some(statuses) = kinds.statuses {
            let from = given.len() + 1;
            given.extend(statuses.iter().map(|status| Value::Text(status)));
            let which: Vec<String> = (from..=given.len())
                .map(|place| format!("?{place}"))
                .collect();
            let not = if left.is_some() { "NOT " } else { "" };
            asked.push_str(&format!(" AND status {not}IN ({})", which.join(", ")));
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
        if left.is_some() {
            let all = runs.iter().flat_map(|run| run.pieces(last));
            pieces.extend(all.map(|piece| (piece.range().0, piece)));
        }
        let sign = if left.is_some() { -1 } else { 1 };
        for row in &rows {
            let (level, number) = (row.int(0)?, row.int(1)?);
            let piece = pieces.entry(number * size(level)).or_insert(Piece {
                level,
                number,
                held: 0,
            });
            piece.held += sign * row.int(5)?;
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
            _ if kinds.statuses.is_some() => {
                let statuses = kinds.statuses.unwrap_or_default().iter();
                statuses
                    .map(|status| ["", "", status].map(str::to_owned))
                    .collect()
            }
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
    for list in [
        &PAYMENTS,
        &EVENTS,
        &CUSTOMERS,
        &SUBSCRIPTIONS,
        &INVOICES,
        &MOVEMENTS,
    ] {
        let last = sequence::last(database, &owner, list.table)?;
        list.count_anew(database, &owner, (0, last / PIECE))?;
    }
    Ok(())
}
