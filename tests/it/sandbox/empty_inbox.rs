//! `DELETE /sandbox/inbox`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{INBOX, deliver_to_inbox};

#[test]
fn emptying_an_inbox_deletes_the_organisations_own_webhooks_only() {
    World::each(|kind, mut world| {
        let shops = ["Shop", "Other"].map(|name| world.shop_with_inbox(name));
        for shop in &shops {
            deliver_to_inbox(&mut world, shop);
        }
        let [shop, other] = &shops;
        let events = world.list(shop, "/v1/events");
        let theirs = world.list(other, INBOX);
        let emptied = world.keyed(shop, "DELETE", INBOX, Value::Null);
        assert_eq!(
            emptied.data(),
            &json!({ "deleted": events.len() }),
            "{kind}: {}",
            emptied.body
        );
        assert_eq!(world.list(shop, INBOX), Vec::<Value>::new(), "{kind}");
        assert_eq!(
            world.list(shop, "/v1/events"),
            events,
            "{kind}: events stay"
        );
        assert_eq!(world.list(other, INBOX), theirs, "{kind}");
        let again = world.keyed(shop, "DELETE", INBOX, Value::Null);
        assert_eq!(again.data(), &json!({ "deleted": 0 }), "{kind}");
    });
}

#[test]
fn emptying_an_inbox_needs_the_scope_write() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        let reader = world.scoped(&shop, &["read"]);
        let refused = world.keyed(&reader, "DELETE", INBOX, Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
    });
}
