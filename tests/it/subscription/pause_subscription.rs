//! `POST /subscriptions/{subscription_id}/pause`.

use serde_json::json;
use settlekit_tests::world::{DAY, World, text};

use super::{club, invoices, plan, subscribe};

#[test]
fn a_paused_trial_resumes_and_stays_free() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let trial = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [trial] }));
        let path = format!("/v1/subscriptions/{}", made.id());
        let act = |world: &mut World, act: &str| {
            let acted = world.keyed(&club.shop, "POST", &format!("{path}/{act}"), json!({}));
            text(acted.data(), "status")
        };
        assert_eq!(act(&mut world, "pause"), "Paused", "{kind}");
        world.advance(&club.shop, DAY * 3);
        assert_eq!(act(&mut world, "resume"), "InTrial", "{kind}");
        world.advance(&club.shop, DAY * 10);
        assert_eq!(invoices(&mut world, &club), 0, "{kind}");
        world.advance(&club.shop, DAY);
        assert_eq!(world.read(&club.shop, &path)["status"], "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
    });
}
