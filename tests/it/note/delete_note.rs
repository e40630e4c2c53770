//! `DELETE /notes/{note_id}`.

use serde_json::{Value, json};
use settlekit_service::books::Imported;
use settlekit_service::{Mode, Options, Seed, Service};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{list, notes, team, written};

#[test]
fn a_note_is_deleted_by_its_author_and_by_owners() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let stranger = super::team(&mut world, "Other");
        let first = written(&mut world, &team, &team.operator, "First");
        let second = written(&mut world, &team, &team.operator, "Second");
        let third = written(&mut world, &team, &team.owner, "Third");
        let mut delete = |who, note: &str| {
            let answer = world.session(who, "DELETE", note, Value::Null);
            match answer.status {
                200 => String::new(),
                _ => answer.refusal(),
            }
        };
        assert_eq!(delete(&team.viewer, &first), "403 SCOPE_MISSING", "{kind}");
        assert_eq!(
            delete(&team.operator, &third),
            "403 SCOPE_MISSING",
            "{kind}"
        );
        assert_eq!(delete(&stranger.owner, &first), "404 NOT_FOUND", "{kind}");
        assert_eq!(delete(&team.operator, &first), "", "{kind}");
        assert_eq!(delete(&team.owner, &second), "", "{kind}");
        assert_eq!(delete(&team.owner, &second), "404 NOT_FOUND", "{kind}");
        assert_eq!(notes(&mut world, &team, &team.viewer), ["Third"], "{kind}");
    });
}

#[test]
fn the_notes_of_a_removed_member_stay_with_the_name() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        written(&mut world, &team, &team.operator, "Paid by cheque");
        let members = world.session(&team.owner, "GET", "/v1/members", Value::Null);
        let mut members = members.items().iter();
        let operator = members
            .find(|member| member["role"] == "operator")
            .map(|member| text(member, "id"));
        let path = format!("/v1/members/{}", operator.expect("the operator"));
        let removed = world.session_with_step_up(&team.owner, "DELETE", &path, Value::Null);
        assert_eq!(removed.status, 200, "{kind}: {}", removed.body);
        let left = list(&mut world, &team, &team.owner);
        assert_eq!(left[0]["author"], json!("Ada"), "{kind}");
        assert_eq!(left[0]["may_delete"], json!(true), "{kind}");
    });
}

#[test]
fn notes_move_with_the_books() {
    database::each(|kind, mut target| {
        let mut world = World::new(database::sqlite());
        let team = team(&mut world, "Shop");
        written(&mut world, &team, &team.owner, "Paid by cheque");
        let mut lines = Vec::new();
        let (service, source) = world.parts();
        let exported = service.export(source, team.shop.id, &mut |line| {
            lines.push(line.to_owned());
            true
        });
        assert!(matches!(exported, Ok(Some(_))), "{kind}: {exported:?}");
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
        let query = "SELECT text, author, COALESCE(user_id, 'nobody'), record_id FROM notes";
        let rows = database::rows(target.as_mut(), query);
        let expected = format!("Paid by cheque Ada nobody {}", team.payment);
        assert_eq!(rows, [expected], "{kind}");
    });
}
