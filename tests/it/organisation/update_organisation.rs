//! `PUT /orgs`.

use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_tests::database;
use settlekit_tests::world::World;

#[test]
fn a_time_zone_is_set_cleared_and_validated() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let mut set = |zone: &str| {
            let body = json!({ "time_zone": zone });
            world.keyed(&shop, "PUT", "/v1/orgs", body)
        };
        for zone in [
            "Europe/Berlin",
            "America/Argentina/Buenos_Aires",
            "UTC",
            "Etc/GMT+3",
        ] {
            let kept = set(zone);
            assert_eq!(kept.data()["properties"]["time_zone"], zone, "{kind}");
        }
        for zone in ["Europe/", "/", "Berlin, Germany", "+02:00", &"A".repeat(65)] {
            assert_eq!(
                set(zone).refusal(),
                "400 UNKNOWN_VALUE time_zone",
                "{kind}: {zone}"
            );
        }
        let none = set("");
        assert_eq!(none.data()["properties"].get("time_zone"), None, "{kind}");
    });
}

#[test]
fn a_tolerance_amount_needs_its_currency() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let mut set = |thresholds: Value| {
        let body = json!({ "underpay_thresholds": thresholds });
        world.keyed(&shop, "PUT", "/v1/orgs", body)
    };
    assert_eq!(
        set(json!({ "underpay_tolerance_amount": 1 })).refusal(),
        "422 REQUIRED underpay_thresholds.underpay_tolerance_currency"
    );
    let whole = json!({ "underpay_tolerance_amount": 1, "underpay_tolerance_currency": "USDC" });
    assert_eq!(set(whole).status, 200);
    assert_eq!(set(json!({ "underpay_tolerance_usd": 1 })).status, 200);
}

#[test]
fn currencies_without_a_rate_and_repeated_scopes_are_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let set = |world: &mut World, currency: &str| {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "currency": currency }))
        };
        let set_to = set(&mut world, "EUR");
        assert_eq!(set_to.data()["properties"]["currency"], "EUR", "{kind}");
        let refused = set(&mut world, "ZZZ");
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED currency", "{kind}");

        let key = json!({ "name": "Till", "scopes": ["write", "read", "write", "read"] });
        let key = world.keyed(&shop, "POST", "/v1/api-keys", key);
        assert_eq!(
            key.data()["scopes"],
            json!(["write", "read"]),
            "{kind}: {}",
            key.body
        );
    });
}

#[test]
fn a_webhook_url_is_https_in_any_spelling() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let guarded = settlekit_service::Service::new(settlekit_service::Options {
        master_key: [7; 32],
        mode: settlekit_service::Mode::Sandbox,
        allow_private_webhooks: false,
        public_url: "http://127.0.0.1:8080".to_owned(),
    });
    let now = world.now;
    let (_, database) = world.parts();
    for (url, status, random) in [
        ("http://hooks.example/x", 422, 1),
        ("HTTP://hooks.example/x", 422, 2),
        ("https://hooks.example/x", 200, 3),
        ("HTTPS://hooks.example/x", 200, 4),
    ] {
        let request = http::Request::put("/v1/orgs")
            .header(settlekit_core::header::API_KEY, &shop.key)
            .body(json!({ "webhook_url": url }).to_string().into_bytes())
            .expect("a request");
        let seed = Seed([random; 32]);
        let answer = guarded.answer(database, &request, now, seed);
        assert_eq!(answer.status(), status, "{url}");
    }
}
