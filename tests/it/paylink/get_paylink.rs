//! `GET /paylinks/{paylink_id}`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{DAY, World, number, text};

use super::link;

#[test]
fn a_link_is_read_with_its_plan_as_it_was_created() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea", "description": "A pot",
            "reference": "tea-1", "available_quantity": 3, "metadata": { "table": "7" },
            "after_completion": { "type": "redirect", "redirect_url": "https://shop.example/thanks" } });
        let created = world.create(&shop, "/v1/paylinks", body.clone());
        let read = world.read(&shop, &format!("/v1/paylinks/{}", created.id()));
        assert_eq!(read, *created.data(), "{kind}");
        assert_eq!(read["plan"]["price"], body["amount"], "{kind}");
        for field in ["currency", "name", "reference", "available_quantity"] {
            assert_eq!(read["plan"][field], body[field], "{kind}: {field}");
        }
        for field in ["metadata", "after_completion"] {
            assert_eq!(read[field], body[field], "{kind}: {field}");
        }
        assert_eq!(read["plan"]["id"], read["plan_id"], "{kind}");
        assert!(text(&read, "url").ends_with(&created.id()), "{kind}");
    });
}

#[test]
fn a_link_says_when_it_is_sold_out_and_when_it_has_expired() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let until = world.now.plus(std::time::Duration::from_secs(60));
        let mut create = |field: &str, value: Value| {
            let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            body[field] = value;
            world.create(&shop, "/v1/paylinks", body).id()
        };
        let rare = create("available_quantity", json!(1));
        let short = create("expires_at", json!(until.to_string()));
        let state = |world: &mut World, id: &str| {
            let read = world.read(&shop, &format!("/v1/paylinks/{id}"));
            text(&read, "state")
        };
        assert_eq!(state(&mut world, &rare), "Open", "{kind}");
        assert_eq!(state(&mut world, &short), "Open", "{kind}");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let path = format!("/v1/checkout/{rare}/payments");
        assert_eq!(world.public("POST", &path, chosen).status, 201, "{kind}");
        assert_eq!(state(&mut world, &rare), "SoldOut", "{kind}");
        let left = world.read(&shop, &format!("/v1/paylinks/{rare}"));
        assert_eq!(number(&left["plan"], "available_quantity"), 0, "{kind}");
        world.pass(std::time::Duration::from_secs(60));
        assert_eq!(state(&mut world, &short), "Expired", "{kind}");
    });
}

#[test]
fn a_link_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = link(&mut world, &shop, "Tea");
        let unknown = "pl_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&shop, unknown)] {
            let path = format!("/v1/paylinks/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}

#[test]
fn a_link_is_read_with_its_visits_checkouts_and_payments_of_thirty_days() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let [tea, cake] = ["Tea", "Cake"].map(|name| link(&mut world, &shop, name));
        let statistics = |world: &mut World, id: &str| {
            let read = world.read(&shop, &format!("/v1/paylinks/{id}"));
            read.get("statistics").cloned()
        };
        let visit = |world: &mut World, id: &str| {
            let path = format!("/v1/checkout/{id}");
            assert_eq!(world.public("GET", &path, Value::Null).status, 200);
        };
        let start = |world: &mut World, id: &str| {
            let path = format!("/v1/checkout/{id}/payments");
            let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
            let started = world.public("POST", &path, chosen);
            assert_eq!(started.status, 201, "{kind}: {}", started.body);
            text(started.data(), "payment_id")
        };
        assert_eq!(statistics(&mut world, &tea), None, "{kind}");
        let first = world.now.day();
        for _ in 0..3 {
            visit(&mut world, &tea);
        }
        let paid = start(&mut world, &tea);
        start(&mut world, &tea);
        world.pay(&paid);
        world.pass_and_work(std::time::Duration::from_secs(10));
        world.pass(DAY);
        let second = world.now.day();
        visit(&mut world, &tea);
        start(&mut world, &tea);
        let day = |date: &str, [visits, checkouts, payments]: [u64; 3]| json!({ "date": date, "visits": visits, "checkouts_started": checkouts, "payments": payments });
        let expected = json!({ "visits": 4, "checkouts_started": 3, "payments": 1, "conversion_pct": "33.33",
            "days": [day(&first, [3, 2, 1]), day(&second, [1, 1, 0])] });
        assert_eq!(statistics(&mut world, &tea), Some(expected), "{kind}");
        assert_eq!(statistics(&mut world, &cake), None, "{kind}");
        visit(&mut world, &cake);
        let expected = json!({ "visits": 1, "checkouts_started": 0, "payments": 0,
            "days": [day(&second, [1, 0, 0])] });
        assert_eq!(statistics(&mut world, &cake), Some(expected), "{kind}");
        // A page that does not exist adds no row.
        let unknown = "/v1/checkout/pl_019cade5a0007000800000000000dead";
        assert_eq!(world.public("GET", unknown, Value::Null).status, 404);
        let rows = "SELECT COUNT(*) FROM paylink_days WHERE paylink_id <> ''";
        assert_eq!(database::rows(world.parts().1, rows), ["3"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        world.pass(DAY * 29);
        let left = statistics(&mut world, &tea).expect("the second day");
        assert_eq!(left["visits"], 1, "{kind}");
        world.pass(DAY);
        assert_eq!(statistics(&mut world, &tea), None, "{kind}");
    });
}
