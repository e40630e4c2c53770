//! Who operates the installation: named from the command line, by the session only, until removed.

use serde_json::{Value, json};
use settlekit_core::PREFIX;
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::member::Role;
use settlekit_core::operation::{Auth, Scope};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{OPERATOR, operator, set_operator};

fn operations() -> impl Iterator<Item = (&'static Description, String, Value)> {
    let all = CATALOGUE.iter();
    all.filter(|operation| operation.room == "installation")
        .map(|operation| {
            let path = operation.path.replace("{chain_id}", "8453");
            let path = path.replace("{transaction_id}", "1");
            let path = path.replace("{name}", "MetaMask");
            let body = match operation.id {
                "UpdateInstallationChain" => json!({ "paused": true }),
                "RaiseTransactionFee" => json!({ "attempts": 1 }),
                "CreateWalletLink" => {
                    json!({ "name": "House", "template": "house://pay?uri={payment_uri}" })
                }
                _ => Value::Null,
            };
            (operation, format!("{PREFIX}{path}"), body)
        })
}

#[test]
fn every_operation_of_the_installation_is_refused_to_keys_and_other_members() {
    World::each(|kind, mut world| {
        let (shop, operator) = operator(&mut world);
        let other = world.sign_in(&shop, "otto@shop.example");
        for (operation, path, body) in operations() {
            let (id, method) = (operation.id, operation.method.as_str());
            assert_eq!(operation.auth, Auth::Session, "{id}");
            let by_key = world.signed(&shop, None, method, &path, body.clone());
            assert_eq!(by_key.refusal(), "401 SESSION_INVALID", "{kind}: {id}");
            let by_other = world.session_with_step_up(&other, method, &path, body.clone());
            assert_eq!(by_other.refusal(), "403 SCOPE_MISSING", "{kind}: {id}");
            let answer = world.session_with_step_up(&operator, method, &path, body);
            assert!(
                matches!(answer.status, 200 | 404),
                "{kind}: {id} {}",
                answer.body
            );
        }
    });
}

#[test]
fn acts_on_the_installation_need_a_step_up_and_an_owner() {
    let mut world = World::new(database::sqlite());
    let (shop, operator) = operator(&mut world);
    let viewer = world.sign_in_as(&shop, "vera@shop.example", Some(Role::Viewer));
    set_operator(&mut world, "vera@shop.example", true);
    let mut acts = 0;
    for (operation, path, body) in operations() {
        let (id, method) = (operation.id, operation.method.as_str());
        if operation.method == http::Method::GET {
            let shown = world.session(&viewer, method, &path, Value::Null);
            assert!(matches!(shown.status, 200 | 404), "{id}: {}", shown.body);
            continue;
        }
        acts += 1;
        assert!(
            operation.step_up && operation.scope == Scope::Manage,
            "{id}"
        );
        let early = world.session(&operator, method, &path, body.clone());
        assert_eq!(early.refusal(), "401 STEP_UP_REQUIRED", "{id}");
        let weak = world.session_with_step_up(&viewer, method, &path, body);
        assert_eq!(weak.refusal(), "403 SCOPE_MISSING", "{id}");
    }
    assert_eq!(acts, 5);
}

#[test]
fn an_operator_is_shown_as_one_until_the_mark_is_removed_with_immediate_effect() {
    World::each(|kind, mut world| {
        let (_, operator) = operator(&mut world);
        let is_operator = |world: &mut World| {
            let session = world.session(&operator, "GET", "/v1/sessions/current", Value::Null);
            session.data()["installation_operator"].clone()
        };
        let mark = |world: &mut World| {
            let members = world.session(&operator, "GET", "/v1/members", Value::Null);
            members.items()[0]["installation_operator"].clone()
        };
        assert_eq!(is_operator(&mut world), true, "{kind}");
        assert_eq!(mark(&mut world), true, "{kind}");
        set_operator(&mut world, "OLGA@shop.example", false);
        assert_eq!(is_operator(&mut world), false, "{kind}");
        assert_eq!(mark(&mut world), Value::Null, "{kind}");
        let refused = world.session(&operator, "GET", "/v1/installation/chains", Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
    });
}

#[test]
fn an_owner_cannot_become_an_operator_by_an_operators_password_link() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "otto@shop.example");
        world.sign_in(&shop, OPERATOR);
        let members = world.session(&owner, "GET", "/v1/members?sort=asc", Value::Null);
        let id = text(&members.items()[1], "id");
        let invitation = format!("/v1/members/{id}/invitation");
        let early = world.session_with_step_up(&owner, "POST", &invitation, Value::Null);
        assert_eq!(early.status, 201, "{kind}: {}", early.body);
        let link = text(early.data(), "invitation_url");
        let (_, token) = link.split_once('#').expect("a token");
        set_operator(&mut world, OPERATOR, true);
        // The link from before the mark is void, and there is no new one.
        let body = json!({ "token": token, "name": "Otto", "password": "a long password of Otto" });
        let used = world.public("POST", "/v1/invitations/accept", body);
        assert_eq!(used.refusal(), "404 NOT_FOUND", "{kind}");
        let again = world.session_with_step_up(&owner, "POST", &invitation, Value::Null);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn a_removed_member_who_is_invited_again_operates_nothing() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "otto@shop.example");
        world.sign_in(&shop, OPERATOR);
        set_operator(&mut world, OPERATOR, true);
        let members = world.session(&owner, "GET", "/v1/members?sort=asc", Value::Null);
        let path = format!("/v1/members/{}", text(&members.items()[1], "id"));
        let removed = world.session_with_step_up(&owner, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        assert!(
            removed.data().get("installation_operator").is_none(),
            "{kind}"
        );
        let again = world.sign_in(&shop, OPERATOR);
        let refused = world.session(&again, "GET", "/v1/installation/chains", Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
    });
}
