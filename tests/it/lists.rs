//! A list with a filter shows the rows that match it, over all segments by which they are counted and whatever becomes of a row.

use serde_json::{Value, json};
use settlekit_service::Access;
use settlekit_service::store::derived;
use settlekit_tests::world::{Shop, World};
use settlekit_tests::{database, many};

/// More than fill a segment of the second level.
const EVENTS: i64 = 70_000;

const TYPES: [&str; 3] = ["Payment", "Invoice", "Customer"];
const ACTIONS: [&str; 3] = ["Created", "Updated", "Settled"];
const STATUSES: [&str; 3] = ["succeeded", "failed", "pending"];

/// What an event of a number is: its type, action and status, and whether it was sent.
fn event(number: i64) -> (usize, usize, usize, bool) {
    let odd = number * 2_654_435_761 % 1_000_003;
    let kind = if odd % 997 == 0 { 2 } else { odd % 2 };
    let status = match odd % 101 {
        0 => 1,
        1..4 => 2,
        _ => 0,
    };
    let sent = status != 2 || odd % 2 == 0;
    (kind as usize, (odd % 3) as usize, status, sent)
}

/// Puts events into an organisation in bulk.
fn fill(world: &mut World, shop: &Shop, events: i64) {
    const LAST: &str =
        "UPDATE sequences SET last_seq = ?2, last_at = ?3 WHERE owner = ?1 AND kind = 'events'";
    let organisation = shop.id.to_string();
    let at = world.now.micros();
    let database = world.parts().1;
    database.begin(Access::Write).expect("begun");
    for rows in ["attempts", "events", "filter_counts WHERE list = 'events'"] {
        let empty = format!("DELETE FROM {rows}");
        database.execute(&empty, &[]).expect("emptied");
    }
    let numbers: Vec<i64> = (1..=events).collect();
    for numbers in numbers.chunks(5000) {
        let rows: Vec<String> = numbers
            .iter()
            .map(|number| {
                let (kind, action, status, sent) = event(*number);
                let sent_at = match sent {
                    true => (at + number % 1000).to_string(),
                    false => "NULL".to_owned(),
                };
                format!(
                    "('evt_019cade5000070008000{number:012x}', '{organisation}', {number}, '{}', '{}', '{{}}', '{}', 0, {sent_at}, {}, 0)",
                    TYPES[kind],
                    ACTIONS[action],
                    STATUSES[status],
                    at + number
                )
            })
            .collect();
        let insert = format!(
            "INSERT INTO events (id, org_id, seq, type, action, data, delivery_status, attempts, webhook_sent_at, created_at, updated_at) VALUES {}",
            rows.join(", ")
        );
        database.script(&insert).expect("events");
    }
    let last = [(&organisation).into(), events.into(), (at + events).into()];
    database.execute(LAST, &last).expect("a number");
    database.commit().expect("committed");
    derived::rebuild(database, shop.id).expect("counts");
}

/// What is counted, as text; and what counting anew gives.
fn counts(world: &mut World) -> (Vec<String>, Vec<String>) {
    const KEPT: &str = "SELECT segment, type, action, status, sent, row_count FROM filter_counts WHERE level = 0 AND list = 'events' AND row_count <> 0 \
         ORDER BY segment, type, action, status, sent";
    const COUNTED: &str = "SELECT piece, type, action, delivery_status, sent, COUNT(*) FROM (SELECT seq / 4096 AS piece, type, action, \
         delivery_status, CASE WHEN webhook_sent_at IS NULL THEN 0 ELSE 1 END AS sent FROM events) e \
         GROUP BY piece, type, action, delivery_status, sent ORDER BY piece, type, action, delivery_status, sent";
    let database = world.parts().1;
    (
        database::told(database, KEPT),
        database::told(database, COUNTED),
    )
}

#[test]
fn a_filtered_page_of_events_holds_what_its_rows_say_wherever_it_lies() {
    database::each(|database_kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let begin = world.now;
        fill(&mut world, &shop, EVENTS);
        let (kept, counted) = counts(&mut world);
        assert_eq!(kept, counted, "{database_kind}");
        let all: Vec<i64> = (1..=EVENTS).collect();
        let moment = |number: i64| {
            let moment = settlekit_core::value::Timestamp::from_micros(begin.micros() + number);
            moment.to_string()
        };
        let bounds = [(1, EVENTS), (5, 66_000), (8_192, 69_000)];
        let wanted = |given: &str, place: Option<usize>, words: &[&str]| match place {
            Some(place) => format!("&{given}={}", words[place]),
            None => String::new(),
        };
        let some = [None, Some(0), Some(1), Some(2)];
        for kind in some {
            for action in some {
                for status in some {
                    let (from, to) =
                        bounds[(kind.map_or(0, |kind| kind + 1) + action.unwrap_or(0)) % 3];
                    let mut rows: Vec<i64> = all[(from - 1) as usize..to as usize]
                        .iter()
                        .copied()
                        .filter(|number| {
                            let of = event(*number);
                            kind.is_none_or(|kind| kind == of.0)
                                && action.is_none_or(|action| action == of.1)
                                && status.is_none_or(|status| status == of.2)
                        })
                        .collect();
                    let mut target = format!(
                        "/v1/events?limit=50{}{}{}",
                        wanted("type", kind, &TYPES),
                        wanted("action", action, &ACTIONS),
                        wanted("delivery_status", status, &STATUSES)
                    );
                    if (from, to) != bounds[0] {
                        target.push_str(&format!("&since={}&until={}", moment(from), moment(to)));
                    }
                    let pages = rows.len().div_ceil(50).max(1);
                    for sort in ["asc", "desc"] {
                        if sort == "desc" {
                            rows.reverse();
                        }
                        for page in [1, pages / 2 + 1, pages] {
                            let target = format!("{target}&sort={sort}&page={page}");
                            let found = world.keyed(&shop, "GET", &target, Value::Null);
                            assert_eq!(
                                found.status, 200,
                                "{database_kind}: {target}: {}",
                                found.body
                            );
                            assert_eq!(
                                found.data()["total"],
                                rows.len(),
                                "{database_kind}: {target}"
                            );
                            let items = found.data()["items"].as_array().expect("items");
                            let found: Vec<i64> = items
                                .iter()
                                .filter_map(|item| item["event_id"].as_i64())
                                .collect();
                            let shown = rows.iter().skip((page - 1) * 50).take(50);
                            assert_eq!(
                                found,
                                shown.copied().collect::<Vec<_>>(),
                                "{database_kind}: {target}"
                            );
                        }
                    }
                }
            }
        }
        let past = "/v1/events?type=Payment&page=9999";
        let found = world.keyed(&shop, "GET", past, Value::Null);
        assert_eq!(found.data()["items"], serde_json::json!([]));
    });
}

#[test]
fn events_in_the_order_of_their_delivery_are_those_that_were_ever_sent() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, EVENTS);
        for (query, of) in [("", None), ("&delivery_status=pending", Some(2))] {
            let mut rows: Vec<i64> = (1..=EVENTS)
                .filter(|number| {
                    let event = event(*number);
                    event.3 && of.is_none_or(|of| of == event.2)
                })
                .collect();
            rows.sort_by_key(|number| (number % 1000, *number));
            rows.reverse();
            for page in [1, 9] {
                let target =
                    format!("/v1/events?order_by=delivered_at&limit=50&page={page}{query}");
                let found = world.keyed(&shop, "GET", &target, Value::Null);
                assert_eq!(found.data()["total"], rows.len(), "{kind}: {target}");
                let items = found.data()["items"].as_array().expect("items");
                let found: Vec<i64> = items
                    .iter()
                    .filter_map(|item| item["event_id"].as_i64())
                    .collect();
                let shown = rows.iter().skip((page - 1) * 50).take(50);
                let shown: Vec<i64> = shown.copied().collect();
                assert_eq!(found, shown, "{kind}: {target}");
            }
        }
    });
}

#[test]
fn a_larger_segment_is_added_up_when_it_has_all_its_numbers_and_follows_what_becomes_of_them() {
    /// The numbers of a segment of the second level are 65 536, of which there is no 0.
    const WHOLE: i64 = 65_535;
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, WHOLE - 3);
        let above = |world: &mut World| {
            let above = "SELECT COALESCE(SUM(row_count), 0) FROM filter_counts WHERE level = 1 AND list = 'events'";
            let rows = world.parts().1.query(above, &[]).expect("a sum");
            rows[0].int(0).expect("a sum")
        };
        assert_eq!(above(&mut world), 0, "{kind}");
        let endpoint = serde_json::json!({ "webhook_url": "http://127.0.0.1:9099/hooks" });
        world.keyed(&shop, "PUT", "/v1/orgs", endpoint);
        for number in 0..4 {
            let name = serde_json::json!({ "name": format!("Shop {number}") });
            world.keyed(&shop, "PUT", "/v1/orgs", name);
        }
        assert_eq!(above(&mut world), WHOLE, "{kind}");

        // Some that failed long ago are sent again, and taken.
        let failed = "/v1/events?delivery_status=failed&sort=asc&limit=20";
        let before = world.keyed(&shop, "GET", failed, Value::Null);
        let total = before.data()["total"].as_u64().expect("a total");
        for item in before.data()["items"].as_array().expect("items") {
            let path = format!("/v1/events/{}/retry", item["id"].as_str().expect("an id"));
            let again = world.keyed(&shop, "POST", &path, serde_json::json!({}));
            assert_eq!(again.status, 200, "{kind}: {}", again.body);
        }
        let left = world.keyed(&shop, "GET", failed, Value::Null);
        assert_eq!(left.data()["total"], total - 20, "{kind}");
        world.deliver(200);
        for status in STATUSES {
            let target = format!("/v1/events?delivery_status={status}&limit=1");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            let count = format!("SELECT COUNT(*) FROM events WHERE delivery_status = '{status}'");
            let rows = world.parts().1.query(&count, &[]).expect("a count");
            let count = rows[0].int(0).expect("a count");
            assert_eq!(found.data()["total"], count, "{kind}: {status}");
        }
        let (kept, counted) = counts(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert_eq!(above(&mut world), WHOLE, "{kind}");
    });
}

/// Lists with one filter, each with two values of it and the status that is counted for each: the one that most have, and the other.
const FILTERED: [(&str, [(&str, &str); 2]); 3] = [
    (
        "customers",
        [
            ("visit_type=first-time", "first-time"),
            ("visit_type=repeat", "repeat"),
        ],
    ),
    (
        "subscriptions",
        [("status=Active", "Active"), ("status=Paused", "Paused")],
    ),
    (
        "invoices",
        [
            ("payment_status=Succeeded", "Succeeded"),
            ("payment_status=Failed", "Failed"),
        ],
    ),
];

/// The counts of those lists at all levels, as stored and as counting gives.
fn counts_at_all_levels(world: &mut World) -> [Vec<String>; 2] {
    const KEPT: &str = "SELECT list, level, segment, status, row_count FROM filter_counts WHERE list NOT IN ('events', 'payments') AND row_count <> 0 \
         ORDER BY list, level, segment, status";
    const COUNTED: &str = "SELECT list, level, seq / numbers AS piece, status, COUNT(*) FROM (SELECT 0 AS level, 4096 AS numbers UNION ALL SELECT 1, 65536) levels JOIN ( \
         SELECT org_id, 'customers' AS list, seq, CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END AS status \
         FROM customers UNION ALL SELECT org_id, 'subscriptions', seq, status FROM subscriptions \
         UNION ALL SELECT org_id, 'invoices', seq, payment_status FROM invoices) counting ON true \
         JOIN sequences ON owner = org_id AND kind = list WHERE level = 0 OR (seq / numbers + 1) * numbers <= last_seq + 1 \
         GROUP BY list, level, seq / numbers, status ORDER BY list, level, piece, status";
    let database = world.parts().1;
    [KEPT, COUNTED].map(|sql| database::told(database, sql))
}

/// The number of an item in its list, which the copies have in their ids.
fn number(item: &Value) -> i64 {
    let id = item["id"].as_str().expect("an id");
    id[id.len() - 12..]
        .parse::<i64>()
        .map_or(1, |copy| copy + 1)
}

#[test]
fn a_page_of_filtered_customers_subscriptions_or_invoices_holds_what_its_rows_say() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let customer = many::one_of_each(&mut world, &shop);
        many::copies(world.parts().1, EVENTS);
        // The first of each is what the service made of it; some of the others become something else.
        for change in [
            "UPDATE customers SET payments_count = payments_count + 1 WHERE seq BETWEEN 2000 AND 2009",
            "UPDATE subscriptions SET status = 'Paused' WHERE seq BETWEEN 5000 AND 5009",
            "UPDATE subscriptions SET status = 'Active' WHERE seq = 69001",
            "UPDATE invoices SET payment_status = 'Failed' WHERE seq BETWEEN 65535 AND 65536",
        ] {
            world.parts().1.execute(change, &[]).expect(change);
        }
        derived::rebuild(world.parts().1, shop.id).expect("counts");
        // The service pauses one of them, in the second of the larger segments.
        let id = database::told(
            world.parts().1,
            "SELECT id FROM subscriptions WHERE seq = 69002",
        );
        let path = format!("/v1/subscriptions/{}/pause", id[0]);
        let paused = world.keyed(&shop, "POST", &path, json!({}));
        assert_eq!(paused.status, 200, "{kind}: {}", paused.body);
        let [kept, counted] = counts_at_all_levels(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert!(kept.len() > 2 * 3 * 17, "{kind}: {kept:?}");
        for (list, filters) in FILTERED {
            for (filter, status) in filters {
                let is_it = |number: i64| -> bool {
                    let is_tenth = number % 10 == 1;
                    let is_other = match (list, number) {
                        ("customers", 2000..=2009) => true,
                        ("subscriptions", 5000..=5009) => true,
                        ("subscriptions", 69_001) => false,
                        ("subscriptions", 69_002) => true,
                        ("invoices", 65_535..=65_536) => true,
                        _ => is_tenth,
                    };
                    number > 1 && is_other == (status == filters[1].1)
                };
                let first = world.keyed(
                    &shop,
                    "GET",
                    &format!("/v1/{list}?{filter}&sort=asc&limit=1"),
                    Value::Null,
                );
                let is_one = number(&first.data()["items"][0]) == 1;
                let mut rows: Vec<i64> = (1..=EVENTS + 1)
                    .filter(|number| (*number == 1 && is_one) || is_it(*number))
                    .collect();
                let pages = rows.len().div_ceil(50);
                for sort in ["asc", "desc"] {
                    for page in [1, pages / 2 + 1, pages] {
                        let target =
                            format!("/v1/{list}?{filter}&sort={sort}&limit=50&page={page}");
                        let found = world.keyed(&shop, "GET", &target, Value::Null);
                        assert_eq!(found.data()["total"], rows.len(), "{kind}: {target}");
                        let items = found.data()["items"].as_array().expect("items");
                        let items: Vec<i64> = items.iter().map(number).collect();
                        let shown = rows.iter().skip((page - 1) * 50).take(50);
                        assert_eq!(
                            items,
                            shown.copied().collect::<Vec<_>>(),
                            "{kind}: {target}"
                        );
                    }
                    rows.reverse();
                }
                // With something else besides, what matches is counted as before.
                let more = match list {
                    "customers" => "search=nobody".to_owned(),
                    _ => format!("customer_id={customer}"),
                };
                let target = format!("/v1/{list}?{filter}&{more}&limit=1");
                let found = world.keyed(&shop, "GET", &target, Value::Null);
                let expected = if list == "customers" { 0 } else { rows.len() };
                assert_eq!(found.data()["total"], expected, "{kind}: {target}");
            }
        }
    });
}
