//! What a caller proves itself and its requests by: keys that end, requests that are made twice, webhooks signed by two keys.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::webhook::{self, PublicKey};
use settlekit_service::step::WireOutbound;
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World, received, request};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn a_key_works_until_it_expires_or_is_revoked_and_tells_when_it_was_last_used() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let expires = world.now.plus(DAY).to_string();
        let body = json!({ "name": "till", "scopes": ["read"], "expires_at": expires });
        let made = world.keyed(&shop, "POST", "/v1/api-keys", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let (id, key) = (made.data()["id"].clone(), made.data()["key"].clone());
        let till = Shop {
            key: key.as_str().expect("a key").to_owned(),
            ..shop.clone()
        };
        let read = |world: &mut World| world.keyed(&till, "GET", "/v1/accounts", Value::Null);
        let last_used = |world: &mut World| {
            let listed = world.keyed(&shop, "GET", "/v1/api-keys", Value::Null);
            let items = listed.data()["items"].as_array().expect("keys").clone();
            let of_it = items.into_iter().find(|one| one["id"] == id);
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
        let path = format!(
            "/v1/api-keys/{}",
            other.data()["id"].as_str().expect("an id")
        );
        let other = Shop {
            key: other.data()["key"].as_str().expect("a key").to_owned(),
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

/// Makes a plan under an idempotency key.
fn plan(world: &mut World, key: &str, name: &str) -> Answer {
    let body = json!({ "name": name, "price": "1", "currency": "USDC" });
    let headers = vec![
        (header::API_KEY.to_owned(), key.to_owned()),
        (header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned()),
    ];
    world.send(request("POST", "/v1/plan", &body, headers))
}

#[test]
fn a_request_that_is_made_again_is_answered_once_for_a_day_and_another_is_told_apart() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
        assert_eq!(theirs.status, 201, "{kind}: another caller's is another");
        world.pass(Duration::from_secs(1));
        let later = plan(&mut world, &shop.key, "Box");
        assert_eq!(later.status, 201, "{kind}");
        assert_ne!(
            later.data()["id"],
            first.data()["id"],
            "{kind}: a day is over"
        );
        let plans = world.keyed(&shop, "GET", "/v1/plan", Value::Null);
        assert_eq!(plans.data()["total"], 3, "{kind}");
    });
}

#[test]
fn a_request_is_the_same_by_another_name_of_the_server() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let first = plan(&mut world, &shop.key, "Box");
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        let body = json!({ "name": "Box", "price": "1", "currency": "USDC" });
        let headers = vec![
            (header::API_KEY.to_owned(), shop.key.clone()),
            (header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned()),
        ];
        // So it comes in HTTP/2.
        let whole = "https://pay.example/v1/plan";
        let again = world.send(request("POST", whole, &body, headers));
        assert_eq!((again.status, again.body), (201, first.body), "{kind}");
    });
}

/// Whether a call is signed by a key.
fn signed_by(call: &WireOutbound, pem: &str, world: &World) -> bool {
    let key = PublicKey::from_pem(pem).expect("a key");
    webhook::verify(received(call), &[key], world.now, webhook::TOLERANCE).is_ok()
}

#[test]
fn for_a_day_after_a_rotation_both_keys_sign_and_then_the_new_one_alone() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
        // Until when it is so the organisation says itself, however much of it changes meanwhile.
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
        // Another rotation does not give the first key more time.
        let newest = rotate(&mut world);
        world.pass(Duration::from_secs(2));
        let by = signed(&mut world, &[&old, &new, &newest]);
        assert_eq!(by, [false, true, true], "{kind}");
    });
}
