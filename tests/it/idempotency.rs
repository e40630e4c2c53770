//! Idempotency keys: a repeated request gets the first answer.

use std::time::Duration;

use serde_json::json;
use settlekit_core::header;
use settlekit_service::Access;
use settlekit_tests::database;
use settlekit_tests::world::{Answer, DAY, PASSWORD, World, request};

/// Creates a plan with the idempotency key `once`.
fn plan(world: &mut World, key: &str, name: &str) -> Answer {
    plan_with(world, key, "once", name)
}

fn plan_with(world: &mut World, key: &str, once: &str, name: &str) -> Answer {
    let body = json!({ "name": name, "price": "1", "currency": "USDC" });
    let headers = vec![
        (header::API_KEY.to_owned(), key.to_owned()),
        (header::IDEMPOTENCY_KEY.to_owned(), once.to_owned()),
    ];
    world.send(request("POST", "/v1/plan", &body, headers))
}

#[test]
fn a_repeated_request_is_replayed_for_a_day() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.another_key(shop.id);
        let first = plan(&mut world, &shop.key, "Box");
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        world.pass(DAY - Duration::from_secs(1));
        let again = plan(&mut world, &shop.key, "Box");
        assert_eq!((again.status, &again.body), (201, &first.body), "{kind}");
        assert_eq!(again.header(header::IDEMPOTENT_REPLAYED), Some("true"));
        let another = plan(&mut world, &shop.key, "Tea");
        assert_eq!(another.refusal(), "422 IDEMPOTENCY_KEY_REUSED", "{kind}");
        let theirs = plan(&mut world, &other, "Tea");
        assert_eq!(theirs.status, 201, "{kind}: keys are per caller");
        world.pass(Duration::from_secs(1));
        let later = plan(&mut world, &shop.key, "Box");
        assert_eq!(later.status, 201, "{kind}");
        assert_ne!(
            later.data()["id"],
            first.data()["id"],
            "{kind}: after a day"
        );
        let plans = world.read(&shop, "/v1/plan");
        assert_eq!(plans["total"], 3, "{kind}");
    });
}

#[test]
fn a_request_to_another_host_name_is_the_same() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let first = plan(&mut world, &shop.key, "Box");
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        let body = json!({ "name": "Box", "price": "1", "currency": "USDC" });
        let headers = vec![
            (header::API_KEY.to_owned(), shop.key.clone()),
            (header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned()),
        ];
        // The request line of HTTP/2.
        let whole = "https://pay.example/v1/plan";
        let again = world.send(request("POST", whole, &body, headers));
        assert_eq!((again.status, again.body), (201, first.body), "{kind}");
    });
}

#[test]
fn a_key_has_1_to_255_characters_that_are_not_all_blank() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for key in ["x".to_owned(), "x".repeat(255), " x ".to_owned()] {
        let made = plan_with(&mut world, &shop.key, &key, "Box");
        assert_eq!(made.status, 201, "{key:?}: {}", made.body);
    }
    for key in [String::new(), "  ".to_owned(), "x".repeat(256)] {
        let refused = plan_with(&mut world, &shop.key, &key, "Box");
        let expected = "400 IDEMPOTENCY_KEY_MALFORMED";
        assert_eq!(refused.refusal(), expected, "{key:?}");
    }
}

#[test]
fn expired_answers_are_deleted() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let count = |world: &mut World| {
            let (_, database) = world.parts();
            database.begin(Access::Read).expect("a beginning");
            let rows = database::rows(database, "SELECT count(*) FROM idempotency");
            database.rollback().expect("an end");
            rows
        };
        let made = plan(&mut world, &shop.key, "Box");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.work();
        assert_eq!(count(&mut world), ["1"], "{kind}");
        world.pass_and_work(DAY * 2);
        assert_eq!(count(&mut world), ["0"], "{kind}");
    });
}

#[test]
fn no_digest_of_a_password_is_stored_for_a_key() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "owner@example.com");
        let mut headers = owner.headers();
        headers.push((header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned()));
        let body = json!({ "password": PASSWORD });
        for _ in 0..2 {
            let path = "/v1/sessions/step-up";
            let proven = world.send(request("POST", path, &body, headers.clone()));
            assert_eq!(proven.status, 201, "{kind}: {}", proven.body);
            assert_eq!(proven.header(header::IDEMPOTENT_REPLAYED), None, "{kind}");
        }
        let (_, database) = world.parts();
        database.begin(Access::Read).expect("a beginning");
        let rows = database::rows(database, "SELECT count(*) FROM idempotency");
        database.rollback().expect("an end");
        assert_eq!(rows, ["0"], "{kind}");
    });
}
