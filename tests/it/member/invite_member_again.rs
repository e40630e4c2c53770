//! `POST /members/{user_id}/invitation`.

use serde_json::{Value, json};
use settlekit_core::member::{INVITATION, PASSWORD_INVITATION, Role};
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World};

use super::{
    NEW_PASSWORD, OWNER, accept, choose, id_of, invite, invite_again, members, open, session_of,
    shop, token_of,
};

#[test]
fn a_password_link_sets_a_new_password_and_ends_sessions() {
    World::each(|_, mut world| {
        let (shop, owner) = shop(&mut world);
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let id = id_of(&mut world, &owner, "otto@shop.example");
        let again = invite_again(&mut world, &owner, &id);
        assert_eq!(again.status, 201, "{}", again.body);
        assert_eq!(again.data()["id"], id.as_str());
        let held = world.now.plus(PASSWORD_INVITATION).to_string();
        assert_eq!(again.data()["invitation_expires_at"], held.as_str());
        let token = token_of(&again);
        let asks = |world: &mut World| world.session(&otto, "GET", "/v1/orgs", Value::Null).status;
        assert_eq!(asks(&mut world), 200, "nothing ends before it is used");
        world.sign_in_again("otto@shop.example");

        let opened = open(&mut world, &token);
        let is = (&opened.data()["email"], &opened.data()["role"]);
        assert_eq!(is, (&"otto@shop.example".into(), &"operator".into()));
        let name = opened.data()["name"].clone();
        let chosen = choose(&mut world, &token);
        assert_eq!(chosen.status, 201, "{}", chosen.body);
        let user = &chosen.data()["user"];
        assert_eq!((&user["name"], &user["role"]), (&name, &"operator".into()));
        assert_eq!(asks(&mut world), 401);
        let otto = session_of(&chosen);
        let listed = members(&mut world, &otto);
        assert!(listed[1]["invitation_expires_at"].is_null() && listed[1]["name"] == name);
        let mut signs_in = |password: &str| {
            let body = json!({ "email": "otto@shop.example", "password": password });
            world.public("POST", "/v1/sessions", body).status
        };
        assert_eq!((signs_in(PASSWORD), signs_in(NEW_PASSWORD)), (401, 201));
        assert_eq!(choose(&mut world, &token).refusal(), "404 NOT_FOUND");
    });
}

#[test]
fn a_password_link_expires_after_a_day_and_when_it_is_no_longer_needed() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Viewer));
    let id = id_of(&mut world, &owner, "otto@shop.example");
    let first = token_of(&invite_again(&mut world, &owner, &id));
    let second = token_of(&invite_again(&mut world, &owner, &id));
    assert_eq!(choose(&mut world, &first).refusal(), "404 NOT_FOUND");
    let new = json!({ "new_password": PASSWORD });
    let remembered = world.session_with_step_up(&otto, "PUT", "/v1/sessions/password", new);
    assert_eq!(remembered.status, 200, "{}", remembered.body);
    assert_eq!(choose(&mut world, &second).refusal(), "404 NOT_FOUND");

    let third = token_of(&invite_again(&mut world, &owner, &id));
    world.pass(PASSWORD_INVITATION);
    assert_eq!(
        choose(&mut world, &third).refusal(),
        "409 INVITATION_EXPIRED"
    );
    let owner = world.sign_in_again(OWNER);
    let fourth = token_of(&invite_again(&mut world, &owner, &id));
    let path = format!("/v1/members/{id}");
    world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
    assert_eq!(choose(&mut world, &fourth).refusal(), "404 NOT_FOUND");
    assert_eq!(
        invite_again(&mut world, &owner, &id).refusal(),
        "409 STATE_FORBIDS"
    );
}

#[test]
fn a_new_invitation_link_replaces_a_lost_one() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let invited = invite(&mut world, &owner, "grace@shop.example", "viewer");
    world.pass(INVITATION);
    let owner = world.sign_in_again(OWNER);
    let id = invited.id();
    let again = invite_again(&mut world, &owner, &id);
    let held = world.now.plus(INVITATION).to_string();
    assert_eq!(again.data()["invitation_expires_at"], held.as_str());
    assert!(open(&mut world, &token_of(&again)).data()["name"].is_null());
    assert_eq!(accept(&mut world, &token_of(&invited)).status, 404);
    assert_eq!(accept(&mut world, &token_of(&again)).status, 201);
}
