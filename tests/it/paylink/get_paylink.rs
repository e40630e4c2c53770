//! `GET /paylinks/{paylink_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, number, text};

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
