//! Requests that cost the service more than the sender.

use std::num::NonZeroU32;

use axum::http::Request;
use serde_json::{Value, json};
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::operation::Auth;
use settlekit_core::{PREFIX, header};
use settlekit_server::build;
use settlekit_server::limit::Limits;
use settlekit_service::store::sql::Access;
use settlekit_tests::database;
use settlekit_tests::world::{World, request};

use crate::server::{create_organisation, open, send, setup_on};

/// The path of an operation with every parameter filled in.
fn path(description: &Description) -> String {
    let mut path = format!("{PREFIX}{}", description.path);
    for name in description.path_params {
        path = path.replace(&format!("{{{name}}}"), "1");
    }
    path
}

/// A body that is invalid for every operation.
fn wrong() -> String {
    json!({ "no_such_field": vec!["\0"; 500] }).to_string()
}

/// A request certain to be refused must not wait for the writer: here another connection holds the write lock.
#[test]
fn invalid_requests_are_answered_while_the_database_is_locked() {
    let many = NonZeroU32::new(1_000_000);
    let limits = Limits {
        key: many,
        address: many,
        behind_proxy: false,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let setup = settlekit_server::Setup {
        limits,
        ..setup_on(&file)
    };
    let shop = create_organisation(&setup, "Shop");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = build(&setup).expect("a server");
        let router = server.router();
        let mut other = open(&setup.database);
        other.begin(Access::Write).expect("the lock");
        for description in CATALOGUE {
            let ask = |key: Option<&str>, body: String| {
                let mut asked = Request::builder()
                    .method(description.method.clone())
                    .uri(path(description));
                if let Some(key) = key {
                    asked = asked.header(header::API_KEY, key);
                }
                let router = router.clone();
                async move { send(&router, asked, body).await }
            };
            if description.auth == Auth::Public {
                if description.method == "GET" && description.writes {
                    continue;
                }
                let answer = ask(None, wrong()).await;
                assert_eq!(answer.status, 400, "{}: {}", description.id, answer.text());
                continue;
            }
            for (key, body) in [
                (None, wrong()),
                (None, "{}".to_owned()),
                (Some("sk_unknown"), wrong()),
                (Some("sk_unknown"), "{}".to_owned()),
            ] {
                let answer = ask(key, body).await;
                assert_eq!(answer.status, 401, "{}: {}", description.id, answer.text());
            }
            if description.auth == Auth::Key {
                let answer = ask(Some(&shop.api_key), wrong()).await;
                assert_eq!(answer.status, 400, "{}: {}", description.id, answer.text());
            }
        }
        other.rollback().expect("the lock, given back");
        server.close().await;
    });
}

#[test]
fn a_body_past_the_limit_of_a_public_operation_is_refused_with_the_reason() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for description in CATALOGUE {
        let most = description.auth.body_bytes_max();
        let mut asked = request(
            description.method.as_str(),
            &path(description),
            &Value::Null,
            vec![(header::API_KEY.into(), shop.key.clone())],
        );
        asked.body = " ".repeat(16 << 10);
        let within = world.send(asked.clone()).refusal();
        assert!(
            !within.contains("BODY_TOO_LARGE"),
            "{}: {within}",
            description.id
        );
        asked.body.push(' ');
        let past = world.send(asked).refusal();
        if description.auth == Auth::Public {
            assert_eq!(most, 16 << 10);
            assert_eq!(past, "413 BODY_TOO_LARGE", "{}", description.id);
        } else {
            assert_eq!(most, 1 << 20);
            assert!(
                !past.contains("BODY_TOO_LARGE"),
                "{}: {past}",
                description.id
            );
        }
    }
}

#[test]
fn at_most_a_hundred_errors_are_listed() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let fields: serde_json::Map<String, Value> = (0..5_000)
        .map(|number| (format!("u{number}"), json!("\0")))
        .collect();
    let answer = world.keyed(&shop, "POST", "/v1/paylinks", Value::Object(fields));
    assert_eq!(answer.status, 400);
    let errors = answer.body["error"]["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 100);
    let message = answer.body["error"]["message"].as_str().expect("text");
    assert!(
        message.ends_with("only the first 100 errors are listed"),
        "{message}"
    );
    assert!(answer.body.to_string().len() < 20_000);
}

/// An unauthenticated caller learns nothing about errors in its body.
#[test]
fn validation_errors_need_credentials() {
    let mut world = World::new(database::sqlite());
    for description in CATALOGUE.iter().filter(|found| found.auth != Auth::Public) {
        for headers in [
            Vec::new(),
            vec![(header::API_KEY.to_owned(), "sk_unknown".to_owned())],
            vec![("cookie".to_owned(), format!("{}=x", header::SESSION_COOKIE))],
        ] {
            let mut asked = request(
                description.method.as_str(),
                &path(description),
                &Value::Null,
                headers,
            );
            asked.body = wrong();
            let answer = world.send(asked);
            assert_eq!(answer.status, 401, "{}: {}", description.id, answer.body);
            assert_eq!(
                answer.body["error"]["errors"].as_array().map(Vec::len),
                Some(1)
            );
        }
    }
}

/// Nothing is stored for a malformed signed request, not even its nonce: it can only be refused again, for the same reason.
#[test]
fn a_malformed_signed_request_does_not_use_up_its_nonce() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let malformed = world.sign(
        &shop,
        None,
        "POST",
        "/v1/payouts",
        &json!({ "no_such_field": 1 }),
    );
    let first = world.send(malformed.clone());
    assert_eq!(first.status, 400, "{}", first.body);
    let again = world.send(malformed);
    assert_eq!(again.refusal(), first.refusal());
    // A well-formed request uses its nonce, whatever the answer.
    let path = "/v1/partners/accounts/none/automations";
    let listed = world.sign(&shop, None, "GET", path, &Value::Null);
    assert_eq!(world.send(listed.clone()).refusal(), "404 NOT_FOUND");
    assert_eq!(world.send(listed).refusal(), "401 NONCE_REUSED");
}
