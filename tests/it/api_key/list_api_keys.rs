//! `GET /api-keys`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

#[test]
fn keys_are_listed_without_secrets_including_revoked_ones() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let created = world.create(&shop, "/v1/api-keys", json!({ "name": "Till" }));
        let path = format!("/v1/api-keys/{}", created.id());
        let revoked = world.keyed(&shop, "DELETE", &path, Value::Null);
        let listed = world.list(&shop, "/v1/api-keys");
        assert_eq!(listed.len(), 2, "{kind}: {listed:?}");
        assert_eq!(listed[1], *revoked.data(), "{kind}");
        let mut expected = created.data().clone();
        let secret = expected["key"].take();
        let secret = secret.as_str().expect("a secret");
        expected["key"] = Value::Null;
        expected["revoked_at"] = json!(world.now.to_string());
        for (field, value) in expected.as_object().expect("a record") {
            assert_eq!(listed[1][field], *value, "{kind}: {field}");
        }
        let prefix = text(&listed[1], "prefix");
        assert!(secret.starts_with(&prefix), "{kind}: {prefix}");
        let everything = json!(listed).to_string();
        for secret in [secret, &shop.key] {
            assert!(!everything.contains(secret), "{kind}: {everything}");
        }
        let of_other = &world.read(&other, "/v1/api-keys")["total"];
        assert_eq!(*of_other, 1, "{kind}: its own first key");
    });
}

#[test]
fn a_key_without_the_scope_manage_lists_no_keys() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let narrow = world.scoped(&shop, &["read", "write", "payout"]);
        let refused = world.keyed(&narrow, "GET", "/v1/api-keys", Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
    });
}
