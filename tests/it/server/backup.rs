//! A backup of a running server is complete and usable: of an SQLite file, and of a PostgreSQL server.

use axum::http::Request;
use settlekit_core::header;
use settlekit_server::build;
use settlekit_server::engine::Address;
use settlekit_service::ledger;
use settlekit_service::store::backup;
use settlekit_service::store::sqlite::Sqlite;

use settlekit_tests::postgres;

use super::{advance, api, call, create_organisation, open, send, setup, setup_on};

/// Plans created during the backup.
const PLANS: usize = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_consistent_and_can_be_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, copy) = (folder.path().join("book.db"), folder.path().join("copy.db"));
    let server = build(&setup_on(&file)).expect("a server");
    let shop = create_organisation(&setup_on(&file), "Shop");
    let router = server.router();
    let made = |name: usize| {
        let request = Request::post(api("/plan")).header(header::API_KEY, &shop.api_key);
        let body = format!(r#"{{"price":"1","currency":"USDC","name":"{name}"}}"#);
        send(&router, request, body.into_bytes())
    };
    for name in 0..3 {
        assert_eq!(made(name).await.status, 201);
    }
    let copying = {
        let (file, copy) = (file.clone(), copy.display().to_string());
        tokio::task::spawn_blocking(move || {
            let mut reader = Sqlite::open_reader(&file).expect("a reader");
            backup::copy(&mut reader, &copy)
        })
    };
    for name in 0..PLANS {
        assert_eq!(made(name).await.status, 201);
    }
    copying.await.expect("the thread").expect("a copy");
    server.close().await;

    let mut reader = Sqlite::open_reader(&copy).expect("the copy");
    let audit = ledger::verify(&mut reader).expect("an audit");
    assert!(audit.differences.is_empty());
    let again = backup::copy(&mut reader, &copy.display().to_string());
    assert!(again.is_err(), "nothing is written over");
    drop(reader);

    let restored = build(&setup(Address::Sqlite(copy))).expect("a server on the copy");
    let request = Request::get(api("/plan?limit=1")).header(header::API_KEY, &shop.api_key);
    let listed = send(&restored.router(), request, Vec::new()).await;
    assert_eq!(listed.status, 200);
    let listed: serde_json::Value = serde_json::from_slice(&listed.body).expect("JSON");
    let total = listed["data"]["total"].as_u64().expect("a total");
    assert!((3..=3 + PLANS as u64).contains(&total), "{total}");
    restored.close().await;
}

#[test]
fn a_postgresql_backup_under_load_restores_balanced_books() {
    let setup_here = setup(Address::Postgres(postgres::database()));
    let Address::Postgres(address) = setup_here.database.clone() else {
        unreachable!("it was just said");
    };
    let key = create_organisation(&setup_here, "Shop").api_key;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(async { build(&setup_here).expect("a server") });
    let router = server.router();
    let deposits = |count: usize| {
        let (router, key) = (&router, &key);
        runtime.block_on(async move {
            for _ in 0..count {
                let body = serde_json::json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "1" });
                call(router, key, "POST", "/sandbox/deposits", body).await;
            }
            advance(router, key, 60).await;
        });
    };
    let till = serde_json::json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
    runtime.block_on(call(&router, &key, "POST", "/accounts", till));
    deposits(20);
    // Written after the files were copied: restored from the WAL only.
    let restored = postgres::backed_up_and_restored(&address, || deposits(30));
    deposits(5);
    runtime.block_on(server.close());

    let setup_there = setup(Address::Postgres(restored));
    let audit = ledger::verify(open(&setup_there.database).as_mut()).expect("an audit");
    assert!(audit.differences.is_empty(), "{:?}", audit.differences);
    assert_eq!(
        audit.postings,
        2 * 50,
        "what was answered before the end is there"
    );
    runtime.block_on(async {
        let server = build(&setup_there).expect("a server on the copy");
        let router = server.router();
        let path = "/accounts/till/movement?limit=1";
        let movements = call(&router, &key, "GET", path, serde_json::Value::Null).await;
        assert_eq!(movements["total"], 50);
        let body = serde_json::json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "1" });
        call(&router, &key, "POST", "/sandbox/deposits", body).await;
        server.close().await;
    });
}
