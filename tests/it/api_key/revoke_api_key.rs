//! `DELETE /api-keys/{key_id}`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, Shop, World, text};

#[test]
fn a_key_works_until_it_expires_or_is_revoked_and_shows_its_last_use() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let expires = world.now.plus(DAY).to_string();
        let body = json!({ "name": "till", "scopes": ["read"], "expires_at": expires });
        let made = world.post(&shop, "/v1/api-keys", body);
        let id = made.id();
        let till = Shop {
            key: text(made.data(), "key"),
            ..shop.clone()
        };
        let read = |world: &mut World| world.keyed(&till, "GET", "/v1/accounts", Value::Null);
        let last_used = |world: &mut World| {
            let listed = world.keyed(&shop, "GET", "/v1/api-keys", Value::Null);
            let items = listed.items().to_vec();
            let of_it = items.into_iter().find(|one| one["id"] == *id);
            of_it.expect("the key")["last_used_at"].clone()
        };
        assert_eq!(last_used(&mut world), Value::Null, "{kind}");
        world.pass(Duration::from_secs(5));
        let used = world.now.to_string();
        assert_eq!(read(&mut world).status, 200, "{kind}");
        world.pass(Duration::from_secs(30));
        assert_eq!(read(&mut world).status, 200, "{kind}");
        assert_eq!(last_used(&mut world), used, "{kind}: to the minute");
        world.pass(Duration::from_secs(60));
        assert_eq!(read(&mut world).status, 200, "{kind}");
        assert_eq!(last_used(&mut world), world.now.to_string(), "{kind}");
        world.pass(DAY);
        assert_eq!(read(&mut world).refusal(), "401 KEY_INVALID", "{kind}");

        let body = json!({ "name": "other", "scopes": ["read", "manage"] });
        let other = world.keyed(&shop, "POST", "/v1/api-keys", body);
        let path = format!("/v1/api-keys/{}", other.id());
        let other = Shop {
            key: text(other.data(), "key"),
            ..shop.clone()
        };
        assert_eq!(
            world.keyed(&other, "DELETE", &path, Value::Null).status,
            200
        );
        let gone = world.keyed(&other, "GET", "/v1/accounts", Value::Null);
        assert_eq!(
            gone.refusal(),
            "401 KEY_INVALID",
            "{kind}: it revoked itself"
        );
    });
}
