//! Webhooks from a listening server to a receiver on the same machine, and what a server under load holds in memory.
//!
//! Sender and receiver run in one process on the same processors. Each event is of no document, so that none waits for
//! another.

use std::time::Instant;

use serde_json::json;
use settlekit_core::header;
use settlekit_server::build;

use crate::http::{setup, shop_in};
use crate::listening::Listening;
use crate::receiving::receiver;
use crate::row;

const EVENTS: u32 = 2_000;

pub(crate) fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (rate, written) = runtime.block_on(deliver());
    row(
        "webhooks delivered to a local receiver, one organisation",
        &format!("{rate:.0}/s"),
        &format!("the events written meanwhile, {written:.0}/s"),
        rate / written,
    );
}

/// What the process holds in memory now, in MB; nothing where nobody tells.
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
    let change = async |body: serde_json::Value| {
        let request = client
            .put(format!("{base}/v1/orgs"))
            .header(header::API_KEY, &key)
            .body(body.to_string());
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success());
    };
    change(json!({ "webhook_url": endpoint })).await;
    let since = Instant::now();
    let changes: Vec<_> = (0..EVENTS)
        .map(|number| change(json!({ "name": format!("Shop {number}") })))
        .collect();
    futures_util::future::join_all(changes).await;
    let written = f64::from(EVENTS) / since.elapsed().as_secs_f64();
    // The address itself is an event, too.
    for _ in 0..=EVENTS {
        let got = came.recv().await.expect("a webhook");
        assert!(got.path == "/take" && got.headers.contains_key(header::WEBHOOK_ID));
    }
    let rate = f64::from(EVENTS) / since.elapsed().as_secs_f64();
    listening.end().await;
    (rate, written)
}
