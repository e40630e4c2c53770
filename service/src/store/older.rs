//! What is made up for of what servers of the version before wrote, and of rows from before a migration: such a server may go on
//! while a newer one has brought the database up to date, and knows nothing of what is kept besides since.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::count::{Counted, EVENTS, PAYMENTS};
use super::customer;
use super::piece::PIECE;
use super::sql::{Database, StoreError, Value};

/// How many customers are taken in at a time.
const CUSTOMERS: u32 = 256;

/// How many pieces in which such a server changed something are counted anew at a time.
const ANEW_MAX: u32 = 16;

/// How long an older server must not have written anything to be taken as gone. Until then it is told what others count:
/// all pieces are looked at for that, so not with every round.
const GONE: Duration = Duration::from_secs(10 * 60);

/// How long it waits to be told again.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// Where a server of before 0012 counted events since it was last looked at; newer ones do not count there.
macro_rules! untold {
    () => {
        "told IS DISTINCT FROM tally AND name >= 'event ' AND name < 'event!'"
    };
}

/// Makes up for a little of it, if there is any.
pub(crate) fn make_up(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    // One question, since hardly ever there is anything.
    const ANY: &str = concat!(
        "SELECT EXISTS (SELECT 1 FROM tallies WHERE ",
        untold!(),
        "), EXISTS (SELECT 1 FROM uncounted), \
         EXISTS (SELECT 1 FROM customers WHERE taken_in IS DISTINCT FROM search), EXISTS (SELECT 1 FROM older_servers)"
    );
    let rows = database.query(ANY, &[])?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    let is_untold = row.int(0)? != 0;
    if is_untold {
        look_at_tallies(database)?;
    }
    if is_untold || row.int(1)? != 0 {
        take_over(database)?;
    }
    if row.int(2)? != 0 {
        customer::take_in(database, CUSTOMERS)?;
    }
    if is_untold || row.int(3)? != 0 {
        tell(database, now)?;
    }
    Ok(())
}

/// Has all events and payments counted anew of organisations in which a server of before 0012 changed something: where, it does
/// not say. What it changes while they are is looked at afterwards.
fn look_at_tallies(database: &mut dyn Database) -> Result<(), StoreError> {
    const WHOSE: &str = concat!(
        "SELECT DISTINCT org_id FROM tallies t WHERE ",
        untold!(),
        " AND NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.org_id = t.org_id)"
    );
    const LOOKED_AT: &str = "UPDATE tallies SET told = tally WHERE org_id = ?1";
    const HEARD: &str =
        "INSERT INTO older_servers (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET heard_at = NULL";
    let all = format!(
        "INSERT INTO uncounted (org_id, list, piece) \
         WITH RECURSIVE pieces (owner, kind, piece, last) AS (SELECT owner, kind, CAST(0 AS BIGINT), last_seq / {PIECE} FROM sequences \
         WHERE owner = ?1 AND kind IN ('{}', '{}') UNION ALL SELECT owner, kind, piece + 1, last FROM pieces WHERE piece < last) \
         SELECT owner, kind, piece FROM pieces",
        EVENTS.table, PAYMENTS.table
    );
    for row in &database.query(WHOSE, &[])? {
        let owner = [row.text(0)?.into()];
        database.execute(&all, &owner)?;
        database.execute(LOOKED_AT, &owner)?;
        database.execute(HEARD, &[])?;
    }
    Ok(())
}

/// Tells older servers what newer ones count, while there are any, and notes when one was last heard of.
fn tell(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const HEARD: &str = "UPDATE older_servers SET heard_at = ?1 WHERE heard_at IS NULL";
    const TOLD: &str =
        "UPDATE older_servers SET told_at = ?1 WHERE told_at IS NULL OR told_at <= ?2";
    const GONE_BY: &str = "DELETE FROM older_servers WHERE heard_at <= ?1";
    if database.execute(HEARD, &[now.micros().into()])? == 0 {
        database.execute(GONE_BY, &[now.minus(GONE).micros().into()])?;
    }
    let before = now.minus(TOLD_EVERY).micros();
    if database.execute(TOLD, &[now.micros().into(), before.into()])? > 0 {
        for list in [&EVENTS, &PAYMENTS] {
            tell_counts(list, database, None)?;
            tell_tallies(list, database)?;
        }
    }
    Ok(())
}

/// Writes how many rows are what where servers of before 0012 look, of organisations in which they changed nothing that has yet to
/// be looked at or counted anew.
fn tell_tallies(list: &Counted, database: &mut dyn Database) -> Result<(), StoreError> {
    const TELL: &str = concat!(
        "INSERT INTO tallies (org_id, name, tally, told) SELECT org_id, name, held, held FROM ( \
         SELECT org_id, name, SUM(held) AS held FROM ( \
         SELECT org_id, ?2 || status AS name, held FROM counted WHERE list = ?1 AND level = 0 \
         UNION ALL SELECT org_id, name, 0 FROM tallies WHERE name LIKE ?2 || '%') kinds GROUP BY org_id, name) newer \
         WHERE NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.org_id = newer.org_id) \
         AND NOT EXISTS (SELECT 1 FROM tallies t WHERE t.org_id = newer.org_id AND ",
        untold!(),
        ") AND NOT EXISTS (SELECT 1 FROM tallies o WHERE o.org_id = newer.org_id AND o.name = newer.name AND o.tally = newer.held) \
         ON CONFLICT (org_id, name) DO UPDATE SET tally = excluded.tally, told = excluded.told"
    );
    // `event ` and `payment `: what a row of the list is called.
    let name = format!("{} ", list.table.trim_end_matches('s'));
    database.execute(TELL, &[list.table.into(), (&name).into()])?;
    Ok(())
}

/// Counts a few of the pieces anew in which such servers changed something, for them as well.
fn take_over(database: &mut dyn Database) -> Result<(), StoreError> {
    const DONE: &str = "DELETE FROM uncounted WHERE org_id = ?1 AND list = ?2 AND piece = ?3";
    let uncounted = format!("SELECT org_id, list, piece FROM uncounted LIMIT {ANEW_MAX}");
    for row in &database.query(&uncounted, &[])? {
        let (owner, table, piece) = (row.text(0)?, row.text(1)?, row.int(2)?);
        let list = [&EVENTS, &PAYMENTS][usize::from(table == PAYMENTS.table)];
        database.execute(DONE, &[owner.into(), table.into(), piece.into()])?;
        list.count_anew(database, owner, (piece, piece))?;
        tell_counts(list, database, Some((owner, piece)))?;
    }
    Ok(())
}

/// Writes how many rows are what where servers of an earlier version look: of a piece that was counted anew, or of all that
/// are not to be counted anew. What such a server changed there stays as it counts it until then.
fn tell_counts(
    list: &Counted,
    database: &mut dyn Database,
    anew: Option<(&str, i64)>,
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM counts WHERE list = ?1 AND org_id = ?2 AND piece = ?3";
    let within = match anew {
        Some(_) => "c.org_id = ?3 AND c.piece = ?4",
        None => {
            "NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.org_id = c.org_id AND u.list = c.list AND u.piece = c.piece)"
        }
    };
    for (name, column) in list.older {
        let mut given: Vec<Value<'_>> = vec![(*name).into(), list.table.into()];
        if let Some((owner, piece)) = anew {
            given.extend::<[Value<'_>; 2]>([owner.into(), piece.into()]);
            // What nothing is any more has no count to be written over.
            database.execute(FORGET, &[given[0], given[2], given[3]])?;
        }
        let tell = format!(
            "INSERT INTO counts (org_id, list, value, piece, held, settled) SELECT org_id, ?1, value, piece, held, held FROM ( \
             SELECT c.org_id, c.{column} AS value, c.piece, SUM(c.held) AS held FROM counted c \
             WHERE c.list = ?2 AND c.level = 0 AND {within} GROUP BY c.org_id, c.{column}, c.piece) newer \
             WHERE NOT EXISTS (SELECT 1 FROM counts o WHERE o.org_id = newer.org_id AND o.list = ?1 AND o.value = newer.value \
             AND o.piece = newer.piece AND o.held = newer.held) \
             ON CONFLICT (org_id, list, value, piece) DO UPDATE SET held = excluded.held, settled = excluded.settled"
        );
        database.execute(&tell, &given)?;
    }
    Ok(())
}
