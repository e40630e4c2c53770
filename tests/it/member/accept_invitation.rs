//! `POST /invitations/accept`.

use std::time::Duration;

use serde_json::Value;
use settlekit_core::member::INVITATION;
use settlekit_tests::database;
use settlekit_tests::world::World;

use super::{accept, invite, members, open, session_of, shop, token_of};

#[test]
fn accepting_an_invitation_signs_in() {
    World::each(|_, mut world| {
        let (_, owner) = shop(&mut world);
        let invited = invite(&mut world, &owner, "Grace@Shop.example", "operator");
        assert_eq!(invited.status, 201, "{}", invited.body);
        assert_eq!(invited.data()["email"], "grace@shop.example");
        assert!(invited.data()["joined_at"].is_null());
        let token = token_of(&invited);

        let opened = open(&mut world, &token);
        assert_eq!(opened.data()["org_name"], "Shop");
        assert_eq!(opened.data()["email"], "grace@shop.example");
        assert_eq!(opened.data()["role"], "operator");

        let accepted = accept(&mut world, &token);
        assert_eq!(accepted.status, 201, "{}", accepted.body);
        assert_eq!(accepted.data()["user"]["role"], "operator");
        assert_eq!(accepted.data()["user"]["name"], "Grace");
        let grace = session_of(&accepted);
        let listed = members(&mut world, &grace);
        assert_eq!(listed.len(), 2);
        assert_eq!(listed[0]["role"], "owner");
        assert_eq!(listed[1]["id"], invited.data()["id"]);
        assert!(listed[1]["joined_at"].is_string() && listed[1]["last_signed_in_at"].is_string());
        assert!(listed[1]["invitation_expires_at"].is_null());
        world.sign_in_again("grace@shop.example");
    });
}

#[test]
fn the_invitation_link_is_shown_once_and_works_once() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let token = token_of(&invite(&mut world, &owner, "grace@shop.example", "viewer"));
    for answer in [
        world.session(&owner, "GET", "/v1/members", Value::Null),
        world.keyed(&shop, "GET", "/v1/events", Value::Null),
    ] {
        assert!(!answer.body.to_string().contains(&token));
    }
    assert_eq!(accept(&mut world, &token).status, 201);
    assert_eq!(accept(&mut world, &token).refusal(), "404 NOT_FOUND");
    assert_eq!(open(&mut world, &token).refusal(), "404 NOT_FOUND");
    assert_eq!(open(&mut world, "join_nobodys").refusal(), "404 NOT_FOUND");
}

#[test]
fn an_invitation_expires_after_seven_days() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let token = token_of(&invite(&mut world, &owner, "grace@shop.example", "viewer"));
    world.pass(INVITATION - Duration::from_secs(1));
    assert_eq!(open(&mut world, &token).status, 200);
    world.pass(Duration::from_secs(1));
    assert_eq!(open(&mut world, &token).refusal(), "409 INVITATION_EXPIRED");
    assert_eq!(
        accept(&mut world, &token).refusal(),
        "409 INVITATION_EXPIRED"
    );
}

#[test]
fn an_e_mail_of_another_organisations_member_cannot_join() {
    World::each(|_, mut world| {
        let (_, owner) = shop(&mut world);
        let other = world.shop("Other", None);
        world.sign_in(&other, "grace@other.example");
        let invited = invite(&mut world, &owner, "grace@other.example", "viewer");
        assert_eq!(invited.status, 201, "{}", invited.body);
        let token = token_of(&invited);
        assert_eq!(accept(&mut world, &token).refusal(), "409 ALREADY_EXISTS");
        assert_eq!(open(&mut world, &token).status, 200, "it is held as before");
    });
}
