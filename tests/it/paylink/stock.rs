//! Limited paylinks: each unit is sold once.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, Shop, World, items, text};

/// A merchant and a paylink with a stock of one.
fn single(world: &mut World) -> (Shop, String) {
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 8453, &["USDC"]);
    let body = json!({ "amount": "40", "currency": "USDC", "name": "The last print", "available_quantity": 1 });
    let link = world.post(&shop, "/v1/paylinks", body);
    (shop, link.id())
}

fn start(world: &mut World, link: &str) -> Result<String, String> {
    let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    match started.data()["payment_id"].as_str() {
        Some(id) => Ok(id.to_owned()),
        None => Err(started.refusal()),
    }
}

fn pay(world: &mut World, payment: &str) {
    world.pay(payment);
    world.pass_and_work(Duration::from_secs(60));
}

fn status(world: &mut World, shop: &Shop, payment: &str) -> (Value, Value) {
    let found = world.read(shop, &format!("/v1/payments/{payment}"));
    (found["status"].clone(), found["reason"].clone())
}

#[test]
fn the_last_item_is_sold_once_and_offered_again_when_its_payment_expires() {
    World::each(|kind, mut world| {
        let (_, link) = single(&mut world);
        assert!(start(&mut world, &link).is_ok(), "{kind}");
        let second = start(&mut world, &link);
        assert_eq!(second, Err("409 PAYLINK_CLOSED".into()), "{kind}");
        world.pass_and_work(Duration::from_secs(31 * 60));
        assert!(start(&mut world, &link).is_ok(), "{kind}");
    });
}

#[test]
fn a_late_payment_reclaims_an_unsold_item() {
    World::each(|kind, mut world| {
        let (shop, link) = single(&mut world);
        let late = start(&mut world, &link).expect("a payment");
        world.pass_and_work(Duration::from_secs(31 * 60));
        pay(&mut world, &late);
        let found = status(&mut world, &shop, &late);
        assert_eq!(found, (json!("Confirmed"), json!("PaidLate")), "{kind}");
        assert!(start(&mut world, &link).is_err(), "{kind}: it is sold");
    });
}

#[test]
fn a_late_payment_for_a_sold_item_is_booked_but_buys_nothing() {
    World::each(|kind, mut world| {
        let (shop, link) = single(&mut world);
        let late = start(&mut world, &link).expect("a payment");
        world.pass_and_work(Duration::from_secs(31 * 60));
        let quick = start(&mut world, &link).expect("a payment");
        pay(&mut world, &quick);
        pay(&mut world, &late);
        assert_eq!(status(&mut world, &shop, &quick).0, "Confirmed", "{kind}");
        let found = status(&mut world, &shop, &late);
        assert_eq!(found, (json!("Expired"), json!("PaidLate")), "{kind}");
        let overview = world.read(&shop, "/v1/overview");
        let posted = &overview["balances"][0]["posted"];
        assert_eq!(posted, "80", "{kind}: the balance covers the refund");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn each_stock_change_sends_a_plan_event() {
    World::each(|kind, mut world| {
        let (shop, link) = single(&mut world);
        start(&mut world, &link).expect("a payment");
        world.pass_and_work(Duration::from_secs(31 * 60));
        let plans = world.read(&shop, "/v1/plan");
        let now = json!(world.now.to_string());
        assert_eq!(plans["items"][0]["updated_at"], now, "{kind}");
        assert_eq!(plans["last_update"], now, "{kind}");
        let log = "/v1/events?type=Plan&action=Updated&sort=asc";
        let events = world.keyed(&shop, "GET", log, Value::Null);
        let stock = |events: &Value| -> Vec<(Value, Value)> {
            let events = items(events).iter();
            let data = events.map(|event| &event["data"]);
            data.map(|plan| {
                let stock = |name: &str| plan[name].clone();
                (stock("available_quantity"), stock("held_quantity"))
            })
            .collect()
        };
        let of = |available: i64, held: i64| (json!(available), json!(held));
        assert_eq!(stock(events.data()), [of(0, 1), of(1, 0)], "{kind}");

        let bought = start(&mut world, &link).expect("a payment");
        pay(&mut world, &bought);
        let events = world.read(&shop, log);
        let sold = [of(0, 1), of(1, 0), of(0, 1), of(0, 0)];
        assert_eq!(
            stock(&events),
            sold,
            "{kind}: a paid checkout is not counted"
        );
    });
}

/// A merchant with a monthly club of one place, after `trial`; with its paylink and plan.
fn club(world: &mut World, trial: Option<&str>) -> (Shop, String, String) {
    let shop = world.shop_with_till("Club");
    let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea club", "type": "Recurring", "interval": "Month",
        "available_quantity": 1 });
    if let Some(trial) = trial {
        body["trial_period"] = trial.into();
    }
    let link = world.post(&shop, "/v1/paylinks", body);
    (shop, link.id(), text(link.data(), "plan_id"))
}

fn cancel(world: &mut World, shop: &Shop) {
    let listed = world.read(shop, "/v1/subscriptions?limit=1");
    let id = text(&listed["items"][0], "id");
    let path = format!("/v1/subscriptions/{id}/cancel");
    let ended = world.keyed(shop, "POST", &path, json!({}));
    assert_eq!(ended.data()["status"], "Canceled", "{}", ended.body);
    let event = world.read(shop, &format!("/v1/events?document_id={id}&limit=1"));
    assert_eq!(event["items"][0]["data"]["items"], ended.data()["items"]);
}

fn remaining_stock(world: &mut World, shop: &Shop, plan: &str) -> Value {
    world.read(shop, &format!("/v1/plan/{plan}"))["available_quantity"].clone()
}

#[test]
fn an_ended_trial_releases_its_stock() {
    World::each(|kind, mut world| {
        let (shop, link, plan) = club(&mut world, Some("P14D"));
        start(&mut world, &link).expect("a trial");
        assert!(start(&mut world, &link).is_err(), "{kind}: accepted");
        cancel(&mut world, &shop);
        assert_eq!(remaining_stock(&mut world, &shop, &plan), 1, "{kind}");
        let event = world.read(&shop, "/v1/events?type=Plan&action=Updated&limit=1");
        let event = &event["items"][0]["data"]["available_quantity"];
        assert_eq!(event, &json!(1), "{kind}: with an event");
        start(&mut world, &link).expect("another trial");
        assert_eq!(remaining_stock(&mut world, &shop, &plan), 0, "{kind}");
    });
}

#[test]
fn a_paid_subscription_keeps_its_stock_when_it_ends() {
    World::each(|kind, mut world| {
        let (shop, link, plan) = club(&mut world, None);
        let paid = start(&mut world, &link).expect("a payment");
        pay(&mut world, &paid);
        cancel(&mut world, &shop);
        assert_eq!(remaining_stock(&mut world, &shop, &plan), 0, "{kind}");
    });
}

#[test]
fn stock_of_an_abandoned_invoice_is_released_and_reclaimed_by_a_late_payment() {
    World::each(|kind, mut world| {
        let (shop, link, plan) = club(&mut world, Some("P14D"));
        start(&mut world, &link).expect("a trial");
        world.advance(&shop, DAY * 14);
        assert_eq!(
            remaining_stock(&mut world, &shop, &plan),
            0,
            "{kind}: it runs"
        );
        world.advance(&shop, DAY * 22);
        let ended = world.read(&shop, "/v1/subscriptions?limit=1");
        assert_eq!(ended["items"][0]["status"], "Expired", "{kind}");
        assert_eq!(remaining_stock(&mut world, &shop, &plan), 1, "{kind}");
        let invoice = world.read(&shop, "/v1/invoices?sort=asc&limit=1")["items"][0].clone();
        let invoice = &invoice["properties"]["payment_link_id"];
        let late = start(&mut world, invoice.as_str().expect("a link")).expect("a payment");
        pay(&mut world, &late);
        assert_eq!(
            remaining_stock(&mut world, &shop, &plan),
            0,
            "{kind}: paid late"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
