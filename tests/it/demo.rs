//! The demo's year: created by the rules, deterministic, with every feature.

use std::collections::BTreeSet;

use serde_json::Value;
use settlekit_service::Seed;
use settlekit_service::demo::{self, DemoState};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

fn year(seed: u8) -> (World, Shop) {
    let mut world = World::new(database::sqlite());
    let now = world.now;
    let (service, database) = world.parts();
    let service = service.clone();
    assert_eq!(demo::state(database), Ok(DemoState::Absent));
    let made = demo::fill(&service, database, now, Seed([seed; 32]), &mut |_, _| {})
        .expect("the demo is made");
    assert_eq!(demo::state(database), Ok(DemoState::Made));
    let merchant = made.merchant;
    (
        world,
        Shop {
            id: merchant.id,
            key: merchant.api_key,
            secret: merchant.signing_secret,
        },
    )
}

/// All items of a list.
fn all(world: &mut World, shop: &Shop, target: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut page = 1;
    loop {
        let answer = world.read(shop, &format!("{target}?page={page}"));
        items.extend(answer["items"].as_array().expect("items").clone());
        match answer["next"].as_u64() {
            Some(next) => page = next,
            None => return items,
        }
    }
}

fn values(items: &[Value], field: &str) -> BTreeSet<String> {
    items
        .iter()
        .filter_map(|item| item[field].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn the_demo_is_complete_balanced_and_deterministic() {
    let (mut world, shop) = year(1);
    let mut movements = Vec::new();
    for account in all(&mut world, &shop, "/v1/accounts") {
        movements.extend(all(
            &mut world,
            &shop,
            &format!("/v1/accounts/{}/movement", account["id"]),
        ));
    }
    let expect = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        values(&movements, "type"),
        expect(&[
            "Deposit",
            "Withdraw",
            "Transfer",
            "Swap",
            "NetworkFee",
            "ServiceFee",
            "Adjustment"
        ])
    );
    assert_eq!(
        values(&movements, "status"),
        expect(&[
            "Pending",
            "Confirmed",
            "Failed",
            "Refunded",
            "PartialRefunded"
        ]),
        "Processing lasts a few seconds only"
    );
    assert!(movements.len() > 1500, "{} movements", movements.len());
    let payments = all(&mut world, &shop, "/v1/payments");
    for status in [
        "Processing",
        "Confirmed",
        "Failed",
        "Expired",
        "Canceled",
        "Refunded",
        "PartialRefunded",
    ] {
        assert!(
            values(&payments, "status").contains(status),
            "no payment is {status}"
        );
    }
    let events = all(&mut world, &shop, "/v1/events");
    let latest = values(&events, "timestamp").pop_last();
    assert!(
        latest.as_deref() <= Some(&world.now.to_string()),
        "{latest:?} has yet to happen"
    );
    for status in ["pending", "succeeded", "failed"] {
        assert!(
            values(&events, "delivery_status").contains(status),
            "no event is {status}"
        );
    }
    for (target, field, expected) in [
        (
            "/v1/subscriptions",
            "status",
            &["Active", "InTrial", "Paused", "Canceled"][..],
        ),
        (
            "/v1/invoices",
            "payment_status",
            &["Succeeded", "Failed", "Pending"],
        ),
        (
            "/v1/invoices",
            "dunning_status",
            &["None", "Reminded", "GivenUp"],
        ),
        (
            "/v1/trade/quote/history",
            "status",
            &["Accepted", "Rejected", "Expired"],
        ),
        ("/v1/trade/orders", "status", &["Settled"]),
        ("/v1/payouts", "status", &["Confirmed"]),
        (
            "/v1/accounts/external-account",
            "type",
            &["Digital", "Fiat"],
        ),
    ] {
        let found = values(&all(&mut world, &shop, target), field);
        for value in expected {
            assert!(found.contains(*value), "{target}: no {value}: {found:?}");
        }
    }
    assert_eq!(world.differences(), Vec::<String>::new());

    // The same seed gives the same year.
    let overview = |(mut world, shop): (World, Shop)| {
        world.keyed(&shop, "GET", "/v1/overview", Value::Null).body
    };
    assert_eq!(overview((world, shop)), overview(year(1)));
}
