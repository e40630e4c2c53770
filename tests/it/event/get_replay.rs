//! `GET /events/replays/{replay_id}`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::shop_with_failed_events;

#[test]
fn a_new_replay_is_read_as_created() {
    World::each(|kind, mut world| {
        let shop = shop_with_failed_events(&mut world, 4);
        let body = json!({ "delivery_status": "skipped" });
        let created = world.create(&shop, "/v1/events/replays", body);
        let path = format!("/v1/events/replays/{}", created.id());
        for _ in 0..2 {
            assert_eq!(world.read(&shop, &path), *created.data(), "{kind}");
        }
        world.pass(Duration::from_secs(5));
        let sent = world.deliver(200).len();
        let done = world.read(&shop, &path);
        assert_eq!(done["status"], "Done", "{kind}");
        assert_eq!(created.data()["total"], sent, "{kind}");
        assert_eq!(done["total"], sent, "{kind}");
        assert_eq!(done["queued"], sent, "{kind}");
        assert_eq!(done["updated_at"], world.now.to_string(), "{kind}");
    });
}

#[test]
fn a_replay_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let shop = shop_with_failed_events(&mut world, 1);
        let other = world.shop("Other", None);
        let id = world.create(&shop, "/v1/events/replays", json!({})).id();
        let unknown = "rpl_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&shop, unknown)] {
            let path = format!("/v1/events/replays/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
