//! Subscriptions by the clock: trials, periods, invoices, reminders, endings.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World};

const DAY: i64 = 24 * 60 * 60;

/// A shop with a customer and a monthly plan.
struct Club {
    shop: Shop,
    customer: String,
}

fn club(world: &mut World) -> Club {
    let shop = world.shop("Club", None);
    world.account(&shop, "till", 8453, &["USDC"]);
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
    let path = format!("/v1/checkout/{}/payments", text(link.data(), "id"));
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    world.public("POST", &path, payer);
    let customers = world.keyed(&shop, "GET", "/v1/customers", Value::Null);
    let customer = text(&customers.data()["items"][0], "id");
    Club { shop, customer }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().expect("text").to_owned()
}

fn plan(world: &mut World, club: &Club, change: Value) -> String {
    let mut body = json!({ "name": "Box", "price": "19.90", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    for (name, value) in change.as_object().expect("fields") {
        body[name] = value.clone();
    }
    let made = world.keyed(&club.shop, "POST", "/v1/plan", body);
    assert_eq!(made.status, 201, "{}", made.body);
    text(made.data(), "id")
}

fn subscribe(world: &mut World, club: &Club, body: Value) -> Answer {
    let mut given = json!({ "customer_id": club.customer });
    for (name, value) in body.as_object().expect("fields") {
        given[name] = value.clone();
    }
    world.keyed(&club.shop, "POST", "/v1/subscriptions", given)
}

fn advance(world: &mut World, club: &Club, days: i64) {
    let body = json!({ "advance_seconds": days * DAY });
    let moved = world.keyed(&club.shop, "POST", "/v1/sandbox/clock", body);
    assert_eq!(moved.status, 200, "{}", moved.body);
}

fn status(world: &mut World, club: &Club, id: &str) -> String {
    text(
        &world.read(&club.shop, &format!("/v1/subscriptions/{id}")),
        "status",
    )
}

fn invoices(world: &mut World, club: &Club) -> u64 {
    world.read(&club.shop, "/v1/invoices")["total"]
        .as_u64()
        .expect("a total")
}

/// Pays an invoice through its link.
fn pay(world: &mut World, club: &Club, invoice: &Value) {
    let link = text(&invoice["properties"], "payment_link_id");
    let chosen = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    assert_eq!(started.status, 201, "{}", started.body);
    let pay = format!(
        "/v1/sandbox/checkout/payments/{}/pay",
        text(started.data(), "payment_id")
    );
    world.public("POST", &pay, json!({}));
    advance(world, club, 0);
    world.pass(std::time::Duration::from_secs(10));
    world.work();
}

#[test]
fn a_trial_ends_periods_follow_and_each_is_billed_once() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let box_plan = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let cup = plan(&mut world, &club, json!({ "name": "Cup", "price": "0.1" }));
        let made = subscribe(
            &mut world,
            &club,
            json!({ "plan_ids": [box_plan, cup], "reference": "S-1" }),
        );
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let id = text(made.data(), "id");
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

        advance(&mut world, &club, 14);
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
        // Its link is over one piece: nobody pays it twice.
        let link = world.read(
            &club.shop,
            &format!(
                "/v1/paylinks/{}",
                text(&first["properties"], "payment_link_id")
            ),
        );
        assert_eq!(link["state"], "Paid", "{kind}");
        assert_eq!(link["invoice_id"], first["id"], "{kind}");

        // A clock that jumps bills each of the periods that went by.
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        subscribe(&mut world, &club, json!({ "plan_ids": [weekly] }));
        advance(&mut world, &club, 20);
        assert_eq!(invoices(&mut world, &club), 4, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn periods_that_go_by_while_no_server_runs_are_each_billed_also_the_one_that_begins_as_it_starts() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let change = json!({ "recurring_interval": "Week", "trial_period": "P14D" });
        let weekly = plan(&mut world, &club, change);
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [weekly] }));
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.pass(std::time::Duration::from_secs(21 * DAY.unsigned_abs()));
        for _ in 0..3 {
            world.work();
        }
        assert_eq!(invoices(&mut world, &club), 2, "{kind}");
    });
}

#[test]
fn an_invoice_that_is_not_paid_is_overdue_reminded_of_and_given_up() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        let id = text(
            subscribe(&mut world, &club, json!({ "plan_ids": [yearly] })).data(),
            "id",
        );
        let invoice = text(&world.read(&club.shop, "/v1/invoices")["items"][0], "id");
        let path = format!("/v1/invoices/{invoice}");
        for (days, dunning, payment, overdue) in [
            (6, "None", "Pending", false),
            (1, "Overdue", "Pending", true),
            (3, "Reminded", "Pending", true),
            (11, "GivenUp", "Failed", true),
        ] {
            advance(&mut world, &club, days);
            let shown = world.read(&club.shop, &path);
            assert_eq!(shown["dunning_status"], dunning, "{kind}");
            assert_eq!(shown["payment_status"], payment, "{kind}");
            let subscription = world.read(&club.shop, &format!("/v1/subscriptions/{id}"));
            assert_eq!(subscription["is_overdue"], overdue, "{kind}: {dunning}");
        }
        let shown = world.read(&club.shop, &path);
        pay(&mut world, &club, &shown);
        assert_eq!(
            world.read(&club.shop, &path)["payment_status"],
            "Succeeded",
            "{kind}: late, but paid"
        );
        let subscription = world.read(&club.shop, &format!("/v1/subscriptions/{id}"));
        assert_eq!(subscription["is_overdue"], false, "{kind}");
        assert_eq!(subscription["status"], "Expired", "{kind}: it is over");
        let log = world.read(
            &club.shop,
            &format!("/v1/events?document_id={invoice}&sort=asc"),
        );
        let actions: Vec<String> = log["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|event| text(event, "action"))
            .collect();
        assert_eq!(
            actions,
            ["Created", "Overdue", "Delayed", "Updated", "Settled"],
            "{kind}"
        );
    });
}

#[test]
fn who_does_not_pay_is_not_billed_for_ever_and_who_is_paused_stays_so() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        let begin = |world: &mut World| {
            let made = subscribe(world, &club, json!({ "plan_ids": [weekly] }));
            text(made.data(), "id")
        };
        let (unpaid, paused) = (begin(&mut world), begin(&mut world));
        let pause = format!("/v1/subscriptions/{paused}/pause");
        world.keyed(&club.shop, "POST", &pause, json!({}));
        advance(&mut world, &club, 22);
        assert_eq!(status(&mut world, &club, &unpaid), "Expired", "{kind}");
        assert_eq!(status(&mut world, &club, &paused), "Paused", "{kind}");
        // The first week of both, and two more of the one: the fourth begins with the day on which it is given up.
        let billed = invoices(&mut world, &club);
        advance(&mut world, &club, 60);
        assert_eq!(invoices(&mut world, &club), billed, "{kind}");
        assert!(billed <= 5, "{kind}: {billed}");
        let log = "/v1/events?type=Subscription&action=Updated&limit=1";
        let told = world.read(&club.shop, log)["items"][0]["data"].clone();
        assert_eq!(told["status"], "Expired", "{kind}");
        let path = format!("/v1/subscriptions/{unpaid}/invoices");
        let due = json!({ "due_date": "2090-01-01T00:00:00Z" });
        let more = world.keyed(&club.shop, "POST", &path, due);
        assert_eq!(more.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn a_subscription_is_paused_resumed_and_canceled_by_the_table_of_moves() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let id = text(
            subscribe(&mut world, &club, json!({ "plan_ids": [monthly] })).data(),
            "id",
        );
        let act = |world: &mut World, act: &str, body: Value| {
            world.keyed(
                &club.shop,
                "POST",
                &format!("/v1/subscriptions/{id}/{act}"),
                body,
            )
        };
        assert_eq!(
            act(&mut world, "resume", json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}"
        );
        assert_eq!(
            act(&mut world, "pause", json!({})).data()["status"],
            "Paused",
            "{kind}"
        );
        advance(&mut world, &club, 90);
        assert_eq!(
            invoices(&mut world, &club),
            1,
            "{kind}: nothing is billed while it is paused"
        );
        assert_eq!(
            act(&mut world, "resume", json!({})).data()["status"],
            "Active",
            "{kind}"
        );
        assert_eq!(
            invoices(&mut world, &club),
            2,
            "{kind}: a new period begins at once"
        );
        let pay_latest = |world: &mut World| {
            let latest = world.read(&club.shop, "/v1/invoices?limit=1")["items"][0].clone();
            pay(world, &club, &latest);
        };
        pay_latest(&mut world);

        let ends = act(&mut world, "cancel", json!({ "at_period_end": true }));
        assert_eq!(ends.data()["cancel_at_period_end"], true, "{kind}");
        advance(&mut world, &club, 20);
        let stays = act(&mut world, "cancel", json!({ "at_period_end": false }));
        assert_eq!(stays.data()["cancel_at_period_end"], false, "{kind}");
        advance(&mut world, &club, 20);
        assert_eq!(invoices(&mut world, &club), 3, "{kind}: it was taken back");
        pay_latest(&mut world);
        act(&mut world, "cancel", json!({ "at_period_end": true }));
        advance(&mut world, &club, 40);
        assert_eq!(status(&mut world, &club, &id), "Canceled", "{kind}");
        assert_eq!(invoices(&mut world, &club), 3, "{kind}");
        for again in ["cancel", "pause", "resume", "invoices"] {
            assert_eq!(
                act(&mut world, again, json!({})).refusal(),
                "409 STATE_FORBIDS",
                "{kind} {again}"
            );
        }
    });
}

#[test]
fn there_is_one_invoice_for_each_due_date_and_lists_are_filtered() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let later = json!({ "plan_ids": [monthly], "start_at": "2090-01-01T00:00:00Z" });
        let waits = subscribe(&mut world, &club, later);
        assert_eq!(waits.data()["status"], "Future", "{kind}: {}", waits.body);
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let path = format!("/v1/subscriptions/{}/invoices", text(made.data(), "id"));
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
        let expected = json!([{ "kind": "Invoice", "id": first.data()["id"] }]);
        assert_eq!(found, expected, "{kind}");
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
fn what_waits_to_begin_begins_though_an_invoice_of_it_was_overdue_before() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let later = json!({ "plan_ids": [monthly], "start_at": "2026-04-02T09:00:00Z" });
        let id = text(subscribe(&mut world, &club, later).data(), "id");
        let fee = json!({ "due_date": "2026-03-05T09:00:00Z", "title": "Joining fee" });
        let path = format!("/v1/subscriptions/{id}/invoices");
        world.keyed(&club.shop, "POST", &path, fee);
        advance(&mut world, &club, 4);
        let waits = world.read(&club.shop, &format!("/v1/subscriptions/{id}"));
        assert_eq!(waits["is_overdue"], true, "{kind}");
        assert_eq!(waits["status"], "Future", "{kind}");
        advance(&mut world, &club, 30);
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), 2, "{kind}");
    });
}

#[test]
fn a_trial_that_was_paused_goes_on_until_its_end_and_costs_nothing_before() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let trial = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [trial] }));
        let path = format!("/v1/subscriptions/{}", text(made.data(), "id"));
        let act = |world: &mut World, act: &str| {
            let acted = world.keyed(&club.shop, "POST", &format!("{path}/{act}"), json!({}));
            text(acted.data(), "status")
        };
        assert_eq!(act(&mut world, "pause"), "Paused", "{kind}");
        advance(&mut world, &club, 3);
        assert_eq!(act(&mut world, "resume"), "InTrial", "{kind}");
        advance(&mut world, &club, 10);
        assert_eq!(invoices(&mut world, &club), 0, "{kind}");
        advance(&mut world, &club, 1);
        assert_eq!(world.read(&club.shop, &path)["status"], "Active", "{kind}");
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
    });
}

#[test]
fn a_plan_that_is_sold_out_or_no_longer_sold_is_not_subscribed_to() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
        advance(&mut world, &club, 3);
        let second = subscribe(&mut world, &club, json!({ "plan_ids": [rare, short] }));
        assert_eq!(
            second.refusal(),
            "422 REFERENCE_UNKNOWN plan_ids[0], REFERENCE_UNKNOWN plan_ids[1]",
            "{kind}"
        );
    });
}

#[test]
fn a_plan_is_on_sale_as_the_link_that_sells_it_is() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let link = json!({ "amount": "9", "currency": "USDC", "name": "Box", "type": "Recurring", "interval": "Week" });
        let link = world.keyed(&club.shop, "POST", "/v1/paylinks", link);
        let (link, plan) = (text(link.data(), "id"), text(link.data(), "plan_id"));
        let held = subscribe(&mut world, &club, json!({ "plan_ids": [plan] }));
        assert_eq!(held.status, 201, "{kind}: {}", held.body);
        let enable = |world: &mut World, enabled: bool| {
            let items = json!({ "items": [{ "id": link, "enabled": enabled }] });
            let changed = world.keyed(&club.shop, "PATCH", "/v1/paylinks/batch", items);
            assert_eq!(changed.data()[0]["plan"]["enabled"], enabled, "{kind}");
        };
        let check = |world: &mut World, when: &str, is_on_sale: bool| {
            let shown = world.read(&club.shop, &format!("/v1/plan/{plan}"));
            assert_eq!(shown["enabled"], is_on_sale, "{kind}: {when}");
            let tried = subscribe(world, &club, json!({ "plan_ids": [plan] }));
            match is_on_sale {
                true => assert_eq!(tried.status, 201, "{kind}: {when}: {}", tried.body),
                false => assert_eq!(
                    tried.refusal(),
                    "422 REFERENCE_UNKNOWN plan_ids[0]",
                    "{kind}: {when}"
                ),
            }
        };
        enable(&mut world, false);
        check(&mut world, "disabled", false);
        enable(&mut world, true);
        check(&mut world, "enabled", true);
        let path = format!("/v1/paylinks/{link}");
        let deleted = world.keyed(&club.shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        check(&mut world, "deleted", false);
        let told = world.read(&club.shop, "/v1/events?type=Plan&action=Updated");
        assert_eq!(told["total"], 3, "{kind}");
        // Whoever has subscribed goes on.
        let before = invoices(&mut world, &club);
        advance(&mut world, &club, 8);
        assert_eq!(
            status(&mut world, &club, &text(held.data(), "id")),
            "Active",
            "{kind}"
        );
        assert_eq!(invoices(&mut world, &club), before + 2, "{kind}");
    });
}

#[test]
fn what_an_invoice_is_paid_by_stands_in_no_list_and_is_shut_when_it_is_paid() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let seen = |world: &mut World| {
            let total =
                |world: &mut World, path: &str| world.read(&club.shop, path)["total"].clone();
            let (links, plans) = (total(world, "/v1/paylinks"), total(world, "/v1/plan"));
            let active = world.read(&club.shop, "/v1/overview")["paylinks_active"].clone();
            [links, plans, active]
        };
        let before = seen(&mut world);
        assert_eq!(before, [json!(1), json!(2), json!(1)], "{kind}");
        subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        assert_eq!(seen(&mut world), before, "{kind}: issued");
        let link = format!(
            "/v1/paylinks/{}",
            text(&invoice["properties"], "payment_link_id")
        );
        let open = world.read(&club.shop, &link);
        assert_eq!(open["state"], "Open", "{kind}");
        assert_eq!(open["invoice_id"], invoice["id"], "{kind}");
        pay(&mut world, &club, &invoice);
        let shut = world.read(&club.shop, &link);
        assert_eq!(shut["state"], "Paid", "{kind}");
        assert_eq!(shut["enabled"], false, "{kind}");
        assert_eq!(shut["plan"]["enabled"], false, "{kind}");
        assert_eq!(seen(&mut world), before, "{kind}: paid");
        // Nobody could buy what it sold: it stays shut.
        let enable = json!({ "items": [{ "id": shut["id"], "enabled": true }] });
        let enable = world.keyed(&club.shop, "PATCH", "/v1/paylinks/batch", enable);
        assert_eq!(
            enable.refusal(),
            "409 STATE_FORBIDS items[0].enabled",
            "{kind}"
        );
        // The plan's own link, by which somebody subscribes, sells on.
        let own = json!({ "amount": "9", "currency": "USDC", "name": "Box", "type": "Recurring", "interval": "Month" });
        let own = world.keyed(&club.shop, "POST", "/v1/paylinks", own);
        let own = text(own.data(), "id");
        pay(
            &mut world,
            &club,
            &json!({ "properties": { "payment_link_id": own } }),
        );
        let own = world.read(&club.shop, &format!("/v1/paylinks/{own}"));
        assert_eq!(own["state"], "Open", "{kind}");
        let total = world.read(&club.shop, "/v1/invoices");
        assert_eq!(total["items"][0]["payment_status"], "Succeeded", "{kind}");
    });
}

#[test]
fn nothing_begins_or_is_due_before_today() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let ago = |world: &World, hours: u64| {
            world
                .now
                .minus(std::time::Duration::from_secs(hours * 60 * 60))
                .to_string()
        };
        let body = json!({ "plan_ids": [monthly], "start_at": ago(&world, 25) });
        let refused = subscribe(&mut world, &club, body);
        assert_eq!(refused.refusal(), "422 NOT_IN_FUTURE start_at", "{kind}");
        // This morning is today, and what is to begin then begins at once.
        let body = json!({ "plan_ids": [monthly], "start_at": ago(&world, 9) });
        let made = subscribe(&mut world, &club, body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["status"], "Active", "{kind}");
        assert_eq!(made.data()["start_at"], made.data()["created_at"], "{kind}");

        let path = format!("/v1/subscriptions/{}/invoices", text(made.data(), "id"));
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
        advance(&mut world, &club, 3);
        let again = due(&mut world, &today);
        assert_eq!(again.data()["id"], issued.data()["id"], "{kind}");
    });
}

#[test]
fn who_has_canceled_is_not_billed_again_by_a_pause_in_between() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P7D" }));
        let begin = |world: &mut World, plan: &str| {
            let made = subscribe(world, &club, json!({ "plan_ids": [plan] }));
            text(made.data(), "id")
        };
        let act = |world: &mut World, id: &str, act: &str, body: Value| {
            let path = format!("/v1/subscriptions/{id}/{act}");
            let done = world.keyed(&club.shop, "POST", &path, body);
            assert_eq!(done.status, 200, "{kind}: {}", done.body);
            text(done.data(), "status")
        };
        let (resumed, left, free) = (
            begin(&mut world, &weekly),
            begin(&mut world, &weekly),
            begin(&mut world, &trial),
        );
        for id in [&resumed, &left, &free] {
            act(&mut world, id, "cancel", json!({ "at_period_end": true }));
            assert_eq!(act(&mut world, id, "pause", json!({})), "Paused", "{kind}");
        }
        advance(&mut world, &club, 6);
        let again = act(&mut world, &resumed, "resume", json!({}));
        assert_eq!(again, "Active", "{kind}: its period goes on");
        for (days, expected) in [
            (0, ["Active", "Paused", "Paused"]),
            (1, ["Canceled", "Canceled", "Canceled"]),
            (30, ["Canceled", "Canceled", "Canceled"]),
        ] {
            advance(&mut world, &club, days);
            let found = [&resumed, &left, &free].map(|id| status(&mut world, &club, id));
            assert_eq!(found, expected, "{kind}");
        }
        assert_eq!(invoices(&mut world, &club), 2, "{kind}: one period of each");
    });
}

#[test]
fn an_invoice_of_a_subscription_that_rests_needs_a_due_date() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let path = format!("/v1/subscriptions/{}", text(made.data(), "id"));
        let ask = |world: &mut World, body: Value| {
            world.keyed(&club.shop, "POST", &format!("{path}/invoices"), body)
        };
        world.keyed(&club.shop, "POST", &format!("{path}/pause"), json!({}));
        advance(&mut world, &club, 60);
        let refused = ask(&mut world, json!({}));
        assert_eq!(refused.refusal(), "422 REQUIRED due_date", "{kind}");
        assert_eq!(invoices(&mut world, &club), 1, "{kind}");
        let due = json!({ "due_date": world.now.plus(std::time::Duration::from_secs(90 * 86_400)).to_string() });
        let issued = ask(&mut world, due);
        assert_eq!(issued.status, 201, "{kind}: {}", issued.body);
    });
}

#[test]
fn nobody_is_reminded_of_an_invoice_while_its_link_is_shut_by_a_suspension() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [yearly] }));
        let id = text(made.data(), "id");
        let invoice = text(&world.read(&club.shop, "/v1/invoices")["items"][0], "id");
        let path = format!("/v1/invoices/{invoice}");
        let suspend = |world: &mut World, why: Option<&str>| {
            let suspended = Command::Suspend {
                organisation: club.shop.id,
                kind: why.map(str::to_owned),
            };
            assert_eq!(world.call(suspended), Reply::Done, "{kind}");
        };
        let days = |world: &mut World, count: u32| {
            for _ in 0..count {
                world.pass(std::time::Duration::from_secs(86_400));
                world.work();
            }
        };
        suspend(&mut world, Some("Compliance"));
        days(&mut world, 40);
        assert_eq!(
            world.read(&club.shop, &path)["dunning_status"],
            "None",
            "{kind}"
        );
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
        // From then on everything takes its time.
        suspend(&mut world, None);
        for (count, dunning) in [
            (1, "Overdue"),
            (3, "Reminded"),
            (10, "Reminded"),
            (1, "GivenUp"),
        ] {
            days(&mut world, count);
            let shown = world.read(&club.shop, &path);
            assert_eq!(shown["dunning_status"], dunning, "{kind}");
        }
        assert_eq!(status(&mut world, &club, &id), "Expired", "{kind}");
    });
}

#[test]
fn plans_that_cost_more_together_than_can_be_shown_are_not_subscribed_to() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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

#[test]
fn an_invoice_is_not_given_up_while_money_for_it_is_on_its_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        let later = |world: &mut World, seconds: i64| {
            let body = json!({ "advance_seconds": seconds });
            world.keyed(&club.shop, "POST", "/v1/sandbox/clock", body);
        };
        for (fails, dunning, standing) in [(false, "None", "Active"), (true, "GivenUp", "Expired")]
        {
            let made = subscribe(&mut world, &club, json!({ "plan_ids": [yearly] }));
            let id = text(made.data(), "id");
            let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
            let path = format!("/v1/invoices/{}", text(&invoice, "id"));
            later(&mut world, 21 * DAY - 1);
            let link = text(&invoice["properties"], "payment_link_id");
            let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
            let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
            let payment = text(started.data(), "payment_id");
            let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
            let sent = world.public("POST", &pay, json!({}));
            later(&mut world, 1);
            let waits = world.read(&club.shop, &path);
            assert_eq!(waits["dunning_status"], "Reminded", "{kind}");
            assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
            if fails {
                let lost = json!({ "transaction_hash": sent.data()["transaction_hash"] });
                let lost = world.keyed(&club.shop, "POST", "/v1/sandbox/reorganisations", lost);
                assert_eq!(lost.status, 200, "{kind}: {}", lost.body);
            }
            later(&mut world, 30 * 60);
            let shown = world.read(&club.shop, &path);
            assert_eq!(shown["dunning_status"], dunning, "{kind}");
            assert_eq!(status(&mut world, &club, &id), standing, "{kind}");
        }
    });
}

#[test]
fn an_invoice_is_not_given_up_while_money_for_a_price_that_holds_no_longer_is_on_its_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [yearly] }));
        let id = text(made.data(), "id");
        let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        let path = format!("/v1/invoices/{}", text(&invoice, "id"));
        let link = text(&invoice["properties"], "payment_link_id");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        let address = text(started.data(), "address");
        let later = |world: &mut World, seconds: i64| {
            let body = json!({ "advance_seconds": seconds });
            world.keyed(&club.shop, "POST", "/v1/sandbox/clock", body);
        };
        later(&mut world, 21 * DAY - 1);
        let payment = format!("/v1/payments/{}", text(started.data(), "payment_id"));
        assert_eq!(world.read(&club.shop, &payment)["status"], "Expired");
        world.see(&address, "0xab", "19900000", 1);
        let offer = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(offer.data()["state"], "Paid", "{kind}: nobody pays twice");
        later(&mut world, 1);
        let waits = world.read(&club.shop, &path);
        assert_eq!(waits["dunning_status"], "Reminded", "{kind}");
        world.see(&address, "0xab", "19900000", 3);
        later(&mut world, 30 * 60);
        let paid = world.read(&club.shop, &path);
        assert_eq!(paid["payment_status"], "Succeeded", "{kind}");
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
    });
}
