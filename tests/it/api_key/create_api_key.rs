//! `POST /api-keys`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, World, text};

#[test]
fn a_key_cannot_create_a_key_with_more_scopes() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let mut make = |by: &Shop, scopes: Value| {
            let body = json!({ "name": "Till", "scopes": scopes });
            world.keyed(by, "POST", "/v1/api-keys", body)
        };
        let made = make(&shop, json!(["read", "manage"]));
        let key = text(made.data(), "key");
        let narrow = Shop { key, ..shop };
        let more = make(&narrow, json!(["read", "payout"]));
        assert_eq!(more.refusal(), "403 SCOPE_MISSING", "{kind}");
        let all = make(&narrow, Value::Null);
        assert_eq!(
            all.refusal(),
            "403 SCOPE_MISSING",
            "{kind}: it may not write"
        );
        let same = make(&narrow, json!(["manage", "read"]));
        assert_eq!(same.status, 201, "{kind}: {}", same.body);
    });
}
