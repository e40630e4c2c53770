//! Webhooks between several merchants: nobody waits for somebody else's endpoint. And of one document: each in its turn.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply, WireOutbound, WireOutcome};
use settlekit_tests::world::{Shop, World};
use settlekit_tests::{database, many};

/// How many calls of one organisation are under way at a time.
const SHARE: usize = 32;

const DEAD: &str = "http://127.0.0.1:9099/dead";
const ALIVE: &str = "http://127.0.0.1:9099/alive";

/// A merchant with an endpoint and nothing left to tell it.
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

/// Makes as many events, each of a record of its own.
fn happen(world: &mut World, shop: &Shop, events: usize) {
    for _ in 0..events {
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        assert_eq!(world.keyed(shop, "POST", "/v1/plan", plan).status, 201);
    }
}

fn of<'a>(calls: &'a [WireOutbound], shop: &Shop) -> Vec<&'a WireOutbound> {
    calls
        .iter()
        .filter(|call| call.organisation == shop.id)
        .collect()
}

#[test]
fn an_endpoint_has_its_share_of_calls_at_a_time_and_delays_nobody_else() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let slow = shop(&mut world, "Slow", DEAD);
        let quick = shop(&mut world, "Quick", ALIVE);
        happen(&mut world, &slow, 40);
        let first = world.work();
        assert_eq!(of(&first, &slow).len(), SHARE, "{kind}: its share");
        assert!(world.work().is_empty(), "{kind}: until one is answered");
        happen(&mut world, &quick, 3);
        let second = world.work();
        assert_eq!(second.len(), 3, "{kind}: somebody else goes first");
        assert_eq!(of(&second, &quick).len(), 3, "{kind}");
        world.report(&first[0], 500);
        world.report(&first[1], 200);
        let third = world.work();
        assert_eq!(of(&third, &slow).len(), 2, "{kind}: what became free");
        let seen = |call: &WireOutbound| first.iter().any(|before| before.event == call.event);
        assert!(!third.iter().any(seen), "{kind}: nothing twice");
    });
}

#[test]
fn what_happens_while_the_log_is_ahead_of_the_clock_is_sent_at_once() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", ALIVE);
        let right = world.now;
        world.pass(std::time::Duration::from_secs(3600));
        happen(&mut world, &shop, 1);
        assert_eq!(world.deliver(200).len(), 1, "{kind}");
        // The machine's clock was wrong, and is set right.
        world.now = right;
        happen(&mut world, &shop, 1);
        assert_eq!(world.work().len(), 1, "{kind}");
    });
}

#[test]
fn a_claim_that_nobody_reports_runs_out_and_is_made_again() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", ALIVE);
        happen(&mut world, &shop, SHARE + 1);
        let lost = world.work();
        assert_eq!(lost.len(), SHARE, "{kind}");
        world.pass(std::time::Duration::from_secs(60));
        let again = world.deliver(200);
        assert_eq!(
            again.len(),
            SHARE + 1,
            "{kind}: those, and the one that waited"
        );
    });
}

#[test]
fn an_attempt_shows_where_it_went_and_what_was_sent_whatever_the_settings_say_since() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", DEAD);
        happen(&mut world, &shop, 1);
        let sent = world.work();
        move_endpoint(&mut world, &shop, ALIVE);
        world.report(&sent[0], 500);
        let path = format!("/v1/events/{}", sent[0].event);
        let attempts = world.keyed(&shop, "GET", &format!("{path}/attempts"), Value::Null);
        assert_eq!(attempts.data()[0]["url"], DEAD, "{kind}");
        assert_eq!(attempts.data()[0]["request"], *sent[0].body, "{kind}");
        let event = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(event.data()["webhook_url"], DEAD, "{kind}");
        assert_eq!(event.data()["webhook_response_status"], 500, "{kind}");
    });
}

#[test]
fn without_an_address_nothing_is_sent_and_with_a_new_one_what_waited_goes_there() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", DEAD);
        happen(&mut world, &shop, 2);
        move_endpoint(&mut world, &shop, "");
        assert!(world.work().is_empty(), "{kind}");
        move_endpoint(&mut world, &shop, ALIVE);
        let urls: Vec<String> = world
            .deliver(200)
            .into_iter()
            .map(|call| call.url)
            .collect();
        assert_eq!(urls, vec![ALIVE; 3], "{kind}: the two, and the new address");
    });
}

#[test]
fn an_endpoint_that_keeps_failing_has_a_smaller_share_until_it_takes_something() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", DEAD);
        happen(&mut world, &shop, 60);
        for call in world.work().iter().take(10) {
            world.report(call, 500);
        }
        assert!(
            world.work().is_empty(),
            "{kind}: more than two are under way"
        );
        world.pass(std::time::Duration::from_secs(60));
        let few = world.work();
        assert_eq!(few.len(), 2, "{kind}: two at a time");
        world.report(&few[0], 200);
        assert_eq!(world.work().len(), SHARE - 1, "{kind}: somebody is there");
    });
}

#[test]
fn an_endpoint_that_is_gone_is_paused_until_its_address_is_set_again() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", ALIVE);
        happen(&mut world, &shop, 3);
        let calls = world.work();
        world.report(&calls[0], 410);
        let settings = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
        assert!(settings.data()["webhook_paused_at"].is_string(), "{kind}");
        let retry = format!("/v1/events/{}/retry", calls[0].event);
        let refused = world.keyed(&shop, "POST", &retry, json!({}));
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
        happen(&mut world, &shop, 1);
        world.pass(std::time::Duration::from_secs(3600));
        assert!(world.work().is_empty(), "{kind}: nothing is sent");
        let log = world.keyed(
            &shop,
            "GET",
            "/v1/events?type=Org&action=Disabled",
            Value::Null,
        );
        assert_eq!(log.data()["total"], 1, "{kind}: and the owner can read why");

        move_endpoint(&mut world, &shop, ALIVE);
        let sent = world.deliver(200);
        // The two that were under way, the pause, what happened since, and the address itself; what was refused as gone is not.
        assert_eq!(sent.len(), 5, "{kind}");
        let settings = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
        assert!(settings.data().get("webhook_paused_at").is_none(), "{kind}");
    });
}

#[test]
fn what_an_old_address_says_is_nothing_about_the_one_that_was_set_since() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", DEAD);
        happen(&mut world, &shop, 2);
        let calls = world.work();
        assert_eq!(calls.len(), 2, "{kind}");
        move_endpoint(&mut world, &shop, ALIVE);
        world.report(&calls[0], 410);
        world.report(&calls[1], 500);
        let settings = world.read(&shop, "/v1/orgs");
        assert!(settings.get("webhook_paused_at").is_none(), "{kind}");
        let sent = world.deliver(200);
        for call in &calls {
            let again = sent.iter().find(|sent| sent.event == call.event);
            assert_eq!(again.map(|sent| sent.url.as_str()), Some(ALIVE), "{kind}");
        }
    });
}

#[test]
fn what_was_taken_stays_taken_though_a_call_before_it_is_reported_late() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", ALIVE);
        happen(&mut world, &shop, 1);
        let slow = world.work();
        world.pass(std::time::Duration::from_secs(60));
        let again = world.deliver(200);
        assert_eq!(again[0].event, slow[0].event, "{kind}");
        world.report(&slow[0], 500);
        let path = format!("/v1/events/{}", slow[0].event);
        let standing = world.read(&shop, &path);
        assert_eq!(standing["delivery_status"], "succeeded", "{kind}");
        world.pass(std::time::Duration::from_secs(600));
        assert!(world.work().is_empty(), "{kind}: it is not sent again");
    });
}

/// A merchant with an endpoint and an account to be paid to, and nothing left to tell it.
fn till(world: &mut World, name: &str) -> Shop {
    let shop = shop(world, name, ALIVE);
    world.account(&shop, "till", 8453, &["USDC"]);
    world.deliver(200);
    shop
}

/// A payment that starts and is canceled: two events of one document. Gives its id.
fn begin_and_cancel(world: &mut World, shop: &Shop) -> String {
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let payment = world.keyed(shop, "POST", "/v1/payments", body);
    assert_eq!(payment.status, 201, "{}", payment.body);
    let id = payment.data()["id"].as_str().expect("an id").to_owned();
    let cancel = world.keyed(shop, "DELETE", &format!("/v1/payments/{id}"), Value::Null);
    assert!(cancel.status < 300, "{}", cancel.body);
    id
}

/// What a call tells of, and of what.
fn told(call: &WireOutbound) -> (String, String) {
    let body: Value = serde_json::from_str(&call.body).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&body["type"]), text(&body["data"]["id"]))
}

fn told_all(calls: &[WireOutbound]) -> Vec<String> {
    calls.iter().map(|call| told(call).0).collect()
}

#[test]
fn an_event_waits_for_the_one_before_it_of_its_document_and_for_no_other() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = till(&mut world, "Shop");
        let (first, second) = (
            begin_and_cancel(&mut world, &shop),
            begin_and_cancel(&mut world, &shop),
        );
        let calls = world.work();
        assert_eq!(
            told_all(&calls),
            ["payment.created", "payment.created"],
            "{kind}: the first of each"
        );
        assert!(world.work().is_empty(), "{kind}: the rest waits");
        for call in &calls {
            let taken = told(call).1 == second;
            world.report(call, if taken { 200 } else { 500 });
        }
        let next = world.work();
        assert_eq!(told_all(&next), ["payment.canceled"], "{kind}");
        assert_eq!(told(&next[0]).1, second, "{kind}: whose first was taken");
        world.report(&next[0], 200);
        world.pass(std::time::Duration::from_secs(10));
        for kind_of_event in ["payment.created", "payment.canceled"] {
            let calls = world.work();
            assert_eq!(told_all(&calls), [kind_of_event], "{kind}");
            assert_eq!(told(&calls[0]).1, first, "{kind}");
            world.report(&calls[0], 200);
        }
        assert!(world.work().is_empty(), "{kind}");
    });
}

#[test]
fn when_an_event_is_given_up_the_next_of_its_document_goes() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        for _ in 0..10 {
            let calls = world.work();
            assert_eq!(told_all(&calls), ["payment.created"], "{kind}");
            world.report(&calls[0], 500);
            world.pass(std::time::Duration::from_secs(27 * 3600));
        }
        let calls = world.work();
        assert!(
            told_all(&calls).contains(&"payment.canceled".to_owned()),
            "{kind}: {calls:?}"
        );
    });
}

#[test]
fn while_an_endpoint_is_paused_a_line_stands_and_goes_on_in_order_afterwards() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let third = world.work();
        world.report(&third[0], 500);
        happen(&mut world, &shop, 1);
        let gone = world.work();
        world.report(&gone[0], 410);
        world.pass(std::time::Duration::from_secs(3600));
        assert!(world.work().is_empty(), "{kind}: paused");
        move_endpoint(&mut world, &shop, ALIVE);
        let payments: Vec<String> = told_all(&world.deliver(200))
            .into_iter()
            .filter(|told| told.starts_with("payment"))
            .collect();
        assert_eq!(payments, ["payment.created", "payment.canceled"], "{kind}");
    });
}

#[test]
fn what_is_sent_again_by_hand_keeps_the_order_and_what_is_under_way_is_not_doubled() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let again = |world: &mut World, call: &WireOutbound| {
            let path = format!("/v1/events/{}/retry", call.event);
            assert_eq!(
                world.keyed(&shop, "POST", &path, json!({})).status,
                200,
                "{kind}"
            );
        };
        let created = world.work().remove(0);
        again(&mut world, &created);
        assert!(world.work().is_empty(), "{kind}: it is under way");
        world.report(&created, 200);
        let canceled = world.work().remove(0);
        assert_eq!(told(&canceled).0, "payment.canceled", "{kind}");
        world.report(&canceled, 500);
        // The first of the two is wanted once more while the second waits for its next attempt.
        again(&mut world, &created);
        world.pass(std::time::Duration::from_secs(60));
        assert_eq!(told_all(&world.work()), ["payment.created"], "{kind}");
        // Whoever wants the second is given the first, which it waits for.
        world.report(&created, 500);
        again(&mut world, &canceled);
        assert_eq!(told_all(&world.work()), ["payment.created"], "{kind}");
        world.report(&created, 200);
        assert_eq!(
            told_all(&world.deliver(200)),
            ["payment.canceled"],
            "{kind}"
        );
    });
}

#[test]
fn an_event_that_an_earlier_version_left_in_line_is_found() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let created = world.work().remove(0);
        let (_, database) = world.parts();
        // What that version does when the receiver has taken an event.
        let done = "UPDATE events SET delivery_status = 'succeeded', next_attempt_at = NULL, claimed_until = NULL WHERE id = ?1";
        let id = created.event.to_string();
        database.execute(done, &[(&id).into()]).expect("an update");
        happen(&mut world, &shop, 1);
        let told = told_all(&world.work());
        assert!(
            told.contains(&"payment.canceled".to_owned()),
            "{kind}: {told:?}"
        );
    });
}

#[test]
fn the_events_of_a_subscription_come_in_their_order() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", ALIVE);
        let customer = many::one_of_each(&mut world, &shop);
        // Until what was claimed meanwhile is free again.
        world.pass(std::time::Duration::from_secs(60));
        world.deliver(200);
        let list = world.keyed(&shop, "GET", "/v1/subscriptions", Value::Null);
        let id = list.data()["items"][0]["id"].as_str().expect("an id");
        assert_eq!(list.data()["items"][0]["customer_id"], customer, "{kind}");
        for word in ["pause", "resume"] {
            let path = format!("/v1/subscriptions/{id}/{word}");
            assert_eq!(world.keyed(&shop, "POST", &path, Value::Null).status, 200);
        }
        let of_it = |calls: &[WireOutbound]| -> Vec<String> {
            let all = told_all(calls).into_iter();
            all.filter(|word| word.starts_with("subscription."))
                .collect()
        };
        let first = world.work();
        assert_eq!(of_it(&first), ["subscription.disabled"], "{kind}");
        for call in &first {
            let is_it = told(call).0 == "subscription.disabled";
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

#[test]
fn an_endpoint_that_fails_to_the_end_is_paused_and_its_owner_can_read_of_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "Shop", DEAD);
        happen(&mut world, &shop, 3);
        let mut paused = Vec::new();
        for _ in 0..10 {
            world.pass(std::time::Duration::from_secs(27 * 60 * 60));
            loop {
                let calls = world.work();
                if calls.is_empty() {
                    break;
                }
                for call in &calls {
                    world.report(call, 500);
                }
            }
            let settings = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
            paused.push(settings.data()["webhook_paused_at"].is_string());
        }
        // The tenth attempt of an event is its last.
        let expected = [[false; 9].as_slice(), &[true]].concat();
        assert_eq!(paused, expected, "{kind}");
        let log = "/v1/events?type=Org&action=Disabled";
        let log = world.keyed(&shop, "GET", log, Value::Null);
        assert_eq!(log.data()["total"], 1, "{kind}: {}", log.body);
    });
}

#[test]
fn a_receiver_that_asks_for_time_is_given_it() {
    // Ten minutes, as HTTP knows to say it.
    let asked = ["600", "Mon, 02 Mar 2026 09:10:00 GMT"];
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shops = ["Shop", "Other"].map(|name| shop(&mut world, name, ALIVE));
        for shop in &shops {
            happen(&mut world, shop, 1);
        }
        let calls = world.work();
        for (call, asked) in calls.iter().zip(asked) {
            let report = Command::Report {
                organisation: call.organisation,
                event: call.event,
                url: call.url.clone(),
                body: call.body.clone(),
                outcome: WireOutcome::Answered {
                    status: 503,
                    headers: vec![("Retry-After".to_owned(), asked.to_owned())],
                    body: String::new(),
                    duration_ms: 1,
                },
            };
            assert_eq!(world.call(report), Reply::Done);
        }
        world.pass(std::time::Duration::from_secs(599));
        assert!(world.work().is_empty(), "{kind}: it asked for ten minutes");
        world.pass(std::time::Duration::from_secs(2));
        assert_eq!(world.work().len(), 2, "{kind}");
    });
}
