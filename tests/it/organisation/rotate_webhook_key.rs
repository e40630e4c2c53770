//! `PATCH /orgs/webhook-secret`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::webhook::{self, PublicKey};
use settlekit_service::step::WireOutbound;
use settlekit_tests::world::{Answer, DAY, World, received};

/// Whether a call is signed by a key.
fn signed_by(call: &WireOutbound, pem: &str, world: &World) -> bool {
    let key = PublicKey::from_pem(pem).expect("a key");
    webhook::verify(received(call), &[key], world.now, webhook::TOLERANCE).is_ok()
}

#[test]
fn both_webhook_keys_sign_for_a_day_after_a_rotation() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let url = json!({ "webhook_url": "http://127.0.0.1:9099/hooks" });
        let pem = |answer: &Answer| {
            let pem = answer.data()["webhook_public_key"].as_str();
            pem.expect("a key").to_owned()
        };
        let old = pem(&world.keyed(&shop, "PUT", "/v1/orgs", url));
        let rotate = |world: &mut World| {
            pem(&world.keyed(&shop, "PATCH", "/v1/orgs/webhook-secret", Value::Null))
        };
        let new = rotate(&mut world);
        // The organisation shows the end of the overlap, also after other changes.
        let until = settlekit_core::value::Timestamp::from_micros(world.now.micros()).plus(DAY);
        let settings = world.read(&shop, "/v1/orgs");
        assert_eq!(
            settings["webhook_key_overlap_until"],
            until.to_string(),
            "{kind}"
        );
        assert_ne!(old, new, "{kind}");
        let signed = |world: &mut World, keys: &[&str]| -> Vec<bool> {
            world.deliver(200);
            let name = json!({ "name": format!("Shop at {}", world.now) });
            world.keyed(&shop, "PUT", "/v1/orgs", name);
            let calls = world.work();
            world.report(&calls[0], 200);
            let by = keys.iter().map(|pem| signed_by(&calls[0], pem, world));
            by.collect()
        };
        assert_eq!(signed(&mut world, &[&old, &new]), [true, true], "{kind}");
        world.pass(DAY - Duration::from_secs(1));
        assert_eq!(signed(&mut world, &[&old, &new]), [true, true], "{kind}");
        // Another rotation does not extend the first key's time.
        let newest = rotate(&mut world);
        world.pass(Duration::from_secs(2));
        let by = signed(&mut world, &[&old, &new, &newest]);
        assert_eq!(by, [false, true, true], "{kind}");
    });
}
