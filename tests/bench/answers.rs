//! Decoding a page of movements into records, against parsing the same bytes into a JSON tree.

use std::time::Instant;

use http::Response;
use serde_json::{Value, json};
use settlekit_core::account::ListMovements;
use settlekit_core::call::read;

use crate::{median, row};

const ROUNDS: usize = 200;
const CALLS: u32 = 10;

pub(crate) fn run() {
    let items: Vec<Value> = (0..100)
        .map(|number| {
            json!({
                "id": 91_000 + number, "account_id": 7, "account_reference": "shop-eu",
                "amount": format!("{number}.123456789012345678"), "currency": "USDC", "direction": "IN",
                "type": "Deposit", "status": "Confirmed", "fee": "0.0021", "fee_currency": "ETH",
                "entity_id": "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01",
                "chain": { "id": 8453, "name": "Base", "native_currency_symbol": "ETH" },
                "from_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                "transaction_hash": "0x2d1a0f3c5b7e9d8c6a4f2e1b0d9c8a7f6e5d4c3b2a190f8e7d6c5b4a39281706",
                "created_at": "2026-11-21T09:30:00.123456Z", "confirmed_at": "2026-11-21T09:31:00.123456Z"
            })
        })
        .collect();
    let body = json!({ "data": { "items": items, "total": 4200, "next": 2 }, "error": false });
    let answer = Response::new(serde_json::to_vec(&body).expect("JSON"));
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // Alternates which one runs first.
        for turn in 0..2 {
            let way = (round + turn) % 2;
            let since = Instant::now();
            for _ in 0..CALLS {
                if way == 0 {
                    read::<ListMovements>(&answer).expect("a page");
                } else {
                    serde_json::from_slice::<Value>(answer.body()).expect("JSON");
                }
            }
            times[way].push(since.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
        }
    }
    let [ours, tree] = times.map(median);
    row(
        &format!(
            "a page of 100 movements read and checked, {} bytes",
            answer.body().len()
        ),
        &format!("{ours:.0} µs"),
        &format!("read into serde_json's tree, {tree:.0} µs"),
        ours / tree,
    );
}
