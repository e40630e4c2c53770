//! `GET /paylinks`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, texts};

use super::link;

#[test]
fn links_are_listed_with_their_plans_including_deleted_ones() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        for shop in [&shop, &other] {
            world.account(shop, "till", 8453, &["USDC"]);
        }
        let ids = ["Tea", "Cake", "Coffee"].map(|name| link(&mut world, &shop, name));
        link(&mut world, &other, "Bread");
        let path = format!("/v1/paylinks/{}", ids[1]);
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        let each = ids.map(|id| world.read(&shop, &format!("/v1/paylinks/{id}")));
        assert!(each[1]["deleted_at"].is_string(), "{kind}");
        assert_eq!(each[1]["plan"]["name"], "Cake", "{kind}");
        assert_eq!(world.list(&shop, "/v1/paylinks"), each, "{kind}");
        let of_other = world.list(&other, "/v1/paylinks");
        assert_eq!(of_other.len(), 1, "{kind}");
        assert_eq!(of_other[0]["plan"]["name"], "Bread", "{kind}");
    });
}

#[test]
fn links_are_filtered_by_state_and_counted_if_they_can_be_paid() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop_with_till("Shop"), world.shop_with_till("Other"));
        link(&mut world, &other, "Bread");
        let limited = |world: &mut World, field: &str, value: Value| {
            let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            body[field] = value;
            world.post(&shop, "/v1/paylinks", body).id()
        };
        let open = link(&mut world, &shop, "Tea");
        let single = limited(&mut world, "available_quantity", json!(1));
        let end = world.now.plus(Duration::from_secs(3600)).to_string();
        let ending = limited(&mut world, "expires_at", json!(end));
        let off = link(&mut world, &shop, "Tea");
        let gone = link(&mut world, &shop, "Tea");
        let switch = |world: &mut World, enabled: bool| {
            let body = json!({ "items": [{ "id": off, "enabled": enabled }] });
            let path = "/v1/paylinks/batch";
            assert_eq!(world.keyed(&shop, "PATCH", path, body).status, 200);
        };
        // In the order of the list: open, single, ending, off, gone.
        let check = |world: &mut World, expected: [&str; 5]| {
            let ids = [&open, &single, &ending, &off, &gone];
            for state in ["Open", "Disabled", "Expired", "SoldOut", "Paid", "Deleted"] {
                let of_state = ids.iter().zip(expected).filter(|(_, is)| *is == state);
                let of_state: Vec<&String> = of_state.map(|(id, _)| *id).collect();
                let found = world.list(&shop, &format!("/v1/paylinks?status={state}"));
                let ids = texts(&found, "id");
                assert_eq!(ids.iter().collect::<Vec<_>>(), of_state, "{kind}: {state}");
                assert!(found.iter().all(|one| one["state"] == state), "{kind}");
            }
            let open = expected.iter().filter(|is| **is == "Open").count();
            let overview = world.read(&shop, "/v1/overview");
            assert_eq!(overview["paylinks_active"], open, "{kind}");
            assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        };
        check(&mut world, ["Open"; 5]);
        switch(&mut world, false);
        let path = format!("/v1/paylinks/{gone}");
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        world.public("POST", &format!("/v1/checkout/{single}/payments"), chosen);
        let held = ["Open", "SoldOut", "Open", "Disabled", "Deleted"];
        check(&mut world, held);
        // The checkout expires, and later the link.
        world.pass_and_work(Duration::from_secs(31 * 60));
        let released = ["Open", "Open", "Open", "Disabled", "Deleted"];
        check(&mut world, released);
        switch(&mut world, true);
        world.pass_and_work(Duration::from_secs(29 * 60));
        check(&mut world, ["Open", "Open", "Expired", "Open", "Deleted"]);
    });
}

#[test]
fn links_are_searched_by_the_name_and_reference_of_their_plan() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop_with_till("Shop"), world.shop_with_till("Other"));
        let tea = link(&mut world, &shop, "Früchtetee");
        let cake = link(&mut world, &shop, "Cake 100%");
        let body =
            json!({ "amount": "5", "currency": "USDC", "name": "Coffee", "reference": "sku-7" });
        let coffee = world.post(&shop, "/v1/paylinks", body).id();
        link(&mut world, &other, "Tea");
        let check = |world: &mut World, query: &str, expected: &[&String]| {
            let found = world.list(&shop, &format!("/v1/paylinks?{query}"));
            let ids = texts(&found, "id");
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {query}");
        };
        check(&mut world, "search=TEE", &[&tea]);
        check(&mut world, "search=fruchte", &[&tea]);
        check(&mut world, "search=0%25", &[&cake]);
        check(&mut world, "search=sku-", &[&coffee]);
        check(&mut world, "search=e", &[&tea, &cake, &coffee]);
        check(&mut world, "search=nothing", &[]);
        let renamed =
            json!({ "items": [{ "id": cake, "enabled": false, "plan": { "name": "Tee" } }] });
        world.keyed(&shop, "PATCH", "/v1/paylinks/batch", renamed);
        check(&mut world, "search=tee", &[&tea, &cake]);
        check(&mut world, "search=tee&status=Open", &[&tea]);
        for (query, refusal) in [
            ("status=Closed", "400 UNKNOWN_VALUE status"),
            ("search=", "422 EMPTY search"),
        ] {
            let path = format!("/v1/paylinks?{query}");
            let refused = world.keyed(&shop, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}: {query}");
        }
    });
}
