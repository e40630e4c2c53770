//! Deposits through every layer: the router of the server over a database file, with many callers at once.
//!
//! In one process, without sockets: what is measured is the service behind its writer, with its commits on the disk.

use std::time::{Instant, SystemTime};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_server::engine::Address;
use settlekit_server::{Setup, build};
use settlekit_service::store::sqlite::Sqlite;
use tower::ServiceExt;

use crate::{open_shop, row};

const CALLERS: u32 = 64;
const EACH: u32 = 50;

pub(crate) fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let alone = runtime.block_on(deposits(1, EACH));
    let together = runtime.block_on(deposits(CALLERS, EACH));
    row(
        &format!("deposits over a file, {CALLERS} callers at once"),
        &format!("{together:.0}/s"),
        &format!("one caller, each waiting for the disk, {alone:.0}/s"),
        together / alone,
    );
}

async fn deposits(callers: u32, each: u32) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup {
        database: Address::Sqlite(folder.path().join("bench.db")),
        master_key: "0".repeat(64).parse().expect("a key"),
        public_url: "http://localhost".to_owned(),
        sandbox: true,
        allow_private_webhooks: true,
    };
    let key = {
        let mut database = Sqlite::open(&folder.path().join("bench.db")).expect("a file");
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("a clock that is set");
        open_shop(
            &mut database,
            Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a moment")),
        )
    };
    let server = build(&setup).expect("a server");
    let router = server.router();
    let send = move |body: Value, target: &'static str| {
        let (router, key) = (router.clone(), key.clone());
        async move {
            let request = Request::post(target)
                .header(header::API_KEY, key)
                .body(Body::from(body.to_string()))
                .expect("a request");
            let answer = router.oneshot(request).await.expect("an answer");
            assert!(answer.status().is_success());
            to_bytes(answer.into_body(), usize::MAX)
                .await
                .expect("a body");
        }
    };
    send(
        json!({ "reference": "main", "chain_id": 1, "currencies": ["USDC"] }),
        "/v1/accounts",
    )
    .await;
    let since = Instant::now();
    let mut tasks = Vec::new();
    for _ in 0..callers {
        let send = send.clone();
        tasks.push(tokio::spawn(async move {
            for _ in 0..each {
                send(json!({ "account": "main", "chain_id": 1, "currency": "USDC", "amount": "1.5" }), "/v1/sandbox/deposits").await;
            }
        }));
    }
    for task in tasks {
        task.await.expect("every deposit is answered");
    }
    let rate = f64::from(callers * each) / since.elapsed().as_secs_f64();
    server.close().await;
    rate
}
