//! `DELETE /accounts/external-account/{external_account_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{PATH, cold_wallet};

#[test]
fn a_deleted_destination_is_listed_as_disabled_and_frees_its_reference() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let created = world.create(&shop, PATH, cold_wallet());
        let path = format!("{PATH}/{}", created.id_number());
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        let mut expected = created.data().clone();
        expected["enabled"] = json!(false);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        assert_eq!(*deleted.data(), expected, "{kind}");
        assert_eq!(world.read(&shop, &path), expected, "{kind}");
        assert_eq!(world.list(&shop, PATH), [expected.clone()], "{kind}");
        let event = world.read(&shop, "/v1/events?type=Account&action=Disabled");
        assert_eq!(event["items"][0]["data"], expected, "{kind}");
        let again = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
        let next = world.create(&shop, PATH, cold_wallet());
        assert_ne!(next.id_number(), created.id_number(), "{kind}");
    });
}

#[test]
fn deleting_a_destination_needs_the_payout_scope_or_step_up() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let id = world.create(&shop, PATH, cold_wallet()).id_number();
        let path = format!("{PATH}/{id}");
        let narrow = world.scoped(&shop, &["read", "write"]);
        for (who, refusal) in [(&other, "404 NOT_FOUND"), (&narrow, "403 SCOPE_MISSING")] {
            let refused = world.keyed(who, "DELETE", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}");
        }
        let owner = world.sign_in(&shop, "owner@shop.example");
        let unproven = world.session(&owner, "DELETE", &path, Value::Null);
        assert_eq!(unproven.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        assert_eq!(world.read(&shop, &path)["enabled"], true, "{kind}");
        let deleted = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(deleted.data()["enabled"], false, "{kind}");
    });
}
