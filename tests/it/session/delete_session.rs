//! `DELETE /sessions/current`.

use serde_json::Value;
use settlekit_tests::world::{World, request};

use crate::member::{OWNER, shop};

const PATH: &str = "/v1/sessions/current";

#[test]
fn signing_out_ends_only_this_session() {
    World::each(|kind, mut world| {
        let (_, here) = shop(&mut world);
        let elsewhere = world.sign_in_again(OWNER);
        let ended = world.session(&here, "DELETE", PATH, Value::Null);
        assert_eq!(ended.status, 200, "{kind}: {}", ended.body);
        let cookie = ended.header("set-cookie").expect("a cookie");
        let (name, _) = here.cookie.split_once('=').expect("a name");
        assert!(cookie.starts_with(&format!("{name}=;")), "{kind}: {cookie}");
        assert!(cookie.contains("Max-Age=0"), "{kind}: {cookie}");
        for method in ["GET", "DELETE"] {
            let gone = world.session(&here, method, PATH, Value::Null);
            assert_eq!(gone.refusal(), "401 SESSION_INVALID", "{kind}: {method}");
        }
        let stays = world.session(&elsewhere, "GET", PATH, Value::Null);
        assert_eq!(stays.status, 200, "{kind}: {}", stays.body);
    });
}

#[test]
fn signing_out_needs_the_csrf_token() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let cookie = vec![("cookie".to_owned(), owner.cookie.clone())];
        let forged = world.send(request("DELETE", PATH, &Value::Null, cookie));
        assert_eq!(forged.refusal(), "401 CSRF_INVALID", "{kind}");
        let stays = world.session(&owner, "GET", PATH, Value::Null);
        assert_eq!(stays.status, 200, "{kind}: {}", stays.body);
    });
}
