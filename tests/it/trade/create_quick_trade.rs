//! `POST /trade/quicktrade`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_service::store::postgres::Postgres;
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World, number, text};

use super::{accept, balance, order, quote, settle, status, trader};

#[test]
fn a_trade_settles_to_another_account_or_an_outside_wallet() {
    World::each(|kind, mut world| {
        let (shop, _, polygon) = trader(&mut world);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.post(&shop, "/v1/trade/quicktrade", body);
        assert_eq!(made.data()["to_chain_id"], 137, "{kind}");
        settle(&mut world);
        let pol = balance(&mut world, &shop, 137, "POL").0;
        assert_eq!(made.data()["to_amount"], pol.as_str(), "{kind}");

        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "settlement_address": WALLET });
        let sent = world.create(&shop, "/v1/trade/quicktrade", body);
        settle(&mut world);
        // Settled when the payout of the bought money is confirmed.
        assert_eq!(
            status(&mut world, &shop, sent.data()),
            "Processing",
            "{kind}"
        );
        world.work();
        world.pass_and_work(Duration::from_secs(10));
        assert_eq!(status(&mut world, &shop, sent.data()), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0", "{kind}");
        let movements = world.read(&shop, "/v1/accounts/base/movement?limit=1");
        let last = &movements["items"][0];
        assert_eq!(last["type"], "Withdraw", "{kind}");
        assert_eq!(last["to_address"], WALLET, "{kind}");
        assert_eq!(last["amount"], sent.data()["to_amount"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_trade_to_an_outside_wallet_needs_the_payout_scope() {
    World::each(|kind, mut world| {
        let (shop, ..) = trader(&mut world);
        let trades = world.scoped(&shop, &["read", "write"]);
        let wish = format!(
            "sell_currency=USDC&sell_amount=10&buy_currency=ETH&deposit_method=Balance&settlement_address={WALLET}"
        );
        let held = quote(&mut world, &trades, &wish);
        let refused = accept(&mut world, &trades, &held);
        assert_eq!(refused, Err("403 SCOPE_MISSING".to_owned()), "{kind}");
        let body = |dry_run: bool, address: Option<&str>| {
            json!({
                "amount": "10", "currency": "USDC", "to_currency": "ETH", "dry_run": dry_run, "settlement_address": address
            })
        };
        for dry_run in [true, false] {
            let path = "/v1/trade/quicktrade";
            let refused = world.signed(&trades, None, "POST", path, body(dry_run, Some(WALLET)));
            assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
            let unsigned = world.keyed(&shop, "POST", path, body(dry_run, Some(WALLET)));
            assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
            world.post(&trades, path, body(dry_run, None));
        }
        assert!(accept(&mut world, &shop, &held).is_ok(), "{kind}");
        // The bought asset is booked on the paying account, not on the oldest of the chain.
        let second = world.account(&shop, "second", 8453, &["USDC", "ETH"]);
        world.deposit(&shop, second, 8453, "USDC", "100");
        let held = quote(&mut world, &shop, &format!("{wish}&account_id={second}"));
        assert!(accept(&mut world, &shop, &held).is_ok(), "{kind}");
        settle(&mut world);
        let path = format!("/v1/accounts/{second}/movement?sort=asc");
        let booked = world.keyed(&shop, "GET", &path, Value::Null);
        let items = booked.items().iter();
        let types: Vec<&str> = items.filter_map(|item| item["type"].as_str()).collect();
        assert_eq!(types[..3], ["Deposit", "Swap", "Swap"], "{kind}: {types:?}");
        assert!(types[3..].contains(&"Withdraw"), "{kind}: {types:?}");
    });
}

#[test]
fn a_trade_can_move_a_currency_to_another_chain() {
    let mut world = World::new(database::sqlite());
    let (shop, _, _) = trader(&mut world);
    let body = json!({ "amount": "100", "currency": "USDC", "chain_id": 8453, "to_currency": "USDC", "to_chain_id": 137 });
    let made = world.post(&shop, "/v1/trade/quicktrade", body);
    settle(&mut world);
    let there = balance(&mut world, &shop, 137, "USDC").0;
    assert_eq!(made.data()["to_amount"], there.as_str());
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn an_estimate_shows_the_offers_of_the_venues_as_its_quote_does() {
    World::each(|kind, mut world| {
        let (shop, ..) = trader(&mut world);
        let trade = |dry_run: bool| json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "dry_run": dry_run });
        let estimate = world.post(&shop, "/v1/trade/quicktrade", trade(true));
        let offers = estimate.data()["properties"]["offers"].as_array();
        let offers = offers.unwrap_or_else(|| panic!("{kind}: {}", estimate.body));
        assert_eq!(offers[0]["chosen"], true, "{kind}");
        let made = world.post(&shop, "/v1/trade/quicktrade", trade(false));
        let path = format!("/v1/trade/quote/{}", text(made.data(), "quote_id"));
        let quote = world.read(&shop, &path);
        assert_eq!(made.data()["properties"], quote["properties"], "{kind}");
    });
}

#[test]
fn a_dry_run_equals_the_real_run_without_ids() {
    World::each(|kind, mut world| {
        let (shop, base, polygon) = trader(&mut world);
        let rows = [
            json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "reference": "a" }),
            json!({ "amount": "5000", "currency": "USDC", "to_currency": "ETH" }),
            json!({ "amount": "0.5", "currency": "USDC", "to_currency": "ETH" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "GBP" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "EURC" }),
            json!({ "amount": "10", "currency": "USDT", "to_currency": "ETH" }),
            json!({ "amount": "10.1234567", "currency": "USDC", "to_currency": "ETH" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_account_id": base }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_address": WALLET }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_address": WALLET,
                "settlement_account_id": base }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "USDC" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "account_id": 999 }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "account_reference": "base" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "account_reference": "nobody" }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "chain_id": 137 }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "chain_id": 4 }),
        ];
        let mut refused = 0;
        for row in rows {
            let before = world.keyed(&shop, "GET", "/v1/trade/orders", Value::Null);
            let events = world.keyed(&shop, "GET", "/v1/events?limit=1", Value::Null);
            let mut dry = row.clone();
            dry["dry_run"] = json!(true);
            let dry = world.signed(&shop, None, "POST", "/v1/trade/quicktrade", dry);
            let after = world.keyed(&shop, "GET", "/v1/trade/orders", Value::Null);
            let events_after = world.keyed(&shop, "GET", "/v1/events?limit=1", Value::Null);
            assert_eq!(before.body, after.body, "{kind} {row}");
            assert_eq!(events.body, events_after.body, "{kind} {row}");
            let real = world.signed(&shop, None, "POST", "/v1/trade/quicktrade", row.clone());
            let mut expected = real.body.clone();
            if real.status == 201 {
                let data = expected["data"].as_object_mut().expect("a record");
                assert!(data.remove("order_id").is_some() && data.remove("quote_id").is_some());
            } else {
                refused += 1;
            }
            assert_eq!(
                (dry.status, &dry.body),
                (real.status, &expected),
                "{kind} {row}"
            );
        }
        assert_eq!(refused, 13, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_quick_trade_uses_the_primary_virtual_account_by_default() {
    World::each(|kind, mut world| {
        let (shop, base, _) = trader(&mut world);
        let body = json!({ "reference": "till", "name": "Till",
            "chains": [{ "chain_id": 1, "currencies": ["USDC", "ETH"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
        let till = world.post(&shop, "/v1/accounts/virtual", body);
        let below = number(&till.data()["sub_accounts"][0], "id");
        let mut body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH" });
        let empty = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body.clone());
        let refused = "422 INSUFFICIENT_FUNDS amount";
        assert_eq!(empty.refusal(), refused, "{kind}");
        world.deposit(&shop, below, 1, "USDC", "100");
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body.clone());
        assert_eq!(made.data()["account_id"], below, "{kind}: {}", made.body);
        body["account_reference"] = json!("base");
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
        assert_eq!(made.data()["account_id"], base, "{kind}: {}", made.body);
        settle(&mut world);
        assert_eq!(balance(&mut world, &shop, 1, "USDC").0, "0", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn concurrent_trades_never_sell_more_than_the_balance() {
    let url = settlekit_tests::postgres::database();
    let open = || Postgres::open(&url).expect("a connection");
    let mut world = World::new(Box::new(open()));
    let (shop, _, _) = trader(&mut world);
    let (now, service) = (world.now, world.parts().0.clone());
    let made: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8_u8)
            .map(|number| {
                let (shop, service, open) = (&shop, &service, &open);
                scope.spawn(move || {
                    let body = json!({ "amount": "300", "currency": "USDC", "to_currency": "ETH" });
                    let request = http::Request::builder()
                        .method("POST")
                        .uri("/v1/trade/quicktrade")
                        .header(settlekit_core::header::API_KEY, &shop.key)
                        .body(body.to_string().into_bytes())
                        .expect("a request");
                    let seed = Seed([number + 100; 32]);
                    let answer = service.answer(&mut open(), &request, now, seed);
                    let text = String::from_utf8_lossy(answer.body()).into_owned();
                    match answer.status().as_u16() {
                        201 => 1,
                        _ => {
                            assert!(text.contains("INSUFFICIENT_FUNDS"), "{text}");
                            0
                        }
                    }
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .sum()
    });
    assert_eq!(made, 3);
    let usdc = balance(&mut world, &shop, 8453, "USDC");
    assert_eq!(usdc, ("1000".into(), "100".into()));
    settle(&mut world);
    assert_eq!(balance(&mut world, &shop, 8453, "USDC").0, "100");
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn a_trade_whose_money_cannot_be_sent_fails_and_leaves_it_on_the_settlement_account() {
    World::each(|kind, mut world| {
        let (shop, ..) = trader(&mut world);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "settlement_address": WALLET });
        let made = world.create(&shop, "/v1/trade/quicktrade", body);
        settle(&mut world);
        let payout = world.read(&shop, "/v1/payouts")["items"][0]["id"].clone();
        let fail = json!({ "payment_id": payout });
        world.keyed(&shop, "POST", "/v1/sandbox/payout-failures", fail);
        let found = order(&mut world, &shop, made.data());
        assert_eq!(found["status"], "Failed", "{kind}: {found}");
        assert_eq!(found["reason"], "PayoutFailed", "{kind}");
        let held = balance(&mut world, &shop, 8453, "ETH");
        let bought = text(made.data(), "to_amount");
        assert_eq!(held, (bought.clone(), bought), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
