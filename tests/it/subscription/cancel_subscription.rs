//! `POST /subscriptions/{subscription_id}/cancel`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World, text};

use super::{club, invoices, plan, status, subscribe};

#[test]
fn a_canceled_subscription_is_not_billed_again_by_a_pause_in_between() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P7D" }));
        let begin = |world: &mut World, plan: &str| {
            let made = subscribe(world, &club, json!({ "plan_ids": [plan] }));
            made.id()
        };
        let act = |world: &mut World, id: &str, act: &str, body: Value| {
            let path = format!("/v1/subscriptions/{id}/{act}");
            let done = world.keyed(&club.shop, "POST", &path, body);
            assert_eq!(done.status, 200, "{kind}: {}", done.body);
            text(done.data(), "status")
        };
        let (resumed, left, free) = (
            begin(&mut world, &weekly),
            begin(&mut world, &weekly),
            begin(&mut world, &trial),
        );
        for id in [&resumed, &left, &free] {
            act(&mut world, id, "cancel", json!({ "at_period_end": true }));
            assert_eq!(act(&mut world, id, "pause", json!({})), "Paused", "{kind}");
        }
        world.advance(&club.shop, DAY * 6);
        let again = act(&mut world, &resumed, "resume", json!({}));
        assert_eq!(again, "Active", "{kind}: its period continues");
        for (days, expected) in [
            (0, ["Active", "Paused", "Paused"]),
            (1, ["Canceled", "Canceled", "Canceled"]),
            (30, ["Canceled", "Canceled", "Canceled"]),
        ] {
            world.advance(&club.shop, DAY * days);
            let found = [&resumed, &left, &free].map(|id| status(&mut world, &club, id));
            assert_eq!(found, expected, "{kind}");
        }
        assert_eq!(invoices(&mut world, &club), 2, "{kind}: one period of each");
    });
}
