//! `GET /payments`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, items, text, texts};

#[test]
fn payments_are_filtered_by_customer_and_by_link() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let other = world.shop("Other", None);
        let mut link = || {
            let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            world.post(&shop, "/v1/paylinks", link).id()
        };
        let (tea, cake) = (link(), link());
        let mut begin = |link: &str, email: &str| {
            let body = json!({ "chain_id": 8453, "currency": "USDC", "email": email });
            let path = format!("/v1/checkout/{link}/payments");
            let begun = world.public("POST", &path, body);
            let payment = text(begun.data(), "payment_id");
            payment.to_owned()
        };
        let one = begin(&tea, "ada@tea.example");
        let two = begin(&tea, "bo@tea.example");
        let other_link = begin(&cake, "ada@tea.example");
        let by_hand = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
        world.keyed(&shop, "POST", "/v1/payments", by_hand.clone());
        let ada = world.read(&shop, &format!("/v1/payments/{one}"));
        let ada = &text(&ada, "customer_id");
        // Whose a payment is the merchant says.
        let mut of_ada = by_hand;
        of_ada["customer_id"] = ada.as_str().into();
        let mut again = || world.post(&shop, "/v1/payments", of_ada.clone()).id();
        let (three, four) = (again(), again());
        world.signed(
            &shop,
            None,
            "DELETE",
            &format!("/v1/payments/{four}"),
            Value::Null,
        );

        for (query, total, expected) in [
            (format!("customer_id={ada}"), 3, vec![&four, &three, &one]),
            (
                format!("customer_id={ada}&sort=asc&limit=2"),
                3,
                vec![&one, &three],
            ),
            (
                format!("customer_id={ada}&sort=asc&limit=2&page=2"),
                3,
                vec![&four],
            ),
            (format!("paylink_id={tea}"), 2, vec![&two, &one]),
            (format!("paylink_id={cake}"), 1, vec![&other_link]),
            (format!("paylink_id={tea}&customer_id={ada}"), 1, vec![&one]),
            (format!("customer_id={ada}&status=Canceled"), 1, vec![&four]),
            (format!("customer_id={ada}&status=Confirmed"), 0, Vec::new()),
        ] {
            let found = world.read(&shop, &format!("/v1/payments?{query}"));
            let ids = texts(items(&found), "id");
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {query}");
            assert_eq!(found["total"], total, "{kind}: {query}");
        }
        for query in [format!("customer_id={ada}"), format!("paylink_id={tea}")] {
            let found = world.read(&other, &format!("/v1/payments?{query}"));
            assert_eq!(found["total"], 0, "{kind}: another's");
        }
        let wrong = world.keyed(
            &shop,
            "GET",
            "/v1/payments?customer_id=ada&paylink_id=tea",
            Value::Null,
        );
        assert_eq!(wrong.status, 400, "{kind}: {}", wrong.body);
        assert!(
            wrong.refusal().contains("customer_id"),
            "{kind}: {}",
            wrong.refusal()
        );
        assert!(
            wrong.refusal().contains("paylink_id"),
            "{kind}: {}",
            wrong.refusal()
        );
    });
}
