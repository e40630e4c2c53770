//! Paylinks of invoices.

use serde_json::json;
use settlekit_tests::world::{World, text};

use crate::subscription::{club, pay, plan, subscribe};

#[test]
fn an_invoices_link_is_not_listed_and_closes_when_paid() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let seen = |world: &mut World| {
            let total =
                |world: &mut World, path: &str| world.read(&club.shop, path)["total"].clone();
            let (links, plans) = (total(world, "/v1/paylinks"), total(world, "/v1/plan"));
            let active = world.read(&club.shop, "/v1/overview")["paylinks_active"].clone();
            [links, plans, active]
        };
        let before = seen(&mut world);
        assert_eq!(before, [json!(1), json!(2), json!(1)], "{kind}");
        subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        assert_eq!(seen(&mut world), before, "{kind}: issued");
        let link = format!(
            "/v1/paylinks/{}",
            text(&invoice["properties"], "payment_link_id")
        );
        let open = world.read(&club.shop, &link);
        assert_eq!(open["state"], "Open", "{kind}");
        assert_eq!(open["invoice_id"], invoice["id"], "{kind}");
        pay(&mut world, &club, &invoice);
        let shut = world.read(&club.shop, &link);
        assert_eq!(shut["state"], "Paid", "{kind}");
        assert_eq!(shut["enabled"], false, "{kind}");
        assert_eq!(shut["plan"]["enabled"], false, "{kind}");
        assert_eq!(seen(&mut world), before, "{kind}: paid");
        // The invoice is paid, so its link stays closed.
        let enable = json!({ "items": [{ "id": shut["id"], "enabled": true }] });
        let enable = world.keyed(&club.shop, "PATCH", "/v1/paylinks/batch", enable);
        assert_eq!(
            enable.refusal(),
            "409 STATE_FORBIDS items[0].enabled",
            "{kind}"
        );
        // The plan's own paylink keeps selling.
        let own = json!({ "amount": "9", "currency": "USDC", "name": "Box", "type": "Recurring", "interval": "Month" });
        let own = world.post(&club.shop, "/v1/paylinks", own).id();
        pay(
            &mut world,
            &club,
            &json!({ "properties": { "payment_link_id": own } }),
        );
        let own = world.read(&club.shop, &format!("/v1/paylinks/{own}"));
        assert_eq!(own["state"], "Open", "{kind}");
        let total = world.read(&club.shop, "/v1/invoices");
        assert_eq!(total["items"][0]["payment_status"], "Succeeded", "{kind}");
    });
}
