//! `GET /members`.

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::world::{World, pages, texts};

use super::{OWNER, accept, invite, shop, token_of};

#[test]
fn invited_and_removed_members_are_listed() {
    World::each(|kind, mut world| {
        let (shop, owner) = shop(&mut world);
        world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let grace = invite(&mut world, &owner, "grace@shop.example", "viewer");
        let vera = invite(&mut world, &owner, "vera@shop.example", "viewer");
        assert_eq!(accept(&mut world, &token_of(&vera)).status, 201, "{kind}");
        let path = format!("/v1/members/{}", vera.id());
        let removed = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        let listed = pages("/v1/members", |path| {
            let page = world.session(&owner, "GET", path, Value::Null);
            page.data().clone()
        });
        assert_eq!(
            texts(&listed, "email"),
            [
                OWNER,
                "otto@shop.example",
                "grace@shop.example",
                "vera@shop.example"
            ],
            "{kind}"
        );
        let joined = listed.iter().map(|member| member["joined_at"].is_string());
        let joined: Vec<bool> = joined.collect();
        assert_eq!(joined, [true, true, false, true], "{kind}");
        let mut invited = grace.data().clone();
        invited["invitation_url"] = Value::Null;
        for (field, value) in invited.as_object().expect("a record") {
            assert_eq!(listed[2][field], *value, "{kind}: {field}");
        }
        assert_eq!(listed[3], *removed.data(), "{kind}");
    });
}

#[test]
fn a_viewer_lists_only_own_members() {
    World::each(|kind, mut world| {
        shop(&mut world);
        let other = world.shop("Other", None);
        let vera = world.sign_in_as(&other, "vera@other.example", Some(Role::Viewer));
        let listed = world.session(&vera, "GET", "/v1/members", Value::Null);
        assert_eq!(listed.data()["total"], 1, "{kind}");
        assert_eq!(
            texts(listed.items(), "email"),
            ["vera@other.example"],
            "{kind}"
        );
        assert_eq!(listed.items()[0]["role"], json!(Role::Viewer), "{kind}");
    });
}
