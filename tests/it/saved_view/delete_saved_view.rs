//! `DELETE /saved-views/{saved_view_id}`.

use serde_json::{Value, json};
use settlekit_service::books::Imported;
use settlekit_service::{Mode, Options, Seed, Service};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{names, saved, team};

#[test]
fn a_view_is_deleted_by_its_author_and_a_shared_one_by_owners() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let own = saved(&mut world, &team.viewer, "Own", false);
        let shared = saved(&mut world, &team.operator, "Shared", true);
        let mut delete = |who, view: &str| {
            let answer = world.session(who, "DELETE", view, Value::Null);
            match answer.status {
                200 => String::new(),
                _ => answer.refusal(),
            }
        };
        assert_eq!(delete(&team.owner, &own), "404 NOT_FOUND", "{kind}");
        assert_eq!(delete(&team.viewer, &shared), "403 SCOPE_MISSING", "{kind}");
        assert_eq!(delete(&team.viewer, &own), "", "{kind}");
        assert_eq!(delete(&team.owner, &shared), "", "{kind}");
        assert_eq!(delete(&team.owner, &shared), "404 NOT_FOUND", "{kind}");
        assert_eq!(names(&mut world, &team.operator), [""; 0], "{kind}");
    });
}

#[test]
fn the_own_views_of_a_removed_member_are_deleted_and_the_shared_ones_stay() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        saved(&mut world, &team.operator, "Own", false);
        let shared = saved(&mut world, &team.operator, "Shared", true);
        let members = world.session(&team.owner, "GET", "/v1/members", Value::Null);
        let mut members = members.items().iter();
        let operator = members
            .find(|member| member["role"] == "operator")
            .map(|member| text(member, "id"));
        let path = format!("/v1/members/{}", operator.expect("the operator"));
        let removed = world.session_with_step_up(&team.owner, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        let rows = database::rows(world.parts().1, "SELECT name FROM saved_views");
        assert_eq!(rows, ["Shared"], "{kind}");
        let left = super::list(&mut world, &team.owner);
        assert!(left[0].get("user_id").is_none(), "{kind}: {}", left[0]);
        // Without an author nobody could see it any more.
        let hidden = world.session(&team.owner, "PATCH", &shared, json!({ "shared": false }));
        assert_eq!(hidden.refusal(), "409 STATE_FORBIDS shared", "{kind}");
        let deleted = world.session(&team.owner, "DELETE", &shared, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
    });
}

#[test]
fn shared_views_move_with_the_books_and_own_ones_stay_with_the_members() {
    database::each(|kind, mut target| {
        let mut world = World::new(database::sqlite());
        let team = team(&mut world, "Shop");
        saved(&mut world, &team.owner, "Own", false);
        saved(&mut world, &team.owner, "Shared", true);
        let mut lines = Vec::new();
        let (service, source) = world.parts();
        let exported = service.export(source, team.shop.id, &mut |line| {
            lines.push(line.to_owned());
            true
        });
        assert!(matches!(exported, Ok(Some(_))), "{kind}: {exported:?}");
        assert!(!lines.iter().any(|line| line.contains("\"Own\"")), "{kind}");
        let another = Service::new(Options {
            master_key: [3; 32],
            mode: Mode::Sandbox,
            allow_private_webhooks: true,
            public_url: "http://127.0.0.1:8080".to_owned(),
        });
        settlekit_service::store::mode::open(target.as_mut(), Mode::Sandbox).expect("a sandbox");
        let now = "2026-04-01T00:00:00Z".parse().expect("a timestamp");
        let mut lines = lines.into_iter();
        let imported = another.import(target.as_mut(), &mut lines, now, Seed([8; 32]));
        assert!(
            matches!(imported, Ok(Imported::Made { .. })),
            "{kind}: {imported:?}"
        );
        let rows = database::rows(target.as_mut(), "SELECT name, shared FROM saved_views");
        assert_eq!(rows, ["Shared 1"], "{kind}");
    });
}
