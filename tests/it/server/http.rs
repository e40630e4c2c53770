//! HTTP details: limits, headers, pages, errors. In process, without a port.

use std::num::NonZeroU32;
use std::path::PathBuf;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use settlekit_core::header;
use settlekit_server::limit::Limits;
use settlekit_server::{Server, Setup, build, listen};
use settlekit_service::store::migrate;
use settlekit_service::store::sql::{Access, Database, StoreError};
use settlekit_service::store::sqlite::Sqlite;

use super::{
    Answer, Listening, METRICS_TOKEN, api, call, create_organisation, get, http_client, metrics,
    send, setup_on,
};

/// Runs a test against a server on an empty database.
fn check<F: Future<Output = ()>>(test: impl FnOnce(Router, PathBuf) -> F) {
    check_with(|setup| setup, test);
}

fn check_with<F: Future<Output = ()>>(
    change: impl FnOnce(Setup) -> Setup,
    test: impl FnOnce(Router, PathBuf) -> F,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server: Server = build(&change(setup_on(&file))).expect("a server");
        test(server.router(), file).await;
        server.close().await;
    });
}

#[test]
fn health_is_public_and_metrics_need_a_token() {
    check(|router, _| async move {
        let health = get(&router, "/healthz").await;
        assert_eq!(health.status, 200);
        assert!(health.text().contains("\"ok\""));
        let figures = metrics(&router).await;
        let line = "\nsettlekit_http_requests_total{status=\"2xx\"} 1\n";
        assert!(figures.text().contains(line), "{}", figures.text());
    });
}

#[test]
fn metrics_without_a_configured_token_are_not_found() {
    check(|router, _| async move {
        for given in [
            None,
            Some(""),
            Some("Bearer "),
            Some("Bearer a-token-for-the-metric"),
            Some(METRICS_TOKEN),
        ] {
            let mut request = Request::get("/metrics");
            if let Some(given) = given {
                request = request.header("authorization", given);
            }
            let answer = send(&router, request, Body::empty()).await;
            assert_eq!(answer.status, 404, "{given:?}");
            assert!(!answer.text().contains("settlekit_"), "{given:?}");
        }
    });
    let without = |setup| Setup {
        metrics_token: None,
        ..setup
    };
    check_with(without, |router, _| async move {
        assert_eq!(metrics(&router).await.status, 404);
    });
}

#[tokio::test]
async fn a_separate_metrics_address_serves_only_metrics() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = build(&setup_on(&folder.path().join("book.db"))).expect("a server");
    let beside = listen("127.0.0.1:0".parse().expect("an address"))
        .await
        .expect("a port");
    let own = format!("http://{}", beside.local_addr().expect("its address"));
    let listening = Listening::start(server.with_metrics_on(beside)).await;
    let client = http_client();
    let ask = async |url: String| {
        let answer = client.get(url).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("text"))
    };
    let (status, text) = ask(format!("{own}/metrics")).await;
    assert!(
        status == 200 && text.contains("settlekit_connections "),
        "{status} {text}"
    );
    assert_eq!(ask(format!("{own}/healthz")).await.0, 404);
    assert_eq!(ask(format!("{own}{}", api("/orgs"))).await.0, 404);
    assert_eq!(ask(format!("{}/metrics", listening.base)).await.0, 404);
    listening.end().await;
}

#[test]
fn every_response_has_security_headers_and_a_request_id() {
    check(|router, _| async move {
        let mut ids = Vec::new();
        for path in [
            "/",
            "/pay/pl_1",
            "/embed/pl_1",
            "/embed/preview",
            "/embed.js",
            "/missing.js",
            "/healthz",
            &api("/orgs"),
            &api("/nothing"),
            "/%ff",
        ] {
            let request = Request::get(path).header(header::REQUEST_ID, "mine");
            let answer = send(&router, request, Body::empty()).await;
            let text = |name: &str| answer.headers[name].to_str().expect("text");
            let policy = text("content-security-policy");
            assert!(
                policy.starts_with("default-src 'none';") && !policy.contains("unsafe-inline"),
                "{path}: {policy}"
            );
            assert_eq!(text("x-content-type-options"), "nosniff", "{path}");
            let hsts = answer.headers.get("strict-transport-security");
            assert_eq!(hsts, None, "{path}");
            ids.push(text(header::REQUEST_ID).to_owned());
        }
        let all = ids.len();
        assert!(ids.iter().all(|id| id.starts_with("req_")), "{ids:?}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all, "two requests with one id");
    });
}

#[test]
fn hsts_is_sent_for_https_urls() {
    check_with(
        |setup| Setup {
            public_url: "https://pay.example".to_owned(),
            ..setup
        },
        |router, _| async move {
            let answer = get(&router, "/").await;
            assert!(answer.headers.contains_key("strict-transport-security"));
        },
    );
}

#[test]
fn a_body_above_the_size_limit_is_refused() {
    check(|router, file| async move {
        let key = create_organisation(&setup_on(&file), "Shop").api_key;
        let (public, keyed) = (api("/sessions"), api("/paylinks"));
        for (path, limit) in [(public, 16 << 10), (keyed, 1 << 20)] {
            for (size, refusal) in [
                (limit, "400 BODY_MALFORMED"),
                (limit + 1, "413 BODY_TOO_LARGE"),
            ] {
                let request = Request::post(&path).header(header::API_KEY, &key);
                let answer = send(&router, request, vec![b' '; size]).await;
                assert_eq!(answer.refusal(), refusal, "{size} bytes");
            }
        }
    });
}

#[test]
fn errors_of_the_server_have_the_envelope() {
    check(|router, _| async move {
        let cases = [
            ("GET", "/orgs", "401 CREDENTIALS_MISSING"),
            ("GET", "/nothing", "404 PATH_UNKNOWN"),
            ("GET", "", "404 PATH_UNKNOWN"),
            ("GET", "/", "404 PATH_UNKNOWN"),
            ("POST", "/orgs/", "404 PATH_UNKNOWN"),
            ("BREW", "/orgs", "405 METHOD_NOT_ALLOWED"),
        ];
        for (method, path, refusal) in cases {
            let request = Request::builder().method(method).uri(api(path));
            let answer = send(&router, request, Body::empty()).await;
            assert_eq!(answer.refusal(), refusal, "{method} {path}");
            assert_eq!(answer.headers["content-type"], "application/json");
            assert_eq!(answer.headers["cache-control"], "no-store");
        }
        let request = Request::post(api("/sessions"));
        let garbage = send(&router, request, vec![0xff, 0xfe, 0x00]).await;
        assert_eq!(garbage.status, 400);
    });
}

#[test]
fn long_responses_are_compressed_if_accepted() {
    check(|router, _| async move {
        let plain = get(&router, "/openapi.json").await;
        assert!(!plain.headers.contains_key("content-encoding"));
        let request = Request::get("/openapi.json").header("accept-encoding", "gzip");
        let small = send(&router, request, Body::empty()).await;
        assert_eq!(small.headers["content-encoding"], "gzip");
        assert!(small.body.len() < plain.body.len() / 2);
    });
}

#[test]
fn a_locked_database_is_reported_as_unavailable() {
    check(|router, file| async move {
        let mut other = Sqlite::open(&file).expect("a connection");
        other.begin(Access::Write).expect("the lock");
        let body = r#"{"email":"someone@example.com","password":"whatever it is"}"#;
        let answer = send(&router, Request::post(api("/sessions")), body).await;
        assert_eq!(answer.refusal(), "503 UNAVAILABLE");
        assert!(answer.headers.contains_key(header::RETRY_AFTER));
        // Reads are not blocked.
        assert_eq!(get(&router, "/healthz").await.status, 200);
        other.rollback().expect("the lock, given back");
        let answer = send(&router, Request::post(api("/sessions")), body).await;
        assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED");
    });
}

#[test]
fn an_unusable_database_is_refused_at_startup() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let mut database = Sqlite::open(&file).expect("a database");
    migrate::migrate(&mut database).expect("the history");
    let known = migrate::HISTORY.len() as u32;
    let later = "INSERT INTO schema_version (version, name) VALUES (?1, 'later')";
    database
        .execute(later, &[(known + 1).into()])
        .expect("a later version");
    let error = build(&setup_on(&file)).expect_err("newer");
    let found = known + 1;
    assert_eq!(error, StoreError::Newer { found, known });

    let garbage = folder.path().join("garbage.db");
    let text = "not a database, whatever its name says. ".repeat(50);
    std::fs::write(&garbage, text).expect("a file");
    let built = build(&setup_on(&garbage));
    assert!(matches!(built, Err(StoreError::Damaged(_))));
    let built = build(&setup_on(&folder.path().join("no/folder.db")));
    assert!(matches!(built, Err(StoreError::Unreachable(_))));
}

#[tokio::test]
async fn a_port_in_use_is_reported_with_advice() {
    let first = listen("127.0.0.1:0".parse().expect("an address"))
        .await
        .expect("a port");
    let taken = first.local_addr().expect("its address");
    let error = listen(taken).await.expect_err("in use");
    assert!(
        error.contains(&taken.to_string()) && error.contains("--listen"),
        "{error}"
    );
}

#[tokio::test]
async fn shutdown_finishes_started_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let server = build(&setup_on(&file)).expect("a server");
    let listening = Listening::start(server).await;
    let base = listening.base.clone();

    let client = http_client();
    let url = format!("{base}{}", api("/sessions"));
    // Password hashes are slow: the answer is still pending when the server is told to stop.
    let asked = client
        .post(&url)
        .body(r#"{"email":"someone@example.com","password":"whatever it is"}"#)
        .send();
    let asked = tokio::spawn(asked);
    while !client
        .get(format!("{base}/metrics"))
        .bearer_auth(METRICS_TOKEN)
        .send()
        .await
        .expect("figures")
        .text()
        .await
        .expect("text")
        .contains("settlekit_http_requests_in_flight 2")
        && !asked.is_finished()
    {}
    // Pending requests are answered before the end.
    listening.end().await;
    let answer = asked.await.expect("no panic").expect("an answer");
    assert_eq!(answer.status(), 401);
    let late = client.get(format!("{base}/healthz")).send().await;
    assert!(late.is_err(), "still listening");
}

#[test]
fn rate_limits_apply_per_caller_with_retry_after() {
    let limits = Limits {
        key: NonZeroU32::new(3),
        address: NonZeroU32::new(2),
        behind_proxy: true,
    };
    check_with(
        |setup| Setup { limits, ..setup },
        |router, file| async move {
            let made = create_organisation(&setup_on(&file), "Shop");
            let header = |answer: &Answer, name: &str| {
                let value = answer.headers.get(name);
                value.map(|value| value.to_str().expect("text").to_owned())
            };
            let path = api("/orgs");
            let keyed = |key: &str| Request::get(&path).header(header::API_KEY, key);
            for left in ["2", "1", "0"] {
                let answer = send(&router, keyed(&made.api_key), Vec::new()).await;
                assert_eq!(answer.status, 200);
                let policy = header(&answer, "ratelimit-policy");
                assert_eq!(policy.as_deref(), Some("\"key\";q=3;w=60"));
                let limit = header(&answer, "ratelimit");
                assert_eq!(limit, Some(format!("\"key\";r={left}")));
                assert_eq!(header(&answer, "retry-after"), None);
            }
            let early = send(&router, keyed(&made.api_key), Vec::new()).await;
            assert_eq!(early.refusal(), "429 RATE_LIMITED");
            let wait = header(&early, "retry-after").expect("a wait");
            let wait: u64 = wait.parse().expect("seconds");
            // A third of a minute at most.
            assert!((1..=20).contains(&wait), "{wait}");
            // Another key, and a caller without any.
            let other = send(&router, keyed("sk_other"), Vec::new()).await;
            assert_eq!(other.status, 401);
            let public = |address: &str| {
                Request::get(api("/checkout/pl_nothing")).header("x-forwarded-for", address)
            };
            for status in [400, 400, 429] {
                // The proxy appends its entry after the caller's own.
                let answer = send(&router, public("9.9.9.9, 192.0.2.1"), Vec::new()).await;
                assert_eq!(answer.status, status);
            }
            let answer = send(&router, public("192.0.2.2"), Vec::new()).await;
            assert_eq!(answer.status, 400, "it is no id, and it is looked at");
            // An IPv6 subscriber has many addresses, and counts as one caller.
            for (address, status) in [
                ("2001:db8:0:1::1", 400),
                ("2001:db8:0:1:ffff::2", 400),
                ("2001:db8:0:1::3", 429),
                ("2001:db8:0:2::1", 400),
                ("::ffff:192.0.2.1", 429),
                ("::ffff:192.0.2.9", 400),
            ] {
                let answer = send(&router, public(address), Vec::new()).await;
                assert_eq!(answer.status, status, "{address}");
            }
            // Only the API has a limit.
            for _ in 0..5 {
                assert_eq!(get(&router, "/healthz").await.status, 200);
            }
        },
    );
}

#[test]
fn wrong_keys_are_limited_by_address_without_affecting_valid_keys() {
    let limits = Limits {
        key: NonZeroU32::new(100),
        address: NonZeroU32::new(3),
        behind_proxy: true,
    };
    check_with(
        |setup| Setup { limits, ..setup },
        |router, file| async move {
            let known = create_organisation(&setup_on(&file), "Shop").api_key;
            let new = create_organisation(&setup_on(&file), "Another").api_key;
            let path = api("/orgs");
            let ask = |key: &str, address: &str| {
                let request = Request::get(&path)
                    .header(header::API_KEY, key)
                    .header("x-forwarded-for", address);
                send(&router, request, Vec::new())
            };
            let (crowded, quiet) = ("192.0.2.1", "192.0.2.2");
            assert_eq!(ask(&known, crowded).await.status, 200);
            for guess in 0..4 {
                let answer = ask(&format!("sk_{guess}"), crowded).await;
                assert_eq!(answer.status, 401, "guess {guess}");
            }
            let early = ask("sk_another", crowded).await;
            assert_eq!(early.refusal(), "429 RATE_LIMITED");
            assert!(early.headers.contains_key("retry-after"));
            // A valid key that was not used before is as unknown as a guess.
            assert_eq!(ask(&new, crowded).await.status, 429);
            assert_eq!(ask(&known, crowded).await.status, 200);
            assert_eq!(ask(&new, quiet).await.status, 200, "from elsewhere");
            assert_eq!(ask("sk_another", quiet).await.status, 401);
            // A key on an operation without authentication does not bypass the address limit.
            for (number, status) in [400, 400, 400, 429].into_iter().enumerate() {
                let request = Request::get(api("/checkout/pl_nothing"))
                    .header(header::API_KEY, format!("sk_{number}"))
                    .header("x-forwarded-for", "192.0.2.3");
                let answer = send(&router, request, Vec::new()).await;
                assert_eq!(answer.status, status);
            }
        },
    );
}

#[test]
fn checkout_limits_use_the_callers_network() {
    let limits = Limits {
        key: None,
        address: None,
        behind_proxy: true,
    };
    check_with(
        |setup| Setup { limits, ..setup },
        |router, file| async move {
            let key = create_organisation(&setup_on(&file), "Prints").api_key;
            let account =
                json!({ "currencies": ["USDC"], "chain_id": 8453, "type": "CryptoPayIn" });
            call(&router, &key, "POST", "/accounts", account).await;
            let link = json!({ "amount": "5", "currency": "USDC", "name": "Print", "available_quantity": 9 });
            let link = call(&router, &key, "POST", "/paylinks", link).await;
            let path = api(&format!(
                "/checkout/{}/payments",
                link["id"].as_str().expect("an id")
            ));
            let start = |forwarded: &'static str| {
                let request = Request::post(&path).header("x-forwarded-for", forwarded);
                let body = json!({ "chain_id": 8453, "currency": "USDC" });
                send(&router, request, body.to_string())
            };
            for (forwarded, status) in [
                ("2001:db8::1", 201),
                ("2001:db8::2", 201),
                // The caller's own entry is ignored.
                ("192.0.2.7, 2001:db8::3", 201),
                ("192.0.2.8, 2001:db8::4", 429),
                ("192.0.2.8", 201),
            ] {
                assert_eq!(start(forwarded).await.status, status, "{forwarded}");
            }
        },
    );
}

#[test]
fn a_session_has_one_rate_limit_whatever_key_is_sent() {
    let limits = Limits {
        key: NonZeroU32::new(3),
        address: None,
        behind_proxy: false,
    };
    check_with(
        |setup| Setup { limits, ..setup },
        |router, _| async move {
            let ask = |path: &str, key: &[u8]| {
                let key = axum::http::HeaderValue::from_bytes(key).expect("a header value");
                let request = Request::get(api(path))
                    .header(header::API_KEY, key)
                    .header("cookie", format!("{}=ses_none", header::SESSION_COOKIE));
                send(&router, request, Vec::new())
            };
            for (number, status) in [401, 401, 401, 429].into_iter().enumerate() {
                let key = format!("sk_{number}");
                let answer = ask("/sessions/current", key.as_bytes()).await;
                assert_eq!(answer.status, status);
            }
            // A key that is not text is invalid; the session is not tried.
            let unreadable = ask("/orgs", b"sk_\xff").await;
            assert_eq!(unreadable.refusal(), "401 KEY_INVALID");
        },
    );
}

#[test]
fn a_fault_for_one_call_affects_only_one_call() {
    check(|router, file| async move {
        let key = create_organisation(&setup_on(&file), "Shop").api_key;
        let path = api("/orgs");
        for round in 0..20 {
            let fault = serde_json::json!({ "reason": "UNAVAILABLE" });
            call(&router, &key, "POST", "/sandbox/faults", fault).await;
            for status in [503, 200] {
                let request = Request::get(&path).header(header::API_KEY, &key);
                let answer = send(&router, request, Body::empty()).await;
                assert_eq!(answer.status, status, "round {round}");
            }
        }
    });
}

#[test]
fn visits_of_a_link_are_written_together_and_at_the_latest_when_the_server_stops() {
    const VISITS: &str = "SELECT visits FROM paylink_days WHERE paylink_id <> ''";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let setup = setup_on(&file);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server: Server = build(&setup).expect("a server");
        let router = server.router();
        let key = create_organisation(&setup, "Shop").api_key;
        let till = json!({ "currencies": ["USDC"], "reference": "till", "chain_id": 8453, "type": "CryptoPayIn", "name": "Till" });
        call(&router, &key, "POST", "/accounts", till).await;
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = call(&router, &key, "POST", "/paylinks", link).await;
        let page = api(&format!("/checkout/{}", link["id"].as_str().expect("an id")));
        for _ in 0..5 {
            assert_eq!(get(&router, &page).await.status, 200);
        }
        server.close().await;
    });
    let mut database = Sqlite::open(&file).expect("a file");
    let rows = database.query(VISITS, &[]).expect("rows");
    let visits: Vec<i64> = rows
        .iter()
        .map(|row| row.int(0).expect("a count"))
        .collect();
    assert_eq!(visits, [5]);
}
