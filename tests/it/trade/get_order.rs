//! `GET /trade/orders/{order_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

use super::{order, settle, trader};

#[test]
fn an_order_is_read_before_and_after_settlement() {
    World::each(|kind, mut world| {
        let (shop, base, _) = trader(&mut world);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH", "reference": "hedge 7" });
        let placed = world.create(&shop, "/v1/trade/quicktrade", body);
        let read = order(&mut world, &shop, placed.data());
        assert_eq!(read, *placed.data(), "{kind}");
        for (field, value) in [
            ("status", json!("Open")),
            ("reference", json!("hedge 7")),
            ("account_id", json!(base)),
            ("from_amount", json!("100")),
            ("from_currency", json!("USDC")),
            ("to_currency", json!("ETH")),
        ] {
            assert_eq!(read[field], value, "{kind}: {field}");
        }
        settle(&mut world);
        let mut settled = read.clone();
        settled["status"] = json!("Settled");
        assert_eq!(order(&mut world, &shop, placed.data()), settled, "{kind}");
        let quote = world.read(
            &shop,
            &format!("/v1/trade/quote/{}", text(&read, "quote_id")),
        );
        assert_eq!(quote["status"], "Accepted", "{kind}");
    });
}

#[test]
fn an_order_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let other = world.otc_shop("Other");
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "ETH" });
        let placed = world.create(&shop, "/v1/trade/quicktrade", body);
        let id = text(placed.data(), "order_id");
        let unknown = "ord_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&shop, unknown)] {
            let path = format!("/v1/trade/orders/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
