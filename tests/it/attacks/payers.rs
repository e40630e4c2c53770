//! Payers who claim to be another customer.

use serde_json::json;
use settlekit_tests::world::{World, text};

#[test]
fn a_payer_with_a_customers_e_mail_or_number_does_not_change_the_customer() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let asks = json!({ "amount": "5", "currency": "USDC", "name": "Tea",
            "metadata": { "customer_ident_collection": true } });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", asks);
        let path = format!("/v1/checkout/{}/payments", link.id());
        let pay = |world: &mut World| {
            let payer = json!({ "chain_id": 8453, "currency": "USDC", "name": "Ada",
                "email": "ada@tea.example", "customer_ident": "A-1" });
            let begun = world.public("POST", &path, payer);
            assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
            text(begun.data(), "payment_id")
        };
        let first = pay(&mut world);
        let known = world.read(&shop, &format!("/v1/payments/{first}"));
        let known = format!("/v1/customers/{}", text(&known, "customer_id"));
        let named = json!({ "customer_ident": "A-1", "number": "+4930123456" });
        let named = world.keyed(&shop, "PATCH", &known, named);
        assert_eq!(named.status, 200, "{kind}: {}", named.body);
        let before = world.read(&shop, &known);

        let second = pay(&mut world);
        world.pay(&second);
        world.pass_and_work(std::time::Duration::from_secs(10));
        let payment = world.read(&shop, &format!("/v1/payments/{second}"));
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_ne!(payment["customer"]["id"], before["id"], "{kind}");
        assert_eq!(payment["customer"].get("phone"), None, "{kind}");
        assert_eq!(world.read(&shop, &known), before, "{kind}");
        let listed = world.read(&shop, "/v1/customers?sort=asc");
        assert_eq!(listed["items"][0]["payments_count"], 0, "{kind}");
        assert_eq!(listed["items"][1]["payments_count"], 1, "{kind}");
    });
}
