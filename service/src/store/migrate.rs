//! The migrations of the schema, the same for all databases.
//!
//! A released migration is never edited: a change is a new file.

use super::sql::{Access, Database, StoreError, transaction};

/// A migration; its version is its position in the history, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The file name without extension.
    pub name: &'static str,
    /// SQL with the placeholders of `dialect` in braces.
    pub sql: &'static str,
}

macro_rules! history {
    ($($name:literal),* $(,)?) => {
        &[$(Migration { name: $name, sql: include_str!(concat!("../../migrations/", $name, ".sql")) }),*]
    };
}

/// All migrations in order.
pub const HISTORY: &[Migration] = history!["0001_baseline"];

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL) {STRICT}";
const FOUND: &str = "SELECT COALESCE(MAX(version), 0) FROM schema_version";
const APPLIED: &str = "INSERT INTO schema_version (version, name) VALUES (?1, ?2)";

/// Migrates to the latest version and returns the count of migrations run.
///
/// Each runs in its own transaction: a failed one leaves the database at the version before.
pub fn migrate(database: &mut dyn Database) -> Result<u32, StoreError> {
    walk(database, HISTORY)
}

/// The schema version, 0 for an empty database; [`StoreError::Newer`] if this program is too old. Writes nothing.
pub fn version(database: &mut dyn Database) -> Result<u32, StoreError> {
    version_in(database, HISTORY)
}

/// As [`migrate`], with a history that may end before [`HISTORY`].
pub fn walk(database: &mut dyn Database, history: &[Migration]) -> Result<u32, StoreError> {
    // Usually nothing is to do, which must not need write access.
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
    while transaction(database, Access::Write, |database| step(database, history))? {
        taken += 1;
    }
    Ok(taken)
}

/// Lifts the statement timeout for the open transaction.
pub(crate) fn lift_statement_timeout(database: &mut dyn Database) -> Result<(), StoreError> {
    match database.dialect().statement_timeout_lift() {
        Some(sql) => database.script(sql),
        None => Ok(()),
    }
}

/// Runs the next migration, if any.
fn step(database: &mut dyn Database, history: &[Migration]) -> Result<bool, StoreError> {
    let dialect = database.dialect();
    // A migration may rewrite whole tables: no statement timeout.
    lift_statement_timeout(database)?;
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
}
