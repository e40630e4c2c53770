//! `POST /events/test`.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use settlekit_core::account::{Account, Movement};
use settlekit_core::customer::Customer;
use settlekit_core::event::{Event, TestEventType};
use settlekit_core::invoice::Invoice;
use settlekit_core::organisation::Organisation;
use settlekit_core::paylink::Paylink;
use settlekit_core::payment::{CryptoTransaction, Payment};
use settlekit_core::plan::Plan;
use settlekit_core::subscription::Subscription;
use settlekit_tests::world::{Answer, Shop, World, text};

use super::{ALIVE, shop};
use crate::sandbox::deliver_to_inbox;

const TEST: &str = "/v1/events/test";

fn create(world: &mut World, shop: &Shop, kind: &str) -> Answer {
    world.keyed(shop, "POST", TEST, json!({ "type": kind }))
}

/// Whether a value is a record of this type, without unknown fields.
fn is_record<T: DeserializeOwned + Serialize>(value: &Value) -> bool {
    let read: T = serde_json::from_value(value.clone()).expect("a record");
    serde_json::to_value(&read).expect("JSON") == *value
}

/// Whether the data of an event of a type is the type's record.
fn is_example(kind: &str, data: &Value) -> bool {
    match kind {
        "Payment" => is_record::<Payment>(data),
        "Customer" => is_record::<Customer>(data),
        "Plan" => is_record::<Plan>(data),
        "MerchantContract" => is_record::<Paylink>(data),
        "Subscription" => is_record::<Subscription>(data),
        "Invoice" => is_record::<Invoice>(data),
        "Transaction" => is_record::<Movement>(data),
        "CryptoTransaction" => is_record::<CryptoTransaction>(data),
        "Account" => is_record::<Account>(data),
        "Org" => is_record::<Organisation>(data),
        other => panic!("{other} has no record"),
    }
}

#[test]
fn a_test_event_of_each_type_holds_an_example_record_of_the_organisation() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        let own = shop.id.to_string();
        world.pass(Duration::from_secs(60));
        for name in TestEventType::KNOWN {
            let created = create(&mut world, &shop, name);
            assert_eq!(created.status, 201, "{kind} {name}: {}", created.body);
            let event: Event = serde_json::from_value(created.data().clone()).expect("an event");
            assert_eq!(event.test, Some(true), "{kind} {name}");
            assert_eq!(event.r#type.as_str(), *name, "{kind}");
            assert!(
                is_example(name, &event.data),
                "{kind} {name}: {}",
                event.data
            );
            let owner = match *name {
                "Org" => event.data.get("id"),
                _ => event.data.get("org_id"),
            };
            assert!(owner.is_none_or(|id| *id == *own), "{kind} {name}");
            assert_eq!(event.data["created_at"], json!(world.now), "{kind} {name}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_test_event_is_delivered_marked_as_a_test() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        let event = create(&mut world, &shop, "Payment").id();
        let sent = world.deliver(200);
        let [call] = sent.as_slice() else {
            panic!("{kind}: {} calls", sent.len());
        };
        assert_eq!(call.event.to_string(), event, "{kind}");
        let body: Value = serde_json::from_str(&call.body).expect("JSON");
        assert_eq!(body["type"], "payment.settled", "{kind}");
        assert_eq!(body["test"], true, "{kind}");
        let read = world.read(&shop, &format!("/v1/events/{event}"));
        assert_eq!(read["delivery_status"], "succeeded", "{kind}");
        assert_eq!(read["test"], true, "{kind}");
        assert_eq!(world.read(&shop, "/v1/events?limit=1")["items"][0], read);

        // An event of a change has no mark, and a failed test event is retried as any other.
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        world.post(&shop, "/v1/plan", plan);
        let change = world.work().remove(0);
        let body: Value = serde_json::from_str(&change.body).expect("JSON");
        assert!(body.get("test").is_none(), "{kind}: {body}");
        world.report(&change, 200);
        create(&mut world, &shop, "Org");
        let failing = world.work().remove(0);
        world.report(&failing, 500);
        world.pass(Duration::from_secs(60));
        assert_eq!(world.work()[0].body, failing.body, "{kind}");
    });
}

#[test]
fn a_test_event_reaches_the_inbox() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        let event = create(&mut world, &shop, "Invoice").id();
        deliver_to_inbox(&mut world, &shop);
        let message = world.read(&shop, "/v1/sandbox/inbox")["items"][0].clone();
        assert_eq!(message["event_id"], json!(event), "{kind}");
        assert_eq!(message["type"], "invoice.settled", "{kind}");
    });
}

#[test]
fn a_test_event_changes_no_record_and_no_figure() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "Shop", ALIVE);
        let figures = |world: &mut World| {
            let lists = [
                "payments",
                "customers",
                "movements",
                "subscriptions",
                "invoices",
                "plan",
            ];
            let totals = lists.map(|list| {
                let page = world.read(&shop, &format!("/v1/{list}?limit=1"));
                page["total"].clone()
            });
            let overview = world.read(&shop, "/v1/overview");
            let volume = ["total_usd", "volume", "balances", "payments_processing"];
            (totals, volume.map(|name| overview[name].clone()))
        };
        let before = figures(&mut world);
        for name in TestEventType::KNOWN {
            create(&mut world, &shop, name);
        }
        world.deliver(200);
        assert_eq!(figures(&mut world), before, "{kind}");
        // The example's id names no record.
        let event = world.read(&shop, "/v1/events?type=Payment&limit=1")["items"][0].clone();
        let payment = format!("/v1/payments/{}", text(&event["data"], "id"));
        let missing = world.keyed(&shop, "GET", &payment, Value::Null);
        assert_eq!(missing.refusal(), "404 NOT_FOUND", "{kind}");
    });
}

#[test]
fn a_test_event_needs_an_endpoint_a_known_type_and_the_scope_manage() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let refused = create(&mut world, &shop, "Payment");
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.set_webhook_url(&shop, ALIVE);
        let unknown = create(&mut world, &shop, "OfframpTransaction");
        assert_eq!(unknown.refusal(), "400 UNKNOWN_VALUE type", "{kind}");
        let writer = world.scoped(&shop, &["read", "write", "payout"]);
        let refused = create(&mut world, &writer, "Payment");
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let ada = world.sign_in(&shop, "ada@shop.example");
        let body = json!({ "type": "Payment" });
        let created = world.session(&ada, "POST", TEST, body);
        assert_eq!(created.status, 201, "{kind}: {}", created.body);
    });
}
