//! `POST /subscriptions`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World};

use super::{club, invoices, plan, subscribe};

#[test]
fn a_sold_out_or_closed_plan_cannot_be_subscribed_to() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let short = plan(
            &mut world,
            &club,
            json!({ "expires_at": "2026-03-05T09:00:00Z" }),
        );
        let rare = plan(&mut world, &club, json!({ "available_quantity": 1 }));
        let first = subscribe(&mut world, &club, json!({ "plan_ids": [rare] }));
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        let left = world.read(&club.shop, &format!("/v1/plan/{rare}"));
        assert_eq!(left["available_quantity"], 0, "{kind}");
        world.advance(&club.shop, DAY * 3);
        let second = subscribe(&mut world, &club, json!({ "plan_ids": [rare, short] }));
        assert_eq!(
            second.refusal(),
            "422 REFERENCE_UNKNOWN plan_ids[0], REFERENCE_UNKNOWN plan_ids[1]",
            "{kind}"
        );
    });
}

#[test]
fn start_and_due_dates_in_the_past_are_refused() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let ago = |world: &World, hours: u64| {
            world
                .now
                .minus(Duration::from_secs(hours * 60 * 60))
                .to_string()
        };
        let body = json!({ "plan_ids": [monthly], "start_at": ago(&world, 25) });
        let refused = subscribe(&mut world, &club, body);
        assert_eq!(refused.refusal(), "422 NOT_IN_FUTURE start_at", "{kind}");
        // This morning is today, so the subscription starts at once.
        let body = json!({ "plan_ids": [monthly], "start_at": ago(&world, 9) });
        let made = subscribe(&mut world, &club, body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["status"], "Active", "{kind}");
        assert_eq!(made.data()["start_at"], made.data()["created_at"], "{kind}");

        let path = format!("/v1/subscriptions/{}/invoices", made.id());
        let due = |world: &mut World, at: &str| {
            world.keyed(&club.shop, "POST", &path, json!({ "due_date": at }))
        };
        let (then, today) = (ago(&world, 24 * 365), ago(&world, 9));
        assert_eq!(
            due(&mut world, &then).refusal(),
            "422 NOT_IN_FUTURE due_date",
            "{kind}"
        );
        let issued = due(&mut world, &today);
        assert_eq!(issued.status, 201, "{kind}: {}", issued.body);
        // The invoice of a date that has passed is given again.
        world.advance(&club.shop, DAY * 3);
        let again = due(&mut world, &today);
        assert_eq!(again.data()["id"], issued.data()["id"], "{kind}");
    });
}

#[test]
fn plans_with_too_large_a_total_are_refused() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let largest = json!({ "price": "79228162514264337593543950335" });
        let (one, other) = (
            plan(&mut world, &club, largest.clone()),
            plan(&mut world, &club, largest),
        );
        for start_at in [Value::Null, json!("2026-04-02T09:00:00Z")] {
            let body = json!({ "plan_ids": [one, other], "start_at": start_at });
            let refused = subscribe(&mut world, &club, body);
            assert_eq!(refused.refusal(), "422 AMOUNT_TOO_LARGE plan_ids", "{kind}");
        }
        let alone = subscribe(&mut world, &club, json!({ "plan_ids": [one] }));
        assert_eq!(alone.status, 201, "{kind}: {}", alone.body);
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
    });
}
