//! `POST /payments`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

#[test]
fn a_payment_has_its_own_address_a_deadline_and_a_dollar_value() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        let body = json!({ "amount": "0.5", "currency": "ETH", "chain_id": 8453, "account": "till",
            "reference": "order 7", "metadata": { "table": "7" } });
        let created = world.create(&shop, "/v1/payments", body.clone());
        let payment = created.data();
        for field in ["amount", "currency", "chain_id", "reference", "metadata"] {
            assert_eq!(payment[field], body[field], "{kind}: {field}");
        }
        let expires_at = world.now.plus(Duration::from_secs(30 * 60)).to_string();
        for (field, value) in [
            ("status", "Processing"),
            ("next_action", "SendFunds"),
            ("paid_amount", "0"),
            // The sandbox's ether is worth 3200 dollars.
            ("amount_usd", "1600.00"),
            ("source", "Api"),
            ("expires_at", &expires_at),
        ] {
            assert_eq!(payment[field], value, "{kind}: {field}");
        }
        assert_eq!(payment["to_account"]["id"], till, "{kind}");
        let path = format!("/v1/payments/{}", created.id());
        assert_eq!(world.read(&shop, &path), *payment, "{kind}");
        let event = world.read(&shop, "/v1/events?type=Payment&action=Created");
        assert_eq!(event["items"][0]["data"], *payment, "{kind}");
        let second = world.create(&shop, "/v1/payments", body);
        let [first, second] = [&created, &second].map(|made| text(made.data(), "deposit_address"));
        assert_ne!(first, second, "{kind}");
        let own = world.read(&shop, "/v1/accounts/till")["address"].clone();
        assert!(own != *first && own != *second, "{kind}");
    });
}

#[test]
fn the_default_account_is_the_oldest_that_supports_currency_and_chain() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let usdc = world.account(&shop, "usdc", 8453, &["USDC"]);
        let both = world.account(&shop, "both", 8453, &["USDC", "ETH"]);
        let polygon = world.account(&shop, "polygon", 137, &["USDC"]);
        for (chain, currency, account) in [
            (8453, "USDC", usdc),
            (8453, "ETH", both),
            (137, "USDC", polygon),
        ] {
            let body = json!({ "amount": "1", "currency": currency, "chain_id": chain });
            let created = world.create(&shop, "/v1/payments", body);
            let to = &created.data()["to_account"]["id"];
            assert_eq!(*to, account, "{kind}: {currency} on {chain}");
        }
    });
}

#[test]
fn a_refused_payment_names_its_error_and_leaves_no_record() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let foreign = world.account(&other, "theirs", 8453, &["USDC"]);
        for (change, refusal) in [
            (json!({ "amount": "0" }), "422 NOT_POSITIVE amount"),
            (json!({ "amount": "-1" }), "422 NOT_POSITIVE amount"),
            (json!({ "amount": "1e3" }), "400 AMOUNT_MALFORMED amount"),
            (json!({ "amount": 1 }), "400 WRONG_TYPE amount"),
            (
                json!({ "amount": "0.0000001" }),
                "422 AMOUNT_TOO_MANY_DECIMALS amount",
            ),
            (json!({ "currency": "DOGE" }), "422 NOT_SUPPORTED currency"),
            (json!({ "currency": "ETH" }), "422 NOT_SUPPORTED account"),
            (
                json!({ "currency": "ETH", "account": "till" }),
                "422 NOT_SUPPORTED account",
            ),
            (json!({ "chain_id": 137 }), "422 NOT_SUPPORTED account"),
            (json!({ "chain_id": 424_242 }), "422 NOT_SUPPORTED chain_id"),
            (
                json!({ "chain_id": 137, "account": "till" }),
                "422 REFERENCE_UNKNOWN account",
            ),
            (
                json!({ "account": foreign }),
                "422 REFERENCE_UNKNOWN account",
            ),
            (
                json!({ "account": "theirs" }),
                "422 REFERENCE_UNKNOWN account",
            ),
            (
                json!({ "customer_id": "cus_019cade5a0007000800000000000dead" }),
                "422 REFERENCE_UNKNOWN customer_id",
            ),
            (json!({ "reference": "" }), "422 EMPTY reference"),
            (
                json!({ "reference": "r".repeat(129) }),
                "422 TOO_LONG reference",
            ),
            (
                json!({ "amount": null, "currency": null, "chain_id": null }),
                "422 REQUIRED amount, REQUIRED currency, REQUIRED chain_id",
            ),
        ] {
            let mut body = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
            for (field, value) in change.as_object().expect("fields") {
                body[field] = value.clone();
            }
            let refused = world.keyed(&shop, "POST", "/v1/payments", body);
            assert_eq!(refused.refusal(), refusal, "{kind}: {change}");
        }
        let reader = world.scoped(&shop, &["read"]);
        let body = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
        let unscoped = world.keyed(&reader, "POST", "/v1/payments", body);
        assert_eq!(unscoped.refusal(), "403 SCOPE_MISSING", "{kind}");
        assert!(world.list(&shop, "/v1/payments").is_empty(), "{kind}");
        let log = "/v1/events?type=Payment";
        assert_eq!(world.read(&shop, log)["total"], 0, "{kind}");
    });
}

#[test]
fn an_unpaid_payment_expires_at_its_deadline_and_not_before() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let path = format!(
            "/v1/payments/{}",
            world.create(&shop, "/v1/payments", body).id()
        );
        for (seconds, status) in [(30 * 60 - 1, "Processing"), (1, "Expired")] {
            world.pass_and_work(Duration::from_secs(seconds));
            assert_eq!(world.read(&shop, &path)["status"], status, "{kind}");
        }
        let read = world.read(&shop, &path);
        assert_eq!(read["next_action"], "None", "{kind}");
        let canceled = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(canceled.refusal(), "409 NOT_CANCELLABLE", "{kind}");
    });
}
