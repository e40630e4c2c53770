//! Subscriptions by the clock: trials and periods, each billed once.

use serde_json::json;
use settlekit_tests::world::{DAY, World, text};

use super::{club, invoices, pay, plan, status, subscribe};

#[test]
fn a_trial_ends_then_each_period_is_billed_once() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let box_plan = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let cup = plan(&mut world, &club, json!({ "name": "Cup", "price": "0.1" }));
        let made = subscribe(
            &mut world,
            &club,
            json!({ "plan_ids": [box_plan, cup], "reference": "S-1" }),
        );
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let id = made.id();
        assert_eq!(made.data()["status"], "InTrial", "{kind}");
        assert_eq!(made.data()["items"][0]["plan"]["name"], "Box", "{kind}");
        assert_eq!(
            made.data()["customer"]["email"],
            "ada@tea.example",
            "{kind}"
        );
        assert_eq!(
            invoices(&mut world, &club),
            0,
            "{kind}: a trial costs nothing"
        );

        world.advance(&club.shop, DAY * 14);
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
        let first = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        assert_eq!(first["amount"], "20.00", "{kind}: both plans");
        assert_eq!(first["properties"]["title"], "Box, Cup", "{kind}");
        assert_eq!(first["payment_status"], "Pending", "{kind}");
        world.work();
        assert_eq!(
            invoices(&mut world, &club),
            1,
            "{kind}: a period is billed once"
        );

        pay(&mut world, &club, &first);
        let paid = world.read(&club.shop, &format!("/v1/invoices/{}", text(&first, "id")));
        assert_eq!(paid["payment_status"], "Succeeded", "{kind}");
        // Its paylink has a stock of one: it cannot be paid twice.
        let link = world.read(
            &club.shop,
            &format!(
                "/v1/paylinks/{}",
                text(&first["properties"], "payment_link_id")
            ),
        );
        assert_eq!(link["state"], "Paid", "{kind}");
        assert_eq!(link["invoice_id"], first["id"], "{kind}");

        // After a clock jump each passed period is billed.
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        subscribe(&mut world, &club, json!({ "plan_ids": [weekly] }));
        world.advance(&club.shop, DAY * 20);
        assert_eq!(invoices(&mut world, &club), 4, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn missed_periods_are_each_billed() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let change = json!({ "recurring_interval": "Week", "trial_period": "P14D" });
        let weekly = plan(&mut world, &club, change);
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [weekly] }));
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.pass(DAY * 21);
        for _ in 0..3 {
            world.work();
        }
        assert_eq!(invoices(&mut world, &club), 2, "{kind}");
    });
}

#[test]
fn a_scheduled_subscription_starts_despite_an_overdue_invoice() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let later = json!({ "plan_ids": [monthly], "start_at": "2026-04-02T09:00:00Z" });
        let id = text(subscribe(&mut world, &club, later).data(), "id");
        let fee = json!({ "due_date": "2026-03-05T09:00:00Z", "title": "Joining fee" });
        let path = format!("/v1/subscriptions/{id}/invoices");
        world.keyed(&club.shop, "POST", &path, fee);
        world.advance(&club.shop, DAY * 4);
        let waits = world.read(&club.shop, &format!("/v1/subscriptions/{id}"));
        assert_eq!(waits["is_overdue"], true, "{kind}");
        assert_eq!(waits["status"], "Future", "{kind}");
        world.advance(&club.shop, DAY * 30);
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), 2, "{kind}");
    });
}
