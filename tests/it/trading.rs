//! Trading: quotes held, accepted once, rejected, lapsed; orders funded, settled, given up; every rest the venues'.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_service::store::postgres::Postgres;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

const OUTSIDE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A merchant with a thousand USDC on Base, where it takes ETH too, and an empty account on Polygon.
fn trader(world: &mut World) -> (Shop, i64, i64) {
    let shop = world.otc_shop("Trader");
    let base = world.account(&shop, "base", 8453, &["USDC", "ETH"]);
    let polygon = world.account(&shop, "polygon", 137, &["USDC", "POL"]);
    world.deposit(&shop, base, 8453, "USDC", "1000");
    (shop, base, polygon)
}

fn quote(world: &mut World, shop: &Shop, query: &str) -> Value {
    world.read(shop, &format!("/v1/trade/quote?{query}"))
}

fn accept(world: &mut World, shop: &Shop, quote: &Value) -> Result<Value, String> {
    let path = format!(
        "/v1/trade/quote/{}/accept",
        quote["id"].as_str().expect("an id")
    );
    let answer = world.signed(shop, None, "POST", &path, json!({ "reference": "hedge" }));
    if answer.status == 201 {
        Ok(answer.data().clone())
    } else {
        Err(answer.refusal())
    }
}

fn order(world: &mut World, shop: &Shop, order: &Value) -> Value {
    let path = format!(
        "/v1/trade/orders/{}",
        order["order_id"].as_str().expect("an id")
    );
    world.read(shop, &path)
}

fn status(world: &mut World, shop: &Shop, of: &Value) -> String {
    let found = order(world, shop, of);
    found["status"].as_str().expect("a status").to_owned()
}

/// Posted and available of a currency on a chain.
fn balance(world: &mut World, shop: &Shop, chain: i64, currency: &str) -> (String, String) {
    let overview = world.keyed(shop, "GET", "/v1/overview", Value::Null);
    let text = |balance: &Value, name: &str| balance[name].as_str().expect("an amount").to_owned();
    overview.data()["balances"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|balance| balance["chain"]["id"] == chain && balance["currency"] == currency)
        .map_or(("0".into(), "0".into()), |balance| {
            (text(balance, "posted"), text(balance, "available"))
        })
}

/// Lets the slowest venue settle.
fn settle(world: &mut World) {
    world.work();
    world.pass(Duration::from_secs(30));
    world.work();
}

#[test]
fn a_quote_is_accepted_once_reserves_what_is_sold_and_settles_after_the_venues_delay() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, base, _) = trader(&mut world);
        let quoted = quote(
            &mut world,
            &shop,
            "sell_currency=USDC&sell_amount=400&buy_currency=ETH&deposit_method=Balance",
        );
        assert_eq!(quoted["mode"], "SellExact", "{kind}");
        assert_eq!(quoted["source"], "Api", "{kind}");
        assert_eq!(quoted["status"], "Created", "{kind}");
        assert_eq!(quoted["account_id"], base, "{kind}");
        assert_eq!(quoted["rate"]["usd_value"], 400.00, "{kind}");
        let made = accept(&mut world, &shop, &quoted).expect("an order");
        assert_eq!(
            (&made["status"], &made["reference"]),
            (&json!("Open"), &json!("hedge"))
        );
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("1000".into(), "600".into()), "{kind}");
        assert_eq!(
            accept(&mut world, &shop, &quoted),
            Err("409 STATE_FORBIDS".into()),
            "{kind}"
        );
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Processing", "{kind}");
        world.pass(Duration::from_secs(1));
        world.work();
        assert_eq!(
            status(&mut world, &shop, &made),
            "Processing",
            "{kind}: too early"
        );
        world.pass(Duration::from_secs(1));
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("600".into(), "600".into()), "{kind}");
        let bought = made["to_amount"].as_str().expect("an amount");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, bought, "{kind}");
        let path = format!("/v1/accounts/{base}/movement?sort=asc");
        let movements = world.keyed(&shop, "GET", &path, Value::Null);
        let shown: Vec<(&Value, &Value, &Value)> = movements.data()["items"]
            .as_array()
            .expect("items")
            .iter()
            .filter(|movement| movement["entity_id"] == made["order_id"])
            .map(|movement| {
                (
                    &movement["direction"],
                    &movement["type"],
                    &movement["status"],
                )
            })
            .collect();
        let (swap, confirmed) = (json!("Swap"), json!("Confirmed"));
        let (out, inward) = (json!("OUT"), json!("IN"));
        assert_eq!(
            shown,
            [(&out, &swap, &confirmed), (&inward, &swap, &confirmed)],
            "{kind}"
        );
        let path = format!(
            "/v1/events?document_id={}&sort=asc",
            made["order_id"].as_str().expect("an id")
        );
        let events = world.keyed(&shop, "GET", &path, Value::Null);
        let actions: Vec<&str> = events.data()["items"]
            .as_array()
            .expect("items")
            .iter()
            .filter(|event| event["data"]["order_id"].is_string())
            .filter_map(|event| event["action"].as_str())
            .collect();
        assert_eq!(actions, ["Queued", "Processed", "Settled"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_is_bought_exactly_is_bought_exactly_and_a_basket_has_a_rate_for_each() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, base, polygon) = trader(&mut world);
        let exact = quote(
            &mut world,
            &shop,
            "sell_currency=USDC&buy_currency=ETH&buy_amount=0.1&deposit_method=Balance",
        );
        assert_eq!(exact["mode"], "BuyExact", "{kind}");
        assert_eq!(exact["buy_asset"]["amount"], 0.1, "{kind}");
        accept(&mut world, &shop, &exact).expect("an order");
        settle(&mut world);
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0.1", "{kind}");
        world.deposit(&shop, polygon, 137, "POL", "500");
        let basket = quote(
            &mut world,
            &shop,
            "sell_currency=POL,ETH&sell_amount=500,0.1&buy_currency=USDC&deposit_method=Balance",
        );
        assert_eq!(basket["sell_assets"][0]["chain_id"], 137, "{kind}");
        assert_eq!(basket["sell_assets"][1]["chain_id"], 8453, "{kind}");
        assert!(basket["rate"]["sell_currency_cad_rates"]["POL"].is_number());
        let made = accept(&mut world, &shop, &basket).expect("an order");
        assert_eq!(
            made["deposit_instruction"]["sell_assets"]
                .as_array()
                .map(Vec::len),
            Some(2)
        );
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0", "{kind}");
        assert_eq!(balance(&mut world, &shop, 137, "POL").0, "0", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        assert!(base != polygon);
    });
}

#[test]
fn a_quote_that_is_over_rejected_or_somebody_elses_is_not_accepted() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, _, _) = trader(&mut world);
        let query = "sell_currency=USDC&sell_amount=10&buy_currency=ETH&deposit_method=Balance";
        let late = quote(&mut world, &shop, query);
        let open = |world: &mut World| {
            let seen = world.keyed(&shop, "GET", "/v1/overview", Value::Null);
            let seen = seen.data();
            (
                seen["quotes_open"].clone(),
                seen["quote_expires_at"].clone(),
            )
        };
        let seen = open(&mut world);
        assert_eq!(seen, (json!(1), late["expires_at"].clone()), "{kind}");
        world.pass(Duration::from_secs(30));
        assert_eq!(open(&mut world), (json!(0), Value::Null), "{kind}");
        let refusal = accept(&mut world, &shop, &late);
        assert_eq!(
            refusal,
            Err("409 QUOTE_EXPIRED".into()),
            "{kind}: before its lapse is noted"
        );
        world.work();
        let path = format!("/v1/trade/quote/{}", late["id"].as_str().expect("an id"));
        let found = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(found.data()["status"], "Expired", "{kind}");
        let refusal = accept(&mut world, &shop, &late);
        assert_eq!(refusal, Err("409 QUOTE_EXPIRED".into()), "{kind}");

        let unwanted = quote(&mut world, &shop, query);
        let path = format!(
            "/v1/trade/quote/{}/reject",
            unwanted["id"].as_str().expect("an id")
        );
        let rejected = world.keyed(&shop, "POST", &path, Value::Null);
        assert_eq!(
            rejected.data()["status"],
            "Rejected",
            "{kind}: {}",
            rejected.body
        );
        assert!(rejected.data()["rejected_at"].is_string(), "{kind}");
        let refusal = accept(&mut world, &shop, &unwanted);
        assert_eq!(refusal, Err("409 STATE_FORBIDS".into()), "{kind}");
        let again = world.keyed(&shop, "POST", &path, Value::Null).refusal();
        assert_eq!(again, "409 STATE_FORBIDS", "{kind}");

        let good = quote(&mut world, &shop, query);
        let stranger = world.otc_shop("Stranger");
        let refusal = accept(&mut world, &stranger, &good);
        assert_eq!(refusal, Err("404 NOT_FOUND".into()), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_deposit_order_waits_for_its_money_and_is_given_up_when_it_does_not_come() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, base, _) = trader(&mut world);
        let query = "sell_currency=USDC&sell_amount=1500&buy_currency=ETH";
        let first = quote(&mut world, &shop, query);
        assert_eq!(first["deposit_instruction"]["payment_method"], "Deposit");
        let made = accept(&mut world, &shop, &first).expect("an order");
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Open", "{kind}");
        world.deposit(&shop, base, 8453, "USDC", "500");
        settle(&mut world);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "USDC").0, "0", "{kind}");

        let second = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &second).expect("an order");
        world.pass(Duration::from_secs(15 * 60));
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Canceled", "{kind}");
        let canceled = order(&mut world, &shop, &made);
        assert_eq!(canceled["reason"], "InsufficientFunds", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_an_order_waits_for_is_not_swept_away_before_it_is_funded() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.otc_shop("Trader");
        let base = world.account(&shop, "base", 8453, &["USDC", "ETH"]);
        let path = format!("/v1/partners/accounts/id/{base}/automations/maintain-balance");
        let sweep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 10, "payout_address": OUTSIDE });
        let sweep = world.signed(&shop, None, "POST", &path, sweep);
        assert_eq!(sweep.status, 201, "{kind}: {}", sweep.body);
        world.work();
        let swept = |world: &mut World| {
            let listed = world.read(&shop, "/v1/payouts?sort=asc");
            let amounts = listed["items"].as_array().expect("payouts").iter();
            let amounts = amounts.map(|payout| payout["amount"].as_str().map(str::to_owned));
            amounts.flatten().collect::<Vec<_>>()
        };
        let query = "sell_currency=USDC&sell_amount=500&buy_currency=ETH";
        let wanted = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &wanted).expect("an order");
        world.deposit(&shop, base, 8453, "USDC", "300");
        assert_eq!(swept(&mut world), Vec::<String>::new(), "{kind}: a part");
        world.deposit(&shop, base, 8453, "USDC", "250");
        settle(&mut world);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(
            swept(&mut world),
            ["49.98"],
            "{kind}: what is more than that"
        );

        let wanted = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &wanted).expect("an order");
        world.deposit(&shop, base, 8453, "USDC", "300");
        assert_eq!(swept(&mut world).len(), 1, "{kind}");
        world.pass(Duration::from_secs(15 * 60));
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Canceled", "{kind}");
        let freed = swept(&mut world);
        // Its gas is paid out of the ETH that was bought.
        assert_eq!(freed, ["49.98", "300"], "{kind}: once nobody waits");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_is_reserved_for_an_order_is_not_sold_again() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, _, _) = trader(&mut world);
        let query = "sell_currency=USDC&sell_amount=600&buy_currency=ETH&deposit_method=Balance";
        let (first, second) = (
            quote(&mut world, &shop, query),
            quote(&mut world, &shop, query),
        );
        accept(&mut world, &shop, &first).expect("an order");
        let refusal = accept(&mut world, &shop, &second);
        assert_eq!(refusal, Err("422 INSUFFICIENT_FUNDS".into()), "{kind}");
        let path = format!("/v1/trade/quote/{}", second["id"].as_str().expect("an id"));
        let found = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(
            found.data()["status"],
            "Created",
            "{kind}: a refusal changes nothing"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_is_bought_goes_to_another_account_or_to_an_outside_wallet() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, _, polygon) = trader(&mut world);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["to_chain_id"], 137, "{kind}");
        settle(&mut world);
        let pol = balance(&mut world, &shop, 137, "POL").0;
        assert_eq!(made.data()["to_amount"], pol.as_str(), "{kind}");

        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "settlement_address": OUTSIDE });
        let sent = world.signed(&shop, None, "POST", "/v1/trade/quicktrade", body);
        assert_eq!(sent.status, 201, "{kind}: {}", sent.body);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, sent.data()), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0", "{kind}");
        let movements = world.keyed(
            &shop,
            "GET",
            "/v1/accounts/base/movement?limit=1",
            Value::Null,
        );
        let last = &movements.data()["items"][0];
        assert_eq!(last["type"], "Withdraw", "{kind}");
        assert_eq!(last["to_address"], OUTSIDE, "{kind}");
        assert_eq!(last["amount"], sent.data()["to_amount"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_goes_to_an_outside_wallet_needs_the_scope_that_sends_money_out() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, ..) = trader(&mut world);
        let key = json!({ "name": "trades", "scopes": ["read", "write"] });
        let key = world.keyed(&shop, "POST", "/v1/api-keys", key);
        let trades = Shop {
            id: shop.id,
            key: key.data()["key"].as_str().expect("a key").to_owned(),
            secret: shop.secret.clone(),
        };
        let wish = format!(
            "sell_currency=USDC&sell_amount=10&buy_currency=ETH&deposit_method=Balance&settlement_address={OUTSIDE}"
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
            let refused = world.signed(&trades, None, "POST", path, body(dry_run, Some(OUTSIDE)));
            assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
            let unsigned = world.keyed(&shop, "POST", path, body(dry_run, Some(OUTSIDE)));
            assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
            let own = world.keyed(&trades, "POST", path, body(dry_run, None));
            assert_eq!(own.status, 201, "{kind}: {}", own.body);
        }
        assert!(accept(&mut world, &shop, &held).is_ok(), "{kind}");
        // What is bought passes through the account that pays, not through the oldest one on the chain.
        let second = world.account(&shop, "second", 8453, &["USDC", "ETH"]);
        world.deposit(&shop, second, 8453, "USDC", "100");
        let held = quote(&mut world, &shop, &format!("{wish}&account_id={second}"));
        assert!(accept(&mut world, &shop, &held).is_ok(), "{kind}");
        settle(&mut world);
        let path = format!("/v1/accounts/{second}/movement?sort=asc");
        let booked = world.keyed(&shop, "GET", &path, Value::Null);
        let items = booked.data()["items"].as_array().expect("items").iter();
        let types: Vec<&str> = items.filter_map(|item| item["type"].as_str()).collect();
        assert_eq!(types[..3], ["Deposit", "Swap", "Swap"], "{kind}: {types:?}");
        assert!(types[3..].contains(&"Withdraw"), "{kind}: {types:?}");
    });
}

#[test]
fn one_currency_moves_to_another_chain() {
    let mut world = World::new(database::sqlite());
    let (shop, _, _) = trader(&mut world);
    let body = json!({ "amount": "100", "currency": "USDC", "chain_id": 8453, "to_currency": "USDC", "to_chain_id": 137 });
    let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
    assert_eq!(made.status, 201, "{}", made.body);
    settle(&mut world);
    let there = balance(&mut world, &shop, 137, "USDC").0;
    assert_eq!(made.data()["to_amount"], there.as_str());
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn a_dry_run_is_the_real_run_without_ids_and_without_traces() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_address": OUTSIDE }),
            json!({ "amount": "10", "currency": "USDC", "to_currency": "POL", "settlement_address": OUTSIDE,
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
fn a_trade_that_cannot_be_booked_fails_and_frees_what_was_reserved() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, _, polygon) = trader(&mut world);
        // The account holds all that can be shown.
        let all = "79228162514.264337593543950335";
        world.deposit(&shop, polygon, 137, "POL", all);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
        assert_eq!(made.status, 201, "{}", made.body);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, made.data()), "Failed", "{kind}");
        let failed = order(&mut world, &shop, made.data());
        assert_eq!(
            failed["reason"], "AmountTooLarge",
            "{kind}: it says why: {failed}"
        );
        let told = world.read(&shop, "/v1/events?type=Transaction&action=Updated&limit=1");
        assert_eq!(
            told["items"][0]["data"], failed,
            "{kind}: and so does its event"
        );
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("1000".into(), "1000".into()), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn quotes_that_cannot_be_given_are_refused_by_name() {
    let rows = [
        (
            "sell_currency=USDC&buy_currency=ETH",
            "422 REQUIRED sell_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=1&buy_amount=1",
            "422 EXCLUDED sell_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=GBP&sell_amount=10",
            "422 NOT_SUPPORTED buy_currency",
        ),
        (
            "sell_currency=USDT&buy_currency=ETH&sell_amount=10",
            "422 NOT_SUPPORTED sell_currency[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=0.5",
            "422 SIZE_NOT_TRADED sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=9000000",
            "422 SIZE_NOT_TRADED sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&buy_amount=9000",
            "422 SIZE_NOT_TRADED buy_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=1.0000001",
            "422 AMOUNT_TOO_MANY_DECIMALS sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&account_id=999",
            "422 REFERENCE_UNKNOWN account_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&settlement_account_id=999",
            "422 REFERENCE_UNKNOWN settlement_account_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&sell_chain_ids=1",
            "422 NOT_SUPPORTED sell_chain_ids[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&buy_chain_id=137",
            "422 NOT_SUPPORTED buy_chain_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&deposit_method=Unknown",
            "422 NOT_SUPPORTED deposit_method",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&sell_token_addresses=0x1",
            "422 NOT_SUPPORTED sell_token_addresses[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&buy_token_address=0x1",
            "422 NOT_SUPPORTED buy_token_address",
        ),
        // All that is wrong with a basket, each at its place.
        (
            "sell_currency=USDT,USDC,EURC&buy_currency=ETH&sell_amount=10,10,10",
            "422 NOT_SUPPORTED sell_currency[0], NOT_SUPPORTED sell_currency[2]",
        ),
        (
            "sell_currency=USDC,POL&buy_currency=ETH&sell_amount=0.5,0.1",
            "422 SIZE_NOT_TRADED sell_amount[0], SIZE_NOT_TRADED sell_amount[1]",
        ),
    ];
    let mut world = World::new(database::sqlite());
    let (shop, _, _) = trader(&mut world);
    for (query, refusal) in rows {
        let target = format!("/v1/trade/quote?{query}");
        let answer = world.keyed(&shop, "GET", &target, Value::Null);
        assert_eq!(answer.refusal(), refusal, "{query}");
    }
    let history = world.keyed(&shop, "GET", "/v1/trade/quote/history", Value::Null);
    assert_eq!(history.data()["total"], 0);
}

#[test]
fn an_estimate_creates_nothing_and_needs_no_account() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Looking");
    let estimate = quote(
        &mut world,
        &shop,
        "sell_currency=USDC&sell_amount=100&buy_amount=1&buy_currency=ETH&estimate=true",
    );
    assert_eq!(estimate["mode"], "SellExact");
    assert!(estimate["expires_at"].is_null());
    assert_eq!(
        accept(&mut world, &shop, &estimate),
        Err("404 NOT_FOUND".into())
    );
    let history = world.keyed(&shop, "GET", "/v1/trade/quote/history", Value::Null);
    assert_eq!(history.data()["total"], 0);
}

#[test]
fn history_and_instruments_are_for_the_otc_organisation() {
    let mut world = World::new(database::sqlite());
    let (trader, _, _) = trader(&mut world);
    let plain = world.shop("Plain", None);
    for path in ["/v1/trade/quote/history", "/v1/trade/instruments"] {
        let refusal = world.keyed(&plain, "GET", path, Value::Null).refusal();
        assert_eq!(refusal, "403 FEATURE_MISSING", "{path}");
    }
    for amount in 1..=3 {
        let query = format!("sell_currency=USDC&sell_amount={amount}0&buy_currency=ETH");
        quote(&mut world, &trader, &query);
    }
    let path = "/v1/trade/quote/history?limit=2&page=2&sort=asc";
    let page = world.keyed(&trader, "GET", path, Value::Null);
    assert_eq!(page.data()["total"], 3);
    assert_eq!(page.data()["items"][0]["sell_assets"][0]["amount"], 30);
    let all = world.keyed(&trader, "GET", "/v1/trade/instruments", Value::Null);
    let all = all.data().as_array().expect("instruments").len();
    assert_eq!(all, 5 + 21);
    let path = "/v1/trade/instruments?venue_id=1&base=ETH&quote=USDC";
    let one = world.keyed(&trader, "GET", path, Value::Null);
    assert_eq!(one.data().as_array().map(Vec::len), Some(1));
    let price = &one.data()[0]["last_price"];
    assert_ne!(*price, 3200, "it swings");
    world.pass(Duration::from_secs(600));
    let later = world.keyed(&trader, "GET", path, Value::Null);
    assert_eq!(later.data()[0]["last_price"], *price, "and comes back");
    world.pass(Duration::from_secs(100));
    let later = world.keyed(&trader, "GET", path, Value::Null);
    assert_ne!(later.data()[0]["last_price"], *price);
}

#[test]
fn what_can_be_traded_is_told_by_venues_chains_and_accounts() {
    let mut world = World::new(database::sqlite());
    let (shop, base, _) = trader(&mut world);
    let mut assets = |query: &str| -> Vec<(i64, String)> {
        let target = format!("/v1/trade/tradable-assets?{query}");
        let answer = world.keyed(&shop, "GET", &target, Value::Null);
        let rows = answer.data().as_array().expect("assets").clone();
        rows.iter()
            .map(|row| {
                let chain = row["chain_id"].as_i64().expect("a chain");
                (
                    chain,
                    row["currency"].as_str().expect("a currency").to_owned(),
                )
            })
            .collect()
    };
    let row = |chain: i64, currency: &str| (chain, currency.to_owned());
    let supported = assets("currency=USDC&chain_id=8453&require_settlement_support=true");
    assert_eq!(
        supported,
        [row(137, "POL"), row(137, "USDC"), row(8453, "ETH")]
    );
    assert!(
        assets("currency=EURC&chain_id=137").is_empty(),
        "it is not there"
    );
    let more = assets("currency=USDC&chain_id=8453");
    assert!(more.contains(&row(8453, "EURC")) && more.contains(&row(137, "USDT")));
    let small = assets("currency=USDC&chain_id=8453&amount=2&require_settlement_support=true");
    assert_eq!(
        small,
        [row(137, "POL"), row(8453, "ETH")],
        "a move of chains begins at ten"
    );
    let here = assets(&format!(
        "currency=ETH&account_id={base}&require_settlement_support=true"
    ));
    assert_eq!(here, [row(8453, "USDC")]);
    assert!(assets("currency=GBP").is_empty());
    let currencies = world.keyed(&shop, "GET", "/v1/trade/currencies", Value::Null);
    assert_eq!(
        currencies.data()["currencies"].as_array().map(Vec::len),
        Some(6)
    );
    assert_eq!(
        currencies.data()["payment_methods"],
        json!(["Deposit", "Balance"])
    );
}

#[test]
fn a_quick_trade_takes_from_the_primary_virtual_account_unless_told_otherwise() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, base, _) = trader(&mut world);
        let body = json!({ "reference": "till", "name": "Till",
            "chains": [{ "chain_id": 1, "currencies": ["USDC", "ETH"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
        let till = world.keyed(&shop, "POST", "/v1/accounts/virtual", body);
        assert_eq!(till.status, 201, "{kind}: {}", till.body);
        let below = till.data()["sub_accounts"][0]["id"]
            .as_i64()
            .expect("an id");
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
fn many_at_once_do_not_sell_what_is_not_there() {
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
fn a_partner_asks_for_a_quote_for_its_merchant() {
    let mut world = World::new(database::sqlite());
    let partner = world.shop("Partner", None);
    let shop = world.shop("Shop", Some(partner.id));
    world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    let target = "/v1/trade/quote?sell_currency=USDC&sell_amount=10&buy_currency=ETH";
    let quoted = world.signed(&partner, Some(shop.id), "GET", target, Value::Null);
    assert_eq!(quoted.status, 200, "{}", quoted.body);
    assert_eq!(quoted.data()["org_id"], shop.id.to_string());
}

/// An amount as millionths of a whole unit, for comparison; what is finer is cut off.
fn millionths(amount: &Value) -> i128 {
    let text = amount.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
    format!("{whole}{fraction}").parse().expect("an amount")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_quote_never_gives_more_than_its_inputs_are_worth_at_the_venues_price(
        cents in 2_000_u32..100_000_000,
        seconds in 0_u64..100_000,
        sold in 0_usize..6,
        bought in 0_usize..6,
        exact_buy in any::<bool>(),
    ) {
        const CURRENCIES: [&str; 6] = ["ETH", "BNB", "POL", "EURC", "USDT", "USDC"];
        // The venues' means in millionths of a US dollar.
        const WORTH: [i128; 6] = [3_200_000_000, 610_000_000, 450_000, 1_080_000, 1_000_000, 1_000_000];
        prop_assume!(sold != bought);
        let mut world = World::new(database::sqlite());
        let shop = world.otc_shop("Trader");
        world.pass(Duration::from_secs(seconds));
        // An amount of the exact side that is worth so many cents.
        let exact = if exact_buy { bought } else { sold };
        let units = i128::from(cents) * 10_000 * 1_000_000 / WORTH[exact];
        let amount = format!("{}.{:06}", units / 1_000_000, units % 1_000_000);
        let side = if exact_buy { "buy_amount" } else { "sell_amount" };
        let query = format!(
            "sell_currency={}&buy_currency={}&{side}={amount}&estimate=true",
            CURRENCIES[sold], CURRENCIES[bought]
        );
        let quoted = quote(&mut world, &shop, &query);
        let instruments = world.keyed(&shop, "GET", "/v1/trade/instruments?venue_id=2", Value::Null);
        let price = instruments.data().as_array().expect("instruments").iter().find_map(|row| {
            let straight = row["base"] == CURRENCIES[sold] && row["quote"] == CURRENCIES[bought];
            let mirrored = row["base"] == CURRENCIES[bought] && row["quote"] == CURRENCIES[sold];
            (straight || mirrored).then(|| (millionths(&row["last_price"]), straight))
        });
        let (price, straight) = price.expect("the pair is traded");
        let given = millionths(&quoted["buy_asset"]["amount"]);
        let taken = millionths(&quoted["sell_assets"][0]["amount"]) + 1;
        // A price is shown to eight places and read to six: one more in the last place bounds it from above.
        if straight {
            prop_assert!(given * 1_000_000 <= taken * (price + 1), "{query}: {quoted}");
        } else {
            prop_assert!(given * price <= taken * 1_000_000, "{query}: {quoted}");
        }
        prop_assert!(given > 0 && taken > 0);
    }
}

#[test]
fn what_a_failed_order_frees_is_seen_by_the_accounts_automation() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, base, polygon) = trader(&mut world);
        let all = "79228162514.264337593543950335";
        world.deposit(&shop, polygon, 137, "POL", all);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
        let path = format!("/v1/partners/accounts/id/{base}/automations/maintain-balance");
        let body = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_address": OUTSIDE, "payout_threshold_amount": 950 });
        let kept = world.signed(&shop, None, "POST", &path, body);
        assert_eq!(kept.status, 201, "{kind}: {}", kept.body);
        world.work();
        let payouts = |world: &mut World| world.read(&shop, "/v1/payouts")["total"].clone();
        assert_eq!(payouts(&mut world), 0, "{kind}: a hundred is set aside");
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, made.data()), "Failed", "{kind}");
        world.work();
        assert_eq!(payouts(&mut world), 1, "{kind}: it is all there again");
    });
}

#[test]
fn what_is_listed_for_a_size_is_what_a_trade_of_that_size_buys() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let mut assets = Vec::new();
    for (chain, currencies) in [(1, ["ETH", "EURC"]), (56, ["BNB", "USDC"])] {
        world.account(&shop, &format!("on-{chain}"), chain, &currencies);
        let path = format!("/v1/accounts/on-{chain}");
        let account = world.read(&shop, &path)["id"].as_i64().expect("an id");
        for currency in currencies {
            world.deposit(&shop, account, chain, currency, "6000000");
            assets.push((chain, currency));
        }
    }
    for (chain, currency) in assets.clone() {
        for amount in ["0.5", "2", "249000.0", "6000000"] {
            let query = format!("currency={currency}&chain_id={chain}&amount={amount}");
            let path = format!("/v1/trade/tradable-assets?{query}&require_settlement_support=true");
            let listed = world.read(&shop, &path);
            for (to_chain, to) in assets.iter().filter(|one| **one != (chain, currency)) {
                let trade = json!({ "amount": amount, "currency": currency, "chain_id": chain,
                    "to_currency": to, "to_chain_id": to_chain, "dry_run": true });
                let trade = world.keyed(&shop, "POST", "/v1/trade/quicktrade", trade);
                let row = json!({ "chain_id": to_chain, "currency": to });
                let is_listed = listed.as_array().expect("rows").contains(&row);
                assert_eq!(
                    is_listed,
                    trade.status == 201,
                    "{query} {to} {}",
                    trade.body
                );
            }
        }
    }
    let fine = "/v1/trade/tradable-assets?currency=EURC&chain_id=1&amount=0.0000001";
    let fine = world.keyed(&shop, "GET", fine, Value::Null);
    assert_eq!(fine.refusal(), "422 AMOUNT_TOO_MANY_DECIMALS amount");
}
