//! `POST /trade/quote/{quote_id}/accept`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

use super::QUERY;
use crate::trade::{accept, balance, quote, status, trader};

#[test]
fn a_quote_is_accepted_once_and_settles_after_the_venues_delay() {
    World::each(|kind, mut world| {
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
        world.pass_and_work(Duration::from_secs(1));
        assert_eq!(
            status(&mut world, &shop, &made),
            "Processing",
            "{kind}: too early"
        );
        world.pass_and_work(Duration::from_secs(1));
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("600".into(), "600".into()), "{kind}");
        let bought = text(&made, "to_amount");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, bought, "{kind}");
        let path = format!("/v1/accounts/{base}/movement?sort=asc");
        let movements = world.keyed(&shop, "GET", &path, Value::Null);
        let shown: Vec<(&Value, &Value, &Value)> = movements
            .items()
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
            text(&made, "order_id")
        );
        let events = world.keyed(&shop, "GET", &path, Value::Null);
        let actions: Vec<&str> = events
            .items()
            .iter()
            .filter(|event| event["data"]["order_id"].is_string())
            .filter_map(|event| event["action"].as_str())
            .collect();
        assert_eq!(actions, ["Queued", "Processed", "Settled"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_expired_rejected_or_foreign_quote_is_not_accepted() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let late = quote(&mut world, &shop, QUERY);
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
            "{kind}: before its expiry is recorded"
        );
        world.work();
        let path = format!("/v1/trade/quote/{}", text(&late, "id"));
        let found = world.read(&shop, &path);
        assert_eq!(found["status"], "Expired", "{kind}");
        let refusal = accept(&mut world, &shop, &late);
        assert_eq!(refusal, Err("409 QUOTE_EXPIRED".into()), "{kind}");

        let unwanted = quote(&mut world, &shop, QUERY);
        let path = format!("/v1/trade/quote/{}/reject", text(&unwanted, "id"));
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

        let good = quote(&mut world, &shop, QUERY);
        let stranger = world.otc_shop("Stranger");
        let refusal = accept(&mut world, &stranger, &good);
        assert_eq!(refusal, Err("404 NOT_FOUND".into()), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn money_reserved_for_an_order_is_not_sold_again() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let query = "sell_currency=USDC&sell_amount=600&buy_currency=ETH&deposit_method=Balance";
        let (first, second) = (
            quote(&mut world, &shop, query),
            quote(&mut world, &shop, query),
        );
        accept(&mut world, &shop, &first).expect("an order");
        let refusal = accept(&mut world, &shop, &second);
        assert_eq!(refusal, Err("422 INSUFFICIENT_FUNDS".into()), "{kind}");
        let path = format!("/v1/trade/quote/{}", text(&second, "id"));
        let found = world.read(&shop, &path);
        assert_eq!(
            found["status"], "Created",
            "{kind}: a refusal changes nothing"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
