//! SQLite: one connection, to a file or memory.
//!
//! Longer than 400 lines: opening, statements, savepoints and errors share the private state of the connection.

mod database;

use std::cell::Cell as Flag;
use std::ffi::CStr;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement, ffi};

use crate::store::dialect::Dialect;
use crate::store::sql::{Cell, Row, StoreError, Value};
use crate::store::write_cache::{Unwritten, WriteCache};

/// The wait for another process's lock before [`StoreError::Busy`].
const PATIENCE: Duration = Duration::from_secs(5);

/// Prepared statements per connection; the service has fewer.
const PREPARED: usize = 512;

/// The writer's page cache in KiB; SQLite wants it negative. It holds the right edge of every index, so an insert reads nothing.
const CACHE: i64 = -16 * 1024;

/// Pages in the write-ahead log before a checkpoint, which syncs twice.
const LOG: i64 = 4_000;

/// A connection to SQLite.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    /// The transaction failed and `rollback` has not run yet: SQLite ended it (disk full, failed write), or it was optimistic and
    /// a savepoint that wrote was rolled back.
    lost: Flag<bool>,
    depth: u32,
    /// The transaction wrote something; in an optimistic one: since the latest savepoint.
    written: Flag<bool>,
    /// In an optimistic transaction: per savepoint, whether the transaction wrote before it. SQLite does not set these: while one
    /// is set, it copies every page before it writes it, a sixth of the cost of a request.
    savepoints: Option<Vec<bool>>,
    /// A read-only connection.
    reader: bool,
    /// A read transaction is open: writes are refused.
    reading: bool,
    cache: WriteCache,
}

impl Sqlite {
    /// Opens a file for reading and writing, and creates it if missing.
    ///
    /// WAL mode, so that readers and the writer do not block each other. `synchronous = FULL`: a commit is on disk before it
    /// returns.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let this = Self::set_up(
            Connection::open_with_flags(path, writing()).map_err(|error| unopened(path, error))?,
        )?;
        this.write_ahead()
    }

    /// As [`Sqlite::open`], on a VFS without shared memory: this is the only connection to the file.
    pub fn open_alone(path: &Path, vfs: &CStr) -> Result<Self, StoreError> {
        let this = Self::set_up(
            Connection::open_with_flags_and_vfs(path, writing(), vfs)
                .map_err(|error| unopened(path, error))?,
        )?;
        // Before the first read. The index of the log is then in the memory of this process.
        set_pragma(&this.connection, "locking_mode", "EXCLUSIVE")?;
        // The log holds whole pages, and the default of the wasm build is larger.
        set_pragma(&this.connection, "page_size", 4096)?;
        this.write_ahead()
    }

    fn write_ahead(self) -> Result<Self, StoreError> {
        if self.connection.is_readonly("main").map_err(failure)? {
            return Err(StoreError::ReadOnly);
        }
        set_pragma(&self.connection, "journal_mode", "WAL")?;
        set_pragma(&self.connection, "synchronous", "FULL")?;
        // Savepoints copy pages before they are written. A request writes more pages than SQLite buffers by itself: without this
        // it would create a file per request.
        set_pragma(&self.connection, "temp_store", "MEMORY")?;
        set_pragma(&self.connection, "cache_size", CACHE)?;
        set_pragma(&self.connection, "wal_autocheckpoint", LOG)?;
        Ok(self)
    }

    /// Opens an existing file for reading only.
    pub fn open_reader(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let this = Self::set_up(
            Connection::open_with_flags(path, flags).map_err(|error| unopened(path, error))?,
        )?;
        Ok(Self {
            reader: true,
            ..this
        })
    }

    /// Opens an in-memory database, which ends with the connection.
    pub fn in_memory() -> Result<Self, StoreError> {
        let connection = Connection::open_in_memory().map_err(failure)?;
        // The journal holds whole pages, and the default of the wasm build is larger.
        set_pragma(&connection, "page_size", 4096)?;
        let this = Self::set_up(connection)?;
        set_pragma(&this.connection, "journal_mode", "MEMORY")?;
        Ok(this)
    }

    /// The whole database as the bytes of a file. Not inside a transaction.
    pub fn serialize(&mut self) -> Result<Vec<u8>, StoreError> {
        Ok(self.connection.serialize("main").map_err(failure)?.to_vec())
    }

    /// An in-memory database from the bytes of [`Sqlite::serialize`].
    pub fn deserialize(image: &[u8]) -> Result<Self, StoreError> {
        let mut connection = Connection::open_in_memory().map_err(failure)?;
        let mut image = image.to_vec();
        // Bytes 18 and 19 of a file's image say WAL, but an in-memory database has no WAL.
        if let Some(versions) = image.get_mut(18..20) {
            versions.fill(1);
        }
        connection
            .deserialize_read_exact("main", image.as_slice(), image.len(), false)
            .map_err(failure)?;
        let this = Self::set_up(connection)?;
        this.connection
            .query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(()))
            .map_err(failure)?;
        Ok(this)
    }

    fn set_up(connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(PATIENCE).map_err(failure)?;
        // Not the default in the wasm build.
        set_pragma(&connection, "foreign_keys", true)?;
        // Query plans must not depend on bound values: SQLite would prepare the statement again for each.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(failure)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Ok(Self {
            connection,
            lost: Flag::new(false),
            depth: 0,
            written: Flag::new(false),
            savepoints: None,
            reader: false,
            reading: false,
            cache: WriteCache::default(),
        })
    }

    /// Runs a step of a transaction and detects when SQLite has ended the transaction.
    fn inside<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        if self.lost.get() {
            return Err(self.is_lost());
        }
        let open = !self.connection.is_autocommit();
        run(&self.connection).map_err(|error| {
            self.lost.set(open && self.connection.is_autocommit());
            failure(error)
        })
    }

    fn end_reading(&mut self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.reading) {
            set_pragma(&self.connection, "query_only", false)?;
        }
        Ok(())
    }

    fn note(&self, statement: &Statement<'_>) {
        if !statement.readonly() {
            self.written.set(true);
        }
    }
}

/// Flags to open a file for reading and writing, and to create it if missing.
fn writing() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn set_pragma(
    connection: &Connection,
    name: &str,
    value: impl rusqlite::ToSql,
) -> Result<(), StoreError> {
    connection.pragma_update(None, name, value).map_err(failure)
}

/// Runs a cached statement without values or rows.
fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

impl Sqlite {
    fn run(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        let sql = Dialect::Sqlite.statement(sql);
        let touched = self.inside(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            self.note(&statement);
            statement.execute(rusqlite::params_from_iter(values.iter().map(Given)))
        })?;
        Ok(touched as u64)
    }

    fn ask(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let sql = Dialect::Sqlite.statement(sql);
        self.inside(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            self.note(&statement);
            let columns = statement.column_count();
            let mut rows = statement.query(rusqlite::params_from_iter(values.iter().map(Given)))?;
            let mut out = Vec::new();
            while let Some(row) = rows.next()? {
                let mut cells = Vec::with_capacity(columns);
                for column in 0..columns {
                    match cell(column, row.get_ref(column)?) {
                        Ok(cell) => cells.push(cell),
                        Err(error) => return Ok(Err(error)),
                    }
                }
                out.push(Row::new(cells));
            }
            Ok(Ok(out))
        })?
    }

    fn write_kept(&self, rows: &[Unwritten]) -> Result<(), StoreError> {
        for (sql, cells) in rows {
            let values: Vec<Value<'_>> = cells.iter().map(Cell::value).collect();
            self.run(sql, &values)?;
        }
        Ok(())
    }

    /// Whether the transaction is optimistic and not lost: only then is the cache used.
    fn caches(&self) -> bool {
        self.savepoints.is_some() && !self.lost.get()
    }

    /// Writes the unwritten rows of the tables that a statement names, and evicts the cached rows of the table it writes.
    fn write_before(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.caches() {
            let statement = self.cache.statement(sql);
            let rows = self.cache.unwritten_for(statement);
            self.write_kept(&rows)?;
            self.cache.changes(statement);
        }
        Ok(())
    }

    /// Ends the savepoint or the transaction on this side.
    fn close(&mut self) -> Result<(), StoreError> {
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 {
            return Ok(());
        }
        self.lost.set(false);
        self.savepoints = None;
        self.end_reading()
    }
}

struct Given<'a>(&'a Value<'a>);

impl rusqlite::ToSql for Given<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Value::Int(value) => ToSqlOutput::Borrowed(ValueRef::Integer(*value)),
            Value::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Value::Id(id) => ToSqlOutput::Borrowed(ValueRef::Text(id.as_str().as_bytes())),
            Value::Amount(value) => ToSqlOutput::Owned(value.to_string().into()),
            Value::Blob(value) => ToSqlOutput::Borrowed(ValueRef::Blob(value)),
        })
    }
}

fn cell(column: usize, value: ValueRef<'_>) -> Result<Cell, StoreError> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Int(value),
        ValueRef::Text(value) => match std::str::from_utf8(value) {
            Ok(value) => Cell::Text(value.to_owned()),
            Err(_) => return Err(StoreError::Damaged(format!("column {column} is no UTF-8"))),
        },
        ValueRef::Blob(value) => Cell::Blob(value.to_vec()),
        // A SUM over amounts, which are TEXT here, would be a float: Rust adds them up instead.
        ValueRef::Real(_) => return Err(StoreError::Broken(format!("column {column} is a float"))),
    })
}

fn lost() -> StoreError {
    StoreError::Broken("the transaction is gone".to_owned())
}

/// Any failure to open a file, with the file's name.
fn unopened(path: &Path, error: rusqlite::Error) -> StoreError {
    match failure(error) {
        StoreError::Broken(text) | StoreError::Unreachable(text) => {
            let name = path.display().to_string();
            StoreError::Unreachable(if text.contains(&name) {
                text
            } else {
                format!("{text}: {name}")
            })
        }
        other => other,
    }
}

fn failure(error: rusqlite::Error) -> StoreError {
    let (code, text) = match &error {
        rusqlite::Error::SqliteFailure(code, Some(text)) => (code, text.clone()),
        rusqlite::Error::SqliteFailure(code, None) => (code, error.to_string()),
        rusqlite::Error::SqlInputError { error: code, .. } => (code, error.to_string()),
        _ => return StoreError::Broken(error.to_string()),
    };
    match code.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => StoreError::Busy,
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly,
        ErrorCode::DiskFull => StoreError::Full,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged(text),
        ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHORT_READ => {
            StoreError::Damaged(text)
        }
        ErrorCode::ConstraintViolation => StoreError::Constraint(text),
        ErrorCode::CannotOpen => StoreError::Unreachable(text),
        _ => StoreError::Broken(text),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::store::sql::{Access, Database};

    fn table(database: &mut Sqlite) {
        database
            .script("CREATE TABLE t (n INTEGER PRIMARY KEY, sum TEXT) STRICT")
            .expect("a table");
    }

    fn file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.db");
        (folder, path)
    }

    fn count(database: &mut Sqlite) -> i64 {
        database.query("SELECT COUNT(*) FROM t", &[]).expect("rows")[0]
            .int(0)
            .expect("a count")
    }

    #[test]
    fn a_file_is_written_ahead_and_fully_synced() {
        let (_folder, path) = file();
        let mut database = Sqlite::open(&path).expect("a database");
        let mut text = |sql: &str| database.query(sql, &[]).expect("an answer").remove(0);
        assert_eq!(text("PRAGMA journal_mode").text(0), Ok("wal"));
        assert_eq!(text("PRAGMA synchronous").int(0), Ok(2));
        assert_eq!(text("PRAGMA foreign_keys").int(0), Ok(1));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_without_shared_memory_is_written_ahead_and_opened_again() {
        let (folder, path) = file();
        {
            let mut database = Sqlite::open_alone(&path, c"unix").expect("a database");
            table(&mut database);
            let mut text = |sql: &str| database.query(sql, &[]).expect("an answer").remove(0);
            assert_eq!(text("PRAGMA journal_mode").text(0), Ok("wal"));
            assert_eq!(text("PRAGMA synchronous").int(0), Ok(2));
            assert_eq!(text("PRAGMA page_size").int(0), Ok(4096));
            database
                .execute("INSERT INTO t VALUES (1, ?1)", &[7i128.into()])
                .expect("a row");
            assert!(!folder.path().join("book.db-shm").exists());
        }
        let mut database = Sqlite::open_alone(&path, c"unix").expect("the same");
        assert_eq!(count(&mut database), 1);
    }

    #[test]
    fn an_image_of_a_file_opens_in_memory_and_can_be_written() {
        let (_folder, path) = file();
        let mut database = Sqlite::open(&path).expect("a database");
        table(&mut database);
        database
            .execute("INSERT INTO t VALUES (1, ?1)", &[7i128.into()])
            .expect("a row");
        let image = database.serialize().expect("an image");
        let mut copy = Sqlite::deserialize(&image).expect("a copy");
        copy.execute("INSERT INTO t VALUES (2, NULL)", &[])
            .expect("another row");
        assert_eq!((count(&mut copy), count(&mut database)), (2, 1));
        assert!(matches!(
            Sqlite::deserialize(&[7; 4096]),
            Err(StoreError::Damaged(_))
        ));
    }

    #[test]
    fn a_reader_refuses_to_write() {
        let (_folder, path) = file();
        table(&mut Sqlite::open(&path).expect("a database"));
        let mut reader = Sqlite::open_reader(&path).expect("a reader");
        assert_eq!(
            reader.execute("INSERT INTO t VALUES (1, NULL)", &[]),
            Err(StoreError::ReadOnly)
        );
        assert_eq!(count(&mut reader), 0);
    }

    #[test]
    fn a_file_that_is_no_database_is_damaged() {
        let (_folder, path) = file();
        std::fs::write(
            &path,
            "just a text, longer than the header of a database would be. ".repeat(20),
        )
        .expect("a file");
        assert!(matches!(Sqlite::open(&path), Err(StoreError::Damaged(_))));
    }

    #[test]
    fn a_folder_that_is_not_there_cannot_be_reached() {
        let error = Sqlite::open(Path::new("/nowhere/at/all.db")).expect_err("no folder");
        assert!(
            matches!(&error, StoreError::Unreachable(text) if text.contains("/nowhere/at/all.db")),
            "{error}"
        );
    }

    #[test]
    fn a_second_writer_is_told_busy() {
        let (_folder, path) = file();
        let mut first = Sqlite::open(&path).expect("a database");
        let mut second = Sqlite::open(&path).expect("the same");
        second
            .connection
            .busy_timeout(Duration::ZERO)
            .expect("no patience");
        first.begin(Access::Write).expect("the lock");
        assert_eq!(second.begin(Access::Write), Err(StoreError::Busy));
        first.commit().expect("the end");
        assert_eq!(second.begin(Access::Write), Ok(()));
    }

    #[test]
    fn a_transaction_lost_to_a_full_disk_takes_its_savepoints_along() {
        let mut database = Sqlite::in_memory().expect("memory");
        table(&mut database);
        database
            .query("PRAGMA max_page_count = 4", &[])
            .expect("a small disk");
        database.begin(Access::Write).expect("a transaction");
        database
            .execute("INSERT INTO t VALUES (1, NULL)", &[])
            .expect("room for one");
        database.begin(Access::Write).expect("a savepoint");
        let long = "x".repeat(100_000);
        assert_eq!(
            database.execute("INSERT INTO t VALUES (2, ?1)", &[long.as_str().into()]),
            Err(StoreError::Full)
        );
        if database.rollback().is_err() {
            assert!(
                database.begin(Access::Write).is_err(),
                "a savepoint without a transaction would begin one"
            );
            assert!(database.commit().is_err());
            assert_eq!(count(&mut database), 0);
        } else {
            database.commit().expect("what came before the savepoint");
            assert_eq!(count(&mut database), 1);
        }
        assert_eq!(database.depth(), 0);
        database
            .begin(Access::Write)
            .expect("the connection goes on");
    }

    #[test]
    fn an_optimistic_transaction_is_lost_only_when_a_savepoint_that_wrote_is_rolled_back() {
        let (_folder, path) = file();
        let mut database = Sqlite::open(&path).expect("a database");
        table(&mut database);
        let insert = |database: &mut Sqlite, n: i64| {
            database.execute("INSERT INTO t VALUES (?1, NULL)", &[n.into()])
        };
        database.begin(Access::Optimistic).expect("a transaction");
        database.begin(Access::Write).expect("a savepoint");
        insert(&mut database, 1).expect("a row");
        database.begin(Access::Write).expect("a savepoint within");
        assert_eq!(count(&mut database), 1);
        assert_eq!(database.rollback(), Ok(()));
        database.commit().expect("the first");
        database.commit().expect("the row");
        assert_eq!((count(&mut database), database.depth()), (1, 0));

        database.begin(Access::Optimistic).expect("another");
        insert(&mut database, 2).expect("a row before the savepoint");
        database.begin(Access::Write).expect("a savepoint");
        database.begin(Access::Write).expect("a savepoint within");
        insert(&mut database, 3).expect("a row");
        database.commit().expect("the one within");
        let conflict = StoreError::Conflict;
        assert_eq!(
            database.rollback().as_ref(),
            Err(&conflict),
            "what was written within is written after the first as well"
        );
        assert_eq!(insert(&mut database, 4).as_ref(), Err(&conflict));
        assert_eq!(database.begin(Access::Write).as_ref(), Err(&conflict));
        assert_eq!(database.commit(), Err(conflict));
        assert_eq!((count(&mut database), database.depth()), (1, 0));
        database.begin(Access::Write).expect("not optimistic");
        database.begin(Access::Write).expect("a savepoint");
        insert(&mut database, 5).expect("a row");
        database.rollback().expect("undone");
        database.commit().expect("nothing");
        assert_eq!(count(&mut database), 1);
    }

    #[test]
    fn a_float_never_comes_out() {
        let mut database = Sqlite::in_memory().expect("memory");
        table(&mut database);
        database
            .execute("INSERT INTO t VALUES (1, ?1)", &[10i128.pow(30).into()])
            .expect("a row");
        let error = database
            .query("SELECT SUM(sum) FROM t", &[])
            .expect_err("a float");
        assert!(
            matches!(&error, StoreError::Broken(text) if text.contains("float")),
            "{error}"
        );
    }
}
