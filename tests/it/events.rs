//! The events of one record, whatever it is and however much happened since.

use serde_json::{Value, json};
use settlekit_service::step::WireOutbound;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

/// What the events about an id say, the newest first: their type, and the id in their record.
fn about(world: &mut World, shop: &Shop, id: &str) -> Vec<(String, String)> {
    let page = world.read(shop, &format!("/v1/events?document_id={id}"));
    let items = page["items"].as_array().expect("items").iter();
    items
        .map(|event| {
            let id = &event["data"]["id"];
            let kind = event["type"].as_str().expect("a type").to_owned();
            (
                kind,
                id.as_str().map_or_else(|| id.to_string(), str::to_owned),
            )
        })
        .collect()
}

#[test]
fn the_events_of_any_record_are_found_by_its_id_and_those_of_a_payment_with_its_movements() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let plan = json!({ "name": "Club", "price": "5", "currency": "USDC", "type": "OneTime" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan);
        let plan = plan.data()["id"].as_str().expect("an id").to_owned();
        world.deposit(&shop, till, 8453, "USDC", "3");
        let movement = world.read(&shop, "/v1/movements")["items"][0]["id"].to_string();

        let of_plan = about(&mut world, &shop, &plan);
        assert_eq!(of_plan, [("Plan".to_owned(), plan)], "{kind}");
        let own = ("Transaction".to_owned(), movement.clone());
        let of_movement = about(&mut world, &shop, &movement);
        let of_movement = of_movement.iter().filter(|event| **event == own).count();
        assert!(of_movement > 1, "{kind}: it was made, and booked");

        let pay = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay);
        let payment = payment.data()["id"].as_str().expect("an id").to_owned();
        let paid = world.public(
            "POST",
            &format!("/v1/sandbox/checkout/payments/{payment}/pay"),
            json!({}),
        );
        assert!(paid.status < 300, "{kind}: {}", paid.body);
        let of_payment = about(&mut world, &shop, &payment);
        for what in ["Payment", "Transaction", "CryptoTransaction"] {
            assert!(
                of_payment.iter().any(|(kind, _)| kind == what),
                "{kind}: {of_payment:?}"
            );
        }
        let stranger = world.shop("Stranger", None);
        assert_eq!(about(&mut world, &stranger, &payment), [], "{kind}");
        let answer = world.keyed(&shop, "GET", "/v1/events?document_id=nobody", Value::Null);
        assert_eq!(answer.data()["total"], 0, "{kind}");
    });
}

#[test]
fn the_events_of_an_organisation_of_its_members_and_of_its_keys_are_found_by_their_ids() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "owner@example.com");
        let settings = world.read(&shop, "/v1/orgs");
        let organisation = settings["id"].as_str().expect("an id");
        let name = json!({ "name": "Another name" });
        assert_eq!(world.keyed(&shop, "PUT", "/v1/orgs", name).status, 200);
        let about_it = about(&mut world, &shop, organisation);
        assert!(about_it.len() > 1, "{kind}: it was made, and changed");
        let own = ("Org".to_owned(), organisation.to_owned());
        assert!(about_it.iter().all(|event| *event == own), "{kind}");

        for list in ["/v1/members", "/v1/api-keys"] {
            let records = world.session(&owner, "GET", list, Value::Null);
            let id = records.data()["items"][0]["id"].as_str();
            let id = id.expect("an id").to_owned();
            let of_it = about(&mut world, &shop, &id);
            assert!(!of_it.is_empty(), "{kind}: {list}");
            let own = ("Org".to_owned(), id);
            assert!(of_it.iter().all(|event| *event == own), "{kind}: {list}");
        }
    });
}

#[test]
fn a_low_balance_and_a_permanent_address_are_found_by_the_account_that_they_are_about() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}/pay-in-addresses");
        let address = world.signed(&shop, None, "POST", &path, json!({ "chain_id": 8453 }));
        assert_eq!(address.status, 201, "{kind}: {}", address.body);
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 5, "payout_threshold_amount": 9,
            "payout_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
        let keep = world.signed(&shop, None, "POST", &path, keep);
        assert_eq!(keep.status, 201, "{kind}: {}", keep.body);
        world.work();
        let of_it = format!("/v1/events?type=Account&document_id={till}");
        let of_it = world.read(&shop, &of_it)["items"].clone();
        let of_it = of_it.as_array().expect("items").iter();
        let low = of_it
            .clone()
            .filter(|event| event["action"] == "LowBalanceDetected");
        assert_eq!(low.count(), 1, "{kind}");
        let mut data = of_it.map(|event| &event["data"]["address"]);
        assert!(data.any(|one| *one == address.data()["address"]), "{kind}");
    });
}

/// A merchant with an endpoint and nothing left to tell it.
fn listening(world: &mut World) -> Shop {
    let shop = world.shop("Shop", None);
    let endpoint = json!({ "webhook_url": "http://127.0.0.1:9099/hooks" });
    world.keyed(&shop, "PUT", "/v1/orgs", endpoint);
    world.deliver(200);
    shop
}

/// The calls that tell of a type of event, with what they say of the record.
fn told<'a>(calls: &'a [WireOutbound], of: &str, field: &str) -> Vec<(&'a WireOutbound, Value)> {
    let all = calls.iter().filter_map(|call| {
        let body: Value = serde_json::from_str(&call.body).expect("JSON");
        let is_it = body["type"].as_str().expect("a type").starts_with(of);
        is_it.then(|| (call, body["data"][field].clone()))
    });
    all.collect()
}

#[test]
fn an_older_setting_is_never_told_after_a_newer_one() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = listening(&mut world);
        for name in ["First", "Second"] {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "name": name }));
        }
        let names = |calls: &[WireOutbound]| -> Vec<Value> {
            let told = told(calls, "org.", "name").into_iter();
            told.map(|(_, name)| name).collect()
        };
        let first = world.work();
        assert_eq!(names(&first), ["First"], "{kind}");
        world.report(&first[0], 500);
        assert!(world.work().is_empty(), "{kind}: the second waits");
        world.pass(std::time::Duration::from_secs(10));
        assert_eq!(names(&world.deliver(200)), ["First", "Second"], "{kind}");
    });
}

/// Deposits into an account that has the number which its first movement gets; gives it, and the calls of its own event and of
/// the deposit's.
fn account_and_movement(world: &mut World, shop: &Shop) -> (i64, Vec<WireOutbound>) {
    let till = world.account(shop, "till", 8453, &["USDC"]);
    let mut calls = world.work();
    let deposit = json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "3" });
    let deposit = world.keyed(shop, "POST", "/v1/sandbox/deposits", deposit);
    assert_eq!(deposit.status, 201, "{}", deposit.body);
    world.pass(std::time::Duration::from_secs(10));
    calls.extend(world.work());
    assert_eq!(world.read(shop, "/v1/movements")["items"][0]["id"], till);
    (till, calls)
}

#[test]
fn an_account_and_a_movement_with_the_same_number_do_not_wait_for_each_other() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = listening(&mut world);
        let (number, calls) = account_and_movement(&mut world, &shop);
        for what in ["account.created", "transaction.created"] {
            let ids: Vec<Value> = told(&calls, what, "id")
                .into_iter()
                .map(|(_, id)| id)
                .collect();
            assert_eq!(ids, [number], "{kind}: {what}");
        }
    });
}

#[test]
fn what_an_earlier_version_held_behind_the_same_number_is_sent() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = listening(&mut world);
        let (_, calls) = account_and_movement(&mut world, &shop);
        // Such a version has all that is about this number wait for the account's.
        let hold = "UPDATE events SET next_attempt_at = NULL, claimed_until = NULL WHERE type = 'Transaction'";
        world.parts().1.execute(hold, &[]).expect("an update");
        for call in &calls {
            if !call.body.contains("\"transaction.") {
                world.report(call, 200);
            }
        }
        let sent = world.deliver(200);
        let told = told(&sent, "transaction.created", "id");
        assert_eq!(told.len(), 1, "{kind}");
    });
}

#[test]
fn an_event_of_a_plan_holds_what_reading_the_plan_gives_with_the_link_that_sells_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let body =
            json!({ "name": "Club", "amount": "5", "currency": "USDC", "available_quantity": 2 });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let (link, plan) = (link.data()["id"].clone(), link.data()["plan_id"].clone());
        let id = plan.as_str().expect("an id");
        let check = |world: &mut World, what: &str| {
            let read = world.read(&shop, &format!("/v1/plan/{id}"));
            let told = world.read(&shop, &format!("/v1/events?document_id={id}&limit=1"));
            let told = &told["items"][0]["data"];
            assert_eq!(*told, read, "{kind}: {what}");
            assert_eq!(told["payment_link"]["id"], link, "{kind}: {what}");
        };
        check(&mut world, "made");
        for change in [
            json!({ "id": link, "plan": { "name": "Circle" } }),
            json!({ "id": link, "enabled": false }),
            json!({ "id": link, "enabled": true }),
        ] {
            let body = json!({ "items": [change] });
            let changed = world.keyed(&shop, "PATCH", "/v1/paylinks/batch", body);
            assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
            check(&mut world, &change.to_string());
        }
        let gone = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/paylinks/{}", link.as_str().expect("an id")),
            json!({}),
        );
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        check(&mut world, "deleted");
    });
}
