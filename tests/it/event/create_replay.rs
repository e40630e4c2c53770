//! `POST /events/replays`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{ENDPOINT, shop_with_failed_events};

#[test]
fn a_replay_is_counted_first_and_queues_events_in_batches() {
    World::each(|kind, mut world| {
        // One of them is the shop's creation.
        let shop = shop_with_failed_events(&mut world, 249);
        let filter = "/v1/events/replays/count?delivery_status=skipped&type=Org&action=Updated";
        let count = world.keyed(&shop, "GET", filter, Value::Null);
        assert_eq!(count.data()["count"], 250, "{kind}");
        let wanted = json!({ "delivery_status": "skipped", "type": "Org", "action": "Updated" });
        let begun = world.post(&shop, "/v1/events/replays", wanted);
        assert_eq!(begun.data()["total"], 250, "{kind}");
        let path = format!("/v1/events/replays/{}", begun.id());
        let mut delivered = 0;
        for (queued, status) in [(100, "Running"), (200, "Running"), (250, "Done")] {
            let calls = world.work();
            let current = world.read(&shop, &path);
            assert_eq!(current["queued"], queued, "{kind}");
            assert_eq!(current["status"], status, "{kind}");
            for call in &calls {
                world.report(call, 200);
            }
            delivered += calls.len();
        }
        delivered += world.deliver(200).len();
        assert_eq!(delivered, 250, "{kind}: each once");
        let nothing = world.read(&shop, filter);
        assert_eq!(nothing["count"], 0, "{kind}");
        let over = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(over.refusal(), "409 STATE_FORBIDS", "{kind}: it is done");
    });
}

#[test]
fn an_event_that_fails_while_a_replay_runs_is_counted_with_the_others() {
    World::each(|kind, mut world| {
        let shop = shop_with_failed_events(&mut world, 0);
        let set = |world: &mut World| {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "webhook_url": ENDPOINT }))
        };
        for number in 0..110 {
            let plan = json!({ "name": format!("Tea {number}"), "price": "1", "currency": "USDC" });
            assert_eq!(world.keyed(&shop, "POST", "/v1/plan", plan).status, 201);
        }
        // All but the last two fail for good; those are under way.
        let mut under_way = Vec::new();
        while under_way.is_empty() {
            let calls = world.work();
            for call in &calls {
                let path = format!("/v1/events/{}", call.event);
                match world.read(&shop, &path)["data"]["name"].as_str() {
                    Some("Tea 108" | "Tea 109") => under_way.push(call.clone()),
                    Some(name) if name.starts_with("Tea") => world.report(call, 410),
                    _ => world.report(call, 200),
                }
            }
            set(&mut world);
        }
        let count = "/v1/events/replays/count?type=Plan";
        assert_eq!(world.read(&shop, count)["count"], 108, "{kind}");
        let begun = world.keyed(
            &shop,
            "POST",
            "/v1/events/replays",
            json!({ "type": "Plan" }),
        );
        assert_eq!(begun.data()["total"], 108, "{kind}: {}", begun.body);
        let path = format!("/v1/events/replays/{}", begun.id());
        world.work();
        assert_eq!(world.read(&shop, &path)["queued"], 100, "{kind}");
        for call in &under_way {
            world.report(call, 410);
        }
        world.work();
        let over = world.read(&shop, &path);
        assert_eq!(over["status"], "Done", "{kind}");
        assert_eq!(over["queued"], 110, "{kind}");
        assert_eq!(over["total"], 110, "{kind}: at least the queued ones");
    });
}
