//! Webhooks over real sockets: requests, stored responses, and unreachable targets.

use std::time::Duration;

use axum::Router;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_server::build;
use tokio::sync::mpsc;

use super::receiving::{Got, receiver};
use super::{Listening, call, create_organisation, setup_on};

/// Runs a test against a listening server, with webhooks to a path of an endpoint.
async fn check<F: Future<Output = ()>>(
    path: &str,
    test: impl FnOnce(Router, String, mpsc::UnboundedReceiver<Got>) -> F,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = setup_on(&folder.path().join("book.db"));
    let organisation = create_organisation(&setup, "Acme");
    let server = build(&setup).expect("a server");
    let router = server.router();
    let listening = Listening::start(server).await;
    let (base, got) = receiver().await;
    let (key, body) = (
        organisation.api_key,
        json!({"webhook_url": format!("{base}{path}")}),
    );
    call(&router, &key, "PUT", "/orgs", body).await;
    test(router, key, got).await;
    listening.end().await;
}

/// The first attempt of the latest event, once it exists.
async fn first_attempt(router: &Router, key: &str) -> Value {
    loop {
        let events = call(router, key, "GET", "/events?limit=1", Value::Null).await;
        let id = events["items"][0]["id"].as_str().expect("an event");
        let path = format!("/events/{id}/attempts");
        let attempts = call(router, key, "GET", &path, Value::Null).await;
        if attempts[0].is_object() {
            return attempts[0].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_event_is_delivered_signed_within_seconds() {
    check("/take", |router, key, mut got| async move {
        let got = got.recv().await.expect("a webhook");
        let signature = got.headers[header::WEBHOOK_SIGNATURE].to_str();
        assert!(signature.expect("text").starts_with("v1a,"));
        for name in [header::WEBHOOK_ID, header::WEBHOOK_TIMESTAMP] {
            assert!(got.headers.contains_key(name), "{name}");
        }
        assert_eq!(first_attempt(&router, &key).await["status"], 204);
    })
    .await;
}

#[tokio::test]
async fn a_failed_attempt_stores_the_response() {
    check("/refuse", |router, key, _got| async move {
        let attempt = first_attempt(&router, &key).await;
        assert_eq!(
            (&attempt["status"], &attempt["response"]),
            (&json!(418), &json!("short and stout"))
        );
    })
    .await;
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    check("/elsewhere", |router, key, mut got| async move {
        assert_eq!(first_attempt(&router, &key).await["status"], 302);
        assert_eq!(got.recv().await.map(|got| got.path), Some("/elsewhere"));
        assert!(got.try_recv().is_err(), "somebody else was called");
    })
    .await;
}

#[tokio::test]
async fn the_start_of_a_long_response_is_stored() {
    check("/endless", |router, key, _got| async move {
        let attempt = first_attempt(&router, &key).await;
        let kept = attempt["response"].as_str().expect("text");
        assert!(
            kept.starts_with("lala") && kept.len() <= 64 * 1024,
            "{} bytes",
            kept.len()
        );
    })
    .await;
}
