//! `GET /notes`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{NOTES, list, notes, team, written};

#[test]
fn notes_are_listed_newest_first() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        for text in ["First", "Second", "Third"] {
            world.pass(std::time::Duration::from_secs(1));
            written(&mut world, &team, &team.owner, text);
        }
        let all = notes(&mut world, &team, &team.viewer);
        assert_eq!(all, ["Third", "Second", "First"], "{kind}");
    });
}

#[test]
fn the_author_and_owners_may_delete_a_note() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        written(&mut world, &team, &team.owner, "Check the address");
        for (who, may_delete) in [
            (&team.owner, true),
            (&team.operator, false),
            (&team.viewer, false),
        ] {
            let all = list(&mut world, &team, who);
            assert_eq!(all[0]["may_delete"], json!(may_delete), "{kind}");
        }
    });
}

#[test]
fn both_parts_of_the_record_are_required() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let refused = world.session(&team.viewer, "GET", NOTES, Value::Null);
        assert_eq!(
            refused.refusal(),
            "422 REQUIRED record_type, REQUIRED record_id",
            "{kind}"
        );
    });
}
