//! `GET /plan/{plan_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World, text};

use crate::subscription::{club, invoices, status, subscribe};

#[test]
fn a_plan_is_on_sale_exactly_while_its_link_is() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let link = json!({ "amount": "9", "currency": "USDC", "name": "Box", "type": "Recurring", "interval": "Week" });
        let link = world.keyed(&club.shop, "POST", "/v1/paylinks", link);
        let (link, plan) = (link.id(), text(link.data(), "plan_id"));
        let held = subscribe(&mut world, &club, json!({ "plan_ids": [plan] }));
        assert_eq!(held.status, 201, "{kind}: {}", held.body);
        let enable = |world: &mut World, enabled: bool| {
            let items = json!({ "items": [{ "id": link, "enabled": enabled }] });
            let changed = world.keyed(&club.shop, "PATCH", "/v1/paylinks/batch", items);
            assert_eq!(changed.data()[0]["plan"]["enabled"], enabled, "{kind}");
        };
        let check = |world: &mut World, when: &str, is_on_sale: bool| {
            let shown = world.read(&club.shop, &format!("/v1/plan/{plan}"));
            assert_eq!(shown["enabled"], is_on_sale, "{kind}: {when}");
            let tried = subscribe(world, &club, json!({ "plan_ids": [plan] }));
            match is_on_sale {
                true => assert_eq!(tried.status, 201, "{kind}: {when}: {}", tried.body),
                false => assert_eq!(
                    tried.refusal(),
                    "422 REFERENCE_UNKNOWN plan_ids[0]",
                    "{kind}: {when}"
                ),
            }
        };
        enable(&mut world, false);
        check(&mut world, "disabled", false);
        enable(&mut world, true);
        check(&mut world, "enabled", true);
        let path = format!("/v1/paylinks/{link}");
        let deleted = world.keyed(&club.shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        check(&mut world, "deleted", false);
        let event = world.read(&club.shop, "/v1/events?type=Plan&action=Updated");
        assert_eq!(event["total"], 3, "{kind}");
        // Existing subscriptions continue.
        let before = invoices(&mut world, &club);
        world.advance(&club.shop, DAY * 8);
        assert_eq!(status(&mut world, &club, &held.id()), "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), before + 2, "{kind}");
    });
}
