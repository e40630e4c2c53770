//! `POST /trade/quote/{quote_id}/reject`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, Shop, World, text};

use super::QUERY;
use crate::trade::{accept, balance, quote, trader};

fn reject(world: &mut World, shop: &Shop, quote: &Value) -> Answer {
    let path = format!("/v1/trade/quote/{}/reject", text(quote, "id"));
    world.keyed(shop, "POST", &path, Value::Null)
}

#[test]
fn a_rejected_quote_shows_when_it_was_rejected_and_cannot_be_accepted() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let given = quote(&mut world, &shop, QUERY);
        world.pass(Duration::from_secs(5));
        let rejected = reject(&mut world, &shop, &given);
        let mut expected = given.clone();
        expected["status"] = json!("Rejected");
        expected["rejected_at"] = json!(world.now.to_string());
        expected["updated_at"] = json!(world.now.to_string());
        assert_eq!(*rejected.data(), expected, "{kind}: {}", rejected.body);
        let log = format!("/v1/events?document_id={}&limit=1", text(&given, "id"));
        let event = world.read(&shop, &log)["items"][0].clone();
        assert_eq!(event["action"], "Canceled", "{kind}");
        assert_eq!(event["data"], expected, "{kind}");
        let accepted = accept(&mut world, &shop, &given);
        assert_eq!(accepted, Err("409 STATE_FORBIDS".to_owned()), "{kind}");
        let again = reject(&mut world, &shop, &given);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        let held = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(held, ("1000".into(), "1000".into()), "{kind}");
        assert!(world.list(&shop, "/v1/trade/orders").is_empty(), "{kind}");
    });
}

#[test]
fn a_refused_rejection_leaves_the_quote_open() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let other = world.otc_shop("Other");
        let given = quote(&mut world, &shop, QUERY);
        let reader = world.scoped(&shop, &["read"]);
        for (who, refusal) in [(&other, "404 NOT_FOUND"), (&reader, "403 SCOPE_MISSING")] {
            assert_eq!(reject(&mut world, who, &given).refusal(), refusal, "{kind}");
        }
        accept(&mut world, &shop, &given).expect("an order");
        let late = reject(&mut world, &shop, &given);
        assert_eq!(
            late.refusal(),
            "409 STATE_FORBIDS",
            "{kind}: it is accepted"
        );
    });
}

#[test]
fn an_expired_quote_is_not_rejected() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let given = quote(&mut world, &shop, QUERY);
        world.pass(Duration::from_secs(30));
        let expired = "409 QUOTE_EXPIRED";
        let refused = reject(&mut world, &shop, &given);
        assert_eq!(refused.refusal(), expired, "{kind}: before it expires");
        world.work();
        let refused = reject(&mut world, &shop, &given);
        assert_eq!(refused.refusal(), expired, "{kind}");
    });
}
