//! `GET /payouts/estimate`.

use serde_json::{Value, json};
use settlekit_service::step::Reply;
use settlekit_tests::world::{Shop, World, number};

use super::{available, payout, shop};
use crate::organisation::{ledger, set_fees};

fn estimate(world: &mut World, shop: &Shop, amount: &str) -> Value {
    let path =
        format!("/v1/payouts/estimate?account=till&amount={amount}&currency=USDC&chain_id=8453");
    world.read(shop, &path)
}

#[test]
fn a_payout_costs_what_was_estimated() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let till = number(&world.read(&shop, "/v1/accounts/till"), "id");
        assert_eq!(set_fees(&mut world, &shop, till, "0", "1"), Reply::Done);
        let estimated = estimate(&mut world, &shop, "40.555555");
        assert_eq!(
            estimated,
            json!({ "amount": "40.555555", "currency": "USDC", "fee": "0.02", "fee_currency": "USDC",
                "service_fee": "0.405555", "available": "100", "covered": true }),
            "{kind}: one percent, rounded down"
        );
        assert_eq!(payout(&mut world, &shop, "40.555555").status, 201, "{kind}");
        world.settle();
        let booked = ledger(&mut world, &shop, till);
        let expected = [
            "Deposit IN 100",
            "Withdraw OUT 40.555555",
            "ServiceFee OUT 0.405555",
        ];
        assert_eq!(booked, expected, "{kind}");
        // 100 less 40.555555, 0.02 and 0.405555.
        assert_eq!(available(&mut world, &shop, "USDC"), "59.01889", "{kind}");
    });
}

#[test]
fn an_estimate_checks_the_balance_and_reserves_nothing() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        for (amount, covered) in [("9.98", true), ("9.980001", false), ("1000", false)] {
            let estimated = estimate(&mut world, &shop, amount);
            assert_eq!(estimated["covered"], covered, "{kind}: {amount}");
            assert_eq!(estimated["available"], "10", "{kind}: {amount}");
        }
        assert_eq!(available(&mut world, &shop, "USDC"), "10", "{kind}");
        assert!(world.list(&shop, "/v1/payouts").is_empty(), "{kind}");
        // The amount that was just covered can be sent, and nothing is left.
        assert_eq!(payout(&mut world, &shop, "9.98").status, 201, "{kind}");
        assert_eq!(estimate(&mut world, &shop, "1")["available"], "0", "{kind}");
    });
}

#[test]
fn estimate_errors_name_their_fields() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        let other = world.shop("Other", None);
        let theirs = world.account(&other, "theirs", 8453, &["USDC"]);
        for (account, amount, currency, chain, refusal) in [
            ("till", "0", "USDC", 8453, "422 NOT_POSITIVE amount"),
            (
                "till",
                "0.0000001",
                "USDC",
                8453,
                "422 AMOUNT_TOO_MANY_DECIMALS amount",
            ),
            ("till", "1", "DOGE", 8453, "422 NOT_SUPPORTED currency"),
            ("till", "1", "USDC", 99, "422 NOT_SUPPORTED chain_id"),
            ("till", "1", "USDC", 137, "422 REFERENCE_UNKNOWN account"),
            (
                &theirs.to_string(),
                "1",
                "USDC",
                8453,
                "422 REFERENCE_UNKNOWN account",
            ),
        ] {
            let path = format!(
                "/v1/payouts/estimate?account={account}&amount={amount}&currency={currency}&chain_id={chain}"
            );
            let refused = world.keyed(&shop, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}: {path}");
        }
        let nothing = world.keyed(&shop, "GET", "/v1/payouts/estimate", Value::Null);
        let refusal = "422 REQUIRED account, REQUIRED amount, REQUIRED currency, REQUIRED chain_id";
        assert_eq!(nothing.refusal(), refusal, "{kind}");
    });
}
