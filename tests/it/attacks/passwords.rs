//! Password guessing: from one or many addresses, on one account, on several servers.

use std::time::Duration;

use axum::http::Request;
use serde_json::json;
use settlekit_core::header;
use settlekit_server::{Setup, build};
use settlekit_service::admin::{CreatedOrganisation, NewPerson};
use settlekit_service::store::migrate;
use settlekit_service::{Options, Seed, Service};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, PASSWORD, World, request};
use tempfile::TempDir;

use crate::server::{create_organisation, open, send, setup_on};

const ADA: &str = "ada@shop.example";

/// Tries a password, with a device cookie if given.
fn attempt(world: &mut World, email: &str, password: &str, device: Option<&str>) -> Answer {
    let headers = device.map(|cookie| ("cookie".to_owned(), cookie.to_owned()));
    let body = json!({ "email": email, "password": password });
    world.send(request(
        "POST",
        "/v1/sessions",
        &body,
        headers.into_iter().collect(),
    ))
}

/// The device cookie of an answer.
fn device(answer: &Answer) -> String {
    let cookies = answer
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie");
    let device = cookies
        .map(|(_, cookie)| cookie)
        .find(|cookie| cookie.starts_with(header::DEVICE_COOKIE))
        .expect("a device's cookie");
    assert!(
        device.contains("; Path=/v1/sessions; HttpOnly; SameSite=Strict; Max-Age=31536000"),
        "{device}"
    );
    device.split(';').next().expect("a pair").to_owned()
}

/// Fails until backoff; returns the count of attempts and the last answer.
fn exhaust(world: &mut World, email: &str, from: Option<&str>) -> (u32, Answer) {
    for tried in 0..20 {
        let answer = attempt(world, email, &format!("guess number {tried}"), from);
        if answer.status == 429 {
            return (tried, answer);
        }
        assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED");
    }
    panic!("nobody is slowed down")
}

#[test]
fn failed_sign_ins_back_off_exponentially() {
    World::each(|_, mut world| {
        let shop = world.shop("Shop", None);
        world.sign_in(&shop, ADA);
        let (tried, early) = exhaust(&mut world, ADA, None);
        assert_eq!(tried, 5);
        assert_eq!(early.refusal(), "429 RATE_LIMITED");
        assert_eq!(early.header("retry-after"), Some("15"));
        assert_eq!(
            early.body["error"]["message"],
            "too many failed attempts: try again in 15 seconds"
        );
        // The right password is refused as well: an answer would reveal it.
        assert_eq!(attempt(&mut world, ADA, PASSWORD, None).status, 429);
        for seconds in [30, 60, 120, 240, 480, 900, 900] {
            let waited = attempt(&mut world, ADA, "guess", None);
            let wait: u64 = waited
                .header("retry-after")
                .expect("a wait")
                .parse()
                .expect("seconds");
            world.pass(Duration::from_secs(wait));
            let failed = attempt(&mut world, ADA, "guess", None);
            assert_eq!(failed.refusal(), "401 SIGN_IN_FAILED");
            let next = attempt(&mut world, ADA, "guess", None);
            assert_eq!(
                next.header("retry-after"),
                Some(seconds.to_string().as_str())
            );
        }
        // After the backoff the right one is accepted and the count is reset.
        world.pass(Duration::from_secs(900));
        assert_eq!(attempt(&mut world, ADA, PASSWORD, None).status, 201);
        assert_eq!(exhaust(&mut world, ADA, None).0, 5);
        // The count expires after a day without attempts.
        world.pass_and_work(Duration::from_secs(24 * 60 * 60 + 1));
        assert_eq!(exhaust(&mut world, ADA, None).0, 5);
    });
}

#[test]
fn a_known_device_is_not_locked_out_by_strangers() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, ADA);
    let own = device(&attempt(&mut world, ADA, PASSWORD, None));
    exhaust(&mut world, ADA, None);
    // Nor by forged device cookies: another account's, or one with a changed byte.
    world.sign_in(&shop, "eve@shop.example");
    let eves = device(&attempt(&mut world, "eve@shop.example", PASSWORD, None));
    let mut changed = own.clone();
    let last = if changed.ends_with('0') { "1" } else { "0" };
    changed.replace_range(changed.len() - 1.., last);
    let made_up = format!("{}={}", header::DEVICE_COOKIE, "00".repeat(48));
    for device in [&eves, &changed, &made_up, "settlekit_device="] {
        assert_eq!(
            attempt(&mut world, ADA, PASSWORD, Some(device)).status,
            429,
            "{device}"
        );
    }
    let signed_in = attempt(&mut world, ADA, PASSWORD, Some(&own));
    assert_eq!(signed_in.status, 201, "{}", signed_in.body);
    // A stolen device cookie gives no more guesses, and blocks that device only.
    let newer = device(&signed_in);
    assert_eq!(exhaust(&mut world, ADA, Some(&own)).0, 5);
    assert_eq!(attempt(&mut world, ADA, PASSWORD, Some(&newer)).status, 201);
    // A device is known for a year.
    world.pass(Duration::from_secs(366 * 24 * 60 * 60));
    exhaust(&mut world, ADA, None);
    assert_eq!(attempt(&mut world, ADA, PASSWORD, Some(&newer)).status, 429);
}

#[test]
fn unknown_and_known_accounts_answer_alike() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, ADA);
    let mut answers = Vec::new();
    for email in [ADA, "nobody@shop.example"] {
        let first = attempt(&mut world, email, "guess", None);
        let (tried, early) = exhaust(&mut world, &email.to_uppercase(), None);
        answers.push((first.body, first.headers, tried, early.body, early.headers));
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn step_up_guesses_back_off_per_account() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ada = world.sign_in(&shop, ADA);
    let step_up = |world: &mut World, password: &str, device: Option<&str>| {
        let mut headers = ada.headers();
        if let Some(device) = device {
            headers.push(("cookie".to_owned(), device.to_owned()));
        }
        let body = json!({ "password": password });
        world.send(request("POST", "/v1/sessions/step-up", &body, headers))
    };
    for _ in 0..5 {
        let wrong = step_up(&mut world, "guess", None);
        assert_eq!(wrong.refusal(), "401 SIGN_IN_FAILED password");
    }
    let early = step_up(&mut world, PASSWORD, None);
    assert_eq!(early.refusal(), "429 RATE_LIMITED");
    assert_eq!(early.header("retry-after"), Some("15"));
    assert_eq!(
        attempt(&mut world, ADA, PASSWORD, None).status,
        429,
        "one account, one count"
    );
    world.pass(Duration::from_secs(15));
    let own = device(&attempt(&mut world, ADA, PASSWORD, None));
    exhaust(&mut world, ADA, None);
    assert_eq!(step_up(&mut world, PASSWORD, Some(&own)).status, 201);
    // A refusal during backoff is not stored under the idempotency key: the same request succeeds later.
    let mut headers = ada.headers();
    headers.push((header::IDEMPOTENCY_KEY.to_owned(), "step-up-1".to_owned()));
    let again = request(
        "POST",
        "/v1/sessions/step-up",
        &json!({ "password": PASSWORD }),
        headers,
    );
    assert_eq!(world.send(again.clone()).status, 429);
    world.pass(Duration::from_secs(15));
    assert_eq!(world.send(again).status, 201);
}

#[test]
fn a_password_that_the_operator_sets_can_be_used_at_once() {
    const ANOTHER: &str = "another horse, another battery";
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, ADA);
    exhaust(&mut world, ADA, None);
    let now = world.now;
    let (service, database) = world.parts();
    let set = service.set_password(database, ADA, ANOTHER, now, Seed([5; 32]));
    assert!(set.expect("a database").is_some());
    assert_eq!(attempt(&mut world, ADA, ANOTHER, None).status, 201);
}

#[test]
fn concurrent_guesses_are_limited() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, ADA);
    // Twenty concurrent guesses on two servers pass the check before any has failed; the right one is among the last.
    let guesses = (0..20).map(|guess| {
        if guess == 15 {
            PASSWORD.to_owned()
        } else {
            format!("guess {guess}")
        }
    });
    let guesses: Vec<String> = guesses.collect();
    let now = world.now;
    let (service, database) = world.parts();
    let asked = guesses.iter().map(|password| {
        let body = json!({ "email": ADA, "password": password }).to_string();
        http::Request::post("/v1/sessions")
            .body(body.into_bytes())
            .expect("a request")
    });
    let prepared: Vec<_> = asked
        .map(|request| {
            let route = service.route(request.method(), request.uri().path());
            let decoded = route.decode(&request);
            let task = service
                .find_password(database, &request, &decoded, now)
                .expect("a database");
            assert!(task.is_slow() && !task.is_known_device());
            (request, decoded, task.run(settlekit_service::Seed([1; 32])))
        })
        .collect();
    let mut answers = Vec::new();
    for (request, decoded, prepared) in prepared {
        database
            .begin(settlekit_service::Access::Write)
            .expect("a transaction");
        let seed = settlekit_service::Seed([2; 32]);
        let answer = service.answer_in(database, &request, &decoded, prepared, now, seed);
        answers.push(answer.expect("an answer").response.status().as_u16());
        database.commit().expect("a commit");
    }
    assert_eq!(answers[..5], [401; 5]);
    assert!(
        answers[5..].iter().all(|status| *status == 429),
        "{answers:?}"
    );
}

/// A database in a folder, with an organisation owned by Ada.
fn shop_of_ada(folder: &TempDir) -> (Setup, CreatedOrganisation) {
    let setup = setup_on(&folder.path().join("book.db"));
    let shop = create_organisation(&setup, "Shop");
    let mut database = open(&setup.database);
    migrate::migrate(database.as_mut()).expect("the history");
    let service = Service::new(Options {
        master_key: setup.master_key.0,
        mode: settlekit_service::Mode::Sandbox,
        allow_private_webhooks: true,
        public_url: setup.public_url.clone(),
    });
    let ada = NewPerson {
        email: ADA.to_owned(),
        name: "Ada".to_owned(),
        password: PASSWORD.to_owned(),
        role: settlekit_core::member::Role::Owner,
        installation_operator: false,
    };
    let now = "2026-03-02T09:00:00Z".parse().expect("a time");
    let added = service.create_person(database.as_mut(), shop.id, &ada, now, Seed([3; 32]));
    added.expect("a person");
    (setup, shop)
}

#[test]
fn guesses_at_many_accounts_delay_neither_readers_nor_known_devices() {
    let folder = tempfile::tempdir().expect("a folder");
    let (setup, shop) = shop_of_ada(&folder);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = build(&setup).expect("a server");
        let router = server.router();
        let sign_in = |email: String, password: &str, device: Option<&str>| {
            let mut asked = Request::post("/v1/sessions");
            if let Some(device) = device {
                asked = asked.header("cookie", device);
            }
            let body = json!({ "email": email, "password": password }).to_string();
            let router = router.clone();
            async move { send(&router, asked, body).await }
        };
        let first = sign_in(ADA.to_owned(), PASSWORD, None).await;
        assert_eq!(first.status, 201, "{}", first.text());
        let cookies = first.headers.get_all("set-cookie").iter();
        let own = cookies
            .filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
            .find(|cookie| cookie.starts_with(header::DEVICE_COOKIE))
            .expect("a device's cookie")
            .to_owned();
        let guesses = (0..300).map(|number| {
            tokio::spawn(sign_in(format!("user{number}@shop.example"), "guess", None))
        });
        let guesses: Vec<_> = guesses.collect();
        // Known devices do not wait behind others, and reads wait for no password.
        let again = sign_in(ADA.to_owned(), PASSWORD, Some(&own)).await;
        assert_eq!(again.status, 201, "{}", again.text());
        let read = Request::get("/v1/orgs").header(header::API_KEY, &shop.api_key);
        assert_eq!(send(&router, read, String::new()).await.status, 200);
        let mut refused = 0;
        for guess in guesses {
            let answer = guess.await.expect("no panic");
            match answer.status {
                401 => assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED"),
                503 => {
                    assert!(answer.headers.contains_key("retry-after"));
                    refused += 1;
                }
                status => panic!("{status}: {}", answer.text()),
            }
        }
        assert!(refused > 0, "the queue has an end");
        server.close().await;
    });
}

#[test]
fn passwords_are_hashed_for_admitted_callers_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (setup, _) = shop_of_ada(&folder);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = build(&setup).expect("a server");
        let router = server.router();
        let body = json!({ "email": ADA, "password": PASSWORD }).to_string();
        let signed_in = send(&router, Request::post("/v1/sessions"), body).await;
        assert_eq!(signed_in.status, 201, "{}", signed_in.text());
        let session = signed_in.headers.get_all("set-cookie").iter();
        let session = session
            .filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
            .find(|cookie| cookie.starts_with(header::SESSION_COOKIE))
            .expect("a session's cookie")
            .to_owned();
        // The session is valid and known to the server; only the CSRF token is missing.
        let current = Request::get("/v1/sessions/current").header("cookie", &session);
        assert_eq!(send(&router, current, String::new()).await.status, 200);
        // More at once than the password queue holds: a queued one would get 503.
        let forged = (0..300).map(|_| {
            let asked = Request::post("/v1/sessions/step-up").header("cookie", &session);
            let body = json!({ "password": PASSWORD }).to_string();
            let router = router.clone();
            tokio::spawn(async move { send(&router, asked, body).await })
        });
        for forged in forged.collect::<Vec<_>>() {
            let answer = forged.await.expect("no panic");
            assert_eq!(answer.refusal(), "401 CSRF_INVALID");
        }
        server.close().await;
    });
}

#[test]
fn a_device_cookie_in_other_spelling_is_the_same_device() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    world.sign_in(&shop, ADA);
    let cookie = device(&attempt(&mut world, ADA, PASSWORD, None));
    let (name, text) = cookie.split_once('=').expect("a pair");
    let shouted = format!("{name}={}", text.to_uppercase());
    assert_ne!(shouted, cookie);
    // Its guesses count in the shared bucket, those of the device in its own.
    exhaust(&mut world, ADA, Some(&shouted));
    assert_eq!(attempt(&mut world, ADA, PASSWORD, None).status, 429);
    assert_eq!(
        attempt(&mut world, ADA, PASSWORD, Some(&cookie)).status,
        201
    );
}
