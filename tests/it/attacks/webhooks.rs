//! SSRF: webhooks into the operator's network.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_server::{Setup, build};

use crate::server::listening::Listening;
use crate::server::{call, create_organisation, setup_on};

/// The error of a failed first webhook, as its merchant reads it.
async fn error_of(url: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup {
        allow_private_webhooks: false,
        ..setup_on(&folder.path().join("book.db"))
    };
    let key = create_organisation(&setup, "Acme").api_key;
    let server = build(&setup).expect("a server");
    let router = server.router();
    let listening = Listening::start(server).await;
    let body = json!({ "webhook_url": url });
    call(&router, &key, "PUT", "/orgs", body).await;
    let error = loop {
        let events = call(&router, &key, "GET", "/events?limit=1", Value::Null).await;
        let id = events["items"][0]["id"]
            .as_str()
            .expect("an event")
            .to_owned();
        let path = format!("/events/{id}/attempts");
        let attempts = call(&router, &key, "GET", &path, Value::Null).await;
        if attempts[0].is_object() {
            break attempts[0]["error"].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    listening.end().await;
    error
}

#[tokio::test]
async fn private_and_unknown_webhook_hosts_fail_alike() {
    let inside = error_of("https://localhost:4711/hooks").await;
    let nowhere = error_of("https://nobody-has-this-name.invalid/hooks").await;
    assert_eq!(inside, nowhere);
    let text = inside.as_str().expect("text");
    assert!(text.contains("the host has no public address"), "{text}");
    assert!(
        !text.contains("127.0.0.1") && !text.contains("::1"),
        "{text}"
    );
}

#[tokio::test]
async fn a_private_address_is_never_called() {
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"] {
        let inside = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        inside.set_nonblocking(true).expect("a listener");
        let port = inside.local_addr().expect("an address").port();
        let error = error_of(&format!("https://{host}:{port}/hooks")).await;
        let text = error.as_str().expect("text");
        assert!(text.contains("address"), "{host}: {text}");
        assert!(inside.accept().is_err(), "{host}: something called");
    }
}
