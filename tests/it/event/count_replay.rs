//! `GET /events/replays/count`.

use std::time::Duration;

use serde_json::Value;
use settlekit_tests::database;
use settlekit_tests::world::World;

use super::{ALIVE, DEAD, create_events, event_types, move_endpoint, shop};

#[test]
fn a_count_is_the_total_of_the_events_that_match() {
    World::each(|kind, mut world| {
        // Without an address every event is skipped.
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let first = world.now;
        create_events(&mut world, &shop, 1);
        world.pass(Duration::from_secs(60));
        let second = world.now;
        create_events(&mut world, &shop, 2);
        create_events(&mut world, &other, 4);
        world.work();
        let skipped = "delivery_status=skipped";
        for (filter, expected) in [
            (format!("{skipped}&type=Plan"), 3),
            (format!("{skipped}&type=Plan&action=Created"), 3),
            (format!("{skipped}&type=Plan&action=Updated"), 0),
            (format!("{skipped}&type=Plan&since={second}"), 2),
            (format!("{skipped}&type=Plan&until={first}"), 1),
            (
                format!("{skipped}&type=Plan&since={second}&until={second}"),
                2,
            ),
            ("delivery_status=succeeded".to_owned(), 0),
        ] {
            let count = world.read(&shop, &format!("/v1/events/replays/count?{filter}"));
            let listed = world.read(&shop, &format!("/v1/events?{filter}"));
            assert_eq!(count["count"], expected, "{kind}: {filter}");
            assert_eq!(listed["total"], expected, "{kind}: {filter}");
        }
    });
}

#[test]
fn without_a_status_only_failed_events_are_counted() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 3);
        for call in &world.work() {
            world.report(call, 410);
        }
        // A response of 410 pauses the endpoint until its address is set again.
        move_endpoint(&mut world, &shop, ALIVE);
        for _ in 0..2 {
            let count = world.read(&shop, "/v1/events/replays/count");
            assert_eq!(count["count"], 3, "{kind}");
            let sent = event_types(&world.deliver(200));
            assert!(
                !sent.contains(&"plan.created".to_owned()),
                "{kind}: {sent:?}"
            );
        }
    });
}

#[test]
fn a_count_with_a_wrong_filter_is_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for (filter, refusal) in [
        (
            "since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z",
            "400 RANGE_REVERSED since",
        ),
        ("type=Nothing", "400 UNKNOWN_VALUE type"),
        ("action=Nothing", "400 UNKNOWN_VALUE action"),
        ("delivery_status=lost", "400 UNKNOWN_VALUE delivery_status"),
    ] {
        let path = format!("/v1/events/replays/count?{filter}");
        let refused = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(refused.refusal(), refusal, "{filter}");
    }
}
