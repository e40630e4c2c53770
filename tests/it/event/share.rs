//! Webhooks of several organisations: a slow endpoint delays only its own.

use settlekit_service::step::WireOutbound;
use settlekit_tests::world::{Shop, World};

use super::{ALIVE, DEAD, SHARE, create_events, shop};

fn of<'a>(calls: &'a [WireOutbound], shop: &Shop) -> Vec<&'a WireOutbound> {
    calls
        .iter()
        .filter(|call| call.organisation == shop.id)
        .collect()
}

#[test]
fn an_endpoint_has_a_share_of_concurrent_calls_and_delays_no_other() {
    World::each(|kind, mut world| {
        let slow = shop(&mut world, "Slow", DEAD);
        let quick = shop(&mut world, "Quick", ALIVE);
        create_events(&mut world, &slow, 40);
        let first = world.work();
        assert_eq!(of(&first, &slow).len(), SHARE, "{kind}: its share");
        assert!(world.work().is_empty(), "{kind}: waits for an answer");
        create_events(&mut world, &quick, 3);
        let second = world.work();
        assert_eq!(second.len(), 3, "{kind}: another one is first");
        assert_eq!(of(&second, &quick).len(), 3, "{kind}");
        world.report(&first[0], 500);
        world.report(&first[1], 200);
        let third = world.work();
        assert_eq!(of(&third, &slow).len(), 2, "{kind}: the released amount");
        let seen = |call: &WireOutbound| first.iter().any(|before| before.event == call.event);
        assert!(!third.iter().any(seen), "{kind}: no duplicates");
    });
}

#[test]
fn a_failing_endpoint_has_a_smaller_share_until_it_accepts_an_event() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 60);
        for call in world.work().iter().take(10) {
            world.report(call, 500);
        }
        assert!(
            world.work().is_empty(),
            "{kind}: more than two running calls"
        );
        world.pass(std::time::Duration::from_secs(60));
        let few = world.work();
        assert_eq!(few.len(), 2, "{kind}: two at a time");
        world.report(&few[0], 200);
        assert_eq!(world.work().len(), SHARE - 1, "{kind}: one exists");
    });
}
