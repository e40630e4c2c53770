//! `POST /partners/accounts/id/{account}/automations/convert-balance`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_tests::world::{Answer, DAY, Shop, WALLET, World, text, texts};

use crate::trade::balance;

const PATH: &str = "/v1/partners/accounts/id/till/automations/convert-balance";
const LIST: &str = "/v1/partners/accounts/till/automations";

/// How long a conversion that was too dear waits.
const PAUSE: Duration = Duration::from_secs(15 * 60);

/// A shop with an account of three currencies on Base.
fn shop(world: &mut World) -> (Shop, i64) {
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC", "EURC", "ETH"]);
    (shop, till)
}

fn convert(
    world: &mut World,
    shop: &Shop,
    pair: (&str, &str),
    threshold: &str,
    max_cost_bps: i64,
) -> Answer {
    let (sold, bought) = pair;
    let threshold: Value = threshold.parse().expect("a number");
    let body = json!({
        "currency": sold, "to_currency": bought, "threshold_amount": threshold, "max_cost_bps": max_cost_bps,
    });
    world.signed(shop, None, "POST", PATH, body)
}

fn automation(world: &mut World, shop: &Shop) -> Value {
    let list = world.signed(shop, None, "GET", LIST, Value::Null);
    list.data()["items"][0].clone()
}

/// Places the order of a conversion, and waits for the slowest venue.
fn settle(world: &mut World) {
    for _ in 0..2 {
        crate::trade::settle(world);
    }
}

fn orders(world: &mut World, shop: &Shop) -> Vec<Value> {
    world.list(shop, "/v1/trade/orders")
}

#[test]
fn what_comes_in_above_the_threshold_is_converted() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        let made = convert(&mut world, &shop, ("USDC", "EURC"), "10", 100);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let made = made.data().clone();
        assert_eq!(made["action_type"], "Convert", "{kind}");
        let action =
            json!({ "to_currency": "EURC", "threshold_amount": "10", "max_cost_bps": 100 });
        assert_eq!(made["action"], action, "{kind}");
        assert_eq!(made["condition"]["comparison"], "GreaterThan", "{kind}");

        world.deposit(&shop, till, 8453, "USDC", "10");
        settle(&mut world);
        assert_eq!(
            orders(&mut world, &shop),
            Vec::<Value>::new(),
            "{kind}: not above it"
        );

        world.deposit(&shop, till, 8453, "USDC", "90");
        settle(&mut world);
        let orders = orders(&mut world, &shop);
        assert_eq!(texts(&orders, "status"), ["Settled"], "{kind}");
        let order = &orders[0];
        assert_eq!(order["from_amount"], "100", "{kind}");
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("0".into(), "0".into()), "{kind}");
        let eurc = balance(&mut world, &shop, 8453, "EURC");
        assert_eq!(json!(eurc.0), order["to_amount"], "{kind}");
        let quote = format!("/v1/trade/quote/{}", text(order, "quote_id"));
        let quote = world.read(&shop, &quote);
        assert_eq!(quote["properties"]["automation_id"], made["id"], "{kind}");
        assert_eq!(quote["source"], "Automation", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_conversion_that_costs_too_much_waits_for_a_better_price() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        world.deposit(&shop, till, 8453, "USDC", "100");
        // By the simulated venue's price, a conversion costs more than this now, and less in fifteen minutes.
        let made = convert(&mut world, &shop, ("USDC", "EURC"), "0", 10);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.work();
        let waiting = automation(&mut world, &shop);
        assert_eq!(waiting["reason"], "CostTooHigh", "{kind}");
        assert!(waiting["paused_until"].is_string(), "{kind}: {waiting}");
        assert_eq!(waiting["enabled"], true, "{kind}");
        assert_eq!(orders(&mut world, &shop), Vec::<Value>::new(), "{kind}");
        world.pass_and_work(PAUSE);
        settle(&mut world);
        let settled = orders(&mut world, &shop);
        assert_eq!(texts(&settled, "status"), ["Settled"], "{kind}");
        assert_eq!(
            automation(&mut world, &shop)["reason"],
            json!(null),
            "{kind}"
        );
    });
}

#[test]
fn conversions_that_a_venue_refuses_are_paused_and_at_last_disabled() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        convert(&mut world, &shop, ("USDC", "EURC"), "0", 100);
        world.deposit(&shop, till, 8453, "USDC", "100");
        for time in 1..=5 {
            world.work();
            let orders = orders(&mut world, &shop);
            assert_eq!(orders.len(), time, "{kind}");
            let open = orders.iter().find(|order| order["status"] != "Failed");
            let open = open.expect("an order under way");
            let refused = json!({ "order_id": open["order_id"] });
            let refused = world.keyed(&shop, "POST", "/v1/sandbox/order-refusals", refused);
            assert_eq!(refused.status, 200, "{kind}: {}", refused.body);
            let usdc = balance(&mut world, &shop, 8453, "USDC");
            assert_eq!(usdc, ("100".into(), "100".into()), "{kind}");
            let shown = automation(&mut world, &shop);
            assert_eq!(shown["reason"], "VenueRefused", "{kind}");
            assert_eq!(shown["enabled"], time < 5, "{kind}");
            // Longer than any pause.
            world.pass(DAY);
        }
        world.pass_and_work(DAY);
        assert_eq!(orders(&mut world, &shop).len(), 5, "{kind}: it is disabled");
        let path = format!(
            "/v1/partners/automations/{}",
            automation(&mut world, &shop)["id"]
        );
        let enabled = world.signed(&shop, None, "PATCH", &path, json!({ "enabled": true }));
        assert_eq!(enabled.status, 200, "{kind}: {}", enabled.body);
        settle(&mut world);
        let settled = texts(&orders(&mut world, &shop), "status");
        assert!(
            settled.contains(&"Settled".to_owned()),
            "{kind}: {settled:?}"
        );
    });
}

#[test]
fn a_conversion_that_cannot_work_is_refused() {
    World::each(|kind, mut world| {
        let (shop, _) = shop(&mut world);
        for (pair, threshold, cost, refusal) in [
            (("USDC", "USDC"), "1", 50, "400 REPEATED to_currency"),
            (
                ("USDC", "EURC"),
                "-1",
                50,
                "400 OUT_OF_RANGE threshold_amount",
            ),
            (("USDC", "EURC"), "1", 0, "400 OUT_OF_RANGE max_cost_bps"),
            (
                ("USDC", "EURC"),
                "1",
                1_001,
                "400 OUT_OF_RANGE max_cost_bps",
            ),
            (("POL", "EURC"), "1", 50, "422 NOT_SUPPORTED currency"),
            (("USDC", "POL"), "1", 50, "422 NOT_SUPPORTED to_currency"),
            (
                ("USDC", "EURC"),
                "1.0000001",
                50,
                "422 AMOUNT_TOO_MANY_DECIMALS threshold_amount",
            ),
        ] {
            let refused = convert(&mut world, &shop, pair, threshold, cost);
            assert_eq!(
                refused.refusal(),
                refusal,
                "{kind}: {pair:?} {threshold} {cost}"
            );
        }
        let unsigned = world.keyed(&shop, "POST", PATH, json!({}));
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        assert_eq!(automation(&mut world, &shop), Value::Null, "{kind}");
    });
}

#[test]
fn conversions_form_no_cycle() {
    World::each(|kind, mut world| {
        let (shop, _) = shop(&mut world);
        for pair in [("USDC", "EURC"), ("EURC", "ETH")] {
            let made = convert(&mut world, &shop, pair, "1", 50);
            assert_eq!(made.status, 201, "{kind}: {}", made.body);
        }
        for bought in ["USDC", "EURC"] {
            let refused = convert(&mut world, &shop, ("ETH", bought), "1", 50);
            assert_eq!(
                refused.refusal(),
                "422 EXCLUDED to_currency",
                "{kind}: {bought}"
            );
        }
        let again = convert(&mut world, &shop, ("USDC", "ETH"), "1", 50);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS currency", "{kind}");
        // A payout of the same currency is refused.
        let body = json!({
            "currency": "USDC", "minimum_threshold_amount": 1, "payout_threshold_amount": 2,
            "payout_address": WALLET,
        });
        let path = "/v1/partners/accounts/id/till/automations/maintain-balance";
        let both = world.signed(&shop, None, "POST", path, body);
        assert_eq!(both.refusal(), "409 ALREADY_EXISTS currency", "{kind}");
    });
}

#[test]
fn the_threshold_of_a_conversion_is_changed() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        let made = convert(&mut world, &shop, ("USDC", "EURC"), "1000", 100);
        world.deposit(&shop, till, 8453, "USDC", "100");
        settle(&mut world);
        assert_eq!(orders(&mut world, &shop), Vec::<Value>::new(), "{kind}");
        let path = format!("/v1/partners/automations/{}", made.data()["id"]);
        let changed = world.signed(&shop, None, "PATCH", &path, json!({ "amount": "50" }));
        assert_eq!(changed.data()["action"]["threshold_amount"], "50", "{kind}");
        assert_eq!(changed.data()["condition"]["amount"], "50", "{kind}");
        settle(&mut world);
        assert_eq!(
            texts(&orders(&mut world, &shop), "status"),
            ["Settled"],
            "{kind}"
        );
    });
}

#[test]
fn what_comes_in_while_an_order_is_under_way_waits_for_its_end() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        convert(&mut world, &shop, ("USDC", "ETH"), "0", 100);
        world.deposit(&shop, till, 8453, "USDC", "10");
        world.work();
        let first = orders(&mut world, &shop);
        assert_eq!(texts(&first, "from_amount"), ["10"], "{kind}");
        // It would take this one, too, if it were not for the first.
        let body = json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "20" });
        world.post(&shop, "/v1/sandbox/deposits", body.clone());
        world.post(&shop, "/v1/sandbox/deposits", body);
        for _ in 0..8 {
            world.pass_and_work(Duration::from_secs(30));
            let all = orders(&mut world, &shop);
            let under_way = all.iter().filter(|order| order["status"] != "Settled");
            assert!(under_way.count() <= 1, "{kind}: {all:?}");
        }
        let mut amounts = texts(&orders(&mut world, &shop), "from_amount");
        amounts.sort();
        assert!(
            amounts == ["10", "40"] || amounts == ["10", "20", "20"],
            "{kind}: {amounts:?}"
        );
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("0".into(), "0".into()), "{kind}");
    });
}

#[test]
fn an_account_and_its_parent_convert_nothing_in_a_cycle() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC", "EURC"] }] });
        let made = world.post(&shop, "/v1/accounts/virtual", body);
        let below = made.data()["sub_accounts"][0]["id"].to_string();
        let parent = convert(&mut world, &shop, ("USDC", "EURC"), "1", 50);
        assert_eq!(parent.status, 201, "{kind}: {}", parent.body);
        let path = format!("/v1/partners/accounts/id/{below}/automations/convert-balance");
        for (sold, bought, refusal) in [
            ("EURC", "USDC", "422 EXCLUDED to_currency"),
            ("USDC", "EURC", "409 ALREADY_EXISTS currency"),
        ] {
            let body = json!({
                "currency": sold, "to_currency": bought, "threshold_amount": 1, "max_cost_bps": 50,
            });
            let refused = world.signed(&shop, None, "POST", &path, body);
            assert_eq!(refused.refusal(), refusal, "{kind}: {sold}");
        }
        let keep = json!({
            "currency": "USDC", "minimum_threshold_amount": 1, "payout_threshold_amount": 2, "payout_address": WALLET,
        });
        let path = format!("/v1/partners/accounts/id/{below}/automations/maintain-balance");
        let refused = world.signed(&shop, None, "POST", &path, keep);
        assert_eq!(refused.refusal(), "409 ALREADY_EXISTS currency", "{kind}");
    });
}

#[test]
fn a_conversion_that_stays_too_dear_is_tried_less_often() {
    World::each(|kind, mut world| {
        let (shop, till) = shop(&mut world);
        world.deposit(&shop, till, 8453, "USDC", "100");
        convert(&mut world, &shop, ("USDC", "EURC"), "50", 1);
        world.work();
        for minutes in [15, 30, 60, 60] {
            let shown = automation(&mut world, &shop);
            assert_eq!(shown["reason"], "CostTooHigh", "{kind}");
            let until: Timestamp = text(&shown, "paused_until").parse().expect("a time");
            let pause = Duration::from_secs(minutes * 60);
            assert_eq!(until, world.now.plus(pause), "{kind}");
            world.pass_and_work(pause);
        }
        // A payout below the threshold clears the reason.
        let out = json!({ "account": "till", "amount": "90", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let paid = world.signed(&shop, None, "POST", "/v1/payouts", out);
        assert_eq!(paid.status, 201, "{kind}: {}", paid.body);
        world.deposit(&shop, till, 8453, "ETH", "1");
        assert_eq!(
            automation(&mut world, &shop)["reason"],
            Value::Null,
            "{kind}"
        );
    });
}

#[test]
fn a_key_that_may_not_send_money_out_creates_no_conversion() {
    World::each(|kind, mut world| {
        let (shop, _) = shop(&mut world);
        let writer = world.scoped(&shop, &["read", "write"]);
        let refused = convert(&mut world, &writer, ("USDC", "EURC"), "1", 50);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        assert_eq!(automation(&mut world, &shop), Value::Null, "{kind}");
    });
}
