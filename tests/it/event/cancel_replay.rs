//! `DELETE /events/replays/{replay_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::shop_with_failed_events;

#[test]
fn a_replay_can_be_canceled_and_needs_a_webhook_url() {
    World::each(|kind, mut world| {
        let shop = shop_with_failed_events(&mut world, 150);
        let wanted = json!({ "delivery_status": "skipped" });
        let begun = world.keyed(&shop, "POST", "/v1/events/replays", wanted.clone());
        let path = format!("/v1/events/replays/{}", begun.id());
        let first = world.work().len();
        assert!(first > 0, "{kind}");
        let stopped = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(stopped.data()["status"], "Canceled", "{kind}");
        assert_eq!(stopped.data()["queued"], 100, "{kind}");
        world.pass(std::time::Duration::from_secs(61));
        assert_eq!(
            world.deliver(200).len(),
            100,
            "{kind}: only queued events are delivered"
        );
        world.set_webhook_url(&shop, "");
        let refused = world.keyed(&shop, "POST", "/v1/events/replays", wanted);
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}
