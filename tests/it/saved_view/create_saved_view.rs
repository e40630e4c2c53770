//! `POST /saved-views`.

use serde_json::json;
use settlekit_core::saved_view::{OWN_VIEWS_MAX, SHARED_VIEWS_MAX};
use settlekit_tests::world::World;

use super::{VIEWS, names, save, saved, team};

#[test]
fn a_member_saves_views_for_themselves_and_for_the_organisation() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let own = save(&mut world, &team.operator, "  Failed ", false);
        assert_eq!(own.status, 201, "{kind}: {}", own.body);
        for (field, value) in [
            ("page", json!("/payments")),
            ("name", json!("Failed")),
            ("query", json!("status=Failed")),
            ("shared", json!(false)),
            ("may_change", json!(true)),
        ] {
            assert_eq!(own.data()[field], value, "{kind}: {field}");
        }
        saved(&mut world, &team.operator, "Everybody's", true);
        assert_eq!(
            names(&mut world, &team.operator),
            ["Everybody's", "Failed"],
            "{kind}"
        );
        assert_eq!(names(&mut world, &team.owner), ["Everybody's"], "{kind}");
    });
}

#[test]
fn all_errors_of_a_view_are_reported_at_once() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let mut refused = |body| world.session(&team.owner, "POST", VIEWS, body).refusal();
        assert_eq!(
            refused(json!({ "shared": 1 })),
            "400 REQUIRED page, REQUIRED name, REQUIRED query, WRONG_TYPE shared",
            "{kind}"
        );
        let long = "x".repeat(1001);
        assert_eq!(
            refused(
                json!({ "page": "https://evil.example", "name": "x".repeat(61), "query": long })
            ),
            "422 URL_MALFORMED page, TOO_LONG name, TOO_LONG query",
            "{kind}"
        );
        for page in [
            "payments",
            "//evil.example",
            "/payments?status=Failed",
            "/\\evil.example",
        ] {
            assert_eq!(
                refused(json!({ "page": page, "name": "\u{7}", "query": "a b" })),
                "422 URL_MALFORMED page, TEXT_MALFORMED name, URL_MALFORMED query",
                "{kind}: {page}"
            );
        }
    });
}

#[test]
fn names_are_unique_per_page_and_lists_are_limited() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        for (shared, views_max) in [(false, OWN_VIEWS_MAX), (true, SHARED_VIEWS_MAX)] {
            for number in 0..views_max {
                saved(&mut world, &team.owner, &format!("View {number}"), shared);
            }
            let another = save(&mut world, &team.owner, "One more", shared);
            assert_eq!(another.refusal(), "409 STATE_FORBIDS", "{kind}");
            let both = save(&mut world, &team.owner, "View 0", shared);
            assert_eq!(
                both.refusal(),
                "409 ALREADY_EXISTS name, STATE_FORBIDS",
                "{kind}"
            );
        }
        // The limits of others and the names of other pages are their own.
        saved(&mut world, &team.operator, "View 0", false);
        let body = json!({ "page": "/customers", "name": "View 0", "query": "" });
        let other_page = world.session(&team.operator, "POST", VIEWS, body);
        assert_eq!(other_page.status, 201, "{kind}: {}", other_page.body);
    });
}

#[test]
fn a_viewer_saves_own_views_and_shares_none() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        saved(&mut world, &team.viewer, "Mine", false);
        let refused = save(&mut world, &team.viewer, "Ours", true);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        assert_eq!(names(&mut world, &team.viewer), ["Mine"], "{kind}");
        // Programs have no views.
        let body = json!({ "page": "/payments", "name": "Mine", "query": "" });
        let by_key = world.keyed(&team.shop, "POST", VIEWS, body);
        assert_eq!(by_key.refusal(), "401 SESSION_INVALID", "{kind}");
    });
}
