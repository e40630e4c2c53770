//! Customers as the merchant knows and finds them.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

/// Somebody who has begun to pay.
fn customer(world: &mut World, shop: &Shop, name: &str, email: &str) -> String {
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.keyed(shop, "POST", "/v1/paylinks", link);
    let link = link.data()["id"].as_str().expect("an id").to_owned();
    let body = json!({ "chain_id": 8453, "currency": "USDC", "name": name, "email": email });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), body);
    assert_eq!(started.status, 201, "{}", started.body);
    let found = world.keyed(shop, "GET", "/v1/customers?limit=1", Value::Null);
    found.data()["items"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[test]
fn what_is_said_about_a_customer_is_kept_and_what_is_empty_changes_nothing() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = customer(&mut world, &shop, "Zoë Ångström", "zoe@tea.example");
        let path = format!("/v1/customers/{id}");
        let change = json!({ "customer_ident": "C-1", "number": "+4930123456", "discord": "zoe#1", "name": "",
            "wallet_address": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" });
        let changed = world.keyed(&shop, "PATCH", &path, change.clone());
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        // The record alone, without envelope.
        assert_eq!(changed.body["name"], "Zoë Ångström", "{kind}");
        assert_eq!(changed.body["reference"], "C-1", "{kind}");
        assert_eq!(
            changed.body["properties"],
            json!({ "discord": "zoe#1" }),
            "{kind}"
        );
        assert_eq!(
            changed.body["wallet_address"], "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "{kind}: in its canonical spelling"
        );
        let events = |world: &mut World| {
            let log = "/v1/events?type=Customer&action=Updated";
            world.keyed(&shop, "GET", log, Value::Null).data()["total"].clone()
        };
        assert_eq!(events(&mut world), 1, "{kind}");
        world.keyed(&shop, "PATCH", &path, change);
        assert_eq!(
            events(&mut world),
            1,
            "{kind}: nothing changed, nothing is told"
        );

        // A raw UUID names the customer, too.
        let uuid = id.strip_prefix("cus_").expect("a prefix");
        let read = world.keyed(&shop, "GET", &format!("/v1/customers/{uuid}"), Value::Null);
        assert_eq!(read.data()["id"], *id, "{kind}");

        for search in ["zoe", "ANGSTROM", "Zoë", "c-1", "tea.example"] {
            let target = format!("/v1/customers?search={search}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            assert_eq!(found.data()["total"], 1, "{kind}: {search}");
        }
        let nobody = world.keyed(&shop, "GET", "/v1/customers?search=%25", Value::Null);
        assert_eq!(
            nobody.data()["total"],
            0,
            "{kind}: a sign of a pattern is a sign"
        );

        let other = customer(&mut world, &shop, "Bo", "bo@tea.example");
        let taken = json!({ "customer_ident": "C-1" });
        let taken = world.keyed(&shop, "PATCH", &format!("/v1/customers/{other}"), taken);
        assert_eq!(
            taken.refusal(),
            "409 ALREADY_EXISTS customer_ident",
            "{kind}"
        );
    });
}
