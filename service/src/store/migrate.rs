//! The history of the schema, one for all databases, and the walk through it.
//!
//! A migration that has left this repository is never edited: a change is a new file.

use super::sql::{Access, Database, StoreError};

/// One step: its number is its place in the history, counted from 1.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The file's name without its ending.
    pub name: &'static str,
    /// Its text, with the words of `dialect` in braces.
    pub sql: &'static str,
}

macro_rules! history {
    ($($name:literal),* $(,)?) => {
        &[$(Migration { name: $name, sql: include_str!(concat!("../../migrations/", $name, ".sql")) }),*]
    };
}

/// Every step there is, in order.
pub const HISTORY: &[Migration] = history![
    "0001_ground",
    "0002_accounts",
    "0003_payouts",
    "0004_subscriptions",
    "0005_replays",
    "0006_automations",
    "0007_trading",
    "0008_fees_and_suspension",
    "0009_find",
    "0010_lines",
    "0011_sub_merchants",
    "0012_counts",
    "0013_members",
    "0014_open_quotes",
    "0015_failed_movements",
    "0016_fewer_indexes",
    "0017_counts_and_trigrams",
    "0018_fewer_checks",
    "0019_counts_of_older_servers",
    "0020_customers_by_email",
    "0021_bundles",
    "0022_counts_by_triggers",
    "0023_rows_of_older_servers",
    "0024_counts_of_imports",
    "0025_movements_of_all_accounts",
    "0026_events_of_any_record",
    "0027_events_of_the_organisation_itself",
    "0028_counts_of_movements",
    "0029_find_older_addresses",
    "0030_payments_of_customers_and_links",
    "0033_transfers_of_transactions",
    "0034_watched_wallets",
    "0031_rotated_signing_secrets",
    "0035_password_failures",
    "0037_held_stock",
];

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL) {STRICT}";
const FOUND: &str = "SELECT COALESCE(MAX(version), 0) FROM schema_version";
const APPLIED: &str = "INSERT INTO schema_version (version, name) VALUES (?1, ?2)";

/// Brings the database to the latest version. Returns how many steps were taken.
///
/// Each step is one transaction: a failed one leaves the database at the version before it.
pub fn migrate(database: &mut dyn Database) -> Result<u32, StoreError> {
    walk(database, HISTORY)
}

/// As [`migrate`], to an earlier version and no further: what a server of that version left.
pub fn migrate_to(database: &mut dyn Database, version: u32) -> Result<u32, StoreError> {
    walk(database, HISTORY.get(..version as usize).unwrap_or(HISTORY))
}

/// The version a database has, 0 when it is empty; [`StoreError::Newer`] when this program is too old for it.
/// Writes nothing.
pub fn version(database: &mut dyn Database) -> Result<u32, StoreError> {
    version_in(database, HISTORY)
}

/// As [`migrate`], along a history that may end before [`HISTORY`] does.
pub fn walk(database: &mut dyn Database, history: &[Migration]) -> Result<u32, StoreError> {
    // Nothing to do is the usual case, and must not need the right to write.
    if version_in(database, history)? as usize == history.len() {
        return Ok(0);
    }
    let Some((lock, unlock)) = database.dialect().migration_lock() else {
        return steps(database, history);
    };
    database.query(lock, &[])?;
    let taken = steps(database, history);
    let unlocked = database.query(unlock, &[]);
    let taken = taken?;
    unlocked?;
    Ok(taken)
}

fn version_in(database: &mut dyn Database, history: &[Migration]) -> Result<u32, StoreError> {
    let begun = first_int(&database.query(database.dialect().has_versions(), &[])?)? > 0;
    if !begun {
        return Ok(0);
    }
    known(first_int(&database.query(FOUND, &[])?)?, history)
}

fn steps(database: &mut dyn Database, history: &[Migration]) -> Result<u32, StoreError> {
    let mut taken = 0;
    loop {
        database.begin(Access::Write)?;
        match step(database, history) {
            Ok(true) => {
                database.commit()?;
                taken += 1;
            }
            Ok(false) => {
                database.rollback()?;
                return Ok(taken);
            }
            Err(error) => {
                database.rollback()?;
                return Err(error);
            }
        }
    }
}

/// Lets each statement of the transaction that is open take as long as it takes.
pub(crate) fn unhurried(database: &mut dyn Database) -> Result<(), StoreError> {
    match database.dialect().unhurried() {
        Some(sql) => database.script(sql),
        None => Ok(()),
    }
}

/// Takes the next step, if there is one.
fn step(database: &mut dyn Database, history: &[Migration]) -> Result<bool, StoreError> {
    let dialect = database.dialect();
    // Whole tables are gone through here: what is a defect elsewhere takes the time it takes.
    unhurried(database)?;
    database.script(&dialect.migration(VERSIONS))?;
    let found = first_int(&database.query(FOUND, &[])?)?;
    let found = known(found, history)?;
    let Some(next) = history.get(found as usize) else {
        return Ok(false);
    };
    database
        .script(&dialect.migration(next.sql))
        .map_err(|error| match error {
            StoreError::Broken(text) => {
                StoreError::Broken(format!("migration {}: {text}", next.name))
            }
            other => other,
        })?;
    database.execute(APPLIED, &[(found + 1).into(), next.name.into()])?;
    Ok(true)
}

fn known(found: i64, history: &[Migration]) -> Result<u32, StoreError> {
    let known = history.len() as u32;
    match u32::try_from(found) {
        Ok(found) if found <= known => Ok(found),
        Ok(found) => Err(StoreError::Newer { found, known }),
        Err(_) => Err(StoreError::Damaged(format!("its version is {found}"))),
    }
}

fn first_int(rows: &[super::sql::Row]) -> Result<i64, StoreError> {
    rows.first()
        .ok_or_else(|| StoreError::Broken("no row".to_owned()))?
        .int(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::Sqlite;

    const FIRST: Migration = Migration {
        name: "0001_first",
        sql: "CREATE TABLE a (n BIGINT NOT NULL) {STRICT};",
    };
    const SECOND: Migration = Migration {
        name: "0002_second",
        sql: "CREATE TABLE b (n BIGINT NOT NULL) {STRICT}; INSERT INTO b VALUES (1);",
    };
    const BROKEN: Migration = Migration {
        name: "0002_broken",
        sql: "CREATE TABLE b (n BIGINT); INSERT INTO c VALUES (1);",
    };

    fn empty() -> Sqlite {
        Sqlite::in_memory().expect("memory")
    }

    #[test]
    fn the_whole_history_applies_to_an_empty_database_once() {
        let mut database = empty();
        assert_eq!(version(&mut database), Ok(0));
        assert_eq!(migrate(&mut database), Ok(HISTORY.len() as u32));
        assert_eq!(migrate(&mut database), Ok(0));
        assert_eq!(version(&mut database), Ok(HISTORY.len() as u32));
    }

    #[test]
    fn only_the_missing_steps_are_taken() {
        let mut database = empty();
        assert_eq!(walk(&mut database, &[FIRST]), Ok(1));
        assert_eq!(walk(&mut database, &[FIRST, SECOND]), Ok(1));
        let rows = database.query("SELECT n FROM b", &[]).expect("b is there");
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before_it() {
        let mut database = empty();
        let error = walk(&mut database, &[FIRST, BROKEN]).expect_err("c is not there");
        assert!(
            matches!(&error, StoreError::Broken(text) if text.contains("0002_broken")),
            "{error}"
        );
        assert_eq!(version_in(&mut database, &[FIRST]), Ok(1));
        assert!(
            database.query("SELECT n FROM b", &[]).is_err(),
            "half a step stayed"
        );
        assert_eq!(walk(&mut database, &[FIRST, SECOND]), Ok(1));
    }

    #[test]
    fn a_newer_database_is_refused_untouched() {
        let mut database = empty();
        assert_eq!(walk(&mut database, &[FIRST, SECOND]), Ok(2));
        assert_eq!(
            walk(&mut database, &[FIRST]),
            Err(StoreError::Newer { found: 2, known: 1 })
        );
    }

    #[test]
    fn rows_from_before_the_counts_of_0017_are_counted_at_every_level() {
        const ROWS: &str = "INSERT INTO organisations (id, otc, signing_secret, record, created_at, updated_at) VALUES ('org_a', 0, x'', '{}', 0, 0);
            INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES ('org_a', 'events', 70000, 0);
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 70000)
            INSERT INTO events (id, org_id, seq, type, action, data, delivery_status, attempts, webhook_sent_at, created_at, updated_at)
            SELECT 'evt_' || n, 'org_a', n, 'Payment', 'Created', '{}', CASE n % 7 WHEN 0 THEN 'failed' ELSE 'pending' END, 0,
                CASE n % 7 WHEN 0 THEN n END, n, n FROM n;
            INSERT INTO counts (org_id, list, value, piece, held) VALUES ('org_a', 'payments by status', 'Confirmed', 0, 5);";
        let mut database = empty();
        assert_eq!(walk(&mut database, &HISTORY[..16]), Ok(16));
        database.script(ROWS).expect("rows");
        migrate(&mut database).expect("the rest");
        let mut told = |sql: &str| -> Vec<String> {
            let rows = database.query(sql, &[]).expect("rows");
            let told = |row: &crate::store::sql::Row| {
                format!(
                    "{} {}: {}",
                    row.text(0).expect("a text"),
                    row.int(1).expect("a number"),
                    row.int(2).expect("a number")
                )
            };
            rows.iter().map(told).collect()
        };
        assert_eq!(
            told(
                "SELECT status, level, SUM(held) FROM counted GROUP BY list, status, level ORDER BY list, status, level"
            ),
            [
                "failed 0: 10000",
                "failed 1: 9362",
                "pending 0: 60000",
                "pending 1: 56173",
                "Confirmed 0: 5",
            ]
        );
        let pieces = "SELECT list, MIN(piece), COUNT(*) FROM uncounted GROUP BY list ORDER BY list";
        assert_eq!(
            told(pieces),
            ["events 0: 18", "payments 0: 1"],
            "all are counted anew"
        );
        let sent = "SELECT status, sent, SUM(held) FROM counted WHERE list = 'events' AND level = 1 GROUP BY status, sent";
        assert_eq!(told(sent), ["failed 1: 9362", "pending 0: 56173"]);
    }
}
