//! `DELETE /members/{user_id}`.

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World};

use super::{accept, id_of, invite, members, shop, token_of};

#[test]
fn a_removed_member_loses_access_immediately_and_can_be_invited_again() {
    World::each(|_, mut world| {
        let (shop, owner) = shop(&mut world);
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let id = id_of(&mut world, &owner, "otto@shop.example");
        let path = format!("/v1/members/{id}");
        let removed = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert!(removed.data()["removed_at"].is_string());
        let answer = world.session(&otto, "GET", "/v1/orgs", Value::Null);
        assert_eq!(answer.refusal(), "401 SESSION_INVALID");
        let sign_in = json!({ "email": "otto@shop.example", "password": PASSWORD });
        let answer = world.public("POST", "/v1/sessions", sign_in);
        assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED");
        let again = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(again.data(), removed.data());
        let role = json!({ "role": "viewer" });
        let changed = world.session_with_step_up(&owner, "PATCH", &path, role);
        assert_eq!(changed.refusal(), "409 STATE_FORBIDS");

        let invited = invite(&mut world, &owner, "otto@shop.example", "viewer");
        assert_ne!(invited.data()["id"], id.as_str());
        assert_eq!(accept(&mut world, &token_of(&invited)).status, 201);
        assert_eq!(
            members(&mut world, &owner).len(),
            3,
            "the list keeps who was there"
        );
    });
}

#[test]
fn a_revoked_invitation_does_not_work() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let invited = invite(&mut world, &owner, "grace@shop.example", "owner");
    let path = format!("/v1/members/{}", invited.id());
    let removed = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
    assert_eq!(removed.status, 200, "{}", removed.body);
    assert_eq!(
        accept(&mut world, &token_of(&invited)).refusal(),
        "404 NOT_FOUND"
    );
}
