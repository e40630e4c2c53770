//! `GET /orgs/signing-secret`.

use serde_json::Value;
use settlekit_core::member::Role;
use settlekit_tests::world::World;

use super::SIGNING_SECRET;

#[test]
fn the_signing_secret_is_returned_without_settings() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let read = world.read(&shop, SIGNING_SECRET);
        assert_eq!(read["signing_secret"], *shop.secret, "{kind}");
        assert_eq!(read.get("properties"), None, "{kind}");
        let organisation = world.read(&shop, "/v1/orgs");
        for field in [
            "id",
            "name",
            "webhook_url",
            "webhook_public_key",
            "created_at",
            "updated_at",
        ] {
            assert_eq!(read[field], organisation[field], "{kind}: {field}");
        }
        let of_other = world.read(&other, SIGNING_SECRET);
        assert_eq!(of_other["signing_secret"], *other.secret, "{kind}");
        assert_ne!(shop.secret, other.secret, "{kind}");
    });
}

#[test]
fn reading_the_signing_secret_needs_manage_or_step_up() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let narrow = world.scoped(&shop, &["read", "write", "payout"]);
        let refused = world.keyed(&narrow, "GET", SIGNING_SECRET, Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let refused = world.session_with_step_up(&otto, "GET", SIGNING_SECRET, Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let owner = world.sign_in(&shop, "ada@shop.example");
        let refused = world.session(&owner, "GET", SIGNING_SECRET, Value::Null);
        assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        let read = world.session_with_step_up(&owner, "GET", SIGNING_SECRET, Value::Null);
        assert_eq!(read.data()["signing_secret"], *shop.secret, "{kind}");
    });
}
