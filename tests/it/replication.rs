//! PostgreSQL with synchronous replication: unreplicated commits are not acknowledged.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Access, Database, StoreError};
use settlekit_tests::postgres::Durable;

/// The time limit for a commit to start or end its wait; far above the usual.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sets the synchronous standby, or none.
fn set_standby(client: &mut Client, name: &str) {
    let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'");
    client.execute(&set, &[]).expect("it is set");
}

/// The process id of the waiting commit.
fn waiting(client: &mut Client) -> i32 {
    const WAITING: &str = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if let Some(row) = client.query_opt(WAITING, &[]).expect("an answer") {
            return row.get(0);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no commit waits");
}

/// Writes rows 1 and 2, each in a transaction; sends each commit's result.
fn write_two(address: &str, sender: &mpsc::Sender<Result<(), StoreError>>) {
    let mut connection = Postgres::open(address).expect("a connection");
    for row in 1..=2_i64 {
        connection.begin(Access::Write).expect("it begins");
        let inserted = connection.execute("INSERT INTO t (id) VALUES (?1)", &[row.into()]);
        inserted.expect("a row");
        // Shorter than the default timeout of a minute.
        let limit = connection.script("SET LOCAL statement_timeout = '100ms'");
        limit.expect("it is set");
        sender.send(connection.commit()).expect("somebody listens");
    }
}

#[test]
fn a_commit_that_is_not_replicated_is_not_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Durable::new(folder.path());
    let address = server.database();
    let connect = || Client::connect(&address, NoTls).expect("a connection");
    let mut client = connect();
    let table = client.batch_execute("CREATE TABLE t (id BIGINT)");
    table.expect("a table");
    set_standby(&mut client, "nobody");
    drop(client);
    server.kill();
    server.start(&[]);
    let mut client = connect();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let address = &address;
        scope.spawn(move || write_two(address, &sender));

        // Cancelling the wait commits with a warning.
        let process = waiting(&mut client);
        let early = receiver.recv_timeout(Duration::from_millis(500));
        assert!(early.is_err(), "a time limit cut it off: {early:?}");
        let canceled = client.execute("SELECT pg_cancel_backend($1)", &[&process]);
        canceled.expect("it is canceled");
        let outcome = receiver.recv_timeout(PATIENCE).expect("an outcome");
        assert!(
            matches!(&outcome, Err(StoreError::Unreachable(text)) if text.contains("replicated")),
            "{outcome:?}"
        );

        waiting(&mut client);
        set_standby(&mut client, "");
        let read = client.execute("SELECT pg_reload_conf()", &[]);
        read.expect("it is read");
        let outcome = receiver.recv_timeout(PATIENCE).expect("an outcome");
        assert!(outcome.is_ok(), "there is nobody to wait for: {outcome:?}");
    });
    let rows = client.query_one("SELECT count(*) FROM t", &[]);
    assert_eq!(rows.expect("an answer").get::<_, i64>(0), 2);
}
