//! Webhook throughput from a listening server to a receiver on the same machine, and memory of a server under load.
//!
//! Sender and receiver run in one process on the same processors. Events have no document, so that none waits for
//! another.

use std::time::Instant;

use futures_util::{StreamExt, stream};
use serde_json::json;
use settlekit_core::header;
use settlekit_server::build;

use crate::http::{setup, shop_in};
use crate::listening::Listening;
use crate::receiving::receiver;
use crate::row;

const EVENTS: u32 = 2_000;

/// Requests at once; a server limits the connections of an address.
const CALLERS: usize = 64;

pub(crate) fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (rate, written) = runtime.block_on(deliver());
    row(
        "webhooks delivered to a local receiver, one organisation",
        &format!("{rate:.0}/s"),
        &format!("events written at the same time, {written:.0}/s"),
        rate / written,
    );
}

/// Resident memory of the process in MB; `None` if unavailable.
pub(crate) fn resident() -> f64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

async fn deliver() -> (f64, f64) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bench.db");
    let key = shop_in(&file);
    let server = build(&setup(&file)).expect("a server");
    let listening = Listening::start(server).await;
    let base = listening.base.clone();
    let (receiving, mut came) = receiver().await;
    let endpoint = format!("{receiving}/take");
    let client = reqwest::Client::new();
    let send = async |request: reqwest::RequestBuilder, body: serde_json::Value| {
        let request = request.header(header::API_KEY, &key).body(body.to_string());
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success());
    };
    let settings = client.put(format!("{base}/v1/orgs"));
    send(settings, json!({ "webhook_url": endpoint })).await;
    let since = Instant::now();
    // One record each: events of one record are delivered sequentially.
    let plans = (0..EVENTS).map(|_| {
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        send(client.post(format!("{base}/v1/plan")), plan)
    });
    stream::iter(plans)
        .buffer_unordered(CALLERS)
        .collect::<()>()
        .await;
    let written = f64::from(EVENTS) / since.elapsed().as_secs_f64();
    // Setting the webhook URL is an event too.
    for _ in 0..=EVENTS {
        let got = came.recv().await.expect("a webhook");
        assert!(got.path == "/take" && got.headers.contains_key(header::WEBHOOK_ID));
    }
    let rate = f64::from(EVENTS) / since.elapsed().as_secs_f64();
    listening.end().await;
    (rate, written)
}
