//! `POST /sessions/current/organisation`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::OrganisationId;
use settlekit_tests::world::{Answer, Shop, SignedIn, World, request, text};

use crate::installation::set_operator;
use crate::member::{OWNER, accept, id_of, invite, session_of, shop, token_of};

const PATH: &str = "/v1/sessions/current/organisation";

/// Ada owns one shop and is a viewer of the other, in which a session of hers begins; the other has an owner of its own.
fn in_two(world: &mut World) -> (Shop, Shop, SignedIn, SignedIn) {
    let (first, _) = shop(world);
    let second = world.shop("Other", None);
    let boss = world.sign_in(&second, "boss@other.example");
    let token = token_of(&invite(world, &boss, OWNER, "viewer"));
    let accepted = accept(world, &token);
    assert_eq!(accepted.status, 201, "{}", accepted.body);
    (first, second, session_of(&accepted), boss)
}

fn switch(world: &mut World, who: &SignedIn, to: OrganisationId) -> Answer {
    world.session(who, "POST", PATH, json!({ "org_id": to }))
}

#[test]
fn a_user_goes_on_in_another_organisation_with_the_role_there() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        let seen = world.session(&viewer, "GET", "/v1/orgs", Value::Null);
        assert_eq!(seen.data()["id"], json!(second.id), "{kind}");
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        let refused = world.session(&viewer, "POST", "/v1/plan", plan.clone());
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");

        let switched = switch(&mut world, &viewer, first.id);
        assert_eq!(switched.status, 201, "{kind}: {}", switched.body);
        assert_eq!(switched.data()["org_id"], json!(first.id), "{kind}");
        assert_eq!(switched.data()["user"]["role"], "owner", "{kind}");
        let owner = session_of(&switched);
        let made = world.session(&owner, "POST", "/v1/plan", plan);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let read = world.session(&owner, "GET", "/v1/sessions/current", Value::Null);
        assert_eq!(*read.data(), *switched.data(), "{kind}");
    });
}

#[test]
fn the_former_tokens_are_void_after_a_switch() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        let owner = session_of(&switch(&mut world, &viewer, first.id));
        assert_ne!(
            (&owner.cookie, &owner.csrf),
            (&viewer.cookie, &viewer.csrf),
            "{kind}"
        );
        let read = world.session(&viewer, "GET", "/v1/orgs", Value::Null);
        assert_eq!(read.refusal(), "401 SESSION_INVALID", "{kind}");
        // A page of the former organisation, whose browser has the new cookie.
        let stale = SignedIn {
            cookie: owner.cookie.clone(),
            csrf: viewer.csrf,
        };
        assert_eq!(
            switch(&mut world, &stale, second.id).refusal(),
            "401 CSRF_INVALID",
            "{kind}"
        );
        let read = world.session(&owner, "GET", "/v1/orgs", Value::Null);
        assert_eq!(read.data()["id"], json!(first.id), "{kind}");
    });
}

#[test]
fn a_switch_neither_prolongs_a_session_nor_keeps_its_step_up() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        let begun = world.session(&viewer, "GET", "/v1/sessions/current", Value::Null);
        let owner = session_of(&switch(&mut world, &viewer, first.id));
        let proven = world.step_up(&owner);
        world.pass(Duration::from_secs(60));
        let there = session_of(&switch(&mut world, &owner, second.id));
        let back = switch(&mut world, &there, first.id);
        assert_eq!(
            back.data()["expires_at"],
            begun.data()["expires_at"],
            "{kind}"
        );
        let owner = session_of(&back);
        let mut headers = proven;
        headers.retain(|(name, _)| name.eq_ignore_ascii_case("x-step-up"));
        assert_eq!(headers.len(), 1, "{kind}");
        headers.push(("cookie".to_owned(), owner.cookie));
        headers.push((header::CSRF.to_owned(), owner.csrf));
        let body = json!({ "email": "new@shop.example", "role": "viewer" });
        let refused = world.send(request("POST", "/v1/members", &body, headers));
        assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
    });
}

#[test]
fn a_switch_gives_no_further_attempts_at_the_password() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        let mut session = viewer;
        for guess in 0..6 {
            let to = [first.id, second.id][guess % 2];
            let switched = switch(&mut world, &session, to);
            let cookies = switched.headers.iter();
            let cookies: Vec<&str> = cookies
                .filter(|(name, _)| name == "set-cookie")
                .filter_map(|(_, cookie)| cookie.split(';').next())
                .collect();
            assert_eq!(cookies.len(), 1, "{kind}: no device is remembered");
            session = session_of(&switched);
            let body = json!({ "password": format!("guess {guess}") });
            let wrong = world.session(&session, "POST", "/v1/sessions/step-up", body);
            let expected = match guess {
                0..5 => "401 SIGN_IN_FAILED password",
                _ => "429 RATE_LIMITED",
            };
            assert_eq!(wrong.refusal(), expected, "{kind}");
        }
    });
}

#[test]
fn organisations_of_others_and_unknown_ones_are_refused_alike() {
    World::each(|kind, mut world| {
        let (_, _, viewer, boss) = in_two(&mut world);
        let third = world.shop("Third", None);
        let nobody: OrganisationId = "org_019cade5a0007000800000000000dead"
            .parse()
            .expect("an id");
        let answers = [third.id, nobody].map(|id| switch(&mut world, &viewer, id));
        for answer in &answers {
            assert_eq!(answer.refusal(), "404 NOT_FOUND", "{kind}");
        }
        assert_eq!(
            answers[0].body["error"]["message"],
            answers[1].body["error"]["message"]
        );
        // The session goes on.
        assert_eq!(
            world
                .session(&viewer, "GET", "/v1/orgs", Value::Null)
                .status,
            200,
            "{kind}"
        );

        // Former members are others.
        let id = id_of(&mut world, &boss, OWNER);
        let path = format!("/v1/members/{id}");
        let removed = world.session_with_step_up(&boss, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        let ada = world.sign_in_again(OWNER);
        let read = world.session(&ada, "GET", "/v1/sessions/current", Value::Null);
        let organisations = read.data()["organisations"]
            .as_array()
            .expect("organisations");
        assert_eq!(organisations.len(), 1, "{kind}");
    });
}

#[test]
fn a_removed_member_keeps_the_sessions_in_other_organisations() {
    World::each(|kind, mut world| {
        let (first, second, viewer, boss) = in_two(&mut world);
        let elsewhere = world.sign_in_again(OWNER);
        let elsewhere = session_of(&switch(&mut world, &elsewhere, first.id));
        let id = id_of(&mut world, &boss, OWNER);
        let path = format!("/v1/members/{id}");
        world.session_with_step_up(&boss, "DELETE", &path, Value::Null);
        let ended = world.session(&viewer, "GET", "/v1/orgs", Value::Null);
        assert_eq!(ended.refusal(), "401 SESSION_INVALID", "{kind}");
        let read = world.session(&elsewhere, "GET", "/v1/orgs", Value::Null);
        assert_eq!(read.data()["id"], json!(first.id), "{kind}");
        assert_eq!(
            switch(&mut world, &elsewhere, second.id).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
    });
}

#[test]
fn a_new_password_ends_the_sessions_in_every_organisation() {
    World::each(|kind, mut world| {
        let (first, _, viewer, _) = in_two(&mut world);
        let other = world.sign_in_again(OWNER);
        let kept = session_of(&switch(&mut world, &other, first.id));
        let new = json!({ "new_password": "a door that opens quietly" });
        let changed = world.session_with_step_up(&kept, "PUT", "/v1/sessions/password", new);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        let ended = world.session(&viewer, "GET", "/v1/orgs", Value::Null);
        assert_eq!(ended.refusal(), "401 SESSION_INVALID", "{kind}");
        assert_eq!(
            world.session(&kept, "GET", "/v1/orgs", Value::Null).status,
            200,
            "{kind}"
        );
    });
}

#[test]
fn a_user_signs_in_to_the_organisation_of_the_last_sign_in() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        for organisation in [first.id, second.id] {
            world.pass(Duration::from_secs(1));
            let ada = world.sign_in_again(OWNER);
            world.pass(Duration::from_secs(1));
            switch(&mut world, &ada, organisation);
            let again = world.sign_in_again(OWNER);
            let read = world.session(&again, "GET", "/v1/sessions/current", Value::Null);
            assert_eq!(
                text(read.data(), "org_id"),
                organisation.to_string(),
                "{kind}"
            );
        }
        assert_eq!(
            world
                .session(&viewer, "GET", "/v1/orgs", Value::Null)
                .status,
            200,
            "{kind}"
        );
    });
}

#[test]
fn an_idempotency_key_replays_no_switch_of_another_session() {
    World::each(|kind, mut world| {
        let (first, _, viewer, _) = in_two(&mut world);
        let elsewhere = world.sign_in_again(OWNER);
        let switched = [viewer, elsewhere].map(|who| {
            let key = (header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned());
            let headers = [who.headers(), vec![key]].concat();
            let body = json!({ "org_id": first.id });
            let answer = world.send(request("POST", PATH, &body, headers));
            assert_eq!(answer.status, 201, "{kind}: {}", answer.body);
            session_of(&answer)
        });
        assert_ne!(switched[0].csrf, switched[1].csrf, "{kind}");
        for who in &switched {
            let read = world.session(who, "GET", "/v1/orgs", Value::Null);
            assert_eq!(read.data()["id"], json!(first.id), "{kind}");
        }
    });
}

#[test]
fn a_former_operator_operates_the_installation_in_no_organisation() {
    World::each(|kind, mut world| {
        let (first, second, viewer, _) = in_two(&mut world);
        world.pass(Duration::from_secs(1));
        let owner = session_of(&switch(&mut world, &viewer, first.id));
        set_operator(&mut world, OWNER, true);
        let chains = "/v1/installation/chains";
        let read = world.session(&owner, "GET", chains, Value::Null);
        assert_eq!(read.status, 200, "{kind}: {}", read.body);
        // The last sign-in is in the other organisation now.
        world.pass(Duration::from_secs(1));
        let elsewhere = world.sign_in_again(OWNER);
        world.pass(Duration::from_secs(1));
        let elsewhere = session_of(&switch(&mut world, &elsewhere, second.id));
        set_operator(&mut world, OWNER, false);
        for session in [&owner, &elsewhere] {
            let refused = world.session(session, "GET", chains, Value::Null);
            assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        }
    });
}
