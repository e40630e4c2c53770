//! `POST /sessions`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::member::Role;
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World, text};

use crate::member::{OWNER, session_of, shop};

const SESSION: Duration = Duration::from_secs(12 * 60 * 60);

#[test]
fn a_person_signs_in_to_a_session_of_twelve_hours() {
    World::each(|kind, mut world| {
        let (shop, _) = shop(&mut world);
        // Capital letters make no other address.
        let body = json!({ "email": OWNER.to_uppercase(), "password": PASSWORD });
        let begun = world.public("POST", "/v1/sessions", body);
        assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        let session = begun.data();
        let expires_at = world.now.plus(SESSION).to_string();
        for (field, value) in [
            ("org_id", json!(shop.id)),
            ("org_name", json!("Shop")),
            ("expires_at", json!(expires_at)),
            ("sandbox", json!(true)),
        ] {
            assert_eq!(session[field], value, "{kind}: {field}");
        }
        assert_eq!(session["user"]["email"], OWNER, "{kind}");
        assert_eq!(session["user"]["role"], json!(Role::Owner), "{kind}");
        let cookie = begun.header("set-cookie").expect("a cookie");
        let attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
        for attribute in ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"] {
            assert!(attributes.contains(&attribute), "{kind}: {cookie}");
        }
        let ada = session_of(&begun);
        let read = |world: &mut World| world.session(&ada, "GET", "/v1/orgs", Value::Null);
        world.pass(SESSION - Duration::from_secs(1));
        assert_eq!(read(&mut world).status, 200, "{kind}");
        world.pass(Duration::from_secs(1));
        assert_eq!(read(&mut world).refusal(), "401 SESSION_INVALID", "{kind}");
    });
}

#[test]
fn wrong_passwords_and_unknown_addresses_are_refused_alike() {
    World::each(|kind, mut world| {
        shop(&mut world);
        let answers = [
            (OWNER, "not the password"),
            ("nobody@shop.example", PASSWORD),
        ]
        .map(|(email, password)| {
            let body = json!({ "email": email, "password": password });
            let answer = world.public("POST", "/v1/sessions", body);
            assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED", "{kind}: {email}");
            assert_eq!(answer.header("set-cookie"), None, "{kind}: {email}");
            answer.body["error"]["message"].clone()
        });
        assert_eq!(answers[0], answers[1], "{kind}");
    });
}

#[test]
fn form_errors_name_their_fields() {
    let mut world = World::new(database::sqlite());
    for (body, refusal) in [
        (json!({}), "422 REQUIRED email, REQUIRED password"),
        (
            json!({ "email": "ada", "password": "" }),
            "422 EMAIL_MALFORMED email, EMPTY password",
        ),
        (
            json!({ "email": OWNER, "password": "p".repeat(1025) }),
            "422 TOO_LONG password",
        ),
    ] {
        let refused = world.public("POST", "/v1/sessions", body);
        assert_eq!(refused.refusal(), refusal);
    }
}

#[test]
fn two_sessions_of_one_person_have_separate_tokens() {
    World::each(|kind, mut world| {
        let (_, first) = shop(&mut world);
        let second = world.sign_in_again(OWNER);
        assert_ne!(first.cookie, second.cookie, "{kind}");
        assert_ne!(first.csrf, second.csrf, "{kind}");
        // The forgery token of one does not serve the other.
        let headers = vec![
            ("cookie".to_owned(), first.cookie.clone()),
            (header::CSRF.to_owned(), second.csrf.clone()),
        ];
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        let request = settlekit_tests::world::request("POST", "/v1/plan", &plan, headers);
        assert_eq!(world.send(request).refusal(), "401 CSRF_INVALID", "{kind}");
        let made = world.session(&first, "POST", "/v1/plan", plan);
        assert_eq!(text(made.data(), "source"), "Dashboard", "{kind}");
    });
}
