//! `POST /subscriptions/{subscription_id}/resume`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World, text};

use super::{club, invoices, pay, plan, status, subscribe};

#[test]
fn a_subscription_is_paused_resumed_and_canceled() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let id = text(
            subscribe(&mut world, &club, json!({ "plan_ids": [monthly] })).data(),
            "id",
        );
        let act = |world: &mut World, act: &str, body: Value| {
            world.keyed(
                &club.shop,
                "POST",
                &format!("/v1/subscriptions/{id}/{act}"),
                body,
            )
        };
        assert_eq!(
            act(&mut world, "resume", json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}"
        );
        assert_eq!(
            act(&mut world, "pause", json!({})).data()["status"],
            "Paused",
            "{kind}"
        );
        world.advance(&club.shop, DAY * 90);
        assert_eq!(
            invoices(&mut world, &club),
            1,
            "{kind}: nothing is billed while it is paused"
        );
        assert_eq!(
            act(&mut world, "resume", json!({})).data()["status"],
            "Active",
            "{kind}"
        );
        assert_eq!(
            invoices(&mut world, &club),
            2,
            "{kind}: a new period begins at once"
        );
        let pay_latest = |world: &mut World| {
            let latest = world.read(&club.shop, "/v1/invoices?limit=1")["items"][0].clone();
            pay(world, &club, &latest);
        };
        pay_latest(&mut world);

        let ends = act(&mut world, "cancel", json!({ "at_period_end": true }));
        assert_eq!(ends.data()["cancel_at_period_end"], true, "{kind}");
        world.advance(&club.shop, DAY * 20);
        let stays = act(&mut world, "cancel", json!({ "at_period_end": false }));
        assert_eq!(stays.data()["cancel_at_period_end"], false, "{kind}");
        world.advance(&club.shop, DAY * 20);
        assert_eq!(invoices(&mut world, &club), 3, "{kind}: reverted");
        pay_latest(&mut world);
        act(&mut world, "cancel", json!({ "at_period_end": true }));
        world.advance(&club.shop, DAY * 40);
        assert_eq!(status(&mut world, &club, &id), "Canceled", "{kind}");
        assert_eq!(invoices(&mut world, &club), 3, "{kind}");
        for again in ["cancel", "pause", "resume", "invoices"] {
            assert_eq!(
                act(&mut world, again, json!({})).refusal(),
                "409 STATE_FORBIDS",
                "{kind} {again}"
            );
        }
    });
}
