//! `POST /sandbox/deposits`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

const PATH: &str = "/v1/sandbox/deposits";

#[test]
fn a_deposit_is_booked_with_its_last_confirmation() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let body =
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "2.50" });
        let sent = world.create(&shop, PATH, body);
        let hash = text(sent.data(), "transaction_hash");
        let created_at = world.now.to_string();
        assert_eq!(
            *sent.data(),
            json!({ "account_id": till, "chain_id": 8453, "currency": "USDC", "amount": "2.50",
                "transaction_hash": hash, "created_at": created_at }),
            "{kind}"
        );
        let posted = |world: &mut World| {
            let held = world.read(&shop, "/v1/accounts/till/balances");
            text(&held[0], "posted")
        };
        // Base has three confirmations, a second each.
        for (status, balance) in [
            ("Pending", "0"),
            ("Processing", "0"),
            ("Processing", "0"),
            ("Confirmed", "2.5"),
        ] {
            let movements = world.read(&shop, "/v1/accounts/till/movement");
            assert_eq!(movements["total"], 1, "{kind}");
            let movement = &movements["items"][0];
            assert_eq!(movement["status"], status, "{kind}");
            assert_eq!(movement["amount"], "2.5", "{kind}");
            assert_eq!(movement["transaction_hash"], *hash, "{kind}");
            assert_eq!(posted(&mut world), balance, "{kind}");
            world.pass_and_work(Duration::from_secs(1));
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_refused_deposit_sends_nothing() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let theirs = world.account(&other, "theirs", 8453, &["USDC"]);
        for (change, refusal) in [
            (json!({ "amount": "0" }), "422 NOT_POSITIVE amount"),
            (
                json!({ "amount": "0.0000001" }),
                "422 AMOUNT_TOO_MANY_DECIMALS amount",
            ),
            (json!({ "currency": "ETH" }), "422 NOT_SUPPORTED currency"),
            (json!({ "chain_id": 137 }), "422 REFERENCE_UNKNOWN account"),
            (json!({ "chain_id": 424_242 }), "422 NOT_SUPPORTED chain_id"),
            (
                json!({ "account": "nobodys" }),
                "422 REFERENCE_UNKNOWN account",
            ),
            (
                json!({ "account": theirs }),
                "422 REFERENCE_UNKNOWN account",
            ),
        ] {
            let mut body =
                json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "1" });
            for (field, value) in change.as_object().expect("fields") {
                body[field] = value.clone();
            }
            let refused = world.keyed(&shop, "POST", PATH, body);
            assert_eq!(refused.refusal(), refusal, "{kind}: {change}");
        }
        let reader = world.scoped(&shop, &["read"]);
        let body =
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "1" });
        let unscoped = world.keyed(&reader, "POST", PATH, body);
        assert_eq!(unscoped.refusal(), "403 SCOPE_MISSING", "{kind}");
        world.pass_and_work(Duration::from_secs(60));
        for who in [&shop, &other] {
            assert_eq!(
                world.list(who, "/v1/movements"),
                Vec::<Value>::new(),
                "{kind}"
            );
        }
    });
}
