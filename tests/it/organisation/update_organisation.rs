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

#[test]
fn payers_see_the_style_of_checkout_pages_until_it_is_replaced_or_taken_back() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let mut links = [&shop, &other].map(|shop| {
            world.account(shop, "till", 8453, &["USDC"]);
            let link = json!({ "amount": "5.00", "currency": "USDC", "name": "Tea" });
            let link = world.keyed(shop, "POST", "/v1/paylinks", link);
            format!("/v1/checkout/{}", link.id())
        });
        let [link, others] = &mut links;
        let style = |world: &mut World, link: &str| {
            let page = world.public("GET", link, Value::Null);
            page.data().get("style").cloned()
        };
        let set = |world: &mut World, body: Value| {
            let set = world.keyed(&shop, "PUT", "/v1/orgs", body);
            assert_eq!(set.status, 200, "{kind}: {}", set.body);
            set.data()["properties"].get("checkout_style").cloned()
        };
        assert_eq!(style(&mut world, link), None, "{kind}");

        let chosen = json!({
            "accent_color": "#2B47C4",
            "appearance": "Dark",
            "language": "de",
            "note": { "en": "<b>Tea & cake</b>", "de": "Tee & Kuchen" },
            "support": { "en": "help@shop.example" },
        });
        let body = json!({ "checkout_style": chosen, "time_zone": "Europe/Berlin" });
        assert_eq!(set(&mut world, body), Some(chosen.clone()), "{kind}");
        // Other changes leave it as it is.
        let renamed = set(&mut world, json!({ "name": "Tea shop" }));
        assert_eq!(renamed.as_ref(), Some(&chosen), "{kind}");
        let read = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
        let properties = &read.data()["properties"];
        assert_eq!(properties["checkout_style"], chosen, "{kind}");
        assert_eq!(properties["time_zone"], "Europe/Berlin", "{kind}");

        let mut shown = chosen.clone();
        shown["accent_color"] = json!("#2b47c4");
        shown["accent_color_dark"] = json!("#697dd5");
        assert_eq!(style(&mut world, link), Some(shown), "{kind}");
        assert_eq!(style(&mut world, others), None, "{kind}: another shop");

        let less = json!({ "note": { "de": "Tee" } });
        let replaced = set(&mut world, json!({ "checkout_style": less }));
        assert_eq!(replaced.as_ref(), Some(&less), "{kind}");
        assert_eq!(style(&mut world, link), Some(less), "{kind}");
        for usual in [json!({}), json!({ "note": {}, "support": {} })] {
            set(
                &mut world,
                json!({ "checkout_style": { "language": "de" } }),
            );
            let taken_back = set(&mut world, json!({ "checkout_style": usual }));
            assert_eq!(taken_back, None, "{kind}");
            assert_eq!(style(&mut world, link), None, "{kind}");
        }
    });
}

#[test]
fn what_a_checkout_page_cannot_show_is_refused_at_its_field() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let mut set = |style: Value| {
            let body = json!({ "checkout_style": style });
            world.keyed(&shop, "PUT", "/v1/orgs", body)
        };
        for color in [
            "",
            "red",
            "2b47c4",
            "#2b47c",
            "#2b47c4ff",
            "#2b47cg",
            "rgb(0,0,0)",
        ] {
            assert_eq!(
                set(json!({ "accent_color": color })).refusal(),
                "422 COLOR_MALFORMED checkout_style.accent_color",
                "{kind}: {color}"
            );
        }
        for (color, message) in [
            (
                "#ffd400",
                "1.4:1 with white; it needs at least 4.5:1, like #8b7300",
            ),
            (
                "#777777",
                "4.4:1 with white; it needs at least 4.5:1, like #757575",
            ),
            (
                "#ffffff",
                "1.0:1 with white; it needs at least 4.5:1, like #737373",
            ),
        ] {
            let refused = set(json!({ "accent_color": color }));
            assert_eq!(
                refused.refusal(),
                "422 CONTRAST_TOO_LOW checkout_style.accent_color",
                "{kind}: {color}"
            );
            let told = refused.body["error"]["message"]
                .as_str()
                .unwrap_or_default();
            assert!(told.ends_with(message), "{kind}: {told}");
        }
        for color in ["#767676", "#000000", "#0000ff"] {
            assert_eq!(
                set(json!({ "accent_color": color })).status,
                200,
                "{kind}: {color}"
            );
        }

        let long = "é".repeat(200);
        assert_eq!(set(json!({ "note": { "en": long } })).status, 200, "{kind}");
        let all = json!({
            "accent_color": "#ffff00",
            "appearance": "dark",
            "language": "fr",
            "note": { "en": "", "de": "é".repeat(201), "fr": "Thé" },
            "support": { "en": "two\nlines", "de": "a\u{7f}b" },
            "css": "body { display: none }",
        });
        assert_eq!(
            set(all).refusal(),
            "400 UNKNOWN_VALUE checkout_style.appearance, \
             UNKNOWN_VALUE checkout_style.language, \
             UNKNOWN_FIELD checkout_style.note.fr, \
             UNKNOWN_FIELD checkout_style.css, \
             CONTRAST_TOO_LOW checkout_style.accent_color, \
             EMPTY checkout_style.note.en, \
             TOO_LONG checkout_style.note.de, \
             TEXT_MALFORMED checkout_style.support.en, \
             TEXT_MALFORMED checkout_style.support.de",
            "{kind}"
        );
        // Nothing of a refused change is stored.
        let read = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
        let stored = &read.data()["properties"]["checkout_style"];
        assert_eq!(
            *stored,
            json!({ "note": { "en": "é".repeat(200) } }),
            "{kind}"
        );
    });
}
