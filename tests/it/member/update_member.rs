//! `PATCH /members/{user_id}`.

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::database;
use settlekit_tests::world::{SignedIn, World};

use super::{OWNER, accept, id_of, invite, invite_again, members, session_of, shop, token_of};

#[test]
fn a_role_change_takes_effect_immediately() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
    let plan = json!({ "name": "Tea", "price": "5", "currency": "USDC", "type": "OneTime" });
    let made = |world: &mut World| world.session(&otto, "POST", "/v1/plan", plan.clone());
    assert_eq!(made(&mut world).status, 201);
    let path = format!(
        "/v1/members/{}",
        id_of(&mut world, &owner, "otto@shop.example")
    );
    let lowered = world.session_with_step_up(&owner, "PATCH", &path, json!({ "role": "viewer" }));
    assert_eq!(lowered.data()["role"], "viewer");
    assert_eq!(made(&mut world).refusal(), "403 SCOPE_MISSING");
    let session = world.session(&otto, "GET", "/v1/sessions/current", Value::Null);
    assert_eq!(session.data()["user"]["role"], "viewer");
}

#[test]
fn the_last_owner_cannot_be_demoted_or_removed() {
    World::each(|_, mut world| {
        let (shop, owner) = shop(&mut world);
        // An invited member cannot act yet.
        invite(&mut world, &owner, "grace@shop.example", "owner");
        let path = format!("/v1/members/{}", id_of(&mut world, &owner, OWNER));
        let lower = json!({ "role": "operator" });
        let refused = world.session_with_step_up(&owner, "PATCH", &path, lower.clone());
        assert_eq!(refused.refusal(), "409 LAST_OWNER");
        let refused = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 LAST_OWNER");
        let same = world.session_with_step_up(&owner, "PATCH", &path, json!({ "role": "owner" }));
        assert_eq!(same.status, 200, "{}", same.body);

        world.sign_in(&shop, "otto@shop.example");
        let lowered = world.session_with_step_up(&owner, "PATCH", &path, lower);
        assert_eq!(lowered.data()["role"], "operator");
    });
}

#[test]
fn the_organisation_names_its_longest_serving_owner() {
    World::each(|_, mut world| {
        let (shop, ada) = shop(&mut world);
        // The organisation equals its latest event.
        let named = |world: &mut World, who: &SignedIn| {
            let read = world.session(who, "GET", "/v1/orgs", Value::Null);
            let events = world.keyed(&shop, "GET", "/v1/events?type=Org&limit=100", Value::Null);
            let mut updates = events.items().iter();
            let updates = updates.find(|event| event["data"]["owner_user_id"].is_string());
            assert_eq!(updates.expect("an event")["data"], *read.data());
            read.data()["owner_user_id"].clone()
        };
        let (first, second) = (OWNER, "ida@shop.example");
        let before = id_of(&mut world, &ada, first);
        assert_eq!(named(&mut world, &ada), before.as_str());
        let invited = invite(&mut world, &ada, second, "owner");
        let ida = session_of(&accept(&mut world, &token_of(&invited)));
        assert_eq!(named(&mut world, &ida), before.as_str());
        let after = id_of(&mut world, &ida, second);
        let path = format!("/v1/members/{before}");
        let lowered = world.session_with_step_up(&ada, "PATCH", &path, json!({ "role": "viewer" }));
        assert_eq!(lowered.status, 200, "{}", lowered.body);
        assert_eq!(named(&mut world, &ida), after.as_str());
    });
}

#[test]
fn nobody_changes_the_members_of_another_organisation() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let id = id_of(&mut world, &owner, OWNER);
    let other = world.shop("Other", None);
    let stranger = world.sign_in(&other, "eve@other.example");
    let path = format!("/v1/members/{id}");
    let role = json!({ "role": "viewer" });
    let answer = world.session_with_step_up(&stranger, "PATCH", &path, role);
    assert_eq!(answer.refusal(), "404 NOT_FOUND");
    let answer = world.session_with_step_up(&stranger, "DELETE", &path, Value::Null);
    assert_eq!(answer.refusal(), "404 NOT_FOUND");
    assert_eq!(
        invite_again(&mut world, &stranger, &id).refusal(),
        "404 NOT_FOUND"
    );
    assert_eq!(members(&mut world, &stranger).len(), 1);
}
