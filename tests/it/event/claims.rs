//! Deliveries under way: claimed, reported, claimed again.

use settlekit_tests::world::World;

use super::{ALIVE, SHARE, create_events, shop};

#[test]
fn an_event_with_a_future_timestamp_is_sent_immediately() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        let right = world.now;
        world.pass(std::time::Duration::from_secs(3600));
        create_events(&mut world, &shop, 1);
        assert_eq!(world.deliver(200).len(), 1, "{kind}");
        // The host's wrong clock is corrected.
        world.now = right;
        create_events(&mut world, &shop, 1);
        assert_eq!(world.work().len(), 1, "{kind}");
    });
}

#[test]
fn an_unreported_claim_expires_and_is_claimed_again() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        create_events(&mut world, &shop, SHARE + 1);
        let lost = world.work();
        assert_eq!(lost.len(), SHARE, "{kind}");
        world.pass(std::time::Duration::from_secs(60));
        let again = world.deliver(200);
        assert_eq!(again.len(), SHARE + 1, "{kind}: including the waiting one");
    });
}

#[test]
fn a_late_report_does_not_undo_a_delivery() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        create_events(&mut world, &shop, 1);
        let slow = world.work();
        world.pass(std::time::Duration::from_secs(60));
        let again = world.deliver(200);
        assert_eq!(again[0].event, slow[0].event, "{kind}");
        world.report(&slow[0], 500);
        let path = format!("/v1/events/{}", slow[0].event);
        let event = world.read(&shop, &path);
        assert_eq!(event["delivery_status"], "succeeded", "{kind}");
        world.pass(std::time::Duration::from_secs(600));
        assert!(world.work().is_empty(), "{kind}: it is not sent again");
    });
}
