//! `GET /saved-views`.

use serde_json::json;
use settlekit_tests::world::World;

use super::{list, names, saved, team};

#[test]
fn a_member_sees_own_and_shared_views_of_the_own_organisation_only() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let stranger = super::team(&mut world, "Other");
        saved(&mut world, &team.owner, "Owner's", false);
        saved(&mut world, &team.operator, "Operator's", false);
        saved(&mut world, &team.operator, "All", true);
        assert_eq!(names(&mut world, &team.owner), ["All", "Owner's"], "{kind}");
        assert_eq!(
            names(&mut world, &team.operator),
            ["All", "Operator's"],
            "{kind}"
        );
        assert_eq!(names(&mut world, &team.viewer), ["All"], "{kind}");
        assert_eq!(names(&mut world, &stranger.owner), [""; 0], "{kind}");
        // The author and owners may change a shared view.
        for (who, may_change) in [
            (&team.operator, true),
            (&team.owner, true),
            (&team.viewer, false),
        ] {
            let all = list(&mut world, who);
            assert_eq!(all[0]["may_change"], json!(may_change), "{kind}");
        }
    });
}
