//! What was paid, when it was not what was due: more, less, in parts, too late; and how it goes back.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::step::{Command, Reply, WireObservation};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World};

/// A payment over 10 USDC that nobody has paid yet.
struct Due {
    shop: Shop,
    path: String,
    pay: String,
}

fn due(world: &mut World) -> Due {
    let shop = world.shop("Shop", None);
    world.account(&shop, "till", 8453, &["USDC"]);
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let made = world.keyed(&shop, "POST", "/v1/payments", body);
    let id = made.data()["id"].as_str().expect("an id");
    Due {
        path: format!("/v1/payments/{id}"),
        pay: format!("/v1/sandbox/checkout/payments/{id}/pay"),
        shop,
    }
}

fn send(world: &mut World, due: &Due, amounts: &[&str]) {
    for amount in amounts {
        let sent = world.public("POST", &due.pay, json!({ "amount": amount }));
        assert_eq!(sent.status, 201, "{}", sent.body);
    }
    pass(world, 10);
}

fn pass(world: &mut World, seconds: u64) {
    world.pass(Duration::from_secs(seconds));
    world.work();
}

/// Status, reason and what was paid.
fn standing(world: &mut World, due: &Due) -> (Value, Value, Value) {
    let read = world.keyed(&due.shop, "GET", &due.path, Value::Null);
    let payment = read.data();
    (
        payment["status"].clone(),
        payment["reason"].clone(),
        payment["paid_amount"].clone(),
    )
}

fn refund(world: &mut World, due: &Due, body: Value) -> Answer {
    let path = format!("{}/refunds", due.path);
    world.signed(&due.shop, None, "POST", &path, body)
}

/// The ledger, oldest first: type, amount, status.
fn ledger(world: &mut World, due: &Due) -> Vec<String> {
    let path = "/v1/accounts/till/movement?sort=asc";
    let read = world.keyed(&due.shop, "GET", path, Value::Null);
    let movements = read.data()["items"].as_array().expect("movements");
    let text = |movement: &Value, name: &str| movement[name].as_str().expect("text").to_owned();
    movements
        .iter()
        .map(|movement| {
            ["type", "amount", "status"]
                .map(|name| text(movement, name))
                .join(" ")
        })
        .collect()
}

#[test]
fn what_comes_after_enough_has_come_is_said_to_be_too_much() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        // The third part is under way when the second makes it enough.
        send(&mut world, &due, &["4", "6", "3"]);
        assert_eq!(
            standing(&mut world, &due),
            (json!("Confirmed"), json!("Overpaid"), json!("13")),
            "{kind}"
        );
    });
}

#[test]
fn a_refund_goes_to_everybody_who_sent_a_part_and_shows_on_the_part() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["4", "6"]);
        let part = refund(&mut world, &due, json!({ "amount": "5" }));
        assert_eq!(part.data()["status"], "PartialRefunded", "{kind}");
        assert_eq!(
            ledger(&mut world, &due),
            [
                "Deposit 4 Refunded",
                "Deposit 6 PartialRefunded",
                "Withdraw 4 Confirmed",
                "Withdraw 1 Confirmed",
            ],
            "{kind}"
        );
        let rest = refund(&mut world, &due, json!({}));
        assert_eq!(rest.data()["status"], "Refunded", "{kind}: {}", rest.body);
        let booked = ledger(&mut world, &due);
        assert_eq!(booked[1], "Deposit 6 Refunded", "{kind}");
        assert_eq!(booked[4..], ["Withdraw 5 Confirmed"], "{kind}");
        let path = "/v1/accounts/till/movement?sort=asc";
        let read = world.keyed(&due.shop, "GET", path, Value::Null);
        let movements = &read.data()["items"];
        for (sent, back) in [(0, 2), (1, 3), (1, 4)] {
            let from = movements[sent]["from_address"].as_str().expect("a sender");
            let to = movements[back]["to_address"].as_str().expect("a receiver");
            assert_eq!(from, to, "{kind}");
        }
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn what_was_booked_first_goes_back_first_also_when_the_clock_was_set_back_in_between() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        let begun = world.now;
        world.pass(Duration::from_secs(20 * 60));
        send(&mut world, &due, &["10"]);
        assert_eq!(refund(&mut world, &due, json!({})).status, 201, "{kind}");
        world.now = begun;
        observe(&mut world, &due, "USDC", "10000000");
        for amount in ["4", "6"] {
            let back = refund(&mut world, &due, json!({ "amount": amount }));
            assert_eq!(back.status, 201, "{kind}: {}", back.body);
        }
        let path = "/v1/accounts/till/movement";
        let read = world.keyed(&due.shop, "GET", path, Value::Null);
        let items = read.data()["items"].as_array().expect("movements");
        let of = |r#type: &str, name: &str| -> Vec<Value> {
            let mut found: Vec<&Value> = items.iter().filter(|one| one["type"] == r#type).collect();
            found.sort_by_key(|one| one["id"].as_i64());
            found.iter().map(|one| one[name].clone()).collect()
        };
        let (from, to) = (of("Deposit", "from_address"), of("Withdraw", "to_address"));
        let both = [0, 1, 1].map(|place: usize| from[place].clone());
        assert_eq!(to, both, "{kind}");
        assert_eq!(of("Deposit", "status"), ["Refunded", "Refunded"], "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn what_came_in_vain_can_be_sent_back() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["4"]);
        let early = refund(&mut world, &due, json!({}));
        assert_eq!(early.refusal(), "409 STATE_FORBIDS", "{kind}: it is open");
        pass(&mut world, 31 * 60);
        assert_eq!(
            standing(&mut world, &due),
            (json!("Failed"), json!("Underpaid"), json!("4")),
            "{kind}"
        );
        let back = refund(&mut world, &due, json!({ "amount": "1" }));
        assert_eq!(back.data()["status"], "PartialRefunded", "{kind}");
        let back = refund(&mut world, &due, json!({}));
        assert_eq!(back.data()["status"], "Refunded", "{kind}: {}", back.body);
        assert_eq!(back.data()["refunded_amount"], "4", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

/// Another transaction to the payment's address, as deep as it gets.
fn observe(world: &mut World, due: &Due, currency: &str, units: &str) {
    let read = world.keyed(&due.shop, "GET", &due.path, Value::Null);
    let to = read.data()["deposit_address"].as_str().expect("an address");
    let observation = WireObservation::Deposit {
        chain: "8453".parse().expect("a chain"),
        hash: format!("0x{currency}{units}"),
        transfer: TransferIndex::Log(0),
        from: Some("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".to_owned()),
        to: to.to_owned(),
        currency: currency.parse().expect("a currency"),
        units: units.to_owned(),
        confirmations: 100,
    };
    assert_eq!(world.call(Command::Observe { observation }), Reply::Done);
}

#[test]
fn a_transaction_shows_its_own_currencys_amount_and_where_it_came_to() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        observe(&mut world, &due, "ETH", "1500000000000000000");
        observe(&mut world, &due, "USDC", "10000000");
        let read = world.keyed(&due.shop, "GET", &due.path, Value::Null);
        let (address, seen) = (
            &read.data()["deposit_address"],
            &read.data()["crypto_transactions"],
        );
        assert_eq!(
            (&seen[0]["value"], &seen[0]["currency"], &seen[0]["to"]),
            (&json!("1.5"), &json!("ETH"), address),
            "{kind}"
        );
        assert!(
            seen[0]["transfer_logs"].is_null(),
            "{kind}: it is no token's"
        );
        assert_eq!(
            (&seen[1]["value"], &seen[1]["to"]),
            (&json!("10"), address),
            "{kind}"
        );
        assert_eq!(
            seen[1]["transfer_logs"],
            json!([{
                "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
                "recipient": address,
                "sender": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                "value": "10000000",
            }]),
            "{kind}"
        );
        assert_eq!(read.data()["status"], "Confirmed", "{kind}");
    });
}

#[test]
fn what_arrives_after_all_was_sent_back_can_be_sent_back_too() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let back = refund(&mut world, &due, json!({}));
        assert_eq!(back.data()["status"], "Refunded", "{kind}: {}", back.body);
        observe(&mut world, &due, "USDC", "4000000");
        let part = refund(&mut world, &due, json!({ "amount": "1" }));
        assert_eq!(
            (&part.data()["status"], &part.data()["refunded_amount"]),
            (&json!("PartialRefunded"), &json!("11")),
            "{kind}: {}",
            part.body
        );
        let rest = refund(&mut world, &due, json!({}));
        assert_eq!(rest.data()["status"], "Refunded", "{kind}: {}", rest.body);
        let over = refund(&mut world, &due, json!({}));
        assert_eq!(over.refusal(), "409 STATE_FORBIDS", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn what_is_missing_within_a_tolerance_is_no_obstacle() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let tolerate = |world: &mut World, due: &Due, thresholds: Value| {
            let body = json!({ "underpay_thresholds": thresholds });
            world.keyed(&due.shop, "PUT", "/v1/orgs", body)
        };
        let underpaid = (json!("Confirmed"), json!("Underpaid"), json!("9.5"));
        let waits = (json!("Processing"), Value::Null, json!("9.5"));
        for (thresholds, expected) in [
            // Finer than the currency: what can be paid of it counts.
            (
                json!({ "underpay_tolerance_amount": 0.5000009, "underpay_tolerance_currency": "USDC" }),
                &underpaid,
            ),
            (json!({ "underpay_tolerance_usd": 0.5 }), &underpaid),
            (json!({ "underpay_tolerance_usd": 0.49 }), &waits),
            (
                json!({ "underpay_tolerance_amount": 5, "underpay_tolerance_currency": "EURC" }),
                &waits,
            ),
        ] {
            let due = due(&mut world);
            let set = tolerate(&mut world, &due, thresholds.clone());
            assert_eq!(set.status, 200, "{kind}: {}", set.body);
            send(&mut world, &due, &["9.5"]);
            assert_eq!(standing(&mut world, &due), *expected, "{kind} {thresholds}");
        }
        // What nobody can pay in would be tolerated in no payment.
        let due = due(&mut world);
        for currency in ["XXX", "USD"] {
            let unknown =
                json!({ "underpay_tolerance_amount": 5, "underpay_tolerance_currency": currency });
            assert_eq!(
                tolerate(&mut world, &due, unknown).refusal(),
                "422 NOT_SUPPORTED underpay_thresholds.underpay_tolerance_currency",
                "{kind}"
            );
        }
    });
}

#[test]
fn the_timeline_has_each_status_with_its_moment() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        let begun = world.now;
        send(&mut world, &due, &["4"]);
        pass(&mut world, 31 * 60);
        let failed = world.now;
        send(&mut world, &due, &["6"]);
        let settled = world.now;
        refund(&mut world, &due, json!({}));
        let read = world.keyed(&due.shop, "GET", &due.path, Value::Null);
        let timeline = read.data()["timeline"].as_array().expect("a timeline");
        let told: Vec<(&Value, &Value)> = timeline
            .iter()
            .map(|entry| (&entry["status"], &entry["at"]))
            .collect();
        let at = |moment: settlekit_core::value::Timestamp| json!(moment.to_string());
        assert_eq!(
            told,
            [
                (&json!("Processing"), &at(begun)),
                (&json!("Failed"), &at(failed)),
                (&json!("Confirmed"), &at(settled)),
                (&json!("Refunded"), &at(settled)),
            ],
            "{kind}"
        );
    });
}

#[test]
fn a_refund_that_the_account_does_not_cover_names_the_amount() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let body = json!({ "account": "till", "amount": "5", "currency": "USDC", "chain_id": 8453,
            "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
        let gone = world.signed(&due.shop, None, "POST", "/v1/payouts", body);
        assert_eq!(gone.status, 201, "{kind}: {}", gone.body);
        for body in [json!({}), json!({ "amount": "9" })] {
            let back = refund(&mut world, &due, body);
            assert_eq!(back.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        }
        assert_eq!(standing(&mut world, &due).0, "Confirmed", "{kind}");
    });
}

#[test]
fn what_goes_back_to_an_account_of_this_service_arrives_there() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let other = world.shop("Other", None);
        let account = world.account(&other, "theirs", 8453, &["USDC"]);
        let address = world.read(&other, "/v1/accounts/theirs")["address"].clone();
        let back = refund(
            &mut world,
            &due,
            json!({ "amount": "4", "address": address }),
        );
        assert_eq!(back.status, 201, "{kind}: {}", back.body);
        for _ in 0..2 {
            world.pass(Duration::from_secs(10));
            world.work();
        }
        let came = world.read(&other, &format!("/v1/accounts/{account}/movement"));
        assert_eq!(came["total"], 1, "{kind}: {came}");
        let came = &came["items"][0];
        assert_eq!(came["amount"], "4", "{kind}");
        assert_eq!(came["status"], "Confirmed", "{kind}");
        let path = "/v1/accounts/till/movement?limit=1";
        let went = world.read(&due.shop, path)["items"][0].clone();
        assert_eq!(came["transaction_hash"], went["transaction_hash"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn the_next_action_is_to_send_funds_until_enough_is_on_its_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        let tolerated = json!({ "underpay_thresholds": { "underpay_tolerance_usd": 1 } });
        world.keyed(&due.shop, "PUT", "/v1/orgs", tolerated);
        let next =
            |world: &mut World, path: &str| world.read(&due.shop, path)["next_action"].clone();
        assert_eq!(next(&mut world, &due.path), "SendFunds", "{kind}");
        send(&mut world, &due, &["4"]);
        assert_eq!(next(&mut world, &due.path), "SendFunds", "{kind}: the rest");
        let rest = world.public("POST", &due.pay, json!({ "amount": "5" }));
        assert_eq!(rest.status, 201, "{kind}: {}", rest.body);
        assert_eq!(next(&mut world, &due.path), "Wait", "{kind}");
        pass(&mut world, 10);
        assert_eq!(next(&mut world, &due.path), "None", "{kind}");

        let out = json!({ "account": "till", "amount": "2", "currency": "USDC", "chain_id": 8453,
            "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
        let made = world.signed(&due.shop, None, "POST", "/v1/payouts", out);
        let path = format!(
            "/v1/payments/{}",
            made.data()["id"].as_str().expect("an id")
        );
        for status in ["Pending", "Processing", "Confirmed"] {
            let payout = world.read(&due.shop, &path);
            assert_eq!(payout["status"], status, "{kind}");
            assert_eq!(payout["next_action"], "None", "{kind}: {status}");
            pass(&mut world, if status == "Pending" { 0 } else { 10 });
        }
    });
}

#[test]
fn what_is_tolerated_counts_at_the_latest_when_the_price_no_longer_holds() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let due = due(&mut world);
        send(&mut world, &due, &["9.5"]);
        let tolerated = json!({ "underpay_thresholds": { "underpay_tolerance_usd": 0.5 } });
        world.keyed(&due.shop, "PUT", "/v1/orgs", tolerated);
        pass(&mut world, 31 * 60);
        assert_eq!(
            standing(&mut world, &due),
            (json!("Confirmed"), json!("Underpaid"), json!("9.5")),
            "{kind}"
        );
    });
}
