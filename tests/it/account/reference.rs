//! References shared by several settlement accounts, one per chain.

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World, number, text};

use super::{bundle, create};

#[test]
fn a_reference_of_several_accounts_names_all_of_them_or_is_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let [base, polygon, below] = bundle(&mut world, &shop);
        world.deposit(&shop, polygon, 137, "USDC", "20");
        world.deposit(&shop, below, 8453, "ETH", "1");

        // Balances of all accounts, each once.
        let held = |balances: &Value| -> Vec<(i64, String)> {
            let items = balances.as_array().expect("balances");
            let of = |item: &Value| {
                let amount = ["amount", "available"].map(|name| item[name].as_str());
                let amount = amount.iter().flatten().next().expect("an amount");
                let currency = text(item, "currency");
                (number(item, "account_id"), format!("{amount} {currency}"))
            };
            items.iter().map(of).collect()
        };
        let all: Vec<(i64, String)> = [
            (base, "1 USDC"),
            (polygon, "20 USDC"),
            (below, "1 ETH"),
            (below, "0 USDC"),
        ]
        .map(|(id, amount)| (id, amount.to_owned()))
        .into();
        let own = world.read(&shop, "/v1/accounts/till/balances");
        assert_eq!(held(&own), all, "{kind}");
        let path = "/v1/partners/accounts/till/balances";
        let partners = world.signed(&shop, None, "GET", path, Value::Null);
        assert_eq!(held(&partners.data()["balances"]), all, "{kind}");

        // The chain selects the account that pays, is paid, or gets an address.
        let out = json!({ "account": "till", "amount": "5", "currency": "USDC", "chain_id": 137, "address": WALLET });
        let sent = world.signed(&shop, None, "POST", "/v1/payouts", out);
        assert_eq!(
            sent.data()["from_account"]["id"],
            polygon,
            "{kind}: {}",
            sent.body
        );
        let pay = json!({ "amount": "5", "currency": "USDC", "account": "till", "chain_id": 137 });
        let begun = world.keyed(&shop, "POST", "/v1/payments", pay);
        assert_eq!(
            begun.data()["to_account"]["id"],
            polygon,
            "{kind}: {}",
            begun.body
        );
        let address = json!({ "chain_id": 137 });
        let given = world.signed(
            &shop,
            None,
            "POST",
            "/v1/accounts/till/pay-in-addresses",
            address,
        );
        assert_eq!(
            given.data()["account_id"],
            polygon,
            "{kind}: {}",
            given.body
        );

        // A paylink with a reference includes accounts added later.
        let link =
            json!({ "amount": "5", "currency": "USDC", "name": "Tea", "account_ref": "till" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let on = json!({ "reference": "till", "chain_id": 1, "currencies": ["USDC"] });
        create(&mut world, &shop, on);
        let other = json!({ "reference": "other", "chain_id": 10, "currencies": ["USDC"] });
        create(&mut world, &shop, other);
        let id = link.id();
        let offered = world.public("GET", &format!("/v1/checkout/{id}"), Value::Null);
        let options = offered.data()["options"].as_array().expect("options");
        let chains: Vec<i64> = options
            .iter()
            .map(|option| number(&option["chain"], "id"))
            .collect();
        assert_eq!(chains, [8453, 137, 1], "{kind}: {}", offered.body);

        // An operation on a single account refuses the reference instead of picking the oldest.
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_threshold_amount": 9, "payout_address": WALLET });
        let automation = "/v1/partners/accounts/id/till/automations/maintain-balance";
        let below = json!({ "chain_id": 10, "currencies": ["USDC"], "parent_account_id": "till" });
        for (refused, expected) in [
            (
                world.keyed(&shop, "GET", "/v1/accounts/till", Value::Null),
                "409 REFERENCE_AMBIGUOUS",
            ),
            (
                world.signed(
                    &shop,
                    None,
                    "GET",
                    "/v1/partners/accounts/till",
                    Value::Null,
                ),
                "409 REFERENCE_AMBIGUOUS",
            ),
            (
                world.keyed(&shop, "DELETE", "/v1/accounts/till", Value::Null),
                "409 REFERENCE_AMBIGUOUS",
            ),
            (
                world.keyed(
                    &shop,
                    "GET",
                    "/v1/accounts/till/pay-in-addresses",
                    Value::Null,
                ),
                "409 REFERENCE_AMBIGUOUS",
            ),
            (
                world.signed(&shop, None, "POST", automation, keep),
                "409 REFERENCE_AMBIGUOUS",
            ),
            (
                world.keyed(&shop, "POST", "/v1/accounts", below),
                "409 REFERENCE_AMBIGUOUS parent_account_id",
            ),
            (
                world.keyed(&shop, "GET", "/v1/accounts/nobody/movement", Value::Null),
                "404 NOT_FOUND",
            ),
        ] {
            assert_eq!(refused.refusal(), expected, "{kind}: {}", refused.body);
        }
    });
}
