//! `GET /overview/series`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, Shop, WALLET, World, text};

fn series(world: &mut World, shop: &Shop, query: &str) -> Value {
    world.read(shop, &format!("/v1/overview/series?{query}"))
}

/// The amounts of a part of a series.
fn amounts(part: &Value) -> Vec<String> {
    let points = part["points"].as_array().expect("points");
    points
        .iter()
        .map(|point| text(point, "amount_usd"))
        .collect()
}

/// Pays out from an account to an address.
fn pay_out(world: &mut World, shop: &Shop, amount: &str, address: &str) {
    let body = json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": address });
    world.create(shop, "/v1/payouts", body);
    world.settle();
}

fn set_price(world: &mut World, shop: &Shop, currency: &str, usd: &str) {
    let body = json!({ "currency": currency, "usd": usd });
    let set = world.keyed(shop, "POST", "/v1/sandbox/prices", body);
    assert_eq!(set.status, 200, "{}", set.body);
}

#[test]
fn what_came_in_and_went_out_is_added_up_beside_the_days_before() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        set_price(&mut world, &shop, "USDC", "0.999999");
        world.deposit(&shop, till, 8453, "USDC", "100.5");
        pay_out(&mut world, &shop, "40", WALLET);
        world.pass(DAY * 8);
        world.deposit(&shop, till, 8453, "USDC", "6");
        let came = series(&mut world, &shop, "metric=in&period=7&compare=true");
        let (current, previous) = (&came["current"], &came["previous"]);
        assert_eq!(came["metric"], "in", "{kind}");
        assert_eq!(
            (&current["from"], &current["to"]),
            (&json!("2026-03-04"), &json!("2026-03-10")),
            "{kind}"
        );
        assert_eq!(
            (&previous["from"], &previous["to"]),
            (&json!("2026-02-25"), &json!("2026-03-03")),
            "{kind}"
        );
        // A day without movements is zero, and a millionth is not rounded away.
        let zero = "0".to_owned();
        let mut expected = vec![zero.clone(); 7];
        expected[6] = "5.999994".to_owned();
        assert_eq!(amounts(current), expected, "{kind}");
        assert_eq!(current["points"][6]["date"], "2026-03-10", "{kind}");
        assert_eq!(current["sum_usd"], "5.999994", "{kind}");
        let mut expected = vec![zero; 7];
        // 100.4998995, rounded half to even.
        expected[5] = "100.4999".to_owned();
        assert_eq!(amounts(previous), expected, "{kind}");
        assert_eq!(previous["sum_usd"], "100.4999", "{kind}");
        assert_eq!(previous["missing_days"], 0, "{kind}");
        let went = series(&mut world, &shop, "metric=out&period=7&compare=true");
        assert_eq!(went["current"]["sum_usd"], "0", "{kind}");
        assert_eq!(went["previous"]["sum_usd"], "39.99996", "{kind}");
        let alone = series(&mut world, &shop, "metric=out");
        assert_eq!(alone.get("previous"), None, "{kind}");
        assert_eq!(amounts(&alone["current"]).len(), 30, "{kind}");
        assert_eq!(alone["current"]["sum_usd"], "39.99996", "{kind}");
        for (period, days) in [("90", 90), ("365", 365)] {
            let query = format!("metric=in&period={period}&compare=false");
            let found = series(&mut world, &shop, &query);
            assert_eq!(amounts(&found["current"]).len(), days, "{kind}");
        }
        let of_other = series(&mut world, &other, "metric=in&period=7");
        assert_eq!(of_other["current"]["sum_usd"], "0", "{kind}");
    });
}

#[test]
fn the_balance_of_a_day_is_what_was_held_at_its_end_at_its_last_price() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let coins = world.account(&shop, "coins", 8453, &["ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "60");
        world.deposit(&shop, till, 8453, "USDC", "40");
        world.pass(DAY);
        // The network takes 0.02.
        pay_out(&mut world, &shop, "40", WALLET);
        world.pass(DAY * 2);
        world.deposit(&shop, coins, 8453, "ETH", "0.5");
        world.pass(DAY);
        set_price(&mut world, &shop, "ETH", "1000");
        let found = series(&mut world, &shop, "metric=balance&period=7&compare=true");
        let expected = ["0", "0", "100", "59.98", "59.98", "1659.98", "559.98"];
        assert_eq!(amounts(&found["current"]), expected, "{kind}");
        assert_eq!(found["current"].get("sum_usd"), None, "{kind}");
        assert_eq!(amounts(&found["previous"]), ["0"; 7], "{kind}");
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["total_usd"], "559.98", "{kind}");
        world.pass(DAY * 3);
        let found = series(&mut world, &shop, "metric=balance&period=7");
        let expected = [
            "59.98", "59.98", "1659.98", "559.98", "559.98", "559.98", "559.98",
        ];
        assert_eq!(amounts(&found["current"]), expected, "{kind}: later");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_transfer_between_own_accounts_counts_neither_way() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let [safe, foreign] = [&shop, &other].map(|shop| {
            let account = world.account(shop, "safe", 8453, &["USDC"]);
            text(
                &world.read(shop, &format!("/v1/accounts/{account}")),
                "address",
            )
        });
        world.deposit(&shop, till, 8453, "USDC", "100");
        pay_out(&mut world, &shop, "40", &safe);
        pay_out(&mut world, &shop, "10", &foreign);
        let held = world.read(&shop, "/v1/accounts/safe/balances");
        assert_eq!(held[0]["posted"], "40", "{kind}");
        let mut sum = |shop, metric: &str| {
            let found = series(&mut world, shop, &format!("metric={metric}&period=7"));
            text(&found["current"], "sum_usd")
        };
        assert_eq!(sum(&shop, "in"), "100", "{kind}");
        assert_eq!(sum(&shop, "out"), "10", "{kind}");
        assert_eq!(sum(&other, "in"), "10", "{kind}");
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["volume"][29]["count"], 2, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn without_a_price_source_all_days_are_missing() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        let mut world = world.disconnected();
        for metric in ["balance", "in", "out"] {
            let query = format!("metric={metric}&period=7&compare=true");
            let found = series(&mut world, &shop, &query);
            for part in ["current", "previous"] {
                let part = &found[part];
                assert_eq!(part["points"], json!([]), "{kind}: {metric}");
                assert_eq!(part["missing_days"], 7, "{kind}: {metric}");
                assert_eq!(part.get("sum_usd"), None, "{kind}: {metric}");
            }
        }
    });
}

#[test]
fn a_wrong_query_and_a_key_without_the_scope_read_are_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let writer = world.scoped(&shop, &["write"]);
        for (shop, query, refusal) in [
            (&shop, "", "422 REQUIRED metric"),
            (&shop, "?metric=profit", "400 UNKNOWN_VALUE metric"),
            (
                &shop,
                "?metric=in&period=8&compare=yes",
                "400 UNKNOWN_VALUE period, WRONG_TYPE compare",
            ),
            (&writer, "?metric=in", "403 SCOPE_MISSING"),
        ] {
            let path = format!("/v1/overview/series{query}");
            let refused = world.keyed(shop, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}: {query}");
        }
    });
}
