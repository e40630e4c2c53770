//! The people of an organisation: invited, joined, given a role, removed; and what each role may do.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::PREFIX;
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::header;
use settlekit_core::member::{INVITATION, PASSWORD_INVITATION, Role};
use settlekit_core::operation::{Auth, Scope};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, PASSWORD, Shop, SignedIn, World, request};

const OWNER: &str = "ada@shop.example";
const NEW_PASSWORD: &str = "a door that opens quietly";

/// A shop with its owner.
fn shop(world: &mut World) -> (Shop, SignedIn) {
    let shop = world.shop("Shop", None);
    let owner = world.sign_in(&shop, OWNER);
    (shop, owner)
}

/// A request of the dashboard with a fresh proof of identity.
fn proved(world: &mut World, who: &SignedIn, method: &str, target: &str, body: Value) -> Answer {
    let proof = world.session(
        who,
        "POST",
        "/v1/sessions/step-up",
        json!({ "password": PASSWORD }),
    );
    let token = proof.data()["token"].as_str().expect("a token").to_owned();
    let mut headers = who.headers();
    headers.push((header::STEP_UP.into(), token));
    world.send(request(method, target, &body, headers))
}

fn invite(world: &mut World, who: &SignedIn, email: &str, role: &str) -> Answer {
    let body = json!({ "email": email, "role": role });
    proved(world, who, "POST", "/v1/members", body)
}

/// Another link for somebody who was invited or is a member.
fn invite_again(world: &mut World, who: &SignedIn, id: &str) -> Answer {
    let path = format!("/v1/members/{id}/invitation");
    proved(world, who, "POST", &path, Value::Null)
}

/// Chooses another password by a link.
fn choose(world: &mut World, token: &str) -> Answer {
    let body = json!({ "token": token, "name": "Somebody else", "password": NEW_PASSWORD });
    world.public("POST", "/v1/invitations/accept", body)
}

fn token_of(invited: &Answer) -> String {
    let url = invited.data()["invitation_url"].as_str().expect("a link");
    let (page, token) = url.split_once('#').expect("a token in the link");
    assert_eq!(page, "http://127.0.0.1:8080/invitation");
    token.to_owned()
}

fn accept(world: &mut World, token: &str) -> Answer {
    let body = json!({ "token": token, "name": "Grace", "password": PASSWORD });
    world.public("POST", "/v1/invitations/accept", body)
}

fn open(world: &mut World, token: &str) -> Answer {
    world.public("POST", "/v1/invitations/open", json!({ "token": token }))
}

/// The session that an answer begins.
fn session_of(answer: &Answer) -> SignedIn {
    let cookie = answer.header("set-cookie").expect("a cookie");
    SignedIn {
        cookie: cookie.split(';').next().expect("a value").to_owned(),
        csrf: answer.data()["csrf_token"]
            .as_str()
            .expect("a token")
            .to_owned(),
    }
}

fn members(world: &mut World, who: &SignedIn) -> Vec<Value> {
    let listed = world.session(who, "GET", "/v1/members?sort=asc", Value::Null);
    assert_eq!(listed.status, 200, "{}", listed.body);
    listed.data()["items"].as_array().expect("items").clone()
}

fn id_of(world: &mut World, who: &SignedIn, email: &str) -> String {
    let found = members(world, who)
        .into_iter()
        .find(|member| member["email"] == email && member["removed_at"].is_null());
    found.expect("a member")["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[test]
fn whoever_is_invited_joins_by_the_link_and_is_signed_in() {
    database::each(|_, database| {
        let mut world = World::new(database);
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
fn the_link_is_told_once_and_works_once() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let token = token_of(&invite(&mut world, &owner, "grace@shop.example", "viewer"));
    for told in [
        world.session(&owner, "GET", "/v1/members", Value::Null),
        world.keyed(&shop, "GET", "/v1/events", Value::Null),
    ] {
        assert!(!told.body.to_string().contains(&token));
    }
    assert_eq!(accept(&mut world, &token).status, 201);
    assert_eq!(accept(&mut world, &token).refusal(), "404 NOT_FOUND");
    assert_eq!(open(&mut world, &token).refusal(), "404 NOT_FOUND");
    assert_eq!(open(&mut world, "join_nobodys").refusal(), "404 NOT_FOUND");
}

#[test]
fn an_invitation_is_held_for_seven_days() {
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
fn an_invitation_said_again_takes_the_place_of_the_one_before() {
    database::each(|_, database| {
        let mut world = World::new(database);
        let (_, owner) = shop(&mut world);
        let first = invite(&mut world, &owner, "grace@shop.example", "viewer");
        let second = invite(&mut world, &owner, "grace@shop.example", "operator");
        assert_eq!(first.data()["id"], second.data()["id"]);
        assert_eq!(
            accept(&mut world, &token_of(&first)).refusal(),
            "404 NOT_FOUND"
        );
        let accepted = accept(&mut world, &token_of(&second));
        assert_eq!(accepted.data()["user"]["role"], "operator");
        let third = invite(&mut world, &owner, "grace@shop.example", "viewer");
        assert_eq!(third.refusal(), "409 ALREADY_EXISTS email");
        assert_eq!(members(&mut world, &owner).len(), 2);
    });
}

#[test]
fn an_address_that_signs_in_elsewhere_cannot_join_and_nobody_is_told_before() {
    database::each(|_, database| {
        let mut world = World::new(database);
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

#[test]
fn what_is_wrong_with_an_invitation_or_its_acceptance_is_named() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    for (body, refusal) in [
        (json!({}), "422 REQUIRED email, REQUIRED role"),
        (
            json!({ "email": "grace", "role": "viewer" }),
            "422 EMAIL_MALFORMED email",
        ),
        (
            json!({ "email": "grace@shop.example", "role": "king" }),
            "400 UNKNOWN_VALUE role",
        ),
    ] {
        let answer = proved(&mut world, &owner, "POST", "/v1/members", body);
        assert_eq!(answer.refusal(), refusal);
    }
    for (body, refusal) in [
        (
            json!({ "token": "", "name": " ", "password": "" }),
            "422 EMPTY token, EMPTY name, EMPTY password",
        ),
        (
            json!({ "token": "t", "name": "Grace", "password": "elevenchars" }),
            "422 TOO_SHORT password",
        ),
        (
            json!({ "token": "t", "name": "Grace", "password": "p".repeat(1025) }),
            "422 TOO_LONG password",
        ),
    ] {
        let answer = world.public("POST", "/v1/invitations/accept", body);
        assert_eq!(answer.refusal(), refusal);
    }
}

#[test]
fn each_role_may_do_what_its_scopes_say_and_nothing_else() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Shop");
    let owner = world.sign_in(&shop, OWNER);
    let operator = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
    let viewer = world.sign_in_as(&shop, "vera@shop.example", Some(Role::Viewer));
    let (mut refused, mut let_in) = (0, 0);
    for (who, role) in [
        (&owner, Role::Owner),
        (&operator, Role::Operator),
        (&viewer, Role::Viewer),
    ] {
        // What ends the session is not tried.
        for operation in CATALOGUE
            .iter()
            .filter(|operation| operation.auth != Auth::Public && operation.id != "DeleteSession")
        {
            let path = operation.path.replace(['{', '}'], "x");
            let target = format!("{PREFIX}{path}");
            let answer = world.session(who, operation.method.as_str(), &target, json!({}));
            let name = format!("{role} {}", operation.id);
            if role.allows(operation.scope) {
                assert_ne!(answer.status, 403, "{name}: {}", answer.body);
                let_in += 1;
            } else {
                assert_eq!(answer.refusal(), "403 SCOPE_MISSING", "{name}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50 && let_in > 150, "{refused} and {let_in}");
    assert!(Role::Owner.allows(Scope::Manage) && !Role::Operator.allows(Scope::Manage));
}

#[test]
fn another_role_is_in_force_at_once() {
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
    let lowered = proved(
        &mut world,
        &owner,
        "PATCH",
        &path,
        json!({ "role": "viewer" }),
    );
    assert_eq!(lowered.data()["role"], "viewer");
    assert_eq!(made(&mut world).refusal(), "403 SCOPE_MISSING");
    let session = world.session(&otto, "GET", "/v1/sessions/current", Value::Null);
    assert_eq!(session.data()["user"]["role"], "viewer");
}

#[test]
fn the_last_owner_is_neither_lowered_nor_removed() {
    database::each(|_, database| {
        let mut world = World::new(database);
        let (shop, owner) = shop(&mut world);
        // Somebody who is only invited could not do anything yet.
        invite(&mut world, &owner, "grace@shop.example", "owner");
        let path = format!("/v1/members/{}", id_of(&mut world, &owner, OWNER));
        let lower = json!({ "role": "operator" });
        let refused = proved(&mut world, &owner, "PATCH", &path, lower.clone());
        assert_eq!(refused.refusal(), "409 LAST_OWNER");
        let refused = proved(&mut world, &owner, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 LAST_OWNER");
        let same = proved(
            &mut world,
            &owner,
            "PATCH",
            &path,
            json!({ "role": "owner" }),
        );
        assert_eq!(same.status, 200, "{}", same.body);

        world.sign_in(&shop, "otto@shop.example");
        let lowered = proved(&mut world, &owner, "PATCH", &path, lower);
        assert_eq!(lowered.data()["role"], "operator");
    });
}

#[test]
fn the_organisation_names_the_owner_who_has_been_there_longest() {
    database::each(|_, database| {
        let mut world = World::new(database);
        let (shop, ada) = shop(&mut world);
        // What the organisation is read to say is what its last event told.
        let named = |world: &mut World, who: &SignedIn| {
            let read = world.session(who, "GET", "/v1/orgs", Value::Null);
            let events = world.keyed(&shop, "GET", "/v1/events?type=Org&limit=100", Value::Null);
            let mut told = events.data()["items"].as_array().expect("a list").iter();
            let told = told.find(|event| event["data"]["owner_user_id"].is_string());
            assert_eq!(told.expect("an event")["data"], *read.data());
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
        let lowered = proved(
            &mut world,
            &ada,
            "PATCH",
            &path,
            json!({ "role": "viewer" }),
        );
        assert_eq!(lowered.status, 200, "{}", lowered.body);
        assert_eq!(named(&mut world, &ida), after.as_str());
    });
}

#[test]
fn whoever_is_removed_is_out_at_once_and_can_be_invited_again() {
    database::each(|_, database| {
        let mut world = World::new(database);
        let (shop, owner) = shop(&mut world);
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
        let id = id_of(&mut world, &owner, "otto@shop.example");
        let path = format!("/v1/members/{id}");
        let removed = proved(&mut world, &owner, "DELETE", &path, Value::Null);
        assert!(removed.data()["removed_at"].is_string());
        let answer = world.session(&otto, "GET", "/v1/orgs", Value::Null);
        assert_eq!(answer.refusal(), "401 SESSION_INVALID");
        let sign_in = json!({ "email": "otto@shop.example", "password": PASSWORD });
        let answer = world.public("POST", "/v1/sessions", sign_in);
        assert_eq!(answer.refusal(), "401 SIGN_IN_FAILED");
        let again = proved(&mut world, &owner, "DELETE", &path, Value::Null);
        assert_eq!(again.data(), removed.data());
        let role = json!({ "role": "viewer" });
        let changed = proved(&mut world, &owner, "PATCH", &path, role);
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
fn an_invitation_that_is_taken_back_leads_nowhere() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let invited = invite(&mut world, &owner, "grace@shop.example", "owner");
    let path = format!(
        "/v1/members/{}",
        invited.data()["id"].as_str().expect("an id")
    );
    let removed = proved(&mut world, &owner, "DELETE", &path, Value::Null);
    assert_eq!(removed.status, 200, "{}", removed.body);
    assert_eq!(
        accept(&mut world, &token_of(&invited)).refusal(),
        "404 NOT_FOUND"
    );
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
    let answer = proved(&mut world, &stranger, "PATCH", &path, role);
    assert_eq!(answer.refusal(), "404 NOT_FOUND");
    let answer = proved(&mut world, &stranger, "DELETE", &path, Value::Null);
    assert_eq!(answer.refusal(), "404 NOT_FOUND");
    assert_eq!(
        invite_again(&mut world, &stranger, &id).refusal(),
        "404 NOT_FOUND"
    );
    assert_eq!(members(&mut world, &stranger).len(), 1);
}

#[test]
fn whoever_forgot_their_password_chooses_another_by_a_link_and_their_sessions_end() {
    database::each(|_, database| {
        let mut world = World::new(database);
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
fn a_link_to_choose_a_password_is_held_for_a_day_and_leads_nowhere_once_it_is_not_needed() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Viewer));
    let id = id_of(&mut world, &owner, "otto@shop.example");
    let first = token_of(&invite_again(&mut world, &owner, &id));
    let second = token_of(&invite_again(&mut world, &owner, &id));
    assert_eq!(choose(&mut world, &first).refusal(), "404 NOT_FOUND");
    let new = json!({ "new_password": PASSWORD });
    let remembered = proved(&mut world, &otto, "PUT", "/v1/sessions/password", new);
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
    proved(&mut world, &owner, "DELETE", &path, Value::Null);
    assert_eq!(choose(&mut world, &fourth).refusal(), "404 NOT_FOUND");
    assert_eq!(
        invite_again(&mut world, &owner, &id).refusal(),
        "409 STATE_FORBIDS"
    );
}

#[test]
fn whoever_lost_their_invitation_joins_by_another_link() {
    let mut world = World::new(database::sqlite());
    let (_, owner) = shop(&mut world);
    let invited = invite(&mut world, &owner, "grace@shop.example", "viewer");
    world.pass(INVITATION);
    let owner = world.sign_in_again(OWNER);
    let id = invited.data()["id"].as_str().expect("an id");
    let again = invite_again(&mut world, &owner, id);
    let held = world.now.plus(INVITATION).to_string();
    assert_eq!(again.data()["invitation_expires_at"], held.as_str());
    assert!(open(&mut world, &token_of(&again)).data()["name"].is_null());
    assert_eq!(accept(&mut world, &token_of(&invited)).status, 404);
    assert_eq!(accept(&mut world, &token_of(&again)).status, 201);
}

#[test]
fn an_api_key_has_no_say_about_members() {
    let mut world = World::new(database::sqlite());
    let (shop, _) = shop(&mut world);
    for (method, path) in [("GET", "/v1/members"), ("POST", "/v1/members")] {
        let answer = world.keyed(&shop, method, path, Value::Null);
        assert_eq!(answer.refusal(), "401 SESSION_INVALID");
    }
}

#[test]
fn another_password_ends_every_other_session_of_the_same_person() {
    database::each(|_, database| {
        let mut world = World::new(database);
        let (shop, owner) = shop(&mut world);
        let elsewhere = world.sign_in_again(OWNER);
        let otto = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Viewer));
        let path = "/v1/sessions/password";
        let new = json!({ "new_password": NEW_PASSWORD });
        let unproved = world.session(&owner, "PUT", path, new.clone());
        assert_eq!(unproved.refusal(), "401 STEP_UP_REQUIRED");
        let short = proved(
            &mut world,
            &owner,
            "PUT",
            path,
            json!({ "new_password": "short" }),
        );
        assert_eq!(short.refusal(), "422 TOO_SHORT new_password");
        let changed = proved(&mut world, &owner, "PUT", path, new.clone());
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
        // Everybody may, whatever their role.
        let changed = proved(&mut world, &otto, "PUT", path, new);
        assert_eq!(changed.status, 200, "{}", changed.body);
    });
}

#[test]
fn every_change_of_a_member_is_an_event_of_the_organisation() {
    let mut world = World::new(database::sqlite());
    let (shop, owner) = shop(&mut world);
    let count = |world: &mut World| {
        let events = world.keyed(&shop, "GET", "/v1/events?type=Org&limit=1", Value::Null);
        events.data()["total"].as_u64().expect("a number")
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
    let path = format!(
        "/v1/members/{}",
        invited.data()["id"].as_str().expect("an id")
    );
    proved(
        &mut world,
        &owner,
        "PATCH",
        &path,
        json!({ "role": "operator" }),
    );
    one_more(&mut world);
    let again = invite_again(&mut world, &owner, path.rsplit('/').next().expect("an id"));
    one_more(&mut world);
    choose(&mut world, &token_of(&again));
    one_more(&mut world);
    proved(&mut world, &owner, "DELETE", &path, Value::Null);
    one_more(&mut world);
    let new = json!({ "new_password": NEW_PASSWORD });
    proved(&mut world, &owner, "PUT", "/v1/sessions/password", new);
    one_more(&mut world);
}
