//! `POST /invitations/open`.

use serde_json::{Value, json};
use settlekit_core::member::{INVITATION, PASSWORD_INVITATION};
use settlekit_tests::world::World;

use super::{OWNER, id_of, invite, invite_again, members, open, shop, token_of};

#[test]
fn an_invitation_shows_its_organisation_member_role_and_expiry() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let invited = invite(&mut world, &owner, "grace@shop.example", "operator");
        let token = token_of(&invited);
        let expires_at = world.now.plus(INVITATION).to_string();
        let before = members(&mut world, &owner);
        for _ in 0..2 {
            let opened = open(&mut world, &token);
            assert_eq!(opened.status, 200, "{kind}: {}", opened.body);
            assert_eq!(
                *opened.data(),
                json!({ "org_name": "Shop", "email": "grace@shop.example", "role": "operator", "expires_at": expires_at }),
                "{kind}"
            );
            assert_eq!(opened.header("set-cookie"), None, "{kind}");
        }
        assert_eq!(members(&mut world, &owner), before, "{kind}");
    });
}

#[test]
fn a_password_link_names_its_member() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let id = id_of(&mut world, &owner, OWNER);
        let invited = invite_again(&mut world, &owner, &id);
        let opened = open(&mut world, &token_of(&invited));
        assert_eq!(opened.data()["name"], "Ada", "{kind}");
        let expires_at = world.now.plus(PASSWORD_INVITATION).to_string();
        assert_eq!(opened.data()["expires_at"], expires_at, "{kind}");
    });
}

#[test]
fn an_invitation_of_a_removed_member_an_unknown_one_and_a_wrong_token_are_refused() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let invited = invite(&mut world, &owner, "grace@shop.example", "viewer");
        let path = format!("/v1/members/{}", invited.id());
        let removed = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        for (token, refusal) in [
            (token_of(&invited), "404 NOT_FOUND"),
            ("join_nobodys".to_owned(), "404 NOT_FOUND"),
            (String::new(), "422 EMPTY token"),
            ("t".repeat(201), "422 TOO_LONG token"),
        ] {
            let refused = open(&mut world, &token);
            assert_eq!(refused.refusal(), refusal, "{kind}: {token}");
        }
    });
}
