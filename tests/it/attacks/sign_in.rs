//! Login CSRF, and sign-in with a password that has been changed.

use serde_json::{Value, json};
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::operation::Auth;
use settlekit_core::{PREFIX, header};
use settlekit_service::step::WireRequest;
use settlekit_service::{Access, Seed};
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World, request, text};

const EMAIL: &str = "ada@shop.example";

const JSON: (&str, &str) = ("content-type", "application/json");

fn post(path: &str, body: &Value, headers: &[(&str, &str)]) -> WireRequest {
    let headers = headers.iter();
    let headers = headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    request("POST", path, body, headers.collect())
}

fn sign_in(headers: &[(&str, &str)]) -> WireRequest {
    post(
        "/v1/sessions",
        &json!({ "email": EMAIL, "password": PASSWORD }),
        headers,
    )
}

/// A world with one user.
fn world_at(public_url: &str) -> World {
    let mut world = World::reached_at(database::sqlite(), public_url);
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, EMAIL);
    world
}

#[test]
fn cross_site_sign_in_is_refused() {
    let mut world = world_at("https://pay.example");
    let mut check = |mut headers: Vec<(&str, &str)>, expected: &str| {
        headers.push(("host", "pay.example"));
        let answer = world.send(sign_in(&headers));
        assert_eq!(answer.refusal(), expected, "{headers:?}");
        assert_eq!(answer.header("set-cookie"), None, "{headers:?}");
    };
    for foreign in [
        ("origin", "https://evil.example"),
        ("origin", "http://pay.example.evil.example"),
        ("origin", "https://shop.pay.example"),
        ("origin", "null"),
        ("origin", ""),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
    ] {
        check(vec![JSON, foreign], "403 ORIGIN_FOREIGN");
    }
    for untyped in [
        // Requests that a form or a beacon can send without preflight.
        ("content-type", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-type", "multipart/form-data"),
        ("content-type", "text/plain; application/json"),
        // A browser's body without a type.
        ("origin", "https://pay.example"),
        ("sec-fetch-site", "same-origin"),
    ] {
        check(vec![untyped], "415 CONTENT_TYPE_NOT_JSON");
    }
}

#[test]
fn cross_site_public_writes_are_refused() {
    let mut world = world_at("https://pay.example");
    let mut tried = 0;
    for operation in CATALOGUE {
        if operation.auth != Auth::Public || operation.method == http::Method::GET {
            continue;
        }
        let target = format!("{PREFIX}{}", operation.path.replace(['{', '}'], "x"));
        for foreign in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
        ] {
            let headers = [JSON, foreign, ("host", "pay.example")];
            let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let asked = request(
                operation.method.as_str(),
                &target,
                &json!({}),
                headers.to_vec(),
            );
            let refused = world.send(asked).refusal();
            assert_eq!(
                refused, "403 ORIGIN_FOREIGN",
                "{} {foreign:?}",
                operation.id
            );
            tried += 1;
        }
    }
    assert!(tried >= 2 * 4, "{tried}");
}

#[test]
fn same_site_pages_and_programs_sign_in() {
    let mut world = world_at("https://pay.example");
    for headers in [
        vec![],
        vec![JSON],
        vec![
            JSON,
            ("origin", "https://pay.example"),
            ("sec-fetch-site", "same-origin"),
        ],
        // Behind a proxy that rewrites the host, and on a developer's machine by another name.
        vec![
            JSON,
            ("origin", "https://pay.example"),
            ("host", "10.0.0.7:8080"),
        ],
        vec![
            JSON,
            ("origin", "http://localhost:8080"),
            ("host", "localhost:8080"),
        ],
        vec![("content-type", "application/json; charset=utf-8")],
    ] {
        let answer = world.send(sign_in(&headers));
        assert_eq!(answer.status, 201, "{headers:?}: {}", answer.body);
    }
}

#[test]
fn cross_site_session_requests_are_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ada = world.sign_in(&shop, EMAIL);
    let with = |method: &str, more: &[(&str, &str)]| {
        let mut headers = ada.headers();
        let more = more.iter();
        headers.extend(more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let body = if method == "GET" {
            Value::Null
        } else {
            json!({ "name": "till" })
        };
        request(
            method,
            if method == "GET" {
                "/v1/accounts"
            } else {
                "/v1/api-keys"
            },
            &body,
            headers,
        )
    };
    for method in ["GET", "POST"] {
        for foreign in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "same-site"),
        ] {
            let answer = world.send(with(method, &[JSON, foreign]));
            assert_eq!(
                answer.refusal(),
                "403 ORIGIN_FOREIGN",
                "{method} {foreign:?}"
            );
        }
    }
    let typed = world.send(with("GET", &[("sec-fetch-site", "none")]));
    assert_eq!(
        typed.status, 200,
        "an address that is typed: {}",
        typed.body
    );
    // Requests with an API key come from programs, on any host.
    let headers = [
        (header::API_KEY, shop.key.as_str()),
        ("content-type", "text/plain"),
    ];
    let answer = world.send(post("/v1/plan", &json!({}), &headers));
    assert_ne!(answer.status, 415, "{}", answer.body);
}

#[test]
fn over_tls_the_session_cookie_has_the_host_prefix() {
    for (public_url, name, secure) in [
        ("https://pay.example", header::SESSION_COOKIE_TLS, true),
        ("http://127.0.0.1:8080", header::SESSION_COOKIE, false),
    ] {
        let mut world = world_at(public_url);
        let answer = world.send(sign_in(&[JSON]));
        let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
        let (pair, attributes) = cookie.split_once(';').expect("attributes");
        let (given, token) = pair.split_once('=').expect("a value");
        assert_eq!(given, name);
        assert!(attributes.contains("Path=/;"), "{cookie}");
        assert!(!attributes.contains("Domain"), "{cookie}");
        assert_eq!(attributes.contains("Secure"), secure, "{cookie}");
        for (name, status) in [
            (header::SESSION_COOKIE_TLS, if secure { 200 } else { 401 }),
            (header::SESSION_COOKIE, if secure { 401 } else { 200 }),
        ] {
            let headers = vec![("cookie".to_owned(), format!("{name}={token}"))];
            let answer = world.send(request(
                "GET",
                "/v1/sessions/current",
                &Value::Null,
                headers,
            ));
            assert_eq!(
                answer.status, status,
                "{public_url} {name}: {}",
                answer.body
            );
        }
    }
}

#[test]
fn a_password_changed_during_its_check_signs_nobody_in() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let ada = world.sign_in(&shop, EMAIL);
        let asked = |path: &str, body: Value, headers: Vec<(String, String)>| {
            let mut request = http::Request::builder().method("POST").uri(path);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            request
                .body(body.to_string().into_bytes())
                .expect("a request")
        };
        let requests = [
            asked(
                "/v1/sessions",
                json!({ "email": EMAIL, "password": PASSWORD }),
                vec![],
            ),
            asked(
                "/v1/sessions/step-up",
                json!({ "password": PASSWORD }),
                ada.headers(),
            ),
        ];
        let now = world.now;
        let (service, database) = world.parts();
        let prepared = requests.each_ref().map(|request| {
            let decoded = service
                .route(request.method(), request.uri().path())
                .decode(request);
            let task = service.find_password(database, request, &decoded, now);
            (decoded, task.expect("a database").run(Seed([1; 32])))
        });
        // By the session itself, which continues.
        let proof = world.session(
            &ada,
            "POST",
            "/v1/sessions/step-up",
            json!({ "password": PASSWORD }),
        );
        let mut headers = ada.headers();
        let token = text(proof.data(), "token");
        headers.push((header::STEP_UP.to_owned(), token.to_owned()));
        let body = json!({ "new_password": "another long password" });
        let changed = world.send(request("PUT", "/v1/sessions/password", &body, headers));
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        for (request, (decoded, prepared)) in requests.iter().zip(prepared) {
            let (service, database) = world.parts();
            database.begin(Access::Write).expect("a transaction");
            let seed = Seed([2; 32]);
            let answer = service.answer_in(database, request, &decoded, prepared, now, seed);
            let answer = answer.expect("an answer").response;
            database.commit().expect("a commit");
            assert_eq!(answer.status(), 401, "{kind}: {}", request.uri());
        }
    });
}
