//! `POST /sandbox/prices`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Amount;
use settlekit_tests::world::{Shop, World, text};

use crate::trade::{accept, balance, quote, settle, trader};

/// Sets a price; returns the answer.
fn set_price(world: &mut World, shop: &Shop, currency: &str, usd: &str) -> Value {
    let body = json!({ "currency": currency, "usd": usd });
    let answer = world.keyed(shop, "POST", "/v1/sandbox/prices", body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.data().clone()
}

#[test]
fn a_set_price_is_used_for_values_conversions_and_quotes() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["ETH", "USDC"]);
        world.deposit(&shop, till, 8453, "ETH", "2");
        world.settle();
        let set = json!({ "currency": "ETH", "usd": "1500.25" });
        assert_eq!(
            set_price(&mut world, &shop, "ETH", "1500.25"),
            set,
            "{kind}"
        );

        let rates = world.read(&shop, "/v1/rates");
        let rates = rates["items"].as_array().expect("rates");
        let ether = rates.iter().find(|rate| rate["currency"] == "ETH");
        assert_eq!(ether.expect("a rate")["usd"], "1500.25", "{kind}");
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["total_usd"], "3000.50", "{kind}");
        let link = json!({ "amount": "3000.5", "currency": "USD", "name": "Boat" });
        let link = world.create(&shop, "/v1/paylinks", link).id();
        let start = format!("/v1/checkout/{link}/payments");
        let chosen = json!({ "chain_id": 8453, "currency": "ETH" });
        let started = world.public("POST", &start, chosen);
        assert_eq!(text(started.data(), "amount"), "2", "{kind}");
    });
}

#[test]
fn a_quote_is_at_the_set_price_and_keeps_it_when_another_is_set() {
    World::each(|kind, mut world| {
        let (shop, base, _) = trader(&mut world);
        world.deposit(&shop, base, 8453, "ETH", "1");
        world.settle();
        let before = balance(&mut world, &shop, 8453, "USDC").0;
        set_price(&mut world, &shop, "ETH", "1500.25");
        let asked = "sell_currency=ETH&sell_amount=1&buy_currency=USDC&deposit_method=Balance";
        let quoted = quote(&mut world, &shop, asked);
        let bought = quoted["buy_asset"]["amount"].as_f64().expect("an amount");
        // The price of a venue varies by some thousandths, and it takes spread and fee.
        assert!((1_485.0..1_505.0).contains(&bought), "{kind}: {bought}");
        set_price(&mut world, &shop, "ETH", "10");
        accept(&mut world, &shop, &quoted).expect("an order");
        settle(&mut world);
        let after = balance(&mut world, &shop, 8453, "USDC").0;
        let [before, after]: [Amount; 2] = [before, after].map(|text| text.parse().expect("exact"));
        let bought: Amount = quoted["buy_asset"]["amount"]
            .to_string()
            .parse()
            .expect("exact");
        assert_eq!(
            after
                .minus(before)
                .and_then(|more| more.minus(bought))
                .map(Amount::is_zero),
            Ok(true),
            "{kind}"
        );
    });
}

#[test]
fn a_set_price_holds_until_another_is_set_and_is_in_the_history() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let mut prices = Vec::new();
        for usd in ["2", "3"] {
            set_price(&mut world, &shop, "POL", usd);
            let history = world.read(&shop, "/v1/rates/POL/history?period=Day");
            let history = history.as_array().expect("prices").clone();
            prices.push(
                history
                    .iter()
                    .map(|one| text(one, "usd"))
                    .collect::<Vec<_>>(),
            );
            world.pass(Duration::from_secs(2 * 60 * 60));
        }
        let last = |prices: &[String], count: usize| prices[prices.len() - count..].to_vec();
        assert_eq!(last(&prices[0], 1), ["2"], "{kind}");
        assert_eq!(last(&prices[1], 3), ["2", "2", "3"], "{kind}");
        // Before the first one was set, the fixed price.
        assert!(
            prices[0][0] != "2" && prices[0][0] == prices[1][0],
            "{kind}"
        );
        let month = world.read(&shop, "/v1/rates/POL/history?period=Month");
        world.pass(Duration::from_secs(60 * 24 * 60 * 60));
        let later = world.read(&shop, "/v1/rates/POL/history?period=Month");
        assert!(month != later, "{kind}");
        let later = later.as_array().expect("prices");
        assert!(later.iter().all(|one| one["usd"] == "3"), "{kind}");
    });
}

#[test]
fn a_price_that_is_no_price_is_refused_and_changes_nothing() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let before = world.read(&shop, "/v1/rates");
        for (currency, usd, refusal) in [
            ("ETH", "0", "422 NOT_POSITIVE usd"),
            ("ETH", "-1", "422 NOT_POSITIVE usd"),
            ("ETH", "0.0000001", "422 AMOUNT_TOO_MANY_DECIMALS usd"),
            ("ETH", "1000000000.000001", "422 AMOUNT_TOO_LARGE usd"),
            ("USD", "1", "422 NOT_SUPPORTED currency"),
            ("XYZ", "1", "422 NOT_SUPPORTED currency"),
        ] {
            let body = json!({ "currency": currency, "usd": usd });
            let refused = world.keyed(&shop, "POST", "/v1/sandbox/prices", body);
            assert_eq!(refused.refusal(), refusal, "{kind}: {currency} {usd}");
        }
        assert_eq!(world.read(&shop, "/v1/rates"), before, "{kind}");
    });
}
