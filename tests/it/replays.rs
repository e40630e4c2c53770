//! Events delivered again, and calls that fail as told.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

const ENDPOINT: &str = "http://127.0.0.1:9099/hooks";

/// A shop of which so many events could not be delivered, and one was.
fn shop(world: &mut World, failed: usize) -> Shop {
    let shop = world.shop("Shop", None);
    for number in 0..failed {
        // Without an address they are skipped.
        let name = json!({ "name": format!("Shop {number}") });
        world.keyed(&shop, "PUT", "/v1/orgs", name);
    }
    world.keyed(&shop, "PUT", "/v1/orgs", json!({ "webhook_url": ENDPOINT }));
    world.deliver(200);
    shop
}

#[test]
fn a_replay_is_counted_first_and_queues_a_few_events_with_each_round() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        // The shop's own beginning is one of them.
        let shop = shop(&mut world, 249);
        let filter = "/v1/events/replays/count?delivery_status=skipped&type=Org&action=Updated";
        let count = world.keyed(&shop, "GET", filter, Value::Null);
        assert_eq!(count.data()["count"], 250, "{kind}");
        let wanted = json!({ "delivery_status": "skipped", "type": "Org", "action": "Updated" });
        let begun = world.keyed(&shop, "POST", "/v1/events/replays", wanted);
        assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        assert_eq!(begun.data()["total"], 250, "{kind}");
        let path = format!(
            "/v1/events/replays/{}",
            begun.data()["id"].as_str().expect("an id")
        );
        let mut delivered = 0;
        for (queued, status) in [(100, "Running"), (200, "Running"), (250, "Done")] {
            let calls = world.work();
            let standing = world.keyed(&shop, "GET", &path, Value::Null);
            assert_eq!(standing.data()["queued"], queued, "{kind}");
            assert_eq!(standing.data()["status"], status, "{kind}");
            for call in &calls {
                world.report(call, 200);
            }
            delivered += calls.len();
        }
        delivered += world.deliver(200).len();
        assert_eq!(delivered, 250, "{kind}: each once");
        let nothing = world.keyed(&shop, "GET", filter, Value::Null);
        assert_eq!(nothing.data()["count"], 0, "{kind}");
        let over = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(over.refusal(), "409 STATE_FORBIDS", "{kind}: it is done");
    });
}

#[test]
fn a_replay_can_be_stopped_and_needs_an_address() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, 150);
        let wanted = json!({ "delivery_status": "skipped" });
        let begun = world.keyed(&shop, "POST", "/v1/events/replays", wanted.clone());
        let path = format!(
            "/v1/events/replays/{}",
            begun.data()["id"].as_str().expect("an id")
        );
        let first = world.work().len();
        assert!(first > 0, "{kind}");
        let stopped = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(stopped.data()["status"], "Canceled", "{kind}");
        assert_eq!(stopped.data()["queued"], 100, "{kind}");
        world.pass(std::time::Duration::from_secs(61));
        assert_eq!(
            world.deliver(200).len(),
            100,
            "{kind}: what was queued is delivered, and no more"
        );
        world.keyed(&shop, "PUT", "/v1/orgs", json!({ "webhook_url": "" }));
        let refused = world.keyed(&shop, "POST", "/v1/events/replays", wanted);
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn an_event_that_fails_while_a_replay_runs_is_counted_with_the_others() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, 0);
        let set = |world: &mut World| {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "webhook_url": ENDPOINT }))
        };
        for number in 0..110 {
            let plan = json!({ "name": format!("Tea {number}"), "price": "1", "currency": "USDC" });
            assert_eq!(world.keyed(&shop, "POST", "/v1/plan", plan).status, 201);
        }
        // All but the last two are refused for good; those two are under way.
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
        let path = format!(
            "/v1/events/replays/{}",
            begun.data()["id"].as_str().expect("an id")
        );
        world.work();
        assert_eq!(world.read(&shop, &path)["queued"], 100, "{kind}");
        for call in &under_way {
            world.report(call, 410);
        }
        world.work();
        let over = world.read(&shop, &path);
        assert_eq!(over["status"], "Done", "{kind}");
        assert_eq!(over["queued"], 110, "{kind}");
        assert_eq!(over["total"], 110, "{kind}: never less than were queued");
    });
}

#[test]
fn a_sandbox_fails_as_told_before_the_work_or_after_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let fault =
            |world: &mut World, body: Value| world.keyed(&shop, "POST", "/v1/sandbox/faults", body);
        let link = |world: &mut World| {
            let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            world.keyed(&shop, "POST", "/v1/paylinks", body)
        };
        let links = |world: &mut World| {
            world
                .keyed(&shop, "GET", "/v1/paylinks", Value::Null)
                .data()["total"]
                .clone()
        };
        let told = fault(
            &mut world,
            json!({ "operation": "CreatePaylink", "reason": "INTERNAL", "calls": 2 }),
        );
        assert_eq!(told.status, 201, "{kind}: {}", told.body);
        for _ in 0..2 {
            assert_eq!(link(&mut world).refusal(), "500 INTERNAL", "{kind}");
        }
        assert_eq!(links(&mut world), 0, "{kind}: nothing was done");
        assert_eq!(
            link(&mut world).status,
            201,
            "{kind}: and then it works again"
        );

        fault(
            &mut world,
            json!({ "operation": "CreatePaylink", "reason": "UNAVAILABLE", "after_commit": true }),
        );
        assert_eq!(link(&mut world).refusal(), "503 UNAVAILABLE", "{kind}");
        assert_eq!(links(&mut world), 2, "{kind}: it was done all the same");

        // Reads fail, too, and only those of the organisation that asked.
        fault(&mut world, json!({ "reason": "RATE_LIMITED" }));
        let settings =
            |world: &mut World, shop: &Shop| world.keyed(shop, "GET", "/v1/orgs", Value::Null);
        assert_eq!(settings(&mut world, &other).status, 200, "{kind}");
        let limited = settings(&mut world, &shop);
        assert_eq!(limited.refusal(), "429 RATE_LIMITED", "{kind}");
        assert_eq!(limited.header(header::RETRY_AFTER), Some("1"), "{kind}");
        assert_eq!(settings(&mut world, &shop).status, 200, "{kind}: once");

        let unknown = fault(
            &mut world,
            json!({ "operation": "Nothing", "reason": "INTERNAL" }),
        );
        assert_eq!(unknown.refusal(), "400 UNKNOWN_VALUE operation", "{kind}");
    });
}
