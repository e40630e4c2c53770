//! The service in WebAssembly, with SQLite and the same schema.
#![cfg(target_family = "wasm")]

use serde_json::Value;
use settlekit_service::step::Step;
use settlekit_service::store::migrate::{self, HISTORY};
use settlekit_service::store::sql::{Access, Database, LARGEST_AMOUNT, StoreError};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Service};
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The story of a chain, as SQLite and PostgreSQL told it.
const ONE_CHAIN: &str = include_str!("../../tests/vectors/one_chain.jsonl");

#[test]
fn the_whole_history_applies() {
    let mut database = Sqlite::in_memory().expect("memory");
    assert_eq!(migrate::migrate(&mut database), Ok(HISTORY.len() as u32));
    assert_eq!(migrate::version(&mut database), Ok(HISTORY.len() as u32));
}

#[test]
fn amounts_savepoints_and_foreign_keys_work_and_an_image_can_be_taken() {
    let mut database = Sqlite::in_memory().expect("memory");
    database
        .script(
            "CREATE TABLE a (id TEXT NOT NULL PRIMARY KEY, sum TEXT NOT NULL) STRICT;
             CREATE TABLE b (a TEXT NOT NULL REFERENCES a (id)) STRICT;",
        )
        .expect("tables");
    database.begin(Access::Write).expect("a transaction");
    database
        .execute(
            "INSERT INTO a VALUES (?1, ?2)",
            &["one".into(), LARGEST_AMOUNT.into()],
        )
        .expect("a row");
    database.begin(Access::Write).expect("a savepoint");
    let orphan = database.execute("INSERT INTO b VALUES ('two')", &[]);
    assert!(
        matches!(orphan, Err(StoreError::Constraint(_))),
        "{orphan:?}"
    );
    database.rollback().expect("back at the savepoint");
    database.commit().expect("the end");

    let image = database.serialize().expect("an image");
    let mut copy = Sqlite::deserialize(&image).expect("a copy");
    let rows = copy.query("SELECT sum FROM a", &[]).expect("the row");
    assert_eq!(rows[0].amount(0), Ok(LARGEST_AMOUNT));
}

#[test]
fn the_recording_of_a_chain_is_the_same_in_webassembly() {
    let service = Service::new(Options {
        master_key: [7; 32],
        mode: Mode::Live,
        allow_private_webhooks: true,
        public_url: "http://127.0.0.1:8080".to_owned(),
    });
    let mut database = Sqlite::in_memory().expect("memory");
    for (index, line) in ONE_CHAIN.lines().enumerate() {
        let mut recorded: Value = serde_json::from_str(line).expect("JSON");
        let step: Step = serde_json::from_value(recorded["step"].take()).expect("a step");
        let reply = serde_json::to_value(service.step(&mut database, &step)).expect("JSON");
        assert_eq!(reply, recorded["reply"], "line {}", index + 1);
    }
}
