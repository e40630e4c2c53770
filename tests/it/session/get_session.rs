//! `GET /sessions/current`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World, request, text};

use crate::member::{OWNER, session_of, shop};

const PATH: &str = "/v1/sessions/current";

#[test]
fn a_session_is_read_in_every_role() {
    World::each(|kind, mut world| {
        let (shop, _) = shop(&mut world);
        let vera = "vera@shop.example";
        world.sign_in_as(&shop, vera, Some(Role::Viewer));
        for email in [OWNER, vera] {
            let body = json!({ "email": email, "password": PASSWORD });
            let begun = world.public("POST", "/v1/sessions", body);
            let read = world.session(&session_of(&begun), "GET", PATH, Value::Null);
            assert_eq!(*read.data(), *begun.data(), "{kind}: {email}");
        }
    });
}

#[test]
fn a_session_shows_the_current_name_of_the_organisation() {
    World::each(|kind, mut world| {
        let (shop, owner) = shop(&mut world);
        world.keyed(&shop, "PUT", "/v1/orgs", json!({ "name": "Tea & Co" }));
        let read = world.session(&owner, "GET", PATH, Value::Null);
        assert_eq!(text(read.data(), "org_name"), "Tea & Co", "{kind}");
    });
}

#[test]
fn session_and_overview_tell_the_time_of_the_service() {
    World::each(|kind, mut world| {
        let (shop, owner) = shop(&mut world);
        let hour = Duration::from_secs(3600);
        world.advance(&shop, hour);
        world.pass(Duration::from_secs(5));
        let expected = world.now.plus(hour).to_string();
        for path in [PATH, "/v1/overview"] {
            let read = world.session(&owner, "GET", path, Value::Null);
            assert_eq!(text(read.data(), "now"), expected, "{kind}: {path}");
        }
        let begun = world.sign_in_again(OWNER);
        let read = world.session(&begun, "GET", PATH, Value::Null);
        assert_eq!(text(read.data(), "now"), expected, "{kind}");
    });
}

#[test]
fn api_keys_and_unknown_cookies_have_no_session() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let keyed = world.keyed(&shop, "GET", PATH, Value::Null);
    assert_eq!(keyed.refusal(), "401 SESSION_INVALID");
    let cookie = vec![("cookie".to_owned(), format!("{}x", owner.cookie))];
    let unknown = world.send(request("GET", PATH, &Value::Null, cookie));
    assert_eq!(unknown.refusal(), "401 SESSION_INVALID");
}
