//! Delivery order of events of one document.

use serde_json::{Value, json};
use settlekit_service::step::WireOutbound;
use settlekit_tests::bulk;
use settlekit_tests::world::{Shop, World, text};

use super::{
    ALIVE, begin_and_cancel, create_events, event_and_record, event_types, move_endpoint, shop,
    till,
};

/// A merchant with an endpoint and no pending event.
fn listening(world: &mut World) -> Shop {
    let shop = world.shop("Shop", None);
    world.set_webhook_url(&shop, "http://127.0.0.1:9099/hooks");
    world.deliver(200);
    shop
}

/// The calls of an event type, with their record.
fn sent_about<'a>(
    calls: &'a [WireOutbound],
    of: &str,
    field: &str,
) -> Vec<(&'a WireOutbound, Value)> {
    let all = calls.iter().filter_map(|call| {
        let body: Value = serde_json::from_str(&call.body).expect("JSON");
        let is_it = body["type"].as_str().expect("a type").starts_with(of);
        is_it.then(|| (call, body["data"][field].clone()))
    });
    all.collect()
}

#[test]
fn settings_events_are_delivered_in_order() {
    World::each(|kind, mut world| {
        let shop = listening(&mut world);
        for name in ["First", "Second"] {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "name": name }));
        }
        let names = |calls: &[WireOutbound]| -> Vec<Value> {
            let events = sent_about(calls, "org.", "name").into_iter();
            events.map(|(_, name)| name).collect()
        };
        let first = world.work();
        assert_eq!(names(&first), ["First"], "{kind}");
        world.report(&first[0], 500);
        assert!(world.work().is_empty(), "{kind}: the second waits");
        world.pass(std::time::Duration::from_secs(10));
        assert_eq!(names(&world.deliver(200)), ["First", "Second"], "{kind}");
    });
}

/// Deposits into an account whose id equals that of its first movement; returns it, and the calls for the account's and the
/// deposit's event.
fn account_and_movement(world: &mut World, shop: &Shop) -> (i64, Vec<WireOutbound>) {
    let till = world.account(shop, "till", 8453, &["USDC"]);
    let mut calls = world.work();
    let deposit = json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "3" });
    world.post(shop, "/v1/sandbox/deposits", deposit);
    world.pass(std::time::Duration::from_secs(10));
    calls.extend(world.work());
    assert_eq!(world.read(shop, "/v1/movements")["items"][0]["id"], till);
    (till, calls)
}

#[test]
fn an_account_and_a_movement_with_the_same_number_do_not_wait_for_each_other() {
    World::each(|kind, mut world| {
        let shop = listening(&mut world);
        let (number, calls) = account_and_movement(&mut world, &shop);
        for what in ["account.created", "transaction.created"] {
            let ids: Vec<Value> = sent_about(&calls, what, "id")
                .into_iter()
                .map(|(_, id)| id)
                .collect();
            assert_eq!(ids, [number], "{kind}: {what}");
        }
    });
}

#[test]
fn an_event_blocked_by_another_kind_with_the_same_number_is_sent() {
    World::each(|kind, mut world| {
        let shop = listening(&mut world);
        let (_, calls) = account_and_movement(&mut world, &shop);
        // An earlier version makes all events of this number wait for the account's.
        let hold = "UPDATE events SET next_attempt_at = NULL, claimed_until = NULL WHERE type = 'Transaction'";
        world.parts().1.execute(hold, &[]).expect("an update");
        for call in &calls {
            if !call.body.contains("\"transaction.") {
                world.report(call, 200);
            }
        }
        let sent = world.deliver(200);
        let events = sent_about(&sent, "transaction.created", "id");
        assert_eq!(events.len(), 1, "{kind}");
    });
}

#[test]
fn an_event_waits_only_for_the_previous_one_of_its_document() {
    World::each(|kind, mut world| {
        let shop = till(&mut world, "Shop");
        let (first, second) = (
            begin_and_cancel(&mut world, &shop),
            begin_and_cancel(&mut world, &shop),
        );
        let calls = world.work();
        assert_eq!(
            event_types(&calls),
            ["payment.created", "payment.created"],
            "{kind}: the first of each"
        );
        assert!(world.work().is_empty(), "{kind}: the rest waits");
        for call in &calls {
            let taken = event_and_record(call).1 == second;
            world.report(call, if taken { 200 } else { 500 });
        }
        let next = world.work();
        assert_eq!(event_types(&next), ["payment.canceled"], "{kind}");
        assert_eq!(
            event_and_record(&next[0]).1,
            second,
            "{kind}: its first event was delivered"
        );
        world.report(&next[0], 200);
        world.pass(std::time::Duration::from_secs(10));
        for kind_of_event in ["payment.created", "payment.canceled"] {
            let calls = world.work();
            assert_eq!(event_types(&calls), [kind_of_event], "{kind}");
            assert_eq!(event_and_record(&calls[0]).1, first, "{kind}");
            world.report(&calls[0], 200);
        }
        assert!(world.work().is_empty(), "{kind}");
    });
}

#[test]
fn after_a_dead_event_the_next_of_its_document_is_sent() {
    World::each(|kind, mut world| {
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        for _ in 0..10 {
            let calls = world.work();
            assert_eq!(event_types(&calls), ["payment.created"], "{kind}");
            world.report(&calls[0], 500);
            world.pass(std::time::Duration::from_secs(27 * 3600));
        }
        let calls = world.work();
        assert!(
            event_types(&calls).contains(&"payment.canceled".to_owned()),
            "{kind}: {calls:?}"
        );
    });
}

#[test]
fn a_paused_endpoint_resumes_in_order() {
    World::each(|kind, mut world| {
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let third = world.work();
        world.report(&third[0], 500);
        create_events(&mut world, &shop, 1);
        let gone = world.work();
        world.report(&gone[0], 410);
        world.pass(std::time::Duration::from_secs(3600));
        assert!(world.work().is_empty(), "{kind}: paused");
        move_endpoint(&mut world, &shop, ALIVE);
        let payments: Vec<String> = event_types(&world.deliver(200))
            .into_iter()
            .filter(|events| events.starts_with("payment"))
            .collect();
        assert_eq!(payments, ["payment.created", "payment.canceled"], "{kind}");
    });
}

#[test]
fn an_event_queued_by_an_earlier_version_is_found() {
    World::each(|kind, mut world| {
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let created = world.work().remove(0);
        let (_, database) = world.parts();
        // An earlier version's write after a successful delivery.
        let done = "UPDATE events SET delivery_status = 'succeeded', next_attempt_at = NULL, claimed_until = NULL WHERE id = ?1";
        let id = created.event.to_string();
        database.execute(done, &[(&id).into()]).expect("an update");
        create_events(&mut world, &shop, 1);
        let events = event_types(&world.work());
        assert!(
            events.contains(&"payment.canceled".to_owned()),
            "{kind}: {events:?}"
        );
    });
}

#[test]
fn the_events_of_a_subscription_are_delivered_in_order() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        let customer = bulk::one_of_each(&mut world, &shop);
        // Until the current claims have expired.
        world.pass(std::time::Duration::from_secs(60));
        world.deliver(200);
        let list = world.read(&shop, "/v1/subscriptions");
        let id = text(&list["items"][0], "id");
        assert_eq!(list["items"][0]["customer_id"], customer, "{kind}");
        for word in ["pause", "resume"] {
            let path = format!("/v1/subscriptions/{id}/{word}");
            assert_eq!(world.keyed(&shop, "POST", &path, Value::Null).status, 200);
        }
        let of_it = |calls: &[WireOutbound]| -> Vec<String> {
            let all = event_types(calls).into_iter();
            all.filter(|word| word.starts_with("subscription."))
                .collect()
        };
        let first = world.work();
        assert_eq!(of_it(&first), ["subscription.disabled"], "{kind}");
        for call in &first {
            let is_it = event_and_record(call).0 == "subscription.disabled";
            world.report(call, if is_it { 500 } else { 200 });
        }
        assert!(of_it(&world.work()).is_empty(), "{kind}: it waits");
        world.pass(std::time::Duration::from_secs(10));
        assert_eq!(
            of_it(&world.deliver(200)),
            ["subscription.disabled", "subscription.enabled"],
            "{kind}"
        );
        let log = format!("/v1/events?document_id={id}");
        let log = world.keyed(&shop, "GET", &log, Value::Null);
        assert!(
            log.data()["total"].as_u64() >= Some(3),
            "{kind}: {}",
            log.body
        );
    });
}
