//! `GET /checkout/{paylink_id}`.

use serde_json::{Value, json};
use settlekit_service::step::Reply;
use settlekit_tests::world::{World, number, text};

use crate::organisation::{ledger, set_fees};

#[test]
fn if_the_payer_pays_the_fees_the_price_is_the_amount_after_them() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let free = world.account(&shop, "free", 137, &["USDC"]);
        assert_eq!(set_fees(&mut world, &shop, till, "1", "0"), Reply::Done);
        let link = json!({ "amount": "5.00", "currency": "USDC", "name": "Tea" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let path = format!("/v1/checkout/{}", link.id());
        let prices = |world: &mut World| -> Vec<(i64, String)> {
            let page = world.public("GET", &path, Value::Null);
            assert_eq!(page.data()["amount"], "5.00", "{kind}");
            let options = page.data()["options"].as_array().expect("options").iter();
            let price = |option: &Value| text(option, "amount");
            options
                .map(|option| (number(&option["chain"], "id"), price(option)))
                .collect()
        };
        let same = [(8453, "5.00".to_owned()), (137, "5.00".to_owned())];
        assert_eq!(prices(&mut world), same, "{kind}: the merchant pays");
        let payer = json!({ "fee_payer": "payer" });
        assert_eq!(world.keyed(&shop, "PUT", "/v1/orgs", payer).status, 200);
        // 5 / 0.99, rounded up.
        let raised = [(8453, "5.050506".to_owned()), (137, "5.00".to_owned())];
        assert_eq!(prices(&mut world), raised, "{kind}: {free} is free of fees");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("{path}/payments"), chosen);
        assert_eq!(started.data()["amount"], "5.050506", "{kind}");
        let payment = text(started.data(), "payment_id");
        world.pay(&payment);
        world.settle();
        let booked = ["Deposit IN 5.050506", "ServiceFee OUT 0.050505"];
        assert_eq!(ledger(&mut world, &shop, till), booked, "{kind}");
        // With a fee of 100 percent no deposit suffices.
        set_fees(&mut world, &shop, till, "100", "0");
        assert_eq!(prices(&mut world), raised[1..], "{kind}");
    });
}
