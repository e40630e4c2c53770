//! Dunning by the clock: overdue, reminded, given up.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{DAY, World, items, text};

use super::{Club, club, invoices, pay, plan, status, subscribe};

/// A club with one yearly subscription; returns its id.
fn yearly(world: &mut World) -> (Club, String) {
    let club = club(world);
    let yearly = plan(world, &club, json!({ "recurring_interval": "Year" }));
    let id = subscribe(world, &club, json!({ "plan_ids": [yearly] })).id();
    (club, id)
}

#[test]
fn dunning_reminds_and_then_gives_up() {
    World::each(|kind, mut world| {
        let (club, id) = yearly(&mut world);
        let invoice = text(&world.read(&club.shop, "/v1/invoices")["items"][0], "id");
        let path = format!("/v1/invoices/{invoice}");
        for (days, dunning, payment, overdue) in [
            (6, "None", "Pending", false),
            (1, "Overdue", "Pending", true),
            (3, "Reminded", "Pending", true),
            (11, "GivenUp", "Failed", true),
        ] {
            world.advance(&club.shop, DAY * days);
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
        assert_eq!(subscription["status"], "Expired", "{kind}: ended");
        let log = world.read(
            &club.shop,
            &format!("/v1/events?document_id={invoice}&sort=asc"),
        );
        let actions: Vec<String> = items(&log)
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
fn unpaid_subscriptions_end_and_paused_ones_stay_paused() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        let begin = |world: &mut World| {
            let made = subscribe(world, &club, json!({ "plan_ids": [weekly] }));
            made.id()
        };
        let (unpaid, paused) = (begin(&mut world), begin(&mut world));
        let pause = format!("/v1/subscriptions/{paused}/pause");
        world.keyed(&club.shop, "POST", &pause, json!({}));
        world.advance(&club.shop, DAY * 22);
        assert_eq!(status(&mut world, &club, &unpaid), "Expired", "{kind}");
        assert_eq!(status(&mut world, &club, &paused), "Paused", "{kind}");
        // The first week of both, and two more of one: its fourth begins on the day it is given up.
        let billed = invoices(&mut world, &club);
        world.advance(&club.shop, DAY * 60);
        assert_eq!(invoices(&mut world, &club), billed, "{kind}");
        assert!(billed <= 5, "{kind}: {billed}");
        let log = "/v1/events?type=Subscription&action=Updated&limit=1";
        let event = world.read(&club.shop, log)["items"][0]["data"].clone();
        assert_eq!(event["status"], "Expired", "{kind}");
        let path = format!("/v1/subscriptions/{unpaid}/invoices");
        let due = json!({ "due_date": "2090-01-01T00:00:00Z" });
        let more = world.keyed(&club.shop, "POST", &path, due);
        assert_eq!(more.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn dunning_waits_while_the_organisation_is_suspended() {
    World::each(|kind, mut world| {
        let (club, id) = yearly(&mut world);
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
                world.pass_and_work(DAY);
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
        // From then on the usual delays apply.
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
fn dunning_waits_for_unconfirmed_money() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        for (fails, dunning, expected) in [(false, "None", "Active"), (true, "GivenUp", "Expired")]
        {
            let made = subscribe(&mut world, &club, json!({ "plan_ids": [yearly] }));
            let id = made.id();
            let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
            let path = format!("/v1/invoices/{}", text(&invoice, "id"));
            world.advance(&club.shop, DAY * 21 - Duration::from_secs(1));
            let link = text(&invoice["properties"], "payment_link_id");
            let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
            let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
            let payment = text(started.data(), "payment_id");
            let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
            let sent = world.public("POST", &pay, json!({}));
            world.advance(&club.shop, Duration::from_secs(1));
            let waits = world.read(&club.shop, &path);
            assert_eq!(waits["dunning_status"], "Reminded", "{kind}");
            assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
            if fails {
                let lost = json!({ "transaction_hash": sent.data()["transaction_hash"] });
                let lost = world.keyed(&club.shop, "POST", "/v1/sandbox/reorganisations", lost);
                assert_eq!(lost.status, 200, "{kind}: {}", lost.body);
            }
            world.advance(&club.shop, Duration::from_secs(30 * 60));
            let shown = world.read(&club.shop, &path);
            assert_eq!(shown["dunning_status"], dunning, "{kind}");
            assert_eq!(status(&mut world, &club, &id), expected, "{kind}");
        }
    });
}

#[test]
fn dunning_waits_for_unconfirmed_money_after_the_price_expired() {
    World::each(|kind, mut world| {
        let (club, id) = yearly(&mut world);
        let invoice = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        let path = format!("/v1/invoices/{}", text(&invoice, "id"));
        let link = text(&invoice["properties"], "payment_link_id");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        let address = text(started.data(), "address");
        world.advance(&club.shop, DAY * 21 - Duration::from_secs(1));
        let payment = format!("/v1/payments/{}", text(started.data(), "payment_id"));
        assert_eq!(world.read(&club.shop, &payment)["status"], "Expired");
        world.observe_deposit(&address, "0xab", "19900000", 1);
        let offer = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(offer.data()["state"], "Paid", "{kind}: no double payment");
        world.advance(&club.shop, Duration::from_secs(1));
        let waits = world.read(&club.shop, &path);
        assert_eq!(waits["dunning_status"], "Reminded", "{kind}");
        world.observe_deposit(&address, "0xab", "19900000", 3);
        world.advance(&club.shop, Duration::from_secs(30 * 60));
        let paid = world.read(&club.shop, &path);
        assert_eq!(paid["payment_status"], "Succeeded", "{kind}");
        assert_eq!(status(&mut world, &club, &id), "Active", "{kind}");
    });
}
