//! `GET /payments/{payment_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World, padded};

use super::{due, observe, pass, refunded, send};

#[test]
fn a_transaction_shows_its_amount_and_destination() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        observe(&mut world, &due, "ETH", "1500000000000000000");
        observe(&mut world, &due, "USDC", "10000000");
        let read = world.read(&due.shop, &due.path);
        let (address, seen) = (&read["deposit_address"], &read["crypto_transactions"]);
        assert_eq!(
            (&seen[0]["value"], &seen[0]["currency"], &seen[0]["to"]),
            (&json!("1.5"), &json!("ETH"), address),
            "{kind}"
        );
        assert!(seen[0]["transfer_logs"].is_null(), "{kind}: not of a token");
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
                "sender": WALLET,
                "value": "10000000",
            }]),
            "{kind}"
        );
        let latest = &read["crypto_transaction"];
        assert_eq!(latest["transaction_hash"], padded("0x10000000"), "{kind}");
        assert_eq!(read["sender_address"], WALLET, "{kind}");
        assert_eq!(read["status"], "Confirmed", "{kind}");
    });
}

#[test]
fn the_timeline_has_each_status_with_its_time() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let begun = world.now;
        send(&mut world, &due, &["4"]);
        pass(&mut world, 31 * 60);
        let failed = world.now;
        send(&mut world, &due, &["6"]);
        let settled = world.now;
        refunded(&mut world, &due, json!({}));
        let returned = world.now;
        let read = world.read(&due.shop, &due.path);
        let timeline = read["timeline"].as_array().expect("a timeline");
        let entries: Vec<(&Value, &Value)> = timeline
            .iter()
            .map(|entry| (&entry["status"], &entry["at"]))
            .collect();
        let at = |timestamp: settlekit_core::value::Timestamp| json!(timestamp.to_string());
        assert_eq!(
            entries,
            [
                (&json!("Processing"), &at(begun)),
                (&json!("Failed"), &at(failed)),
                (&json!("Confirmed"), &at(settled)),
                // Each deposit went back to its sender.
                (&json!("PartialRefunded"), &at(returned)),
                (&json!("Refunded"), &at(returned)),
            ],
            "{kind}"
        );
    });
}

#[test]
fn a_payment_tells_when_it_was_last_changed() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let check = |world: &mut World, status: &str| {
            let read = world.read(&due.shop, &due.path);
            assert_eq!(read["status"], status, "{kind}");
            let now = world.now.to_string();
            assert_eq!(read["updated_at"], now, "{kind}: {status}");
        };
        check(&mut world, "Processing");
        send(&mut world, &due, &["4"]);
        check(&mut world, "Processing");
        pass(&mut world, 31 * 60);
        check(&mut world, "Failed");
        for _ in 0..2 {
            pass(&mut world, 10);
            refunded(&mut world, &due, json!({ "amount": "1" }));
            check(&mut world, "PartialRefunded");
        }
    });
}

#[test]
fn the_next_action_is_send_funds_until_the_full_amount_is_on_its_way() {
    World::each(|kind, mut world| {
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
            "address": WALLET });
        let made = world.signed(&due.shop, None, "POST", "/v1/payouts", out);
        let path = format!("/v1/payments/{}", made.id());
        for status in ["Pending", "Processing", "Confirmed"] {
            let payout = world.read(&due.shop, &path);
            assert_eq!(payout["status"], status, "{kind}");
            assert_eq!(payout["next_action"], "None", "{kind}: {status}");
            pass(&mut world, if status == "Pending" { 0 } else { 10 });
        }
    });
}
