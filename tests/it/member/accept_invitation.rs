//! `POST /invitations/accept`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::member::{INVITATION, Role};
use settlekit_service::{Access, Seed};
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, World};

use super::{
    accept, choose, id_of, invite, invite_again, members, open, session_of, shop, token_of,
};

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
fn the_member_of_another_organisation_joins_with_their_own_password() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let other = world.shop("Other", None);
        let grace = world.sign_in(&other, "grace@other.example");
        let invited = invite(&mut world, &owner, "grace@other.example", "viewer");
        let token = token_of(&invited);
        assert_eq!(
            open(&mut world, &token).data()["has_account"],
            true,
            "{kind}"
        );
        let foreign = choose(&mut world, &token);
        assert_eq!(foreign.refusal(), "401 SIGN_IN_FAILED password", "{kind}");
        assert_eq!(
            open(&mut world, &token).status,
            200,
            "{kind}: it is held as before"
        );

        let joined = accept(&mut world, &token);
        assert_eq!(joined.status, 201, "{kind}: {}", joined.body);
        let session = joined.data();
        assert_eq!(session["org_name"], "Shop", "{kind}");
        // The name of the account, not that of the request.
        assert_eq!(session["user"]["name"], "Ada", "{kind}");
        assert_eq!(session["user"]["role"], "viewer", "{kind}");
        let names: Vec<&Value> = session["organisations"]
            .as_array()
            .expect("organisations")
            .iter()
            .map(|organisation| &organisation["org_name"])
            .collect();
        assert_eq!(names, ["Other", "Shop"], "{kind}");
        let before = world.session(&grace, "GET", "/v1/orgs", Value::Null);
        assert_eq!(
            before.data()["name"],
            "Other",
            "{kind}: other sessions go on"
        );
        assert_eq!(
            accept(&mut world, &token).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
    });
}

#[test]
fn guesses_of_an_accounts_password_by_an_invitation_are_slowed_down_like_sign_ins() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let other = world.shop("Other", None);
        world.sign_in(&other, "grace@other.example");
        let token = token_of(&invite(&mut world, &owner, "grace@other.example", "viewer"));
        for _ in 0..5 {
            let guessed = choose(&mut world, &token);
            assert_eq!(guessed.refusal(), "401 SIGN_IN_FAILED password", "{kind}");
        }
        // The right password, too.
        assert_eq!(
            accept(&mut world, &token).refusal(),
            "429 RATE_LIMITED",
            "{kind}"
        );
        world.pass(Duration::from_secs(15));
        assert_eq!(accept(&mut world, &token).status, 201, "{kind}");
    });
}

#[test]
fn a_blocked_guess_by_an_invitation_is_answered_on_a_read_only_connection() {
    World::each(|kind, mut world| {
        let (_, owner) = shop(&mut world);
        let other = world.shop("Other", None);
        world.sign_in(&other, "grace@other.example");
        let token = token_of(&invite(&mut world, &owner, "grace@other.example", "viewer"));
        for _ in 0..5 {
            choose(&mut world, &token);
        }
        let body = json!({ "token": token, "name": "Grace", "password": PASSWORD }).to_string();
        let request = http::Request::post("/v1/invitations/accept")
            .body(body.into_bytes())
            .expect("a request");
        let now = world.now;
        let (service, database) = world.parts();
        let route = service.route(request.method(), request.uri().path());
        let decoded = route.decode(&request);
        database.begin(Access::Read).expect("a transaction");
        let task = service
            .find_password(database, &request, &decoded, now)
            .expect("a database");
        let prepared = task.run(Seed([1; 32]));
        assert!(prepared.is_blocked(), "{kind}");
        let answer = service.answer_in(database, &request, &decoded, prepared, now, Seed([2; 32]));
        let answer = answer.expect("an answer").response;
        database.rollback().expect("an end");
        assert_eq!(answer.status(), 429, "{kind}");
        assert!(answer.headers().contains_key("retry-after"), "{kind}");
    });
}

#[test]
fn an_organisation_has_no_link_for_a_password_that_opens_other_organisations() {
    World::each(|kind, mut world| {
        let (shop, owner) = shop(&mut world);
        world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let id = id_of(&mut world, &owner, "otto@shop.example");
        let link = token_of(&invite_again(&mut world, &owner, &id));
        let other = world.shop("Other", None);
        let boss = world.sign_in(&other, "boss@other.example");
        let token = token_of(&invite(&mut world, &boss, "otto@shop.example", "owner"));
        assert_eq!(accept(&mut world, &token).status, 201, "{kind}");
        // Neither by a link from before nor by a new one.
        assert_eq!(
            choose(&mut world, &link).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        let again = invite_again(&mut world, &owner, &id);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        // The link from before stays void when the other membership ends.
        let there = id_of(&mut world, &boss, "otto@shop.example");
        let path = format!("/v1/members/{there}");
        let removed = world.session_with_step_up(&boss, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        assert_eq!(
            choose(&mut world, &link).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        world.sign_in_again("otto@shop.example");
    });
}
