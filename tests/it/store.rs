//! The store on every database: the same statements, answers and errors.

use std::path::PathBuf;

use settlekit_service::store::migrate::{self, HISTORY, Migration};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sql::{
    Access, Database, LARGEST_AMOUNT, StoreError, Value, roll_back_to,
};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_tests::{database, postgres};

/// A database for any number of connections.
enum Place {
    Sqlite { folder: tempfile::TempDir },
    Postgres { address: String },
}

impl Place {
    fn open(&self) -> Box<dyn Database> {
        match self {
            Self::Sqlite { folder } => Box::new(Sqlite::open(&file(folder)).expect("a file")),
            Self::Postgres { address } => Box::new(Postgres::open(address).expect("a connection")),
        }
    }

    fn is_sqlite(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }
}

fn file(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("book.db")
}

/// Runs a test on an empty database of each kind, with a table `t`.
fn check(test: impl Fn(&Place, &mut dyn Database)) {
    let sqlite = Place::Sqlite {
        folder: tempfile::tempdir().expect("a folder"),
    };
    let postgres = Place::Postgres {
        address: postgres::database(),
    };
    for place in [sqlite, postgres] {
        let mut database = place.open();
        let table = match place.is_sqlite() {
            true => {
                "CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY, n INTEGER, sum TEXT, seal BLOB) STRICT"
            }
            false => {
                "CREATE TABLE t (id TEXT COLLATE \"C\" NOT NULL PRIMARY KEY, n BIGINT, sum NUMERIC(38,0), seal BYTEA)"
            }
        };
        database.script(table).expect("a table");
        test(&place, database.as_mut());
    }
}

const INSERT: &str = "INSERT INTO t (id, n, sum, seal) VALUES (?1, ?2, ?3, ?4)";

fn insert(database: &mut dyn Database, id: &str) -> Result<u64, StoreError> {
    database.execute(INSERT, &[id.into(), 0.into(), 0i128.into(), Value::Null])
}

fn ids(database: &mut dyn Database) -> Vec<String> {
    let rows = database
        .query("SELECT id FROM t ORDER BY id", &[])
        .expect("rows");
    rows.iter()
        .map(|row| row.text(0).expect("an id").to_owned())
        .collect()
}

#[test]
fn values_survive_a_round_trip() {
    check(|_, database| {
        let bytes = [0u8, 255, 10];
        let cases: [(&str, i64, i128, &[u8]); 3] = [
            ("plain", i64::MAX, LARGEST_AMOUNT, &bytes),
            (
                "it's \"ünïcode\" ?1 $1 \\ \n",
                i64::MIN,
                -LARGEST_AMOUNT,
                &[],
            ),
            ("", 0, 0, &[0]),
        ];
        for (id, n, sum, seal) in cases {
            assert_eq!(
                database.execute(INSERT, &[id.into(), n.into(), sum.into(), seal.into()]),
                Ok(1)
            );
            let rows = database
                .query("SELECT id, n, sum, seal FROM t WHERE id = ?1", &[id.into()])
                .expect("the row");
            let [row] = rows.as_slice() else {
                panic!("{} rows", rows.len())
            };
            assert_eq!(
                (row.text(0), row.int(1), row.amount(2), row.blob(3)),
                (Ok(id), Ok(n), Ok(sum), Ok(seal))
            );
        }
    });
}

#[test]
fn null_fits_every_type() {
    check(|_, database| {
        database
            .execute(INSERT, &["a".into(), Value::Null, Value::Null, Value::Null])
            .expect("a row");
        let rows = database
            .query("SELECT n, sum, seal FROM t WHERE n IS NULL", &[])
            .expect("the row");
        let row = &rows[0];
        assert_eq!(
            (row.maybe_int(0), row.maybe_amount(1), row.maybe_blob(2)),
            (Ok(None), Ok(None), Ok(None))
        );
        assert!(row.int(0).is_err());
    });
}

#[test]
fn an_amount_past_38_digits_is_refused() {
    check(|_, database| {
        for sum in [
            LARGEST_AMOUNT + 1,
            -LARGEST_AMOUNT - 1,
            i128::MAX,
            i128::MIN,
        ] {
            let refused =
                database.execute(INSERT, &["a".into(), 0.into(), sum.into(), Value::Null]);
            assert!(
                matches!(refused, Err(StoreError::Broken(_))),
                "{sum}: {refused:?}"
            );
        }
        assert_eq!(ids(database), Vec::<String>::new());
    });
}

#[test]
fn the_same_text_upserts_returns_counts_and_limits() {
    check(|_, database| {
        let upsert = "INSERT INTO t (id, n) VALUES (?1, ?2) \
            ON CONFLICT (id) DO UPDATE SET n = t.n + excluded.n RETURNING n, (SELECT COUNT(*) FROM t), n > 5";
        for (given, after) in [(2, 2), (5, 7)] {
            let rows = database
                .query(upsert, &["a".into(), given.into()])
                .expect("the row");
            assert_eq!(
                (rows[0].int(0), rows[0].int(2)),
                (Ok(after), Ok(i64::from(after > 5)))
            );
        }
        insert(database, "b").expect("a row");
        let rows = database
            .query(
                "SELECT id FROM t WHERE n >= ?1 ORDER BY id DESC LIMIT ?2",
                &[0.into(), 1.into()],
            )
            .expect("one row");
        assert_eq!((rows.len(), rows[0].text(0)), (1, Ok("b")));
        let rows = database
            .query("SELECT COUNT(*), SUM(n), MAX(sum) FROM t", &[])
            .expect("figures");
        assert_eq!(
            (rows[0].int(0), rows[0].int(1), rows[0].amount(2)),
            (Ok(2), Ok(7), Ok(0))
        );
        assert_eq!(database.execute("UPDATE t SET n = ?1", &[1.into()]), Ok(2));
    });
}

#[test]
fn ids_are_ordered_byte_by_byte() {
    check(|_, database| {
        for id in ["b", "B", "a", "Z", "_", "ä", "10", "9"] {
            insert(database, id).expect("a row");
        }
        assert_eq!(ids(database), ["10", "9", "B", "Z", "_", "a", "b", "ä"]);
    });
}

#[test]
fn commits_persist_and_rollbacks_do_not() {
    check(|place, database| {
        database.begin(Access::Write).expect("a transaction");
        insert(database, "kept").expect("a row");
        database.commit().expect("the end");
        database.begin(Access::Write).expect("a transaction");
        insert(database, "gone").expect("a row");
        database.rollback().expect("undone");
        database.rollback().expect("nothing to undo is fine");
        assert_eq!(ids(place.open().as_mut()), ["kept"]);
    });
}

#[test]
fn a_read_transaction_cannot_write() {
    check(|_, database| {
        for end in [true, false] {
            database.begin(Access::Read).expect("a transaction");
            assert_eq!(insert(database, "a"), Err(StoreError::ReadOnly));
            if end {
                database.rollback().expect("the end")
            } else {
                drop(database.commit())
            }
            database.begin(Access::Write).expect("a transaction");
            insert(database, if end { "b" } else { "c" }).expect("a row");
            database.commit().expect("the end");
        }
        assert_eq!(ids(database), ["b", "c"]);
    });
}

#[test]
fn a_read_transaction_sees_a_snapshot() {
    check(|place, database| {
        let mut reader = place.open();
        insert(database, "a").expect("a row");
        reader.begin(Access::Read).expect("a transaction");
        assert_eq!(ids(reader.as_mut()), ["a"]);
        insert(database, "b").expect("another row");
        assert_eq!(ids(reader.as_mut()), ["a"]);
        reader.commit().expect("the end");
        assert_eq!(ids(reader.as_mut()), ["a", "b"]);
    });
}

#[test]
fn a_failed_statement_rolls_back_to_its_savepoint() {
    check(|_, database| {
        database.begin(Access::Write).expect("a transaction");
        insert(database, "a").expect("a row");
        database.begin(Access::Write).expect("a savepoint");
        insert(database, "b").expect("a row");
        assert!(matches!(
            insert(database, "a"),
            Err(StoreError::Constraint(_))
        ));
        database.rollback().expect("back at the savepoint");
        database.begin(Access::Write).expect("a savepoint");
        insert(database, "c").expect("a row");
        database.commit().expect("kept");
        database.commit().expect("the end");
        assert_eq!(ids(database), ["a", "c"]);
    });
}

#[test]
fn buffered_writes_are_readable_and_can_be_rolled_back() {
    const WRITE: &str = "INSERT INTO t (id, n) VALUES (?1, ?2)";
    check(|_, database| {
        let write =
            |database: &mut dyn Database, id: &str| database.write(WRITE, &[id.into(), 7.into()]);
        database.begin(Access::Write).expect("a transaction");
        write(database, "a").expect("written");
        assert_eq!(ids(database), ["a"]);
        write(database, "b").expect("written");
        database.begin(Access::Write).expect("a savepoint");
        write(database, "undone").expect("written");
        database.rollback().expect("undone");
        write(database, "it's a \\ 'c'; --").expect("written");
        database.commit().expect("the end");
        let kept = ["a", "b", "it's a \\ 'c'; --"];
        assert_eq!(ids(database), kept);

        // A constraint violation is reported before the savepoint or the transaction ends.
        database.begin(Access::Write).expect("a transaction");
        database.begin(Access::Write).expect("a savepoint");
        let twice = write(database, "a");
        assert!(matches!(twice, Err(StoreError::Constraint(_))), "{twice:?}");
        database.rollback().expect("the rest goes on");
        let twice = write(database, "a");
        assert!(matches!(twice, Err(StoreError::Constraint(_))), "{twice:?}");
        database.rollback().expect("undone");
        assert_eq!(database.depth(), 0);
        assert_eq!(ids(database), kept);

        write(database, "z").expect("at once, outside a transaction");
        assert_eq!(ids(database).len(), 4);
    });
}

#[test]
fn an_optimistic_transaction_is_atomic() {
    const WRITE: &str = "INSERT INTO t (id, n) VALUES (?1, ?2)";
    const CHANGE: &str = "UPDATE t SET n = n + ?2 WHERE id >= ?1";
    check(|_, database| {
        let write = |database: &mut dyn Database, id: &str| {
            database
                .write(WRITE, &[id.into(), 1.into()])
                .expect("written");
        };
        let sum = |database: &mut dyn Database| {
            let rows = database.query("SELECT SUM(n) FROM t", &[]).expect("a row");
            rows[0].int(0).expect("a sum")
        };
        database.begin(Access::Optimistic).expect("a transaction");
        database.begin(Access::Write).expect("a savepoint");
        write(database, "it's \"a\\, NULL}'; --");
        write(database, "b");
        database
            .write(CHANGE, &["a".into(), 10.into()])
            .expect("written");
        write(database, "c");
        database
            .write(CHANGE, &["c".into(), 100.into()])
            .expect("written");
        write(database, "d");
        assert_eq!(sum(database), 111 + 11 + 101 + 1);
        database.begin(Access::Write).expect("a savepoint within");
        assert_eq!(database.depth(), 3);
        assert_eq!(ids(database).len(), 4);
        database.rollback().expect("nothing was written since");
        database.commit().expect("kept");
        write(database, "e");
        database.commit().expect("the end");
        assert_eq!(
            ids(database),
            ["b", "c", "d", "e", "it's \"a\\, NULL}'; --"]
        );
        assert_eq!(sum(database), 111 + 11 + 101 + 1 + 1);

        database.begin(Access::Optimistic).expect("a transaction");
        write(database, "before");
        database.begin(Access::Write).expect("a savepoint");
        write(database, "after");
        let undone = database.rollback();
        assert_eq!(undone, Err(StoreError::Conflict));
        assert_eq!(database.commit(), Err(StoreError::Conflict));
        assert_eq!(ids(database).len(), 5);

        database.begin(Access::Optimistic).expect("a transaction");
        write(database, "new");
        let twice = database.write(WRITE, &["b".into(), 1.into()]);
        assert!(twice.and_then(|()| database.commit()).is_err());
        roll_back_to(database, 0).expect("undone");
        assert_eq!(ids(database).len(), 5);
    });
}

#[test]
fn savepoints_nest() {
    check(|_, database| {
        database.begin(Access::Write).expect("a transaction");
        database.begin(Access::Write).expect("the outer savepoint");
        insert(database, "a").expect("a row");
        database.begin(Access::Write).expect("the inner savepoint");
        insert(database, "b").expect("a row");
        database.rollback().expect("back at the inner savepoint");
        insert(database, "c").expect("a row");
        database.commit().expect("the outer kept");
        database.commit().expect("the end");
        assert_eq!(ids(database), ["a", "c"]);
    });
}

#[test]
fn only_an_open_transaction_is_committed() {
    check(|_, database| {
        assert!(database.commit().is_err());
        assert_eq!(database.rollback(), Ok(()), "there is nothing to undo");
        for access in [Access::Read, Access::Write, Access::Optimistic] {
            database.begin(access).expect("the connection goes on");
            database.begin(access).expect("a savepoint");
            assert_eq!(database.depth(), 2);
            database.rollback().expect("the savepoint");
            database.commit().expect("the end");
            assert_eq!(database.depth(), 0);
        }
    });
}

#[test]
fn concurrent_counters_lose_nothing() {
    const ROUNDS: i64 = 40;
    check(|place, database| {
        insert(database, "counter").expect("a row");
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut database = place.open();
                    let mut left = ROUNDS;
                    while left > 0 {
                        match count(database.as_mut()) {
                            Ok(()) => left -= 1,
                            Err(StoreError::Conflict) => database.rollback().expect("undone"),
                            Err(error) => panic!("{error}"),
                        }
                    }
                });
            }
        });
        let rows = database.query("SELECT n FROM t", &[]).expect("the counter");
        assert_eq!(rows[0].int(0), Ok(3 * ROUNDS));
    });
}

/// Read, then write the value plus one: wrong without isolation.
fn count(database: &mut dyn Database) -> Result<(), StoreError> {
    database.begin(Access::Write)?;
    let n = database.query("SELECT n FROM t WHERE id = ?1", &["counter".into()])?[0].int(0)?;
    database.execute(
        "UPDATE t SET n = ?1 WHERE id = ?2",
        &[(n + 1).into(), "counter".into()],
    )?;
    database.commit()
}

#[test]
fn rows_claimed_by_one_connection_are_skipped_by_the_other() {
    check(|place, database| {
        for id in ["a", "b", "c", "d"] {
            insert(database, id).expect("a row");
        }
        let claim = "SELECT id FROM t ORDER BY id LIMIT ?1 FOR UPDATE SKIP LOCKED";
        database.begin(Access::Write).expect("a transaction");
        let mine = database.query(claim, &[2.into()]).expect("two rows");
        assert_eq!(
            mine.iter().map(|row| row.text(0)).collect::<Vec<_>>(),
            [Ok("a"), Ok("b")]
        );
        if !place.is_sqlite() {
            let mut other = place.open();
            other.begin(Access::Write).expect("a transaction");
            let theirs = other.query(claim, &[9.into()]).expect("the others");
            assert_eq!(
                theirs.iter().map(|row| row.text(0)).collect::<Vec<_>>(),
                [Ok("c"), Ok("d")]
            );
        }
        database.commit().expect("the end");
    });
}

#[test]
fn concurrent_migrations_apply_once() {
    check(|place, database| {
        std::thread::scope(|scope| {
            let taken: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| migrate::migrate(place.open().as_mut()).expect("the history"))
                })
                .collect();
            let taken: u32 = taken
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .sum();
            assert_eq!(taken as usize, HISTORY.len());
        });
        assert_eq!(migrate::version(database), Ok(HISTORY.len() as u32));
    });
}

#[test]
fn a_database_of_a_later_version_is_refused() {
    check(|_, database| {
        migrate::migrate(database).expect("the history");
        let known = HISTORY.len() as u32;
        let later = "INSERT INTO schema_version (version, name) VALUES (?1, 'later')";
        database
            .execute(later, &[(known + 1).into()])
            .expect("a later version");
        assert_eq!(
            migrate::migrate(database),
            Err(StoreError::Newer {
                found: known + 1,
                known
            })
        );
    });
}

#[test]
fn postgres_refuses_to_commit_a_failed_transaction() {
    let mut database = Postgres::open(&postgres::database()).expect("a connection");
    database
        .script("CREATE TABLE t (id TEXT PRIMARY KEY)")
        .expect("a table");
    database.begin(Access::Write).expect("a transaction");
    assert!(
        database
            .execute("INSERT INTO nowhere VALUES (1)", &[])
            .is_err()
    );
    assert!(
        database.commit().is_err(),
        "a rollback was reported as a commit"
    );
    database
        .begin(Access::Write)
        .expect("the connection goes on");
    database.commit().expect("the end");
}

#[test]
fn postgres_reconnects() {
    let address = postgres::database();
    let mut database = Postgres::open(&address).expect("a connection");
    let mut other = Postgres::open(&address).expect("a connection");
    let process = database
        .query("SELECT pg_backend_pid()", &[])
        .expect("a number")[0]
        .int(0)
        .expect("a number");
    database.begin(Access::Write).expect("a transaction");
    other
        .query(
            "SELECT pg_terminate_backend(CAST(?1 AS INTEGER))",
            &[process.into()],
        )
        .expect("the cut");
    let cut = database.query("SELECT 1", &[]).expect_err("nobody there");
    assert!(matches!(cut, StoreError::Unreachable(_)), "{cut}");
    assert_eq!(database.rollback(), Ok(()));
    database.begin(Access::Write).expect("a new connection");
    assert_eq!(
        database.query("SELECT 1", &[]).expect("a row")[0].int(0),
        Ok(1)
    );
}

#[test]
fn an_unreachable_postgres_is_reported() {
    let address = postgres::database();
    let other = address
        .rsplit_once('/')
        .map(|(server, _)| format!("{server}/nothing"))
        .expect("an address");
    for address in [
        other.as_str(),
        "postgres://postgres@%2Fnowhere/x",
        "postgres://localhost:port/x",
    ] {
        let error = Postgres::open(address).expect_err(address);
        assert!(
            matches!(error, StoreError::Unreachable(_)),
            "{address}: {error}"
        );
    }
}

#[test]
fn the_postgres_cache_drops_rows_changed_by_others() {
    const READ: &str = "SELECT value FROM settings WHERE name = ?1";
    const CHANGE: &str = "UPDATE settings SET value = ?1 WHERE name = 'a'";
    fn read(database: &mut dyn Database) -> String {
        let rows = database.query(READ, &["a".into()]).expect("a row");
        rows[0].text(0).expect("a text").to_owned()
    }
    /// A read in a write transaction of its own.
    fn read_in_write_transaction(database: &mut dyn Database) -> String {
        database.begin(Access::Optimistic).expect("its turn");
        let value = read(database);
        let other = "INSERT INTO settings (name, value) VALUES ('b', '') ON CONFLICT (name) DO UPDATE SET value = ''";
        database.write(other, &[]).expect("written");
        assert_eq!(read(database), value);
        database.commit().expect("the end");
        value
    }
    let address = postgres::database();
    let mut ours = Postgres::open(&address).expect("a connection");
    migrate::migrate(&mut ours).expect("the history");
    ours.begin(Access::Optimistic).expect("its turn");
    let first = "INSERT INTO settings (name, value) VALUES ('a', '1')";
    ours.write(first, &[]).expect("written");
    ours.commit().expect("the end");
    assert_eq!(
        (
            read_in_write_transaction(&mut ours),
            read_in_write_transaction(&mut ours)
        ),
        ("1".into(), "1".into())
    );

    // A write that bypasses the writer lock.
    let mut theirs =
        ::postgres::Client::connect(&address, ::postgres::NoTls).expect("a connection");
    let mut change = |statement: &str| theirs.batch_execute(statement).expect("done");
    change("UPDATE settings SET value = '2' WHERE name = 'a'");
    assert_eq!(read_in_write_transaction(&mut ours), "2");
    change("BEGIN; UPDATE settings SET value = '3' WHERE name = 'a'");
    assert_eq!(read_in_write_transaction(&mut ours), "2");
    change("COMMIT");
    assert_eq!(read_in_write_transaction(&mut ours), "3");

    // Rolled-back values are gone from the cache.
    ours.begin(Access::Optimistic).expect("its turn");
    ours.write(CHANGE, &["4".into()]).expect("written");
    assert_eq!(read(&mut ours), "4");
    ours.rollback().expect("undone");
    assert_eq!(read_in_write_transaction(&mut ours), "3");

    // So are values that this connection changed without the cache.
    ours.begin(Access::Write).expect("its turn");
    ours.write(CHANGE, &["5".into()]).expect("written");
    ours.commit().expect("the end");
    assert_eq!(read_in_write_transaction(&mut ours), "5");
}

#[test]
fn only_migrations_have_no_statement_timeout() {
    const STORE_TIMEOUT: Migration = Migration {
        name: "0001_looks",
        sql: "CREATE TABLE looked (found TEXT) {STRICT}; INSERT INTO looked SELECT current_setting('statement_timeout');",
    };
    let mut database = database::postgres();
    let database = database.as_mut();
    migrate::walk(database, &[STORE_TIMEOUT]).expect("one step");
    let found = "SELECT found FROM looked UNION ALL SELECT current_setting('statement_timeout')";
    assert_eq!(database::rows(database, found), ["0", "1min"]);
}
