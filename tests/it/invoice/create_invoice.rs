//! `POST /subscriptions/{subscription_id}/invoices`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World};

use crate::subscription::{club, invoices, plan, subscribe};

#[test]
fn there_is_one_invoice_for_each_due_date_and_lists_are_filtered() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let later = json!({ "plan_ids": [monthly], "start_at": "2090-01-01T00:00:00Z" });
        let waits = subscribe(&mut world, &club, later);
        assert_eq!(waits.data()["status"], "Future", "{kind}: {}", waits.body);
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let path = format!("/v1/subscriptions/{}/invoices", made.id());
        let ask = |world: &mut World| {
            let body = json!({ "due_date": "2089-12-24T00:00:00Z", "title": "By hand" });
            world.keyed(&club.shop, "POST", &path, body)
        };
        let (first, again) = (ask(&mut world), ask(&mut world));
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        assert_eq!(first.data(), again.data(), "{kind}");
        assert_eq!(first.data()["properties"]["title"], "By hand", "{kind}");
        assert_eq!(first.data()["reference"], "INV-2", "{kind}");
        let found = world.read(&club.shop, "/v1/find?text=INV-2");
        let expected = (&json!("Invoice"), &first.data()["id"]);
        assert_eq!((&found[0]["kind"], &found[0]["id"]), expected, "{kind}");
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{kind}");
        assert_eq!(invoices(&mut world, &club), 2, "{kind}");

        for (target, total) in [
            ("/v1/subscriptions".to_owned(), 2),
            ("/v1/subscriptions?status=Future".to_owned(), 1),
            (
                format!("/v1/subscriptions?customer_id={}", club.customer),
                2,
            ),
            (
                format!(
                    "/v1/subscriptions?status=Active&customer_id={}",
                    club.customer
                ),
                1,
            ),
            (
                "/v1/subscriptions?customer_id=cus_019cade5a0007000800000000000dead".to_owned(),
                0,
            ),
            ("/v1/invoices?payment_status=Pending".to_owned(), 2),
            ("/v1/invoices?payment_status=Failed".to_owned(), 0),
        ] {
            assert_eq!(
                world.read(&club.shop, &target)["total"],
                total,
                "{kind} {target}"
            );
        }

        let once = world
            .keyed(&club.shop, "GET", "/v1/plan?sort=asc&limit=1", Value::Null)
            .data()["items"][0]["id"]
            .clone();
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        for (body, refusal) in [
            (
                json!({ "plan_ids": [once] }),
                "422 NOT_SUPPORTED plan_ids[0]",
            ),
            (
                json!({ "plan_ids": [monthly, weekly] }),
                "422 NOT_SUPPORTED plan_ids[1]",
            ),
            (
                json!({ "plan_ids": ["plan_019cade5a0007000800000000000dead"] }),
                "422 REFERENCE_UNKNOWN plan_ids[0]",
            ),
            (
                json!({ "plan_ids": [monthly], "customer_id": "cus_019cade5a0007000800000000000dead" }),
                "422 REFERENCE_UNKNOWN customer_id",
            ),
        ] {
            assert_eq!(
                subscribe(&mut world, &club, body.clone()).refusal(),
                refusal,
                "{kind} {body}"
            );
        }
    });
}

#[test]
fn an_invoice_of_a_paused_subscription_needs_a_due_date() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let path = format!("/v1/subscriptions/{}", made.id());
        let ask = |world: &mut World, body: Value| {
            world.keyed(&club.shop, "POST", &format!("{path}/invoices"), body)
        };
        world.keyed(&club.shop, "POST", &format!("{path}/pause"), json!({}));
        world.advance(&club.shop, DAY * 60);
        let refused = ask(&mut world, json!({}));
        assert_eq!(refused.refusal(), "422 REQUIRED due_date", "{kind}");
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
        let due = json!({ "due_date": world.now.plus(DAY * 90).to_string() });
        let issued = ask(&mut world, due);
        assert_eq!(issued.status, 201, "{kind}: {}", issued.body);
    });
}
