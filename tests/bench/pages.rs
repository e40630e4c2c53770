//! Page 1 against page 10 000 of a list of millions, with its exact total.
//!
//! Rows are inserted in bulk, as the service writes them: only reading is measured.

use std::time::Instant;

use serde_json::Value;
use settlekit_core::value::Timestamp;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Access, Database, Seed};
use settlekit_tests::world::World;

use crate::{median, row};

const READS: u32 = 300;

pub(crate) fn run(movements: i64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = World::new(Box::new(
        Sqlite::open(&folder.path().join("pages.db")).expect("a file"),
    ));
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC"]);
    let (_, database) = world.parts();
    fill(database, &shop.id.to_string(), account, movements);
    let last = movements / 100;
    let deep = last.min(10_000);
    let of_account = format!("/v1/accounts/{account}/movement");
    let mut time = |list: &str, page: i64, range: &str| {
        let target = format!("{list}?limit=100&page={page}{range}");
        let request = http::Request::get(&target)
            .header(settlekit_core::header::API_KEY, &shop.key)
            .body(Vec::new())
            .expect("a request");
        let now = world.now;
        let (service, database) = world.parts();
        let mut measured = Vec::new();
        for _ in 0..READS {
            let since = Instant::now();
            let answer = service.answer(database, &request, now, Seed([1; 32]));
            measured.push(since.elapsed().as_secs_f64() * 1e6);
            let body: Value = serde_json::from_slice(answer.body()).expect("JSON");
            let total = body["data"]["total"].as_i64().expect("a total");
            assert!(!range.is_empty() || total == movements, "{body}");
            assert_eq!(body["data"]["items"].as_array().map(Vec::len), Some(100));
        }
        median(measured)
    };
    let first = time(&of_account, 1, "");
    let far = time(&of_account, deep, "");
    let bound = format!("&since={}", Timestamp::from_micros(at(movements / 4)));
    let since = time(&of_account, deep.min(last / 2), &bound);
    row(
        &format!("page {deep} of {movements} movements"),
        &format!("{far:.0} µs"),
        &format!("page 1, {first:.0} µs"),
        far / first,
    );
    let all_first = time("/v1/movements", 1, "");
    let all_far = time("/v1/movements", deep, "");
    row(
        &format!("page {deep} of {movements} movements of all accounts"),
        &format!("{all_far:.0} µs"),
        &format!("page 1, {all_first:.0} µs"),
        all_far / all_first,
    );
    row(
        "a page of an account within bounds in time",
        &format!("{since:.0} µs"),
        &format!("page 1, {first:.0} µs"),
        since / first,
    );
}

/// Creation time of a movement in Unix microseconds: one every forty milliseconds.
fn at(number: i64) -> i64 {
    1_772_442_000_000_000 + number * 40_000
}

fn fill(database: &mut dyn Database, organisation: &str, account: i64, movements: i64) {
    const MOVEMENT: &str = "INSERT INTO movements (id, org_id, account_id, account_reference, direction, type, status, chain_id, \
         currency, scale, amount, transaction_hash, created_at, confirmed_at, updated_at, seq) \
         VALUES (?1, ?2, ?3, 'till', 'IN', 'Deposit', 'Failed', 8453, 'USDC', 6, ?4, ?5, ?6, ?6, ?6, ?1)";
    const LIST: &str = "INSERT INTO movement_lists (account_id, seq, movement_id, created_at) VALUES (?1, ?2, ?2, ?3)";
    const LAST: &str =
        "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, 'movements', ?2, ?3)";
    let mut number = 0;
    while number < movements {
        database.begin(Access::Write).expect("begun");
        for _ in 0..100_000.min(movements - number) {
            number += 1;
            let hash = format!("0x{number:064x}");
            let values = [
                number.into(),
                organisation.into(),
                account.into(),
                (i128::from(number) * 10).into(),
                (&hash).into(),
                at(number).into(),
            ];
            database.execute(MOVEMENT, &values).expect("a movement");
            database
                .execute(LIST, &[account.into(), number.into(), at(number).into()])
                .expect("a place");
        }
        database.commit().expect("committed");
    }
    database.begin(Access::Write).expect("begun");
    for owner in [&account.to_string(), organisation] {
        let last = [owner.into(), movements.into(), at(movements).into()];
        database.execute(LAST, &last).expect("a number");
    }
    database.commit().expect("committed");
}
