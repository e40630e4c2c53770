//! Blocks caught up, and the time from a mined transfer to the arrival of its webhook.

use std::time::{Duration, Instant};

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, TOKEN};
use settlekit_tests::liar::Liar;
use settlekit_tests::wallet::Wallet;

use super::live::{CHAIN, Installation, now};
use crate::receiving::receiver;
use crate::{median, row, x402};

/// The creation codes of the contracts' test tokens.
const TOKENS: &str = include_str!("../../../contracts/test/tokens/tokens.json");

/// Blocks to catch up with. The node keeps their states in memory.
const BLOCKS: u32 = 1_000;

/// Transfers of a block.
const TRANSFERS: u64 = 5;

/// Payments whose webhooks are waited for.
const PAYMENTS: usize = 15;

/// Half of a block's second.
const POLL: f64 = 500.0;

/// What the bar allows beyond one poll, in milliseconds.
const BEYOND: f64 = 300.0;

/// Silence after which no webhook is under way.
const SILENCE: Duration = Duration::from_secs(2);

pub(crate) async fn run() {
    catch_up().await;
    deliver().await;
    settle().await;
}

async fn catch_up() {
    let node = Anvil::start_keeping(3 * BLOCKS, CHAIN, &[]);
    let token = node.deploy(TOKEN);
    // A proxy records the requests of the first server. The second one asks the node itself.
    let liar = Liar::start(node.address());
    let direct = node.url();
    let mut seconds = 0.0;
    for url in [&liar.url(), &direct] {
        let installation = Installation::connect(&node, url, token);
        mine(&node, token);
        let since = Instant::now();
        let live = installation.serve().await;
        live.until_head(node.height()).await;
        seconds = since.elapsed().as_secs_f64();
        live.end().await;
    }
    let requests = liar.take_requests();
    let calls: usize = requests
        .iter()
        .map(|request| request.as_array().map_or(1, Vec::len))
        .sum();
    let client = reqwest::Client::new();
    let since = Instant::now();
    for request in &requests {
        let sent = client
            .post(&direct)
            .header("content-type", "application/json");
        let answer = sent
            .body(request.to_string())
            .send()
            .await
            .expect("an answer");
        let answer = answer.bytes().await.expect("an answer");
        let _read: Value = serde_json::from_slice(&answer).expect("JSON");
    }
    let raw = since.elapsed().as_secs_f64();
    let blocks = f64::from(BLOCKS);
    row(
        &format!(
            "blocks of {TRANSFERS} transfers caught up, {:.1} calls a block of at most 3",
            calls as f64 / blocks
        ),
        &format!("{:.0}/s", blocks / seconds),
        &format!(
            "the node alone answers the same calls, {:.0}/s",
            blocks / raw
        ),
        raw / seconds,
    );
}

/// Mines the blocks, each with transfers to strangers.
fn mine(node: &Anvil, token: Address) {
    for _ in 0..BLOCKS {
        let height = node.height();
        for number in 0..TRANSFERS {
            let stranger = U256::from(height * TRANSFERS + number + 1);
            node.mint(token, Address::from_word(stranger.into()), 1);
        }
        node.mine(1);
    }
}

async fn deliver() {
    let node = Anvil::start(CHAIN);
    let token = node.deploy(TOKEN);
    let live = Installation::connect(&node, &node.url(), token)
        .serve()
        .await;
    let (receiving, mut came) = receiver().await;
    let url = json!({ "webhook_url": format!("{receiving}/take") });
    live.call("PUT", "/orgs", url).await;
    live.open_till().await;
    let mut milliseconds = Vec::new();
    for _ in 0..PAYMENTS {
        node.mint(token, live.payment("1").await, 1_000_000);
        while tokio::time::timeout(SILENCE, came.recv()).await.is_ok() {}
        node.mine(1);
        let since = Instant::now();
        came.recv().await.expect("a webhook");
        milliseconds.push(since.elapsed().as_secs_f64() * 1e3);
    }
    live.end().await;
    let measured = median(milliseconds);
    poll_row(
        "from a mined transfer to the arrival of its webhook",
        measured,
    );
}

/// A row whose bar is one poll and a little more.
fn poll_row(name: &str, milliseconds: f64) {
    row(
        name,
        &format!("{milliseconds:.0} ms"),
        &format!("one poll and {BEYOND:.0} ms, {:.0} ms", POLL + BEYOND),
        milliseconds / (POLL + BEYOND),
    );
}

/// From a program's signature to the answer that its payment is settled, on a node that puts each transaction into a block at once.
async fn settle() {
    let node = Anvil::start(CHAIN);
    let tokens: Value = serde_json::from_str(TOKENS).expect("JSON");
    let code = tokens["Stablecoin"].as_str().expect("a code");
    let token = node.deploy(code.trim_start_matches("0x"));
    let payer = Wallet::new([7; 32]);
    node.mint(
        token,
        payer.address().parse().expect("an address"),
        1_000_000,
    );
    node.mine(1);
    let live = Installation::connect(&node, &node.url(), token)
        .serve()
        .await;
    live.open_till().await;
    let path = "/accounts/till/pay-in-addresses";
    let made = live.call("POST", path, json!({ "chain_id": CHAIN })).await;
    let asks =
        json!({ "asset": token.to_string(), "extra": { "name": "USD Coin", "version": "2" } });
    let signed = |nonce: u64| x402::body(&payer, &asks, &made["address"], nonce, now());
    // The hot wallet's gas money needs a confirmation.
    let mut verified = Value::Null;
    for _ in 0..50 {
        node.mine(1);
        verified = live.ask("POST", "/x402/verify", signed(0)).await;
        if verified["isValid"] == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(verified["isValid"], true, "{verified}");
    node.call("evm_setAutomine", json!([true]));
    let mut milliseconds = Vec::new();
    for nonce in 1..=PAYMENTS as u64 {
        let body = signed(nonce);
        let since = Instant::now();
        let settled = live.ask("POST", "/x402/settle", body).await;
        assert_eq!(settled["success"], true, "{settled}");
        milliseconds.push(since.elapsed().as_secs_f64() * 1e3);
    }
    live.end().await;
    let measured = median(milliseconds);
    poll_row(
        "from a program's signature to the answer that it is settled",
        measured,
    );
}
