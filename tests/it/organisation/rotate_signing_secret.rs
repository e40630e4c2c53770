//! `PATCH /orgs/signing-secret`. What ends a leaked one is in `attacks/secrets.rs`.

use std::time::Duration;

use serde_json::json;
use settlekit_core::header;
use settlekit_tests::database::{self, rows};
use settlekit_tests::world::{DAY, Shop, World, request, text};

use super::{SIGNING_SECRET, rotate, signed};

#[test]
fn a_previous_signing_secret_stays_valid_for_a_day() {
    World::each(|kind, mut world| {
        let first = world.shop("Shop", None);
        let second = rotate(&mut world, &first, json!({ "revoke_old": false }));
        assert_ne!(first.secret, second.secret);
        let until = world.read(&first, "/v1/orgs")["signing_secret_overlap_until"].clone();
        assert_eq!(until, world.now.plus(DAY).to_string(), "{kind}");
        world.pass(DAY - Duration::from_secs(60));
        for secret in [&first, &second] {
            assert_eq!(
                signed(&mut world, secret).refusal(),
                "404 NOT_FOUND",
                "{kind}"
            );
        }
        world.pass(Duration::from_secs(60));
        for (secret, refusal) in [
            (&first, "401 SIGNATURE_INVALID"),
            (&second, "404 NOT_FOUND"),
        ] {
            assert_eq!(signed(&mut world, secret).refusal(), refusal, "{kind}");
        }
        world.work();
        let left = rows(
            world.parts().1,
            "SELECT org_id FROM retired_signing_secrets",
        );
        assert_eq!(left, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn rotating_the_signing_secret_needs_a_signature_or_step_up() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let unsigned = world.keyed(&shop, "PATCH", SIGNING_SECRET, json!({}));
    assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING");
    let ada = world.sign_in(&shop, "ada@shop.example");
    let stale = world.session(&ada, "PATCH", SIGNING_SECRET, json!({}));
    assert_eq!(stale.refusal(), "401 STEP_UP_REQUIRED");
    let password = json!({ "password": settlekit_tests::world::PASSWORD });
    let proof = world.session(&ada, "POST", "/v1/sessions/step-up", password);
    let mut headers = ada.headers();
    headers.push((header::STEP_UP.into(), text(proof.data(), "token")));
    let rotated = world.send(request(
        "PATCH",
        SIGNING_SECRET,
        &json!({ "revoke_old": true }),
        headers,
    ));
    assert_eq!(rotated.status, 200, "{}", rotated.body);
    assert_eq!(signed(&mut world, &shop).refusal(), "401 SIGNATURE_INVALID");
    // A secret of one organisation says nothing of another.
    let other = world.shop("Other", None);
    let forged = Shop {
        secret: text(rotated.data(), "signing_secret"),
        ..other
    };
    assert_eq!(
        signed(&mut world, &forged).refusal(),
        "401 SIGNATURE_INVALID"
    );
}

#[test]
fn only_the_latest_previous_secret_and_key_stay_valid() {
    let mut world = World::new(database::sqlite());
    let first = world.shop("Shop", None);
    let second = rotate(&mut world, &first, json!({}));
    let third = rotate(&mut world, &second, json!({}));
    assert_eq!(signed(&mut world, &third).refusal(), "404 NOT_FOUND");
    assert_eq!(signed(&mut world, &second).refusal(), "404 NOT_FOUND");
    let oldest = signed(&mut world, &first).refusal();
    assert_eq!(oldest, "401 SIGNATURE_INVALID");
    for _ in 0..3 {
        let rotated = world.keyed(&third, "PATCH", "/v1/orgs/webhook-secret", json!({}));
        assert_eq!(rotated.status, 200, "{}", rotated.body);
    }
    world.set_webhook_url(&third, "https://hooks.shop.example/");
    let calls = world.work();
    let headers = calls[0].headers.iter();
    let ids = headers.filter(|(name, _)| name == "webhook-key-id");
    let ids: Vec<&str> = ids.flat_map(|(_, value)| value.split(' ')).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
}
