//! `PATCH /saved-views/{saved_view_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

use super::{list, names, saved, team};

#[test]
fn a_view_is_renamed_changed_and_shared() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let view = saved(&mut world, &team.operator, "Failed", false);
        world.pass(std::time::Duration::from_secs(60));
        let body = json!({ "name": "Open", "query": "status=Processing", "shared": true });
        let changed = world.session(&team.operator, "PATCH", &view, body);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        let shown = list(&mut world, &team.owner);
        assert_eq!(shown[0]["name"], "Open", "{kind}");
        assert_eq!(shown[0]["query"], "status=Processing", "{kind}");
        assert_eq!(shown[0]["updated_at"], json!(world.now), "{kind}");
        // An owner renames it too, and its author withdraws it.
        let renamed = world.session(&team.owner, "PATCH", &view, json!({ "name": "Pending" }));
        assert_eq!(renamed.status, 200, "{kind}: {}", renamed.body);
        let withdrawn = world.session(&team.operator, "PATCH", &view, json!({ "shared": false }));
        assert_eq!(withdrawn.status, 200, "{kind}: {}", withdrawn.body);
        assert_eq!(names(&mut world, &team.operator), ["Pending"], "{kind}");
        assert_eq!(names(&mut world, &team.owner), [""; 0], "{kind}");
    });
}

#[test]
fn a_view_is_changed_by_its_author_and_a_shared_one_by_owners() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let shared = saved(&mut world, &team.owner, "Shared", true);
        let own = saved(&mut world, &team.operator, "Own", false);
        let change = json!({ "name": "Changed" });
        for (who, view, refusal) in [
            (&team.operator, &shared, "403 SCOPE_MISSING"),
            (&team.viewer, &shared, "403 SCOPE_MISSING"),
            // Of another member's own view, nobody learns.
            (&team.owner, &own, "404 NOT_FOUND"),
            (&team.viewer, &own, "404 NOT_FOUND"),
        ] {
            let refused = world.session(who, "PATCH", view, change.clone());
            assert_eq!(refused.refusal(), refusal, "{kind}");
        }
        let theirs = saved(&mut world, &team.operator, "Theirs", true);
        let taken = world.session(&team.owner, "PATCH", &theirs, json!({ "shared": false }));
        assert_eq!(taken.refusal(), "409 STATE_FORBIDS shared", "{kind}");
        let stranger = super::team(&mut world, "Other");
        let refused = world.session(&stranger.owner, "PATCH", &shared, change);
        assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}");
        let all = ["Own", "Shared", "Theirs"];
        assert_eq!(names(&mut world, &team.operator), all, "{kind}: unchanged");
    });
}

#[test]
fn a_changed_view_follows_the_rules_of_a_new_one() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        saved(&mut world, &team.owner, "First", false);
        let second = saved(&mut world, &team.owner, "Second", false);
        let mut refused = |body| world.session(&team.owner, "PATCH", &second, body).refusal();
        assert_eq!(
            refused(json!({ "name": " ", "query": "a b" })),
            "422 EMPTY name, URL_MALFORMED query",
            "{kind}"
        );
        let taken = refused(json!({ "name": "First" }));
        assert_eq!(taken, "409 ALREADY_EXISTS name", "{kind}");
        // Its own name is not another's.
        let same = world.session(&team.owner, "PATCH", &second, json!({ "name": "Second" }));
        assert_eq!(same.status, 200, "{kind}: {}", same.body);
    });
}

#[test]
fn an_author_whose_role_was_lowered_keeps_own_views_and_changes_no_shared_one() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let own = saved(&mut world, &team.operator, "Own", false);
        let shared = saved(&mut world, &team.operator, "Shared", true);
        let members = world.session(&team.owner, "GET", "/v1/members", Value::Null);
        let mut members = members.items().iter();
        let operator = members
            .find(|member| member["role"] == "operator")
            .map(|member| text(member, "id"));
        let path = format!("/v1/members/{}", operator.expect("the operator"));
        let role = json!({ "role": "viewer" });
        let lowered = world.session_with_step_up(&team.owner, "PATCH", &path, role);
        assert_eq!(lowered.status, 200, "{kind}: {}", lowered.body);

        for (method, body) in [
            ("PATCH", json!({ "name": "Changed" })),
            ("PATCH", json!({ "shared": false })),
            ("DELETE", Value::Null),
        ] {
            let refused = world.session(&team.operator, method, &shared, body);
            assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}: {method}");
        }
        let seen = list(&mut world, &team.operator);
        let may_change: Vec<_> = seen.iter().map(|view| &view["may_change"]).collect();
        assert_eq!(may_change, [true, false], "{kind}: Own and Shared");
        let renamed = world.session(&team.operator, "PATCH", &own, json!({ "name": "Mine" }));
        assert_eq!(renamed.status, 200, "{kind}: {}", renamed.body);
        let left = names(&mut world, &team.owner);
        assert_eq!(left, ["Shared"], "{kind}");
    });
}
