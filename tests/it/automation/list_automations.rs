//! `GET /partners/accounts/{account_ref}/automations`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World};

use super::{Pair, automation, low_balance_events, maintain, pair, path_of, payouts};

#[test]
fn automations_of_a_sub_account_are_listed_by_its_reference() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        let polygon = Pair {
            account: pair.below[0],
            ..pair
        };
        maintain(&mut world, &polygon, 10, 20);
        world.pass(Duration::from_secs(1));
        let between = world.now;
        let above = world.keyed(&polygon.shop, "GET", "/v1/accounts/till", Value::Null);
        let above = Pair {
            account: above.id_number(),
            ..polygon
        };
        world.pass(Duration::from_secs(1));
        maintain(&mut world, &above, 10, 20);
        let mut list = |query: &str| {
            let target = format!("/v1/partners/accounts/till/automations?{query}");
            let org = Some(above.shop.id);
            let listed = world.signed(&above.partner, org, "GET", &target, Value::Null);
            let items = listed.items().iter();
            let accounts: Vec<i64> = items.filter_map(|one| one["account_id"].as_i64()).collect();
            let next = listed.data()["next"].as_i64();
            (accounts, listed.data()["total"].as_i64(), next)
        };
        let (one, all) = (above.below[0], above.account);
        assert_eq!(list(""), (vec![all, one], Some(2), None), "{kind}");
        assert_eq!(list("sort=asc&limit=1"), (vec![one], Some(2), Some(2)));
        assert_eq!(list("sort=asc&limit=1&page=2"), (vec![all], Some(2), None));
        assert_eq!(list("page=9"), (vec![], Some(2), None), "{kind}");
        let since = format!("since={between}");
        assert_eq!(list(&since), (vec![all], Some(1), None), "{kind}");
        let until = format!("until={between}");
        assert_eq!(list(&until), (vec![one], Some(1), None), "{kind}");
    });
}

#[test]
fn a_minimum_of_zero_makes_a_sweep() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        assert_eq!(maintain(&mut world, &pair, 0, 150).status, 201, "{kind}");
        world.work();
        assert_eq!(
            low_balance_events(&mut world, &pair),
            0,
            "{kind}: there is no minimum"
        );
        let org = Some(pair.shop.id);
        let shown = |world: &mut World| automation(world, &pair);
        let item = shown(&mut world);
        assert_eq!(
            (
                &item["action_type"],
                &item["condition"]["comparison"],
                &item["condition"]["amount"]
            ),
            (&json!("Sweep"), &json!("GreaterThan"), &json!("150")),
            "{kind}: {item}"
        );
        let action = |threshold: &str| json!({ "minimum_threshold_amount": "0", "payout_threshold_amount": threshold, "payout_address": WALLET });
        assert_eq!(item["action"], action("150"), "{kind}");
        let path = path_of(&item);
        let change = |world: &mut World, amount: &str| {
            let body = json!({ "amount": amount });
            world.signed(&pair.partner, org, "PATCH", &path, body)
        };
        let none = change(&mut world, "0");
        assert_eq!(none.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        assert_eq!(change(&mut world, "80").status, 200, "{kind}");
        assert_eq!(shown(&mut world)["action"], action("80"), "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "80");
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "10");
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["89.98 137"], "{kind}: all");
    });
}
