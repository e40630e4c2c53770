//! Positions of movements by kind, per segment of a list: of an account, of a bundle, or of all accounts.
//!
//! Type, direction, currency and account of a movement never change. So a segment of 4 096 movements is indexed once, when its last
//! movement is booked: for each kind that occurs, the positions and amounts of its movements. No other booking writes anything.
//! Sixteen segments form one of the level above, as in `filter_counts`. The movements after the last full segment are read one by one.
//!
//! Statuses change, so they are not in the index: `read` takes the few movements that are not Confirmed from their own index.

mod filter;
mod page;
mod positions;
mod read;
mod search;

use std::collections::BTreeMap;

use settlekit_core::value::{Amount, OrganisationId};

pub(super) use filter::{AmountRange, KindFilter, MovementFilter, Statuses};
pub(super) use read::Reader;
pub(super) use search::Search;

use positions::Positions;

use super::amount_rank::amount_rank;
use super::columns::get;
use super::filter_counts::segment::{FAN_OUT, LEVELS, SEGMENT_ROWS};
use super::sequence;
use super::sql::{Database, Row, StoreError, Value};
use super::statement::delete;

/// The name of the sequence of every movement list.
const SEQUENCE: &str = "movements";

/// A list of movements.
#[derive(Debug, Clone, Copy)]
pub(super) enum MovementList {
    /// Of all accounts of an organisation.
    All(OrganisationId),
    /// Of an account, or of a bundle, whose number is negated.
    One(i64),
}

/// How the rows of a list are read: `m` is the movement and `a` its account.
struct Source {
    from: &'static str,
    owner: &'static str,
    seq: &'static str,
}

impl MovementList {
    fn source(self) -> &'static Source {
        static ALL: Source = Source {
            from: "movements m JOIN accounts a ON a.id = m.account_id",
            owner: "m.org_id",
            seq: "m.seq",
        };
        static ONE: Source = Source {
            from: "movement_lists l JOIN movements m ON m.id = l.movement_id JOIN accounts a ON a.id = m.account_id",
            owner: "l.account_id",
            seq: "l.seq",
        };
        match self {
            Self::All(_) => &ALL,
            Self::One(_) => &ONE,
        }
    }

    pub(super) fn owner(self) -> Value<'static> {
        match self {
            Self::All(organisation) => organisation.into(),
            Self::One(number) => number.into(),
        }
    }

    /// The owner as the index names it.
    fn name(self) -> String {
        match self {
            Self::All(organisation) => organisation.to_string(),
            Self::One(number) => number.to_string(),
        }
    }
}

/// Indexes the segment that a new movement completes.
pub(super) fn added(
    database: &mut dyn Database,
    list: MovementList,
    seq: i64,
) -> Result<(), StoreError> {
    match (seq + 1) % SEGMENT_ROWS {
        0 => index_segment(database, list, seq / SEGMENT_ROWS),
        _ => Ok(()),
    }
}

/// Rebuilds the index of all lists of an organisation, after an import.
pub(super) fn rebuild_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const LISTS: &str = "SELECT id FROM accounts WHERE org_id = ?1 \
         UNION SELECT -bundle_id FROM accounts WHERE org_id = ?1 AND bundle_id IS NOT NULL";
    rebuild(database, MovementList::All(organisation))?;
    for row in database.query(LISTS, &[organisation.into()])? {
        rebuild(database, MovementList::One(row.int(0)?))?;
    }
    Ok(())
}

/// Rebuilds the index of a list whose rows were written in bulk.
pub(super) fn rebuild(database: &mut dyn Database, list: MovementList) -> Result<(), StoreError> {
    let name = list.name();
    delete!(database, "movement_counts" [owner: &name])?;
    delete!(database, "movement_positions" [owner: &name])?;
    let last = sequence::last(database, list.owner(), SEQUENCE)?;
    (0..(last + 1) / SEGMENT_ROWS).try_for_each(|segment| index_segment(database, list, segment))
}

fn index_segment(
    database: &mut dyn Database,
    list: MovementList,
    segment: i64,
) -> Result<(), StoreError> {
    const POSITIONS: &str = "INSERT INTO movement_positions (owner, segment, type, direction, currency, chain_id, row_count, lowest, highest, \
         positions, amounts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    const COUNT: &str = "INSERT INTO movement_counts (owner, level, segment, type, direction, currency, chain_id, row_count) \
         VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6, ?7)";
    const ABOVE: &str = "INSERT INTO movement_counts (owner, level, segment, type, direction, currency, chain_id, row_count) \
         SELECT owner, level + 1, segment / 16, type, direction, currency, chain_id, SUM(row_count) FROM movement_counts \
         WHERE owner = ?1 AND level = ?2 AND segment BETWEEN ?3 AND ?4 \
         GROUP BY owner, level + 1, segment / 16, type, direction, currency, chain_id";
    let Source { from, owner, seq } = list.source();
    let read = format!(
        "SELECT {seq}, m.type, m.direction, m.currency, COALESCE(a.chain_id, 0), m.amount, m.scale FROM {from} \
         WHERE {owner} = ?1 AND {seq} BETWEEN ?2 AND ?3 ORDER BY {seq}"
    );
    let first = segment * SEGMENT_ROWS;
    let last = first + SEGMENT_ROWS - 1;
    let rows = database.query(&read, &[list.owner(), first.into(), last.into()])?;
    let mut kinds: BTreeMap<(&str, &str, &str, i64), Positions> = BTreeMap::new();
    for row in &rows {
        let kind = (row.text(1)?, row.text(2)?, row.text(3)?, row.int(4)?);
        let rank = amount_rank(amount(row, 5)?);
        kinds
            .entry(kind)
            .or_default()
            .add(row.int(0)? - first, rank);
    }
    let name = list.name();
    for ((r#type, direction, currency, chain), positions) in &kinds {
        let kind: [Value<'_>; 7] = [
            (&name).into(),
            segment.into(),
            (*r#type).into(),
            (*direction).into(),
            (*currency).into(),
            (*chain).into(),
            positions.count.into(),
        ];
        database.execute(COUNT, &kind)?;
        let mut values = kind.to_vec();
        values.extend::<[Value<'_>; 4]>([
            (&positions.lowest).into(),
            (&positions.highest).into(),
            (&positions.encoded).into(),
            (&positions.amounts).into(),
        ]);
        database.execute(POSITIONS, &values)?;
    }
    let mut number = segment;
    for level in 1..LEVELS {
        if (number + 1) % FAN_OUT != 0 {
            break;
        }
        number /= FAN_OUT;
        let below = (number * FAN_OUT, number * FAN_OUT + FAN_OUT - 1);
        let given = [
            (&name).into(),
            (level - 1).into(),
            below.0.into(),
            below.1.into(),
        ];
        database.execute(ABOVE, &given)?;
    }
    Ok(())
}

/// The amount in a column, with its decimal places in the next one.
fn amount(row: &Row, column: usize) -> Result<Amount, StoreError> {
    Amount::from_units(get(row, column)?, get(row, column + 1)?)
        .map_err(|_| StoreError::Damaged("a movement's amount is malformed".into()))
}
