//! `GET /payments/{payment_id}/timeline`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::Access;
use settlekit_tests::world::{World, text, texts};

use super::{Due, due, pass, refund, send, settle_payouts};

fn timeline(world: &mut World, due: &Due, query: &str) -> Vec<Value> {
    let path = format!("{}/timeline{query}", due.path);
    let page = world.read(&due.shop, &path);
    page["items"].as_array().expect("a list").clone()
}

/// The entries of a type, oldest first.
fn of_type<'a>(entries: &'a [Value], kind: &str) -> Vec<&'a Value> {
    let mut found: Vec<&Value> = entries
        .iter()
        .filter(|entry| entry["type"] == kind)
        .collect();
    found.reverse();
    found
}

#[test]
fn a_timeline_joins_states_transactions_refunds_and_events() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        world.set_webhook_url(&due.shop, "https://hooks.shop.example/");
        let begun = world.now;
        pass(&mut world, 60);
        send(&mut world, &due, &["10"]);
        let confirmed = world.now;
        pass(&mut world, 60);
        let asked = world.now;
        let part = refund(&mut world, &due, json!({ "amount": "4" }));
        assert_eq!(part.status, 201, "{kind}: {}", part.body);
        let before = timeline(&mut world, &due, "");
        let under_way = of_type(&before, "Refund");
        assert_eq!(under_way.len(), 1, "{kind}");
        assert_ne!(under_way[0]["refund"]["status"], "Confirmed", "{kind}");
        settle_payouts(&mut world);
        let entries = timeline(&mut world, &due, "");

        let states: Vec<(&Value, &Value)> = of_type(&entries, "Status")
            .into_iter()
            .map(|entry| (&entry["status"], &entry["at"]))
            .collect();
        assert_eq!(
            states[0],
            (&json!("Processing"), &json!(begun)),
            "{kind}: {states:?}"
        );
        assert!(
            states.contains(&(&json!("Confirmed"), &json!(confirmed))),
            "{kind}: {states:?}"
        );
        assert_eq!(
            states.last().map(|(status, _)| *status),
            Some(&json!("PartialRefunded")),
            "{kind}"
        );
        let seen = of_type(&entries, "Transaction");
        assert_eq!(seen.len(), 1, "{kind}");
        let transaction = &seen[0]["transaction"];
        assert_eq!(
            (&transaction["amount"], &transaction["currency"]),
            (&json!("10"), &json!("USDC")),
            "{kind}"
        );
        assert_eq!(transaction["status"], "Success", "{kind}");
        assert!(transaction["confirmations"].is_u64(), "{kind}");
        let refunds = of_type(&entries, "Refund");
        assert_eq!(refunds.len(), 1, "{kind}");
        assert_eq!(refunds[0]["at"], json!(asked), "{kind}");
        let refund = &refunds[0]["refund"];
        assert_eq!(
            (&refund["amount"], &refund["status"]),
            (&json!("4"), &json!("Confirmed")),
            "{kind}"
        );
        // The events are those of the list, in its order.
        let id = due.path.rsplit('/').next().expect("an id");
        let path = format!("/v1/events?document_id={id}");
        let listed = world.read(&due.shop, &path)["items"].clone();
        let listed = texts(listed.as_array().expect("a list"), "id");
        let mut events: Vec<String> = of_type(&entries, "Event")
            .into_iter()
            .map(|entry| text(&entry["event"], "id"))
            .collect();
        events.reverse();
        assert_eq!(events, listed, "{kind}");
        // Newest first, and each entry has its own part only.
        let times = texts(&entries, "at");
        assert!(times.is_sorted_by(|one, next| one >= next), "{kind}");
        for entry in &entries {
            let part = text(entry, "type").to_lowercase();
            let fields = entry.as_object().expect("an object");
            let fields: Vec<&str> = fields.keys().map(String::as_str).collect();
            assert_eq!(fields.len(), 3, "{kind}: {entry}");
            assert!(fields.contains(&part.as_str()), "{kind}: {entry}");
        }
    });
}

#[test]
fn an_event_shows_its_delivery_and_the_next_attempt() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let of_first = |world: &mut World| {
            let entries = timeline(world, &due, "");
            of_type(&entries, "Event")[0]["event"].clone()
        };
        let skipped = of_first(&mut world);
        assert_eq!(skipped["delivery_status"], "skipped", "{kind}");
        assert_eq!(skipped["attempts"], 0, "{kind}");
        assert_eq!(skipped["next_attempt_at"], Value::Null, "{kind}");
        world.set_webhook_url(&due.shop, "https://hooks.shop.example/");
        send(&mut world, &due, &["10"]);
        let entries = timeline(&mut world, &due, "");
        let is_due = |entry: &&Value| entry["event"]["next_attempt_at"].is_string();
        let waiting = entries.iter().find(is_due).expect("an event that is due");
        assert_eq!(waiting["event"]["delivery_status"], "pending", "{kind}");
        world.pass(Duration::from_secs(600));
        world.deliver(200);
        let entries = timeline(&mut world, &due, "");
        assert_eq!(entries.iter().find(is_due), None, "{kind}");
        let delivered = entries
            .iter()
            .find(|entry| entry["event"]["id"] == waiting["event"]["id"]);
        let delivered = &delivered.expect("the event")["event"];
        assert_eq!(delivered["delivery_status"], "succeeded", "{kind}");
        assert!(delivered["webhook_sent_at"].is_string(), "{kind}");
        assert!(delivered["attempts"].as_u64() >= Some(1), "{kind}");
    });
}

#[test]
fn pages_of_a_timeline_follow_each_other_in_both_directions() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4", "6"]);
        let all = timeline(&mut world, &due, "");
        assert!(all.len() > 6, "{kind}: {}", all.len());
        let path = format!("{}/timeline", due.path);
        let oldest_first = world.list(&due.shop, &path);
        let newest_first: Vec<Value> = oldest_first.into_iter().rev().collect();
        assert_eq!(newest_first, all, "{kind}");
        // A time limits all types.
        let since = text(&all[0], "at");
        let late = timeline(&mut world, &due, &format!("?since={since}"));
        assert!(late.len() < all.len(), "{kind}");
        assert!(late.iter().all(|entry| entry["at"] == since.as_str()));
    });
}

#[test]
fn a_timeline_ends_after_ten_thousand_entries() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let read = |world: &mut World, page: u32| {
            let path = format!("{}/timeline?page={page}", due.path);
            world.keyed(&due.shop, "GET", &path, Value::Null)
        };
        let last = read(&mut world, 100);
        assert_eq!(last.status, 200, "{kind}: {}", last.body);
        assert_eq!(last.items().len(), 0, "{kind}");
        let beyond = read(&mut world, 101);
        assert_eq!(beyond.refusal(), "400 OUT_OF_RANGE page", "{kind}");
    });
}

/// Inserts more events of a payment than a timeline shows.
fn fill(world: &mut World, due: &Due) {
    let payment = due.path.rsplit('/').next().expect("an id");
    let (organisation, at) = (due.shop.id, world.now.micros());
    let rows: Vec<String> = (1..=10_050)
        .map(|number| {
            format!(
                "('evt_019cade5000070008000{number:012x}', '{organisation}', {}, 'Payment', 'Updated', '{payment}', '{{}}', \
                 'skipped', 0, {at}, {at})",
                1_000_000 + number
            )
        })
        .collect();
    let insert = format!(
        "INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, created_at, updated_at) \
         VALUES {}",
        rows.join(", ")
    );
    let database = world.parts().1;
    database.begin(Access::Write).expect("begun");
    database.script(&insert).expect("events");
    database.commit().expect("committed");
}

#[test]
fn no_page_of_a_timeline_leads_to_one_that_is_refused() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        fill(&mut world, &due);
        for (limit, last) in [(100, 100), (30, 333)] {
            let mut next_of = |page: u32| {
                let path = format!("{}/timeline?limit={limit}&page={page}", due.path);
                let read = world.read(&due.shop, &path);
                assert_eq!(
                    read["items"].as_array().map(Vec::len),
                    Some(limit),
                    "{kind}"
                );
                read["next"].as_u64()
            };
            assert_eq!(next_of(last - 1), Some(u64::from(last)), "{kind}");
            assert_eq!(next_of(last), None, "{kind}");
        }
    });
}

#[test]
fn only_members_see_notes_on_a_timeline() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let ada = world.sign_in(&due.shop, "ada@shop.example");
        pass(&mut world, 60);
        let id = due.path.rsplit('/').next().expect("an id");
        let note = json!({ "record_type": "Payment", "record_id": id, "text": "Paid by cheque" });
        let written = world.session(&ada, "POST", "/v1/notes", note);
        assert_eq!(written.status, 201, "{kind}: {}", written.body);
        let path = format!("{}/timeline", due.path);
        let seen = world.session(&ada, "GET", &path, Value::Null);
        let first = &seen.items()[0];
        assert_eq!(first["type"], "Note", "{kind}");
        assert_eq!(first["note"]["text"], "Paid by cheque", "{kind}");
        assert_eq!(first["note"]["may_delete"], json!(true), "{kind}");
        let by_key = timeline(&mut world, &due, "");
        assert!(of_type(&by_key, "Note").is_empty(), "{kind}");
        let total = world.read(&due.shop, &path)["total"].as_u64();
        assert_eq!(total, Some(by_key.len() as u64), "{kind}");
    });
}

#[test]
fn a_payout_has_the_transaction_that_sent_it() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let refunded = refund(&mut world, &due, json!({}));
        assert_eq!(refunded.status, 201, "{kind}: {}", refunded.body);
        settle_payouts(&mut world);
        let entries = timeline(&mut world, &due, "");
        let payout = text(&of_type(&entries, "Refund")[0]["refund"], "payment_id");
        let path = format!("/v1/payments/{payout}/timeline");
        let sent = world.read(&due.shop, &path)["items"].clone();
        let sent = sent.as_array().expect("a list");
        let transactions = of_type(sent, "Transaction");
        assert_eq!(transactions.len(), 1, "{kind}: {sent:?}");
        let transaction = &transactions[0]["transaction"];
        assert_eq!(transaction["type"], "Payout", "{kind}");
        assert_eq!(transaction["amount"], "10", "{kind}");
    });
}

#[test]
fn the_timeline_of_another_organisation_does_not_exist() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let stranger = world.shop("Stranger", None);
        let path = format!("{}/timeline", due.path);
        let refused = world.keyed(&stranger, "GET", &path, Value::Null);
        assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}");
    });
}
