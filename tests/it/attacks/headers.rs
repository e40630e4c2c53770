//! Repeated headers: a proxy and the service must not read different values.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::database;
use settlekit_tests::world::{World, request};

#[test]
fn repeated_credential_headers_are_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let other = world.shop("Other", None);
    let signed = world.sign(&shop, None, "POST", "/v1/payouts", &json!({}));
    for name in [
        header::API_KEY,
        header::NONCE,
        header::SIGNATURE,
        header::ORGANISATION,
        header::CSRF,
        header::STEP_UP,
        header::IDEMPOTENCY_KEY,
    ] {
        for second in ["x", &shop.key, &other.key] {
            let mut asked = signed.clone();
            if !asked.headers.iter().any(|(given, _)| given == name) {
                asked.headers.push((name.to_owned(), "x".to_owned()));
            }
            asked.headers.push((name.to_owned(), second.to_owned()));
            let answer = world.send(asked);
            assert_eq!(answer.refusal(), "400 REPEATED", "{name}");
            let message = answer.body["error"]["message"].as_str().expect("text");
            assert!(message.to_lowercase().contains(name), "{message}");
        }
    }
    let once = vec![(header::API_KEY.to_owned(), shop.key.clone())];
    let once = request("GET", "/v1/orgs", &Value::Null, once);
    assert_eq!(world.send(once).status, 200);
}

#[test]
fn repeated_session_cookies_are_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ada = world.sign_in(&shop, "ada@shop.example");
    let eve = world.sign_in(&shop, "eve@shop.example");
    let ask = |world: &mut World, cookies: Vec<String>| {
        let headers = cookies
            .into_iter()
            .map(|cookie| ("cookie".to_owned(), cookie));
        world.send(request(
            "GET",
            "/v1/sessions/current",
            &Value::Null,
            headers.collect(),
        ))
    };
    let joined = format!("{}; {}", ada.cookie, eve.cookie);
    for twice in [vec![joined], vec![ada.cookie.clone(), eve.cookie.clone()]] {
        assert_eq!(ask(&mut world, twice).refusal(), "400 REPEATED");
    }
    let beside = format!("theme=dark; {}; theme=light", ada.cookie);
    assert_eq!(ask(&mut world, vec![beside]).status, 200);
}
