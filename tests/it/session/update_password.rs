//! `PUT /sessions/password`.

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::world::{PASSWORD, SignedIn, World};

use crate::member::{NEW_PASSWORD, OWNER, shop};

#[test]
fn a_password_change_ends_the_persons_other_sessions() {
    World::each(|_, mut world| {
        let (shop, owner) = shop(&mut world);
        let elsewhere = world.sign_in_again(OWNER);
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Viewer));
        let path = "/v1/sessions/password";
        let new = json!({ "new_password": NEW_PASSWORD });
        let unproved = world.session(&owner, "PUT", path, new.clone());
        assert_eq!(unproved.refusal(), "401 STEP_UP_REQUIRED");
        let short =
            world.session_with_step_up(&owner, "PUT", path, json!({ "new_password": "short" }));
        assert_eq!(short.refusal(), "422 TOO_SHORT new_password");
        let changed = world.session_with_step_up(&owner, "PUT", path, new.clone());
        assert_eq!(changed.status, 200, "{}", changed.body);

        let mut asks = |who: &SignedIn| world.session(who, "GET", "/v1/orgs", Value::Null).status;
        assert_eq!(
            (asks(&owner), asks(&elsewhere), asks(&otto)),
            (200, 401, 200)
        );
        let mut signs_in = |password: &str| {
            let body = json!({ "email": OWNER, "password": password });
            world.public("POST", "/v1/sessions", body).status
        };
        assert_eq!((signs_in(PASSWORD), signs_in(NEW_PASSWORD)), (401, 201));
        // Every role may.
        let changed = world.session_with_step_up(&otto, "PUT", path, new);
        assert_eq!(changed.status, 200, "{}", changed.body);
    });
}
