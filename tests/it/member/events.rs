//! Events about members.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::World;

use super::{NEW_PASSWORD, accept, choose, invite, invite_again, shop, token_of};

#[test]
fn every_change_of_a_member_is_an_event_of_the_organisation() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let count = |world: &mut World| {
        let events = world.read(&shop, "/v1/events?type=Org&limit=1");
        events["total"].as_u64().expect("a number")
    };
    let mut before = count(&mut world);
    let mut one_more = |world: &mut World| {
        let now = count(world);
        assert_eq!(now, before + 1);
        before = now;
    };
    let invited = invite(&mut world, &owner, "grace@shop.example", "viewer");
    one_more(&mut world);
    accept(&mut world, &token_of(&invited));
    one_more(&mut world);
    let path = format!("/v1/members/{}", invited.id());
    world.session_with_step_up(&owner, "PATCH", &path, json!({ "role": "operator" }));
    one_more(&mut world);
    let again = invite_again(&mut world, &owner, path.rsplit('/').next().expect("an id"));
    one_more(&mut world);
    choose(&mut world, &token_of(&again));
    one_more(&mut world);
    world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
    one_more(&mut world);
    let new = json!({ "new_password": NEW_PASSWORD });
    world.session_with_step_up(&owner, "PUT", "/v1/sessions/password", new);
    one_more(&mut world);
}
