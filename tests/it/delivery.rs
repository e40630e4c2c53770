//! Webhooks between several merchants: nobody waits for somebody else's endpoint.

use serde_json::{Value, json};
use settlekit_service::step::WireOutbound;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

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

/// Makes as many events.
fn happen(world: &mut World, shop: &Shop, events: usize) {
    for number in 0..events {
        let name = json!({ "name": format!("Shop {number}") });
        assert_eq!(world.keyed(shop, "PUT", "/v1/orgs", name).status, 200);
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
