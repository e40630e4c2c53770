//! PostgreSQL behind PgBouncer, with Debian's configuration.

use serde_json::Value;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Access, Database, StoreError};
use settlekit_tests::postgres::{Pooling, database, pooled};
use settlekit_tests::world::World;

fn is_about_the_pooler(error: &StoreError) -> bool {
    matches!(error, StoreError::Unreachable(text) if text.contains("transaction pooler"))
}

#[test]
fn a_transaction_pooler_is_refused() {
    let address = pooled(&database(), Pooling::Transaction);
    for _ in 0..3 {
        let error = Postgres::open(&address).expect_err("it is refused");
        assert!(is_about_the_pooler(&error), "{error}");
        assert!(error.to_string().contains("session pooling"), "{error}");
    }
}

#[test]
fn a_session_pooler_works() {
    let address = pooled(&database(), Pooling::Session);
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC"]);
    for _ in 0..3 {
        world.deposit(&shop, account, 8453, "USDC", "1");
    }
    let movements = world.read(&shop, "/v1/accounts/till/movement");
    assert_eq!(movements["total"], 3);
    // Other connections come and go on the same pooler.
    for _ in 0..3 {
        drop(Postgres::open(&address).expect("a connection"));
        let answer = world.keyed(&shop, "GET", "/v1/accounts", Value::Null);
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

#[test]
fn a_session_switched_by_a_pooler_is_detected() {
    for access in [Access::Read, Access::Write] {
        let mut connection = Postgres::open(&database()).expect("a connection");
        connection.begin(access).expect("the session is its own");
        connection.rollback().expect("it is undone");
        // PgBouncer resets a session this way before reuse.
        connection.script("DISCARD ALL").expect("it is forgotten");
        let error = connection
            .begin(access)
            .expect_err("the session is another");
        assert!(is_about_the_pooler(&error), "{error}");
        connection.begin(access).expect("it is set up again");
        connection.rollback().expect("it is undone");
    }
}
