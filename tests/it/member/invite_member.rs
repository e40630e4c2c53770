//! `POST /members`.

use serde_json::json;
use settlekit_tests::database;
use settlekit_tests::world::World;

use super::{accept, invite, members, shop, token_of};

#[test]
fn a_second_invitation_replaces_the_first() {
    World::each(|_, mut world| {
        let (_, owner) = shop(&mut world);
        let first = invite(&mut world, &owner, "grace@shop.example", "viewer");
        let second = invite(&mut world, &owner, "grace@shop.example", "operator");
        assert_eq!(first.data()["id"], second.data()["id"]);
        assert_eq!(
            accept(&mut world, &token_of(&first)).refusal(),
            "404 NOT_FOUND"
        );
        let accepted = accept(&mut world, &token_of(&second));
        assert_eq!(accepted.data()["user"]["role"], "operator");
        let third = invite(&mut world, &owner, "grace@shop.example", "viewer");
        assert_eq!(third.refusal(), "409 ALREADY_EXISTS email");
        assert_eq!(members(&mut world, &owner).len(), 2);
    });
}

#[test]
fn invitation_errors_name_their_fields() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    for (body, refusal) in [
        (json!({}), "422 REQUIRED email, REQUIRED role"),
        (
            json!({ "email": "grace", "role": "viewer" }),
            "422 EMAIL_MALFORMED email",
        ),
        (
            json!({ "email": "grace@shop.example", "role": "king" }),
            "400 UNKNOWN_VALUE role",
        ),
    ] {
        let answer = world.session_with_step_up(&owner, "POST", "/v1/members", body);
        assert_eq!(answer.refusal(), refusal);
    }
    for (body, refusal) in [
        (
            json!({ "token": "", "name": " ", "password": "" }),
            "422 EMPTY token, EMPTY name, EMPTY password",
        ),
        (
            json!({ "token": "t", "name": "Grace", "password": "elevenchars" }),
            "422 TOO_SHORT password",
        ),
        (
            json!({ "token": "t", "name": "Grace", "password": "p".repeat(1025) }),
            "422 TOO_LONG password",
        ),
    ] {
        let answer = world.public("POST", "/v1/invitations/accept", body);
        assert_eq!(answer.refusal(), refusal);
    }
}
