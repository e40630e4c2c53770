//! `GET /events/{event_id}`.

use std::time::Duration;

use serde_json::Value;
use settlekit_core::value::Timestamp;
use settlekit_tests::world::{World, text};

use super::{ALIVE, begin_and_cancel, create_events, shop, till};

#[test]
fn an_event_shows_its_record_and_its_latest_attempt() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        create_events(&mut world, &shop, 1);
        let call = world.work().remove(0);
        let path = format!("/v1/events/{}", call.event);
        let plan = world.read(&shop, "/v1/plan")["items"][0].clone();
        for (status, outcome) in [(500, "pending"), (200, "succeeded")] {
            world.report(&call, status);
            let event = world.read(&shop, &path);
            assert_eq!(event["data"], plan, "{kind}");
            assert_eq!(event["delivery_status"], outcome, "{kind}");
            assert_eq!(event["webhook_url"], ALIVE, "{kind}");
            assert_eq!(event["webhook_request"], *call.body, "{kind}");
            assert_eq!(event["webhook_response"], "ok", "{kind}");
            assert_eq!(event["webhook_response_status"], status, "{kind}");
            // The call took 12 ms.
            let sent_at = world.now.minus(Duration::from_millis(12)).to_string();
            assert_eq!(event["webhook_sent_at"], sent_at, "{kind}");
            let listed = world.read(&shop, "/v1/events?limit=1")["items"][0].clone();
            assert_eq!(event, listed, "{kind}");
            world.pass_and_work(Duration::from_secs(60));
        }
    });
}

#[test]
fn an_event_shows_its_next_attempt() {
    World::each(|kind, mut world| {
        let shop = till(&mut world, "Shop");
        begin_and_cancel(&mut world, &shop);
        let created = world.work().remove(0);
        let path = format!("/v1/events/{}", created.event);
        let next = |world: &mut World, path: &str| {
            let event = world.read(&shop, path);
            let at = event["next_attempt_at"].as_str()?;
            Some(at.parse::<Timestamp>().expect("a time"))
        };
        assert!(next(&mut world, &path) > Some(world.now), "{kind}: a claim");
        world.report(&created, 500);
        let (from, to) = (Duration::from_secs(5), Duration::from_millis(5_500));
        let at = next(&mut world, &path).expect("a retry");
        assert!(
            at >= world.now.plus(from) && at <= world.now.plus(to),
            "{kind}: {at}"
        );
        // The cancellation waits for the event before it.
        let canceled =
            world.read(&shop, "/v1/events?action=Canceled&type=Payment")["items"][0].clone();
        assert_eq!(canceled["delivery_status"], "pending", "{kind}");
        let canceled = format!("/v1/events/{}", text(&canceled, "id"));
        assert_eq!(next(&mut world, &canceled), None, "{kind}");
        world.pass(to);
        let again = world.work().remove(0);
        world.report(&again, 200);
        assert_eq!(next(&mut world, &path), None, "{kind}");
        assert_eq!(next(&mut world, &canceled), Some(world.now), "{kind}");
    });
}

#[test]
fn an_event_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        create_events(&mut world, &shop, 1);
        let id = text(&world.read(&shop, "/v1/events")["items"][0], "id");
        let unknown = "evt_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&shop, unknown)] {
            let path = format!("/v1/events/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
