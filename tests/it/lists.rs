//! Lists with filters tell what their rows are: over all pieces by which they are counted, whatever becomes of a row, and
//! whatever a server of the version before writes meanwhile.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::Access;
use settlekit_tests::world::{Shop, World};
use settlekit_tests::{database, many};

/// More than fill a piece of the second level.
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

/// Puts events into an organisation past the rules, as a server of the version before counts them: that is seen and made up for.
fn fill(world: &mut World, shop: &Shop, events: i64) {
    const LAST: &str =
        "UPDATE sequences SET last_seq = ?2, last_at = ?3 WHERE owner = ?1 AND kind = 'events'";
    const COUNT: &str = "INSERT INTO counts (org_id, list, value, piece, held) \
         SELECT DISTINCT org_id, 'events by type', '', seq / 4096, 0 FROM events";
    let organisation = shop.id.to_string();
    let at = world.now.micros();
    let database = world.parts().1;
    database.begin(Access::Write).expect("begun");
    for rows in [
        "attempts",
        "events",
        "counts WHERE list LIKE 'events%'",
        "counted WHERE list = 'events'",
    ] {
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
    database.execute(COUNT, &[]).expect("counts");
    database.commit().expect("committed");
    make_up(world);
}

fn make_up(world: &mut World) {
    const LEFT: &str = "SELECT EXISTS (SELECT 1 FROM uncounted) \
         OR EXISTS (SELECT 1 FROM customers WHERE taken_in IS DISTINCT FROM search)";
    let left = |world: &mut World| {
        let rows = world.parts().1.query(LEFT, &[]).expect("a row");
        rows[0].int(0).expect("a condition") != 0
    };
    for _ in 0..100 {
        if !left(world) {
            return;
        }
        world.work();
    }
    panic!("something is never made up for");
}

/// What is counted, as text; and what counting anew gives.
fn counts(world: &mut World) -> (Vec<String>, Vec<String>) {
    const KEPT: &str = "SELECT piece, type, action, status, sent, held FROM counted WHERE level = 0 AND list = 'events' AND held <> 0 \
         ORDER BY piece, type, action, status, sent";
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
fn a_larger_piece_is_added_up_when_it_has_all_its_numbers_and_follows_what_becomes_of_them() {
    /// The numbers of a piece of the second level are 65 536, of which there is no 0.
    const WHOLE: i64 = 65_535;
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, WHOLE - 3);
        let above = |world: &mut World| {
            let above =
                "SELECT COALESCE(SUM(held), 0) FROM counted WHERE level = 1 AND list = 'events'";
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

#[test]
fn what_a_server_of_the_version_before_writes_is_counted_and_found_in_the_end() {
    // As that server writes them, word by word.
    const INSERT: &str = "INSERT INTO events (id, org_id, seq, type, action, data, delivery_status, attempts, created_at, updated_at) \
         VALUES (?1, ?2, ?3, 'Plan', 'Created', '{}', 'skipped', 0, ?4, ?4)";
    const SENT: &str = "UPDATE events SET delivery_status = 'failed', webhook_sent_at = ?3, updated_at = ?3 WHERE org_id = ?1 AND seq = ?2";
    const LAST: &str =
        "UPDATE sequences SET last_seq = ?2, last_at = ?3 WHERE owner = ?1 AND kind = 'events'";
    const COUNT: &str = "INSERT INTO counts (org_id, list, value, piece, held) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (org_id, list, value, piece) DO UPDATE SET held = counts.held + excluded.held";
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, EVENTS);
        let owner = shop.id.to_string();
        let at = world.now.micros() + EVENTS;
        {
            let database = world.parts().1;
            let mut count = |list: &str, value: &str, piece: i64, by: i64| {
                let values = [
                    (&owner).into(),
                    list.into(),
                    value.into(),
                    piece.into(),
                    by.into(),
                ];
                database.execute(COUNT, &values).expect("counted");
            };
            for seq in EVENTS + 1..=EVENTS + 3 {
                count("events by type", "Plan", seq / 4096, 1);
                count("events by delivery_status", "skipped", seq / 4096, 1);
            }
            // One that lies in a piece which is added up.
            count("events by delivery_status", "skipped", 0, -1);
            count("events by delivery_status", "failed", 0, 1);
            for seq in EVENTS + 1..=EVENTS + 3 {
                let id = format!("evt_019cade5000070008000{seq:012x}");
                let values = [(&id).into(), (&owner).into(), seq.into(), at.into()];
                database.execute(INSERT, &values).expect("an event");
            }
            let last = [(&owner).into(), (EVENTS + 3).into(), at.into()];
            database.execute(LAST, &last).expect("a number");
            let sent = [(&owner).into(), 17.into(), at.into()];
            database.execute(SENT, &sent).expect("an outcome");
        }
        make_up(&mut world);
        let (kept, counted) = counts(&mut world);
        assert_eq!(kept, counted, "{kind}");
        for (query, of) in [
            ("type=Plan&action=Created", 3),
            ("delivery_status=skipped", 3),
        ] {
            let target = format!("/v1/events?{query}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            assert_eq!(found.data()["total"], of, "{kind}: {query}");
        }
        let failed = (1..=EVENTS).filter(|number| *number == 17 || event(*number).2 == 1);
        let target = "/v1/events?delivery_status=failed&sort=asc&limit=1";
        let found = world.keyed(&shop, "GET", target, Value::Null);
        assert_eq!(found.data()["total"], failed.clone().count(), "{kind}");
        assert_eq!(
            found.data()["items"][0]["event_id"].as_i64(),
            failed.min(),
            "{kind}"
        );
    });
}

/// What servers of an earlier version read of `counts`, and what they should.
fn older_counts(world: &mut World) -> (Vec<String>, Vec<String>) {
    const KEPT: &str =
        "SELECT list, value, piece, held FROM counts WHERE held <> 0 ORDER BY list, value, piece";
    const COUNTED: &str = "SELECT list, value, piece, COUNT(*) FROM ( \
         SELECT 'events by delivery_status' AS list, delivery_status AS value, seq / 4096 AS piece FROM events \
         UNION ALL SELECT 'events by type', type, seq / 4096 FROM events \
         UNION ALL SELECT 'payments by status', status, seq / 4096 FROM payments) counting \
         GROUP BY list, value, piece ORDER BY list, value, piece";
    let database = world.parts().1;
    (
        database::told(database, KEPT),
        database::told(database, COUNTED),
    )
}

#[test]
fn what_a_server_of_an_earlier_version_changes_is_counted_even_if_its_numbers_cancel_each_other_out()
 {
    // As that server writes: a first attempt that failed and will be made again is in none of its counts, and of what it changes
    // back within a group of requests it counts nothing.
    const OUTCOME: &str = "UPDATE events SET delivery_status = ?3, webhook_sent_at = ?4, updated_at = ?4 WHERE org_id = ?1 AND seq = ?2";
    const COUNT: &str = "UPDATE counts SET held = held + ?3 WHERE org_id = ?1 AND list = 'events by delivery_status' AND value = ?2 AND piece = 1";
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, EVENTS);
        let owner = shop.id.to_string();
        let at = world.now.micros();
        let changes = |world: &mut World, changes: &[(i64, usize)], told: &[(&str, i64)]| {
            let database = world.parts().1;
            for (seq, status) in changes {
                let given = [
                    (&owner).into(),
                    (*seq).into(),
                    STATUSES[*status].into(),
                    at.into(),
                ];
                database.execute(OUTCOME, &given).expect("an outcome");
            }
            for (value, by) in told {
                let given = [(&owner).into(), (*value).into(), (*by).into()];
                database.execute(COUNT, &given).expect("counted");
            }
            make_up(world);
            let (kept, counted) = counts(world);
            assert_eq!(kept, counted, "{kind}: {changes:?}");
        };
        let of = |status: usize, sent: bool, from: i64| {
            let found = (from..).find(|number| {
                let event = event(*number);
                event.2 == status && event.3 == sent
            });
            found.expect("an event")
        };
        // Sent for the first time, and as before waits.
        changes(&mut world, &[(of(2, false, 1), 2)], &[]);
        // One failed and one that failed waits again, each of another type, in one group.
        let (waits, failed) = (of(2, true, 4096), of(1, true, 4096));
        changes(&mut world, &[(waits, 1), (failed, 2)], &[]);
        // The same in two groups between two rounds of work: what is held is again what it was.
        let told = [
            ("failed", 1),
            ("pending", -1),
            ("failed", -1),
            ("pending", 1),
        ];
        let (waits, failed) = (of(2, true, 5000), of(1, true, 5000));
        changes(&mut world, &[(waits, 1), (failed, 2)], &told);
    });
}

/// A server of an earlier version counts that an event of a type which there is not otherwise is there, and is not.
fn be_older(world: &mut World, shop: &Shop) {
    const COUNT: &str = "INSERT INTO counts (org_id, list, value, piece, held) VALUES (?1, 'events by type', 'Plan', 0, ?2) \
         ON CONFLICT (org_id, list, value, piece) DO UPDATE SET held = counts.held + excluded.held";
    let owner = shop.id.to_string();
    for by in [1, -1] {
        let given = [(&owner).into(), by.into()];
        world.parts().1.execute(COUNT, &given).expect("counted");
    }
    make_up(world);
}

#[test]
fn a_server_of_an_earlier_version_reads_the_totals_of_what_newer_ones_write() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let endpoint = json!({ "webhook_url": "http://127.0.0.1:9099/hooks" });
        world.keyed(&shop, "PUT", "/v1/orgs", endpoint);
        let account = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
        world.keyed(&shop, "POST", "/v1/accounts/virtual", account);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let path = format!(
            "/v1/checkout/{}/payments",
            link.data()["id"].as_str().expect("an id")
        );
        let payer = json!({ "chain_id": 8453, "currency": "USDC" });
        let begin = |world: &mut World| {
            assert_eq!(world.public("POST", &path, payer.clone()).status, 201);
        };
        let right = |world: &mut World, when: &str| {
            world.pass(Duration::from_secs(5));
            world.work();
            let (kept, counted) = older_counts(world);
            assert_eq!(kept, counted, "{kind}: {when}");
            assert!(!kept.is_empty(), "{kind}: {when}");
        };
        // What newer ones wrote before it came is there, and what they write from then on some seconds later.
        begin(&mut world);
        be_older(&mut world, &shop);
        right(&mut world, "it came");
        begin(&mut world);
        right(&mut world, "somebody pays");
        world.pass(Duration::from_secs(2 * 60 * 60));
        let calls = world.work();
        assert!(!calls.is_empty(), "{kind}");
        be_older(&mut world, &shop);
        for call in &calls {
            world.report(call, 500);
        }
        right(&mut world, "nobody paid, and deliveries failed");
        // It wrote nothing for so long that it is taken as gone, and was not.
        world.pass(Duration::from_secs(11 * 60));
        world.work();
        begin(&mut world);
        world.work();
        let (kept, counted) = older_counts(&mut world);
        assert_ne!(kept, counted, "{kind}: nobody writes for who is gone");
        be_older(&mut world, &shop);
        right(&mut world, "it was there all the time");
    });
}

#[test]
fn what_a_server_of_before_0012_writes_is_counted_in_the_end_and_it_reads_what_newer_ones_write() {
    // As that server writes them, word by word.
    const EVENT: &str = "INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, \
         next_attempt_at, created_at, updated_at) VALUES (?1, ?2, ?3, 'Payment', 'Settled', NULL, '{}', 'skipped', 0, NULL, ?4, ?4)";
    const NEXT: &str =
        "UPDATE sequences SET last_seq = last_seq + 1 WHERE owner = ?1 AND kind = 'events'";
    const PAID: &str =
        "UPDATE payments SET status = 'Confirmed', lapses_at = NULL WHERE org_id = ?1 AND seq = ?2";
    const COUNT: &str = "INSERT INTO tallies (org_id, name, tally) VALUES (?1, ?2, ?3) \
         ON CONFLICT (org_id, name) DO UPDATE SET tally = tallies.tally + excluded.tally";
    /// How many payments and events are what, as newer servers tell, and as there are.
    const KEPT: &str = "SELECT list, status, CAST(SUM(held) AS BIGINT) FROM counted WHERE list IN ('events', 'payments') AND level = 0 \
         GROUP BY list, status HAVING SUM(held) <> 0 ORDER BY list, status";
    const COUNTED: &str = "SELECT list, status, COUNT(*) FROM (SELECT 'events' AS list, delivery_status AS status FROM events \
         UNION ALL SELECT 'payments', status FROM payments) counting GROUP BY list, status ORDER BY list, status";
    /// The same as that server reads it.
    const TALLIED: &str = "SELECT name, tally FROM tallies WHERE (name LIKE 'event %' OR name LIKE 'payment %') AND tally <> 0 ORDER BY name";
    const COUNTED_BY_NAME: &str = "SELECT name, COUNT(*) FROM (SELECT 'event ' || delivery_status AS name FROM events \
         UNION ALL SELECT 'payment ' || status FROM payments) counting GROUP BY name ORDER BY name";
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let begin = |world: &mut World| {
            let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
            let begun = world.keyed(&shop, "POST", "/v1/payments", body);
            assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        };
        let owner = shop.id.to_string();
        // It confirms a payment, and tells of it by an event.
        let confirm = |world: &mut World, payment: i64| {
            let at = world.now.micros();
            let database = world.parts().1;
            let last = "SELECT CAST(last_seq AS TEXT) FROM sequences WHERE kind = 'events'";
            let last = database::told(database, last)[0].parse::<i64>();
            let seq = last.expect("a number") + 1;
            let id = format!("evt_019cade5000070008000{seq:012x}");
            let paid = [(&owner).into(), payment.into()];
            database.execute(PAID, &paid).expect("a payment");
            database
                .execute(NEXT, &[(&owner).into()])
                .expect("a number");
            let event = [(&id).into(), (&owner).into(), seq.into(), at.into()];
            database.execute(EVENT, &event).expect("an event");
            for (name, by) in [
                ("payment Processing", -1),
                ("payment Confirmed", 1),
                ("event skipped", 1),
            ] {
                let given = [(&owner).into(), name.into(), by.into()];
                database.execute(COUNT, &given).expect("counted");
            }
        };
        let right = |world: &mut World, when: &str| {
            for _ in 0..3 {
                world.pass(Duration::from_secs(5));
                world.work();
            }
            let database = world.parts().1;
            for (kept, counted) in [(KEPT, COUNTED), (TALLIED, COUNTED_BY_NAME)] {
                let kept = database::told(database, kept);
                assert_eq!(kept, database::told(database, counted), "{kind}: {when}");
                assert!(!kept.is_empty(), "{kind}: {when}");
            }
        };
        for _ in 0..3 {
            begin(&mut world);
        }
        confirm(&mut world, 1);
        right(&mut world, "it came");
        begin(&mut world);
        right(&mut world, "a newer one wrote");
        confirm(&mut world, 2);
        confirm(&mut world, 3);
        right(&mut world, "it wrote again");
        let found = world.keyed(&shop, "GET", "/v1/payments?status=Confirmed", Value::Null);
        assert_eq!(found.data()["total"], 3, "{kind}");
    });
}

/// The lists that triggers count, with what is asked of each and the status of it in `counted`: the one that most have, and the
/// other.
const BY_TRIGGERS: [(&str, [(&str, &str); 2]); 3] = [
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

/// What is counted of the lists that triggers count, at all levels, as text; and what counting anew gives.
fn counts_by_triggers(world: &mut World) -> [Vec<String>; 2] {
    const KEPT: &str = "SELECT list, level, piece, status, held FROM counted WHERE list NOT IN ('events', 'payments') AND held <> 0 \
         ORDER BY list, level, piece, status";
    const COUNTED: &str = "SELECT list, level, seq / numbers AS piece, status, COUNT(*) FROM levels JOIN ( \
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
fn customers_subscriptions_and_invoices_of_a_kind_are_counted_whoever_writes_them() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let customer = many::one_of_each(&mut world, &shop);
        many::copies(world.parts().1, EVENTS);
        // The first of each is what its rules made of it; some of the others become something else, as any server writes that.
        for change in [
            "UPDATE customers SET payments_count = payments_count + 1 WHERE seq BETWEEN 2000 AND 2009",
            "UPDATE subscriptions SET status = 'Paused' WHERE seq BETWEEN 5000 AND 5009",
            "UPDATE subscriptions SET status = 'Active' WHERE seq = 69001",
            "UPDATE invoices SET payment_status = 'Failed' WHERE seq BETWEEN 65535 AND 65536",
        ] {
            world.parts().1.execute(change, &[]).expect(change);
        }
        let [kept, counted] = counts_by_triggers(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert!(kept.len() > 2 * 3 * 17, "{kind}: {kept:?}");
        for (list, filters) in BY_TRIGGERS {
            for (filter, status) in filters {
                let is_it = |number: i64| -> bool {
                    let is_tenth = number % 10 == 1;
                    let is_other = match (list, number) {
                        ("customers", 2000..=2009) => true,
                        ("subscriptions", 5000..=5009) => true,
                        ("subscriptions", 69_001) => false,
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
