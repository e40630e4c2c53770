//! The host: transactions under load and failure, HTTP details, start and stop, webhooks.

mod backup;
mod chain_metrics;
mod client;
mod deliver;
mod engine;
mod exchange_metrics;
mod http;
pub(crate) mod listening;
mod live;
mod load;
mod monitored;
mod price_metrics;
mod receiving;
mod venue_metrics;

use listening::Listening;

use std::path::Path;
use std::time::SystemTime;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request};
use settlekit_core::PREFIX;
use settlekit_core::value::Timestamp;
use settlekit_server::Setup;
use settlekit_server::engine::Address;
use settlekit_server::limit::Limits;
use settlekit_service::admin::{CreatedOrganisation, NewOrganisation};
use settlekit_service::store::mode;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Mode, Options, Seed, Service};
use tower::ServiceExt;

/// The metrics token of all servers here.
pub(crate) const METRICS_TOKEN: &str = "a-token-for-the-metrics";

pub(crate) async fn metrics(router: &Router) -> Answer {
    let token = format!("Bearer {METRICS_TOKEN}");
    let request = Request::get("/metrics").header("authorization", token);
    send(router, request, Body::empty()).await
}

pub(crate) fn setup_on(file: &Path) -> Setup {
    setup(Address::Sqlite(file.to_owned()))
}

fn setup(database: Address) -> Setup {
    Setup {
        database,
        master_key: "0".repeat(64).parse().expect("a key"),
        public_url: "http://localhost".to_owned(),
        mode: Mode::Sandbox,
        allow_private_webhooks: true,
        limits: Limits::NONE,
        connections: Default::default(),
        metrics_token: Some(METRICS_TOKEN.parse().expect("a token")),
    }
}

/// A second database connection, independent of the server.
pub(crate) fn open(address: &Address) -> Box<dyn Database> {
    match address {
        Address::Sqlite(file) => Box::new(Sqlite::open(file).expect("a file")),
        Address::Postgres(address) => Box::new(Postgres::open(address).expect("a connection")),
    }
}

/// Creates an organisation, as the command line does.
pub(crate) fn create_organisation(setup: &Setup, name: &str) -> CreatedOrganisation {
    let mut database = open(&setup.database);
    mode::open(database.as_mut(), setup.mode).expect("its mode");
    let service = Service::new(Options {
        master_key: setup.master_key.0,
        mode: setup.mode,
        allow_private_webhooks: setup.allow_private_webhooks,
        public_url: setup.public_url.clone(),
    });
    let mut seed = [0; 32];
    seed[..name.len()].copy_from_slice(name.as_bytes());
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("a clock that is set");
    let now = Timestamp::from_millis(since.as_millis() as i64);
    let new = NewOrganisation {
        name: name.to_owned(),
        partner: None,
        otc: false,
        inbox: false,
    };
    service
        .create_organisation(database.as_mut(), &new, now, Seed(seed))
        .expect("an organisation")
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    /// The status and the first reason in the error envelope: `401 KEY_INVALID`.
    pub(crate) fn refusal(&self) -> String {
        let envelope: serde_json::Value = serde_json::from_slice(&self.body).expect("an envelope");
        assert_eq!(envelope["error"]["code"], self.status, "{envelope}");
        let reason = envelope["error"]["errors"][0]["reason"].as_str();
        format!("{} {}", self.status, reason.expect("a reason"))
    }
}

pub(crate) async fn send(
    router: &Router,
    request: axum::http::request::Builder,
    body: impl Into<Body>,
) -> Answer {
    let request = request.body(body.into()).expect("a request");
    let response = router.clone().oneshot(request).await.expect("an answer");
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body").to_vec();
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body,
    }
}

pub(crate) async fn get(router: &Router, path: &str) -> Answer {
    send(router, Request::get(path), Body::empty()).await
}

/// A client for requests over sockets.
pub(crate) fn http_client() -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy();
    client.build().expect("a client")
}

/// Advances the clock of the sandbox.
pub(crate) async fn advance(router: &Router, key: &str, seconds: u64) {
    let body = serde_json::json!({ "advance_seconds": seconds });
    call(router, key, "POST", "/sandbox/clock", body).await;
}

fn api(path: &str) -> String {
    format!("{PREFIX}{path}")
}

/// Calls the API with a key; returns the answer's `data`.
pub(crate) async fn call(
    router: &Router,
    key: &str,
    method: &str,
    path: &str,
    body: serde_json::Value,
) -> serde_json::Value {
    let request = Request::builder()
        .method(method)
        .uri(api(path))
        .header(settlekit_core::header::API_KEY, key);
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let answer = send(router, request, body).await;
    assert!(
        (200..300).contains(&answer.status),
        "{method} {path}: {} {}",
        answer.status,
        answer.text()
    );
    let mut envelope: serde_json::Value =
        serde_json::from_slice(&answer.body).expect("an envelope");
    envelope["data"].take()
}
