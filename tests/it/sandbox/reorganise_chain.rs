//! `POST /sandbox/reorganisations`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, Shop, World};

/// Base has a block per second and needs three confirmations.
const BLOCK: Duration = Duration::from_secs(1);

fn reorganise(world: &mut World, shop: &Shop, hash: &Value, returns: bool) -> Answer {
    let body = json!({ "transaction_hash": hash, "returns": returns });
    world.keyed(shop, "POST", "/v1/sandbox/reorganisations", body)
}

fn blocks(world: &mut World, count: u32) {
    world.pass_and_work(BLOCK * count);
}

/// The statuses of a payment, its transaction and its movement.
fn statuses(world: &mut World, shop: &Shop, payment: &str) -> String {
    let payment = world.read(shop, payment);
    let seen = &payment["crypto_transactions"][0];
    let movements = world.read(shop, "/v1/accounts/till/movement");
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    format!(
        "{} of {}, {} {}, {}",
        text(&payment["status"]),
        text(&payment["paid_amount"]),
        text(&seen["status"]),
        seen["confirmations"],
        text(&movements["items"][0]["status"])
    )
}

/// The count of a transaction's events.
fn count_events(world: &mut World, shop: &Shop) -> Value {
    world.read(shop, "/v1/events?type=CryptoTransaction")["total"].clone()
}

#[test]
fn a_reorganised_payment_waits_for_confirmations_again() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let id = world.post(&shop, "/v1/payments", body).id();
        let (path, pay) = (
            format!("/v1/payments/{id}"),
            format!("/v1/sandbox/checkout/payments/{id}/pay"),
        );
        assert_eq!(world.public("POST", &pay, json!({})).status, 201, "{kind}");
        let hash = world.read(&shop, &path)["crypto_transactions"][0]["transaction_hash"].clone();
        let early = reorganise(&mut world, &shop, &hash, true);
        assert_eq!(
            early.refusal(),
            "409 STATE_FORBIDS",
            "{kind}: in no block yet"
        );

        blocks(&mut world, 2);
        let before = statuses(&mut world, &shop, &path);
        assert_eq!(before, "Processing of 10, Pending 2, Processing", "{kind}");
        let events = count_events(&mut world, &shop);
        let taken = reorganise(&mut world, &shop, &hash, true);
        assert_eq!(taken.status, 200, "{kind}: {}", taken.body);
        assert_eq!(taken.data()["transaction_hash"], hash, "{kind}");
        assert_eq!(taken.data()["confirmations"], 1, "{kind}");
        let after = statuses(&mut world, &shop, &path);
        assert_eq!(after, "Processing of 10, Pending 1, Processing", "{kind}");
        let more = count_events(&mut world, &shop).as_u64().expect("a count");
        assert_eq!(Some(more - 1), events.as_u64(), "{kind}: with an event");
        // One block later than without the reorganisation.
        blocks(&mut world, 1);
        let waits = statuses(&mut world, &shop, &path);
        assert_eq!(waits, "Processing of 10, Pending 2, Processing", "{kind}");

        let lost = reorganise(&mut world, &shop, &hash, false);
        assert_eq!(lost.data()["status"], "Failed", "{kind}: {}", lost.body);
        let gone = statuses(&mut world, &shop, &path);
        assert_eq!(gone, "Processing of 0, Failed 1, Failed", "{kind}");
        blocks(&mut world, 10);
        assert_eq!(
            statuses(&mut world, &shop, &path),
            gone,
            "{kind}: permanently"
        );
        let again = reorganise(&mut world, &shop, &hash, false);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganised_deposit_is_booked_after_new_confirmations() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body =
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "3" });
        let deposit = world.keyed(&shop, "POST", "/v1/sandbox/deposits", body.clone());
        let hash = deposit.data()["transaction_hash"].clone();
        blocks(&mut world, 2);
        // A copied hash may be in upper case.
        let written = json!(hash.as_str().expect("a hash").to_ascii_uppercase());
        let taken = reorganise(&mut world, &shop, &written, true);
        assert_eq!(taken.data()["confirmations"], 1, "{kind}: {}", taken.body);
        for status in ["Processing", "Confirmed"] {
            blocks(&mut world, 1);
            let movements = world.read(&shop, "/v1/accounts/till/movement");
            assert_eq!(movements["items"][0]["status"], status, "{kind}");
        }
        let late = reorganise(&mut world, &shop, &hash, false);
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}: it is booked");

        // A transaction without a block can be lost too.
        let deposit = world.keyed(&shop, "POST", "/v1/sandbox/deposits", body);
        let hash = deposit.data()["transaction_hash"].clone();
        let lost = reorganise(&mut world, &shop, &hash, false);
        assert_eq!(lost.data()["status"], "Failed", "{kind}: {}", lost.body);
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganised_internal_payout_is_confirmed_with_its_deposit() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let safe = world.account(&shop, "safe", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "10");
        let safe = world.read(&shop, &format!("/v1/accounts/{safe}"));
        for (lost, expected) in [(false, ["Confirmed"; 2]), (true, ["Failed"; 2])] {
            let out = json!({ "account": "till", "amount": "2", "currency": "USDC", "chain_id": 8453, "address": safe["address"] });
            let out = world.signed(&shop, None, "POST", "/v1/payouts", out);
            let path = format!("/v1/payments/{}", out.id());
            let statuses = |world: &mut World| {
                let movements = world.read(&shop, "/v1/accounts/safe/movement");
                let payout = world.read(&shop, &path);
                [&payout["status"], &movements["items"][0]["status"]]
                    .map(|status| status.as_str().expect("a status").to_owned())
            };
            world.work();
            blocks(&mut world, 2);
            let movements = world.read(&shop, "/v1/accounts/safe/movement");
            let hash = movements["items"][0]["transaction_hash"].clone();
            let taken = reorganise(&mut world, &shop, &hash, true);
            assert_eq!(taken.status, 200, "{kind}: {}", taken.body);
            // The third block without the reorganisation is now the second.
            blocks(&mut world, 1);
            assert_eq!(statuses(&mut world), ["Processing"; 2], "{kind}");
            if lost {
                let lost = reorganise(&mut world, &shop, &hash, false);
                assert_eq!(lost.status, 200, "{kind}: {}", lost.body);
            }
            blocks(&mut world, 1);
            assert_eq!(statuses(&mut world), expected, "{kind}");
        }
        let (sender, received) = (
            world.read(&shop, &format!("/v1/accounts/{till}"))["address"].clone(),
            world.read(&shop, "/v1/accounts/safe/movement")["items"][0].clone(),
        );
        assert_eq!(received["from_address"], sender, "{kind}");
        let held = world.read(&shop, "/v1/accounts/till/balances");
        assert_eq!(held[0]["posted"], "7.96", "{kind}: both have cost gas");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn unknown_and_foreign_transactions_are_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let body =
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "3" });
        let deposit = world.keyed(&shop, "POST", "/v1/sandbox/deposits", body);
        let hash = &deposit.data()["transaction_hash"];
        for (who, hash) in [(&shop, &json!("0xab")), (&other, hash)] {
            let refused = reorganise(&mut world, who, hash, false);
            assert_eq!(
                refused.refusal(),
                "422 REFERENCE_UNKNOWN transaction_hash",
                "{kind}"
            );
        }
        blocks(&mut world, 5);
        let movements = world.read(&shop, "/v1/accounts/till/movement");
        assert_eq!(movements["items"][0]["status"], "Confirmed", "{kind}");
    });
}
