//! The overview as a stream: messages, recipients, and its end.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use settlekit_core::checkout::PAYMENT_LIVE;
use settlekit_core::header;
use settlekit_core::overview::LIVE;
use settlekit_server::limit::Limits;
use settlekit_server::{Setup, build};
use tokio::time::timeout;
use tower::ServiceExt;

use super::{call, create_organisation, send, setup_on};

/// Far longer than any step here takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs a test against a server with one organisation and its key.
fn check<F: Future<Output = ()>>(test: impl FnOnce(Router, String) -> F) {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = setup_on(&folder.path().join("book.db"));
    let made = create_organisation(&setup, "Listener");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = build(&setup).expect("a server");
        test(server.router(), made.api_key).await;
        server.close().await;
    });
}

/// The data of a stream's events.
struct Listening {
    stream: BodyDataStream,
    heard: String,
}

impl Listening {
    async fn open(router: &Router, key: &str) -> Self {
        Self::open_at(router, LIVE, key).await
    }

    async fn open_at(router: &Router, path: &str, key: &str) -> Self {
        let request = Request::get(path).header(header::API_KEY, key);
        let request = request.body(Body::empty()).expect("a request");
        let response = router.clone().oneshot(request).await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            stream: response.into_body().into_data_stream(),
            heard: String::new(),
        }
    }

    /// The next event's data; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.heard.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.map(|data| serde_json::from_str(data).expect("an envelope"));
                self.heard = rest.to_owned();
                match data {
                    Some(data) => return Some(data),
                    None => continue,
                }
            }
            let bytes = timeout(PATIENCE, self.stream.next())
                .await
                .expect("something is heard in time")?
                .expect("the stream does not break");
            self.heard
                .push_str(std::str::from_utf8(&bytes).expect("text"));
        }
    }
}

/// An overview without the time of its answer.
fn timeless(mut overview: Value) -> Value {
    let fields = overview.as_object_mut().expect("an overview");
    assert!(fields.remove("now").is_some());
    overview
}

fn revision(news: &Value) -> i64 {
    news["data"]["revision"].as_i64().expect("a revision")
}

#[test]
fn the_stream_sends_the_overview_immediately_and_after_changes() {
    check(|router, key| async move {
        let mut listening = Listening::open(&router, &key).await;
        let first = listening.next().await.expect("the overview");
        let asked = call(&router, &key, "GET", "/overview", Value::Null).await;
        assert_eq!(timeless(first["data"].clone()), timeless(asked));
        let body = json!({ "name": "Renamed" });
        call(&router, &key, "PUT", "/orgs", body).await;
        let mut second = listening.next().await.expect("news");
        // A query from before the change may still be pending.
        while revision(&second) == revision(&first) {
            second = listening.next().await.expect("news");
        }
        let asked = call(&router, &key, "GET", "/overview", Value::Null).await;
        assert_eq!(timeless(second["data"].clone()), timeless(asked));
    });
}

#[test]
fn a_payer_hears_of_the_payment_until_it_is_confirmed() {
    check(|router, key| async move {
        let account = json!({ "type": "CryptoPayIn", "reference": "till", "currencies": ["USDC"], "chain_id": 8453 });
        call(&router, &key, "POST", "/accounts", account).await;
        let paylink = json!({ "name": "Tea", "amount": "1", "currency": "USDC" });
        let paylink = call(&router, &key, "POST", "/paylinks", paylink).await;
        let path = format!(
            "/checkout/{}/payments",
            paylink["id"].as_str().expect("an id")
        );
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let payment = call(&router, &key, "POST", &path, chosen).await;
        let id = payment["payment_id"].as_str().expect("an id");
        let live = PAYMENT_LIVE.replace("{payment_id}", id);
        // Without a key: the payer has none.
        let mut listening = Listening::open_at(&router, &live, "").await;
        let first = listening.next().await.expect("the payment");
        assert_eq!(first["data"]["paid_amount"], "0");
        // What other payments do is no news.
        let other = call(
            &router,
            &key,
            "POST",
            &path,
            json!({ "chain_id": 8453, "currency": "USDC" }),
        )
        .await;
        let other = other["payment_id"].as_str().expect("an id");
        for paid in [other, id] {
            let path = format!("/sandbox/checkout/payments/{paid}/pay");
            call(&router, &key, "POST", &path, json!({})).await;
        }
        let second = listening.next().await.expect("news");
        assert_eq!(second["data"]["paid_amount"], "1");
        let hour = json!({ "advance_seconds": 3600 });
        call(&router, &key, "POST", "/sandbox/clock", hour).await;
        let mut last = second;
        while let Some(news) = listening.next().await {
            last = news;
        }
        assert_eq!(last["data"]["status"], "Confirmed");
        let unknown = PAYMENT_LIVE.replace("{payment_id}", "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01");
        let missing = send(&router, Request::get(&unknown), Body::empty()).await;
        assert_eq!(missing.refusal(), "404 NOT_FOUND");
    });
}

#[test]
fn streams_per_key_are_limited() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits {
        key: NonZeroU32::new(6_000),
        ..Limits::NONE
    };
    let setup = Setup {
        limits,
        ..setup_on(&folder.path().join("book.db"))
    };
    let [greedy, other] = ["Greedy", "Other"].map(|name| create_organisation(&setup, name).api_key);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = build(&setup).expect("a server");
        let router = server.router();
        let mut held = Vec::new();
        for _ in 0..32 {
            held.push(Listening::open(&router, &greedy).await);
        }
        let request = Request::get(LIVE).header(header::API_KEY, &greedy);
        let more = send(&router, request, Body::empty()).await;
        assert_eq!(more.refusal(), "429 RATE_LIMITED");
        Listening::open(&router, &other).await;
        held.pop();
        held.push(Listening::open(&router, &greedy).await);
        drop(held);
        server.close().await;
    });
}

#[test]
fn the_stream_needs_a_key() {
    check(|router, _| async move {
        let answer = send(&router, Request::get(LIVE), Body::empty()).await;
        assert_eq!(answer.refusal(), "401 CREDENTIALS_MISSING");
    });
}

#[test]
fn a_stream_ends_when_its_key_is_revoked() {
    check(|router, key| async move {
        let body = json!({ "name": "Short-lived", "scopes": ["read"] });
        let made = call(&router, &key, "POST", "/api-keys", body).await;
        let of = |name: &str| made[name].as_str().expect("a text").to_owned();
        let mut listening = Listening::open(&router, &of("key")).await;
        assert!(listening.next().await.is_some());
        let path = format!("/api-keys/{}", of("id"));
        call(&router, &key, "DELETE", &path, Value::Null).await;
        while listening.next().await.is_some() {}
    });
}
