//! Roles: each allows its scopes and nothing else.

use serde_json::{Value, json};
use settlekit_core::PREFIX;
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::member::Role;
use settlekit_core::operation::{Auth, Scope};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World, text};

use super::{OWNER, shop};
use crate::installation::set_operator;

#[test]
fn each_role_has_exactly_its_scopes() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Shop");
    let owner = world.sign_in(&shop, OWNER);
    let operator = world.sign_in_as(&shop, "otto@shop.example", Some(Role::Operator));
    let viewer = world.sign_in_as(&shop, "vera@shop.example", Some(Role::Viewer));
    // What the mark allows is shown by `installation/operators.rs`.
    for email in [OWNER, "otto@shop.example", "vera@shop.example"] {
        set_operator(&mut world, email, true);
    }
    let (mut refused, mut let_in) = (0, 0);
    for (who, role) in [
        (&owner, Role::Owner),
        (&operator, Role::Operator),
        (&viewer, Role::Viewer),
    ] {
        // Without operations that end the session.
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
fn a_key_has_exactly_its_scopes() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Shop");
    let (mut refused, mut let_in) = (0, 0);
    for scope in [Scope::Read, Scope::Write, Scope::Payout, Scope::Manage] {
        let body = json!({ "name": scope.as_str(), "scopes": [scope.as_str()] });
        let made = world.create(&shop, "/v1/api-keys", body);
        let key = Shop {
            key: text(made.data(), "key"),
            ..shop.clone()
        };
        for operation in CATALOGUE
            .iter()
            .filter(|operation| matches!(operation.auth, Auth::Key | Auth::Signed))
        {
            let path = operation.path.replace(['{', '}'], "x");
            let target = format!("{PREFIX}{path}");
            let answer = world.signed(&key, None, operation.method.as_str(), &target, json!({}));
            let name = format!("{} {}", scope.as_str(), operation.id);
            if operation.scope == scope {
                assert_ne!(answer.status, 403, "{name}: {}", answer.body);
                let_in += 1;
            } else {
                assert_eq!(answer.refusal(), "403 SCOPE_MISSING", "{name}");
                refused += 1;
            }
        }
    }
    assert!(refused > 200 && let_in > 80, "{refused} and {let_in}");
}

#[test]
fn an_api_key_cannot_manage_members() {
    let mut world = World::new(database::sqlite());
    let (shop, _) = shop(&mut world);
    for (method, path) in [("GET", "/v1/members"), ("POST", "/v1/members")] {
        let answer = world.keyed(&shop, method, path, Value::Null);
        assert_eq!(answer.refusal(), "401 SESSION_INVALID");
    }
}
