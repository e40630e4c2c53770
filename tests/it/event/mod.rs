//! Events: the log, and webhook delivery.

mod cancel_replay;
mod claims;
mod count_replay;
mod create_replay;
mod create_test_event;
mod endpoint;
mod filter_counts;
mod get_event;
mod get_replay;
mod list_attempts;
mod list_events;
mod ordering;
mod records;
mod retry_event;
mod share;

use serde_json::{Value, json};
use settlekit_service::Access;
use settlekit_service::step::WireOutbound;
use settlekit_service::store::derived;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World, text};

/// More than a segment of the second level.
pub(crate) const EVENTS: i64 = 70_000;

const TYPES: [&str; 3] = ["Payment", "Invoice", "Customer"];
const ACTIONS: [&str; 3] = ["Created", "Updated", "Settled"];
const STATUSES: [&str; 3] = ["succeeded", "failed", "pending"];
const ENDPOINT: &str = "http://127.0.0.1:9099/hooks";

/// Concurrent calls of one organisation.
const SHARE: usize = 32;

const DEAD: &str = "http://127.0.0.1:9099/dead";
const ALIVE: &str = "http://127.0.0.1:9099/alive";

/// The attributes of the event with a number: type, action, status, and whether it was sent.
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

/// Inserts events in bulk.
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

/// The stored counts and the recounted rows, as text.
fn counts(world: &mut World) -> (Vec<String>, Vec<String>) {
    const STORED: &str = "SELECT segment, type, action, status, sent, row_count FROM filter_counts WHERE level = 0 AND list = 'events' AND row_count <> 0 \
         ORDER BY segment, type, action, status, sent";
    const COUNTED: &str = "SELECT piece, type, action, delivery_status, sent, COUNT(*) FROM (SELECT seq / 4096 AS piece, type, action, \
         delivery_status, CASE WHEN webhook_sent_at IS NULL THEN 0 ELSE 1 END AS sent FROM events) e \
         GROUP BY piece, type, action, delivery_status, sent ORDER BY piece, type, action, delivery_status, sent";
    let database = world.parts().1;
    (
        database::rows(database, STORED),
        database::rows(database, COUNTED),
    )
}

/// A shop with this number of failed events and one delivered.
fn shop_with_failed_events(world: &mut World, failed: usize) -> Shop {
    let shop = world.shop("Shop", None);
    for number in 0..failed {
        // Without an endpoint they are skipped.
        let name = json!({ "name": format!("Shop {number}") });
        world.keyed(&shop, "PUT", "/v1/orgs", name);
    }
    world.set_webhook_url(&shop, ENDPOINT);
    world.deliver(200);
    shop
}

/// A merchant with an endpoint and no pending event.
fn shop(world: &mut World, name: &str, url: &str) -> Shop {
    let shop = world.shop(name, None);
    move_endpoint(world, &shop, url);
    world.deliver(200);
    shop
}

fn move_endpoint(world: &mut World, shop: &Shop, url: &str) {
    let set = world.keyed(shop, "PUT", "/v1/orgs", json!({ "webhook_url": url }));
    assert_eq!(set.status, 200, "{}", set.body);
}

/// Creates events, each of a different record.
fn create_events(world: &mut World, shop: &Shop, events: usize) {
    for _ in 0..events {
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        assert_eq!(world.keyed(shop, "POST", "/v1/plan", plan).status, 201);
    }
}

/// A merchant with an endpoint and an account, and no pending event.
fn till(world: &mut World, name: &str) -> Shop {
    let shop = shop(world, name, ALIVE);
    world.account(&shop, "till", 8453, &["USDC"]);
    world.deliver(200);
    shop
}

/// A payment that starts and is canceled: two events of one document. Gives its id.
fn begin_and_cancel(world: &mut World, shop: &Shop) -> String {
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let id = world.post(shop, "/v1/payments", body).id();
    let cancel = world.keyed(shop, "DELETE", &format!("/v1/payments/{id}"), Value::Null);
    assert!(cancel.status < 300, "{}", cancel.body);
    id
}

/// The event and record of a call.
fn event_and_record(call: &WireOutbound) -> (String, String) {
    let body: Value = serde_json::from_str(&call.body).expect("JSON");
    (text(&body, "type"), text(&body["data"], "id"))
}

fn event_types(calls: &[WireOutbound]) -> Vec<String> {
    calls.iter().map(|call| event_and_record(call).0).collect()
}
