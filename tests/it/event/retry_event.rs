//! `POST /events/{event_id}/retry`.

use serde_json::json;
use settlekit_service::step::WireOutbound;
use settlekit_tests::world::World;

use super::{begin_and_cancel, event_and_record, event_types, till};

#[test]
fn a_retry_keeps_the_order_and_does_not_repeat_a_running_call() {
    World::each(|kind, mut world| {
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
        assert_eq!(event_and_record(&canceled).0, "payment.canceled", "{kind}");
        world.report(&canceled, 500);
        // The first of the two is retried while the second waits for its next attempt.
        again(&mut world, &created);
        world.pass(std::time::Duration::from_secs(60));
        assert_eq!(event_types(&world.work()), ["payment.created"], "{kind}");
        // A retry of the second event sends the first, which it waits for.
        world.report(&created, 500);
        again(&mut world, &canceled);
        assert_eq!(event_types(&world.work()), ["payment.created"], "{kind}");
        world.report(&created, 200);
        assert_eq!(
            event_types(&world.deliver(200)),
            ["payment.canceled"],
            "{kind}"
        );
    });
}
