//! The events of one record, whatever it is and however much happened since.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

/// What the events about an id say, the newest first: their type, and the id in their record.
fn about(world: &mut World, shop: &Shop, id: &str) -> Vec<(String, String)> {
    let page = world.read(shop, &format!("/v1/events?document_id={id}"));
    let items = page["items"].as_array().expect("items").iter();
    items
        .map(|event| {
            let id = &event["data"]["id"];
            let kind = event["type"].as_str().expect("a type").to_owned();
            (
                kind,
                id.as_str().map_or_else(|| id.to_string(), str::to_owned),
            )
        })
        .collect()
}

#[test]
fn the_events_of_any_record_are_found_by_its_id_and_those_of_a_payment_with_its_movements() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let plan = json!({ "name": "Club", "price": "5", "currency": "USDC", "type": "OneTime" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan);
        let plan = plan.data()["id"].as_str().expect("an id").to_owned();
        world.deposit(&shop, till, 8453, "USDC", "3");
        let movement = world.read(&shop, "/v1/movements")["items"][0]["id"].to_string();

        let of_plan = about(&mut world, &shop, &plan);
        assert_eq!(of_plan, [("Plan".to_owned(), plan)], "{kind}");
        let own = ("Transaction".to_owned(), movement.clone());
        let of_movement = about(&mut world, &shop, &movement);
        let of_movement = of_movement.iter().filter(|event| **event == own).count();
        assert!(of_movement > 1, "{kind}: it was made, and booked");

        let pay = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay);
        let payment = payment.data()["id"].as_str().expect("an id").to_owned();
        let paid = world.public(
            "POST",
            &format!("/v1/sandbox/checkout/payments/{payment}/pay"),
            json!({}),
        );
        assert!(paid.status < 300, "{kind}: {}", paid.body);
        let of_payment = about(&mut world, &shop, &payment);
        for what in ["Payment", "Transaction", "CryptoTransaction"] {
            assert!(
                of_payment.iter().any(|(kind, _)| kind == what),
                "{kind}: {of_payment:?}"
            );
        }
        let stranger = world.shop("Stranger", None);
        assert_eq!(about(&mut world, &stranger, &payment), [], "{kind}");
        let answer = world.keyed(&shop, "GET", "/v1/events?document_id=nobody", Value::Null);
        assert_eq!(answer.data()["total"], 0, "{kind}");
    });
}
