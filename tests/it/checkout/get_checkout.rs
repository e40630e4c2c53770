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

#[test]
fn the_price_is_shown_in_the_payers_currencies_that_have_one() {
    World::each(|kind, mut world| {
        let link = super::link(&mut world, "12.50", "USDC");
        let path = format!("/v1/checkout/{link}");
        let page = world.public("GET", &path, Value::Null);
        assert!(page.data().get("amounts_in").is_none(), "{kind}");
        // 12.50 / 1.08 and 12.50 / 1.27, rounded; a price is neither repeated nor shown in its own currency.
        let asked = format!("{path}?currency=EUR,GBP,JPY,USDC,EUR");
        let page = world.public("GET", &asked, Value::Null);
        let shown = json!([
            { "currency": "EUR", "amount": "11.57" },
            { "currency": "GBP", "amount": "9.84" },
        ]);
        assert_eq!(page.data()["amounts_in"], shown, "{kind}");
        assert_eq!(page.data()["amount"], "12.50", "{kind}");
        let page = world.public("GET", &format!("{path}?currency=JPY"), Value::Null);
        assert!(page.data().get("amounts_in").is_none(), "{kind}");
    });
}

#[test]
fn a_price_that_rounds_to_nothing_is_not_shown() {
    World::each(|kind, mut world| {
        let link = super::link(&mut world, "0.004", "USDC");
        let asked = format!("/v1/checkout/{link}?currency=EUR,USD");
        let page = world.public("GET", &asked, Value::Null);
        assert!(page.data().get("amounts_in").is_none(), "{kind}");
    });
}

#[test]
fn at_most_eight_currencies_are_asked_for() {
    World::each(|kind, mut world| {
        let link = super::link(&mut world, "12.50", "USDC");
        let currencies = [
            "AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "JPY", "NOK", "SEK",
        ];
        let asked = |count: usize| {
            let list = currencies[..count].join(",");
            format!("/v1/checkout/{link}?currency={list}")
        };
        assert_eq!(world.public("GET", &asked(8), Value::Null).status, 200);
        let refused = world.public("GET", &asked(9), Value::Null);
        assert_eq!(refused.refusal(), "422 TOO_LONG currency", "{kind}");
    });
}
