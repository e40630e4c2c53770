//! `POST /payouts`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World};

use super::{available, payout, shop};

#[test]
fn a_payout_is_reserved_sent_and_booked_with_its_fee() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let estimate = "/v1/payouts/estimate?account=till&amount=40&currency=USDC&chain_id=8453";
        let estimate = world.read(&shop, estimate);
        assert_eq!(
            estimate,
            json!({ "amount": "40", "currency": "USDC", "fee": "0.02", "fee_currency": "USDC", "service_fee": "0", "available": "100", "covered": true }),
            "{kind}"
        );
        let made = payout(&mut world, &shop, "40");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["status"], "Pending", "{kind}");
        assert_eq!(
            available(&mut world, &shop, "USDC"),
            "59.98",
            "{kind}: reserved immediately"
        );
        let path = format!("/v1/payments/{}", made.id());
        world.work();
        let sent = world.read(&shop, &path);
        assert_eq!(sent["status"], "Processing", "{kind}");
        let hash = sent["settlement_transaction"]["transaction_hash"].clone();
        assert!(hash.is_string(), "{kind}");
        world.pass_and_work(Duration::from_secs(10));
        let done = world.read(&shop, &path);
        assert_eq!(done["status"], "Confirmed", "{kind}");
        assert_eq!(
            done["settlement_transaction"]["status"], "Success",
            "{kind}"
        );

        let ledger = world.read(&shop, "/v1/accounts/till/movement?limit=1");
        let movement = &ledger["items"][0];
        for (name, value) in [
            ("type", "Withdraw"),
            ("direction", "OUT"),
            ("status", "Confirmed"),
            ("amount", "40"),
            ("fee", "0.02"),
            ("fee_currency", "USDC"),
            ("to_address", WALLET),
        ] {
            assert_eq!(movement[name], value, "{kind}: {name}");
        }
        assert_eq!(movement["transaction_hash"], hash, "{kind}");
        assert_eq!(available(&mut world, &shop, "USDC"), "59.98", "{kind}");
        let listed = world.read(&shop, "/v1/payouts");
        assert_eq!(listed["total"], 1, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn gas_is_paid_in_the_native_asset_if_the_account_has_it() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        let account = world
            .keyed(&shop, "GET", "/v1/accounts/till", Value::Null)
            .id_number();
        world.deposit(&shop, account, 8453, "ETH", "1");
        // The whole balance can go: the fee is paid in another currency.
        let made = payout(&mut world, &shop, "10");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        for _ in 0..2 {
            world.work();
            world.pass(Duration::from_secs(10));
        }
        world.work();
        assert_eq!(available(&mut world, &shop, "USDC"), "0", "{kind}");
        assert_eq!(available(&mut world, &shop, "ETH"), "0.99999375", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_payout_above_the_balance_or_without_a_destination_is_refused() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        let refused = |world: &mut World, change: Value| {
            let mut body = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
            for (name, value) in change.as_object().expect("fields") {
                body[name] = value.clone();
            }
            world
                .signed(&shop, None, "POST", "/v1/payouts", body)
                .refusal()
        };
        for (change, refusal) in [
            (json!({ "amount": "10" }), "422 INSUFFICIENT_FUNDS amount"),
            (
                json!({ "amount": "0.0000001" }),
                "422 AMOUNT_TOO_MANY_DECIMALS amount",
            ),
            (json!({ "currency": "DOGE" }), "422 NOT_SUPPORTED currency"),
            (json!({ "chain_id": 1 }), "422 REFERENCE_UNKNOWN account"),
            (json!({ "chain_id": 99 }), "422 NOT_SUPPORTED chain_id"),
            (
                json!({ "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }),
                "422 ADDRESS_MALFORMED address",
            ),
            (
                json!({ "address": null, "external_account_id": 7 }),
                "422 REFERENCE_UNKNOWN external_account_id",
            ),
        ] {
            assert_eq!(
                refused(&mut world, change.clone()),
                refusal,
                "{kind} {change}"
            );
        }
        let unsigned = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let unsigned = world.keyed(&shop, "POST", "/v1/payouts", unsigned);
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        // Two payouts, covered separately but not together: the second is refused while the first is pending.
        assert_eq!(payout(&mut world, &shop, "6").status, 201, "{kind}");
        assert_eq!(
            payout(&mut world, &shop, "6").refusal(),
            "422 INSUFFICIENT_FUNDS amount",
            "{kind}"
        );
        assert_eq!(available(&mut world, &shop, "USDC"), "3.98", "{kind}");
    });
}

#[test]
fn nothing_is_sent_to_the_zero_address() {
    const NOBODY: &str = "0x0000000000000000000000000000000000000000";
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        let payout = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": NOBODY });
        let to = json!({ "type": "Digital", "address": NOBODY, "chain_id": 8453, "currencies": ["USDC"] });
        let split = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "address": NOBODY, "pct": "5" }] });
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_address": NOBODY,
            "payout_threshold_amount": 2 });
        let trade = json!({ "amount": "2", "currency": "USDC", "to_currency": "ETH", "settlement_address": NOBODY });
        let automation = "/v1/partners/accounts/id/till/automations/maintain-balance";
        for (path, body, field) in [
            ("/v1/payouts", payout, "address"),
            ("/v1/accounts/external-account", to, "address"),
            ("/v1/accounts/virtual", split, "deposit_splits[0].address"),
            (automation, keep, "payout_address"),
            ("/v1/trade/quicktrade", trade, "settlement_address"),
        ] {
            let answer = world.signed(&shop, None, "POST", path, body);
            let refused = format!("422 ADDRESS_MALFORMED {field}");
            assert_eq!(answer.refusal(), refused, "{kind} {path}");
        }
        assert_eq!(available(&mut world, &shop, "USDC"), "10", "{kind}");
    });
}
