//! What is made up for of what servers of the version before wrote, and of rows from before a migration: such a server may go on
//! while a newer one has brought the database up to date, and knows nothing of what is kept besides since.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::sql::{Database, StoreError};
use super::{count, customer};

/// How many customers are taken in at a time.
const CUSTOMERS: u32 = 256;

/// How long a server of before 0017 must not have written anything to be taken as gone. Until then it is told what others count:
/// all pieces are looked at for that, so not with every round.
const GONE: Duration = Duration::from_secs(10 * 60);

/// How long it waits to be told again.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// Makes up for a little of it, if there is any.
pub(crate) fn make_up(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    // One question, since hardly ever there is anything.
    const ANY: &str = "SELECT EXISTS (SELECT 1 FROM uncounted), \
         EXISTS (SELECT 1 FROM customers WHERE taken_in IS DISTINCT FROM search), EXISTS (SELECT 1 FROM older_servers)";
    let rows = database.query(ANY, &[])?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    if row.int(0)? != 0 {
        count::take_over(database)?;
    }
    if row.int(1)? != 0 {
        customer::take_in(database, CUSTOMERS)?;
    }
    if row.int(2)? != 0 {
        tell(database, now)?;
    }
    Ok(())
}

/// Tells servers of before 0017 what newer ones count, while there are any, and notes when one was last heard of.
fn tell(database: &mut dyn Database, now: Timestamp) -> Result<(), StoreError> {
    const HEARD: &str = "UPDATE older_servers SET heard_at = ?1 WHERE heard_at IS NULL";
    const TOLD: &str =
        "UPDATE older_servers SET told_at = ?1 WHERE told_at IS NULL OR told_at <= ?2";
    const GONE_BY: &str = "DELETE FROM older_servers WHERE heard_at <= ?1";
    // What an older one changed and is not counted anew yet stays as that one counts it.
    const TELL: &str = "INSERT INTO counts (org_id, list, value, piece, held, settled) \
         SELECT org_id, list, value, piece, held, held FROM ( \
         SELECT org_id, 'events by type' AS list, type AS value, piece, SUM(held) AS held FROM counted \
         WHERE list = 'events' AND level = 0 GROUP BY org_id, type, piece \
         UNION ALL SELECT org_id, 'events by delivery_status', status, piece, SUM(held) FROM counted \
         WHERE list = 'events' AND level = 0 GROUP BY org_id, status, piece \
         UNION ALL SELECT org_id, 'payments by status', status, piece, SUM(held) FROM counted \
         WHERE list = 'payments' AND level = 0 GROUP BY org_id, status, piece) newer \
         WHERE NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.org_id = newer.org_id AND u.piece = newer.piece) \
         AND NOT EXISTS (SELECT 1 FROM counts c WHERE c.org_id = newer.org_id AND c.list = newer.list AND c.value = newer.value \
         AND c.piece = newer.piece AND c.held = newer.held) \
         ON CONFLICT (org_id, list, value, piece) DO UPDATE SET held = excluded.held, settled = excluded.settled";
    if database.execute(HEARD, &[now.micros().into()])? == 0 {
        database.execute(GONE_BY, &[now.minus(GONE).micros().into()])?;
    }
    let before = now.minus(TOLD_EVERY).micros();
    if database.execute(TOLD, &[now.micros().into(), before.into()])? > 0 {
        database.execute(TELL, &[])?;
    }
    Ok(())
}
