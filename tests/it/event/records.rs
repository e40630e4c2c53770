//! Events contain their record as a read returns it.

use serde_json::json;
use settlekit_tests::world::{World, text};

#[test]
fn a_plan_event_holds_the_plan_with_its_link() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body =
            json!({ "name": "Club", "amount": "5", "currency": "USDC", "available_quantity": 2 });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let (link, plan) = (link.id(), text(link.data(), "plan_id"));
        let check = |world: &mut World, what: &str| {
            let read = world.read(&shop, &format!("/v1/plan/{plan}"));
            let event = world.read(&shop, &format!("/v1/events?document_id={plan}&limit=1"));
            let event = &event["items"][0]["data"];
            assert_eq!(*event, read, "{kind}: {what}");
            assert_eq!(event["payment_link"]["id"], *link, "{kind}: {what}");
        };
        check(&mut world, "made");
        for change in [
            json!({ "id": link, "plan": { "name": "Circle" } }),
            json!({ "id": link, "enabled": false }),
            json!({ "id": link, "enabled": true }),
        ] {
            let body = json!({ "items": [change] });
            let changed = world.keyed(&shop, "PATCH", "/v1/paylinks/batch", body);
            assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
            check(&mut world, &change.to_string());
        }
        let gone = world.keyed(&shop, "DELETE", &format!("/v1/paylinks/{link}"), json!({}));
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        check(&mut world, "deleted");
    });
}
