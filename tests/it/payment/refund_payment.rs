//! `POST /payments/{payment_id}/refunds`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World, text};

use super::{Due, due, observe, pass, refund, refunded, send, settle_payouts, state_of};
use crate::payout::available;

#[test]
fn a_payment_can_be_refunded_in_parts() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let id = world.post(&shop, "/v1/payments", body).id();
        let refunds = format!("/v1/payments/{id}/refunds");
        let refund =
            |world: &mut World, body: Value| world.signed(&shop, None, "POST", &refunds, body);
        assert_eq!(
            refund(&mut world, json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}: nothing was paid"
        );
        world.pay(&id);
        world.pass_and_work(Duration::from_secs(10));

        let path = format!("/v1/payments/{id}");
        for (amount, before, status, refunded) in [
            ("2.5", json!("Confirmed"), "PartialRefunded", "2.5"),
            ("3", json!("PartialRefunded"), "PartialRefunded", "5.5"),
        ] {
            let reason = format!("{amount} too much");
            let part = refund(&mut world, json!({ "amount": amount, "reason": reason }));
            assert_eq!(part.status, 201, "{kind}: {}", part.body);
            // Nothing is refunded before its transaction is confirmed.
            assert_eq!(part.data()["status"], before, "{kind}");
            assert_eq!(part.data()["refunding_amount"], amount, "{kind}");
            settle_payouts(&mut world);
            let part = world.read(&shop, &path);
            assert_eq!(part["status"], status, "{kind}");
            assert_eq!(part["refunded_amount"], refunded, "{kind}");
            assert_eq!(part["refunding_amount"], Value::Null, "{kind}");
        }
        let too_much = refund(&mut world, json!({ "amount": "4.51" }));
        assert_eq!(too_much.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        let rest = refund(&mut world, json!({}));
        assert_eq!(rest.status, 201, "{kind}: {}", rest.body);
        let twice = refund(&mut world, json!({}));
        assert_eq!(twice.refusal(), "409 STATE_FORBIDS", "{kind}");
        settle_payouts(&mut world);
        let rest = world.read(&shop, &path);
        assert_eq!(rest["status"], "Refunded", "{kind}");
        assert_eq!(rest["refunded_amount"], "10", "{kind}");
        let said = &rest["properties"]["refunds"];
        assert_eq!(
            (&said[0]["amount"], &said[0]["reason"], &said[1]["reason"]),
            (&json!("2.5"), &json!("2.5 too much"), &json!("3 too much")),
            "{kind}: {said}"
        );
        assert!(said[2].is_null(), "{kind}: no reason was given");
        assert_eq!(
            refund(&mut world, json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}"
        );
        assert_eq!(available(&mut world, &shop, "USDC"), "0", "{kind}");
        // The payouts that send the money back are settled, too.
        for (action, count) in [("Settled", 4), ("Refunded", 3)] {
            let log = format!("/v1/events?type=Payment&action={action}");
            assert_eq!(world.read(&shop, &log)["total"], count, "{kind}: {action}");
        }
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn all_that_one_wallet_sent_goes_back_to_it_at_once() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        observe(&mut world, &due, "USDC", "4000000");
        observe(&mut world, &due, "USDC", "6000000");
        let back = refunded(&mut world, &due, json!({}));
        assert_eq!(back["status"], "Refunded", "{kind}: {back}");
        assert_eq!(
            ledger(&mut world, &due),
            [
                "Deposit 4 Refunded",
                "Deposit 6 Refunded",
                "Withdraw 10 Confirmed",
            ],
            "{kind}"
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

/// The ledger, oldest first: type, amount, status.
fn ledger(world: &mut World, due: &Due) -> Vec<String> {
    let path = "/v1/accounts/till/movement?sort=asc";
    let read = world.keyed(&due.shop, "GET", path, Value::Null);
    let movements = read.items();
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
fn a_refund_goes_to_each_sender() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4", "6"]);
        let part = refunded(&mut world, &due, json!({ "amount": "5" }));
        assert_eq!(part["status"], "PartialRefunded", "{kind}");
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
        let rest = refunded(&mut world, &due, json!({}));
        assert_eq!(rest["status"], "Refunded", "{kind}: {rest}");
        let booked = ledger(&mut world, &due);
        assert_eq!(booked[1], "Deposit 6 Refunded", "{kind}");
        assert_eq!(booked[4..], ["Withdraw 5 Confirmed"], "{kind}");
        let path = "/v1/accounts/till/movement?sort=asc";
        let read = world.read(&due.shop, path);
        let movements = &read["items"];
        for (sent, back) in [(0, 2), (1, 3), (1, 4)] {
            let from = text(&movements[sent], "from_address");
            let to = text(&movements[back], "to_address");
            assert_eq!(from, to, "{kind}");
        }
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn the_first_booked_transfer_is_refunded_first_even_if_the_clock_was_set_back_in_between() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let begun = world.now;
        world.pass(Duration::from_secs(20 * 60));
        send(&mut world, &due, &["10"]);
        refunded(&mut world, &due, json!({}));
        world.now = begun;
        observe(&mut world, &due, "USDC", "10000000");
        for amount in ["4", "6"] {
            refunded(&mut world, &due, json!({ "amount": amount }));
        }
        let path = "/v1/accounts/till/movement";
        let read = world.keyed(&due.shop, "GET", path, Value::Null);
        let items = read.items();
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
fn an_insufficient_payment_can_be_refunded() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4"]);
        let early = refund(&mut world, &due, json!({}));
        assert_eq!(early.refusal(), "409 STATE_FORBIDS", "{kind}: it is open");
        pass(&mut world, 31 * 60);
        assert_eq!(
            state_of(&mut world, &due),
            (json!("Failed"), json!("Underpaid"), json!("4")),
            "{kind}"
        );
        let back = refunded(&mut world, &due, json!({ "amount": "1" }));
        assert_eq!(back["status"], "PartialRefunded", "{kind}");
        let back = refunded(&mut world, &due, json!({}));
        assert_eq!(back["status"], "Refunded", "{kind}: {back}");
        assert_eq!(back["refunded_amount"], "4", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn money_that_arrives_after_a_full_refund_can_be_refunded_too() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let back = refunded(&mut world, &due, json!({}));
        assert_eq!(back["status"], "Refunded", "{kind}: {back}");
        observe(&mut world, &due, "USDC", "4000000");
        let part = refunded(&mut world, &due, json!({ "amount": "1" }));
        assert_eq!(
            (&part["status"], &part["refunded_amount"]),
            (&json!("PartialRefunded"), &json!("11")),
            "{kind}: {part}"
        );
        let rest = refunded(&mut world, &due, json!({}));
        assert_eq!(rest["status"], "Refunded", "{kind}: {rest}");
        let over = refund(&mut world, &due, json!({}));
        assert_eq!(over.refusal(), "409 STATE_FORBIDS", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_refund_above_the_balance_is_refused() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["10"]);
        let body = json!({ "account": "till", "amount": "5", "currency": "USDC", "chain_id": 8453,
            "address": WALLET });
        world.create(&due.shop, "/v1/payouts", body);
        for body in [json!({}), json!({ "amount": "9" })] {
            let back = refund(&mut world, &due, body);
            assert_eq!(back.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        }
        assert_eq!(state_of(&mut world, &due).0, "Confirmed", "{kind}");
    });
}

#[test]
fn a_refund_to_an_account_of_this_service_arrives_there() {
    World::each(|kind, mut world| {
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
            world.pass_and_work(Duration::from_secs(10));
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

/// Fails the refunds under way on the simulated chain.
fn fail_refunds(world: &mut World, due: &Due) {
    world.work();
    let payouts = world.read(&due.shop, "/v1/payouts");
    for payout in payouts["items"].as_array().expect("payouts") {
        if payout["status"] == "Processing" {
            let body = json!({ "payment_id": payout["id"] });
            let path = "/v1/sandbox/payout-failures";
            let failed = world.keyed(&due.shop, "POST", path, body);
            assert_eq!(failed.data()["status"], "Failed", "{}", failed.body);
        }
    }
}

#[test]
fn a_refund_that_fails_on_the_chain_gives_the_money_back_and_can_be_repeated() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4", "6"]);
        // The first deposit and a part of the second: two payouts, both of which fail.
        let body = json!({ "amount": "5", "reason": "lost" });
        assert_eq!(refund(&mut world, &due, body).status, 201, "{kind}");
        assert_eq!(available(&mut world, &due.shop, "USDC"), "5", "{kind}");
        fail_refunds(&mut world, &due);
        let read = world.read(&due.shop, &due.path);
        assert_eq!(read["status"], "Confirmed", "{kind}: {read}");
        assert_eq!(read["refunding_amount"], Value::Null, "{kind}");
        assert_eq!(read["refunded_amount"], Value::Null, "{kind}");
        assert_eq!(read["properties"], Value::Null, "{kind}");
        assert_eq!(available(&mut world, &due.shop, "USDC"), "10", "{kind}");
        let back = refunded(&mut world, &due, json!({}));
        assert_eq!(back["status"], "Refunded", "{kind}: {back}");
        let booked = ledger(&mut world, &due);
        let expected = [
            "Deposit 4 Refunded",
            "Deposit 6 Refunded",
            "Withdraw 4 Failed",
            "Withdraw 1 Failed",
            "Withdraw 4 Confirmed",
            "Withdraw 6 Confirmed",
        ];
        assert_eq!(booked, expected, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn money_on_its_way_back_pays_nothing() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4"]);
        pass(&mut world, 31 * 60);
        assert_eq!(refund(&mut world, &due, json!({})).status, 201, "{kind}");
        // With the 4 that go back, this would be the whole amount.
        observe(&mut world, &due, "USDC", "6000000");
        assert_eq!(state_of(&mut world, &due).0, "Failed", "{kind}");
        // They stay: now it is.
        fail_refunds(&mut world, &due);
        let expected = (json!("Confirmed"), json!("PaidLate"), json!("10"));
        assert_eq!(state_of(&mut world, &due), expected, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
