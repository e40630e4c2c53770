//! Failing endpoints: fewer calls, a pause, and recovery.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply, WireOutcome};
use settlekit_tests::world::World;

use super::{ALIVE, DEAD, create_events, move_endpoint, shop};

#[test]
fn events_wait_until_a_webhook_url_is_set() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 2);
        move_endpoint(&mut world, &shop, "");
        assert!(world.work().is_empty(), "{kind}");
        move_endpoint(&mut world, &shop, ALIVE);
        let urls: Vec<String> = world
            .deliver(200)
            .into_iter()
            .map(|call| call.url)
            .collect();
        assert_eq!(urls, vec![ALIVE; 3], "{kind}: the two, and the new URL");
    });
}

#[test]
fn a_gone_endpoint_is_paused_until_its_url_is_set_again() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        create_events(&mut world, &shop, 3);
        let calls = world.work();
        world.report(&calls[0], 410);
        let settings = world.read(&shop, "/v1/orgs");
        assert!(settings["webhook_paused_at"].is_string(), "{kind}");
        let retry = format!("/v1/events/{}/retry", calls[0].event);
        let refused = world.keyed(&shop, "POST", &retry, json!({}));
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
        create_events(&mut world, &shop, 1);
        world.pass(std::time::Duration::from_secs(3600));
        assert!(world.work().is_empty(), "{kind}: nothing is sent");
        let log = world.read(&shop, "/v1/events?type=Org&action=Disabled");
        assert_eq!(log["total"], 1, "{kind}: and the owner can read why");

        move_endpoint(&mut world, &shop, ALIVE);
        let sent = world.deliver(200);
        // Two pending events, the pause, later events and the new URL; permanently failed events are not sent.
        assert_eq!(sent.len(), 5, "{kind}");
        let settings = world.read(&shop, "/v1/orgs");
        assert!(settings.get("webhook_paused_at").is_none(), "{kind}");
    });
}

#[test]
fn responses_of_a_previous_url_do_not_affect_the_current_one() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 2);
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
fn an_endpoint_that_keeps_failing_is_paused_with_an_event() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 3);
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
            let settings = world.read(&shop, "/v1/orgs");
            paused.push(settings["webhook_paused_at"].is_string());
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
fn retry_after_of_a_receiver_is_honoured() {
    // Ten minutes, in both forms of HTTP.
    let asked = ["600", "Mon, 02 Mar 2026 09:10:00 GMT"];
    World::each(|kind, mut world| {
        let shops = ["Shop", "Other"].map(|name| shop(&mut world, name, ALIVE));
        for shop in &shops {
            create_events(&mut world, shop, 1);
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
