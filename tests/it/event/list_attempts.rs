//! `GET /events/{event_id}/attempts`.

use settlekit_tests::world::World;

use super::{ALIVE, DEAD, create_events, move_endpoint, shop};

#[test]
fn an_attempt_keeps_its_url_and_body_after_settings_change() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", DEAD);
        create_events(&mut world, &shop, 1);
        let sent = world.work();
        move_endpoint(&mut world, &shop, ALIVE);
        world.report(&sent[0], 500);
        let path = format!("/v1/events/{}", sent[0].event);
        let attempts = world.read(&shop, &format!("{path}/attempts"));
        assert_eq!(attempts[0]["url"], DEAD, "{kind}");
        assert_eq!(attempts[0]["request"], *sent[0].body, "{kind}");
        let event = world.read(&shop, &path);
        assert_eq!(event["webhook_url"], DEAD, "{kind}");
        assert_eq!(event["webhook_response_status"], 500, "{kind}");
    });
}
