//! Deposits over HTTP: a listening server over a database file, with many connections at once.
//!
//! The callers run in the same process on the same processors: what is measured is the server together with who asks it.

use std::path::Path;
use std::time::{Instant, SystemTime};

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_server::engine::Address;
use settlekit_server::limit::Limits;
use settlekit_server::{Setup, build};
use settlekit_service::store::sqlite::Sqlite;

use crate::deliveries::resident;
use crate::listening::Listening;
use crate::{open_shop, row};

const CALLERS: u32 = 64;
const EACH: u32 = 50;

pub(crate) fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let alone = runtime.block_on(deposits(1, EACH));
    let before = resident();
    let together = runtime.block_on(deposits(CALLERS, EACH));
    let after = resident();
    row(
        &format!("deposits over HTTP into a file, {CALLERS} callers at once"),
        &format!("{together:.0}/s"),
        &format!("one caller, each waiting for the disk, {alone:.0}/s"),
        together / alone,
    );
    row(
        "memory of server and callers after that",
        &format!("{after:.0} MB"),
        &format!("before, {before:.0} MB"),
        after / before,
    );
}

pub(crate) fn setup(file: &Path) -> Setup {
    Setup {
        database: Address::Sqlite(file.to_owned()),
        master_key: "0".repeat(64).parse().expect("a key"),
        public_url: "http://localhost".to_owned(),
        sandbox: true,
        allow_private_webhooks: true,
        limits: Limits::NONE,
    }
}

/// Makes the file with an organisation in it; gives its API key.
pub(crate) fn shop_in(file: &Path) -> String {
    let mut database = Sqlite::open(file).expect("a file");
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("a clock that is set");
    open_shop(
        &mut database,
        Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a moment")),
    )
}

async fn deposits(callers: u32, each: u32) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bench.db");
    let key = shop_in(&file);
    let server = build(&setup(&file)).expect("a server");
    let listening = Listening::start(server).await;
    let base = listening.base.clone();
    // Connections are kept: one for each caller.
    let client = reqwest::Client::new();
    let send = move |body: Value, path: &'static str| {
        let request = client
            .post(format!("{base}{path}"))
            .header(header::API_KEY, &key)
            .header("content-type", "application/json")
            .body(body.to_string());
        async move {
            let answer = request.send().await.expect("an answer");
            assert!(answer.status().is_success());
            answer.bytes().await.expect("a body");
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
    listening.end().await;
    rate
}
