//! Filter counts: segments of the event log at every level.

use serde_json::Value;
use settlekit_tests::world::{World, text};

use super::{EVENTS, STATUSES, counts, fill};
use crate::status_counts;

#[test]
fn a_complete_segment_is_summed_into_the_next_level() {
    /// A segment of the second level holds 65 536 numbers; number 0 does not exist.
    const WHOLE: i64 = 65_535;
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, WHOLE - 3);
        let above = |world: &mut World| {
            let above = "SELECT COALESCE(SUM(row_count), 0) FROM filter_counts WHERE level = 1 AND list = 'events'";
            let rows = world.parts().1.query(above, &[]).expect("a sum");
            rows[0].int(0).expect("a sum")
        };
        assert_eq!(above(&mut world), 0, "{kind}");
        world.set_webhook_url(&shop, "http://127.0.0.1:9099/hooks");
        for number in 0..4 {
            let name = serde_json::json!({ "name": format!("Shop {number}") });
            world.keyed(&shop, "PUT", "/v1/orgs", name);
        }
        assert_eq!(above(&mut world), WHOLE, "{kind}");

        // Some old failed events are sent again and accepted.
        let failed = "/v1/events?delivery_status=failed&sort=asc&limit=20";
        let before = world.keyed(&shop, "GET", failed, Value::Null);
        let total = before.data()["total"].as_u64().expect("a total");
        for item in before.items() {
            let path = format!("/v1/events/{}/retry", text(item, "id"));
            let again = world.keyed(&shop, "POST", &path, serde_json::json!({}));
            assert_eq!(again.status, 200, "{kind}: {}", again.body);
        }
        let left = world.read(&shop, failed);
        assert_eq!(left["total"], total - 20, "{kind}");
        world.deliver(200);
        for status in STATUSES {
            let target = format!("/v1/events?delivery_status={status}&limit=1");
            let found = world.read(&shop, &target);
            let count = format!("SELECT COUNT(*) FROM events WHERE delivery_status = '{status}'");
            let rows = world.parts().1.query(&count, &[]).expect("a count");
            let count = rows[0].int(0).expect("a count");
            assert_eq!(found["total"], count, "{kind}: {status}");
        }
        let (kept, counted) = counts(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert_eq!(above(&mut world), WHOLE, "{kind}");
    });
}

#[test]
fn the_counts_beside_a_long_log_are_the_totals_of_each_status() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, EVENTS);
        let at = |world: &mut World, page: i64| {
            let page = format!("/v1/events?sort=asc&limit=1&page={page}");
            text(&world.read(&shop, &page)["items"][0], "timestamp")
        };
        let (since, until) = (at(&mut world, 4321), at(&mut world, 68_765));
        for query in [
            "sort=asc".to_owned(),
            "type=Payment".to_owned(),
            "type=Payment&action=Updated".to_owned(),
            "order_by=delivered_at".to_owned(),
            format!("since={since}"),
            format!("action=Created&since={since}&until={until}"),
            format!("type=Customer&order_by=delivered_at&until={since}"),
        ] {
            let list = ("/v1/events", "delivery_status");
            let counts = status_counts::counts(&mut world, &shop, list, &query);
            let total = world.read(&shop, &format!("/v1/events?{query}&limit=1"));
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            assert_eq!(total["total"], sum, "{kind}: {query}");
        }
    });
}
