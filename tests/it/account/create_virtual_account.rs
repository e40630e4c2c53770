//! `POST /accounts/virtual`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, number, text};

use super::{add_chain, chains, virtual_account, virtual_till};

#[test]
fn a_virtual_account_has_an_account_per_chain_and_one_list_of_movements() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let account = made.data().clone();
        assert_eq!(account["account_type"], "Virtual", "{kind}");
        assert_eq!(account["currencies"], json!(["ETH", "USDC"]), "{kind}");
        let below = chains(&account);
        let on: Vec<i64> = below.iter().map(|(chain, _)| *chain).collect();
        assert_eq!(on, [1, 8453], "{kind}");

        world.deposit(&shop, below[0].1, 1, "USDC", "10");
        world.deposit(&shop, below[1].1, 8453, "USDC", "2.5");
        let movements = world.keyed(&shop, "GET", "/v1/accounts/till/movement", Value::Null);
        let shown: Vec<(&str, &str, i64)> = movements
            .items()
            .iter()
            .map(|item| {
                (
                    item["amount"].as_str().expect("an amount"),
                    item["status"].as_str().expect("a status"),
                    number(item, "account_id"),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("2.5", "Confirmed", below[1].1),
                ("10", "Confirmed", below[0].1)
            ],
            "{kind}"
        );
        let balances = world.signed(
            &shop,
            None,
            "GET",
            "/v1/partners/accounts/till/balances",
            Value::Null,
        );
        let amounts: Vec<String> = balances.data()["balances"]
            .as_array()
            .expect("balances")
            .iter()
            .map(|balance| format!("{} {}", text(balance, "amount"), text(balance, "currency")))
            .collect();
        assert_eq!(amounts, ["0 ETH", "10 USDC", "2.5 USDC"], "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_virtual_accounts_id_includes_its_chains() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = virtual_till(&mut world, &shop);
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": till });
        let payment = world.post(&shop, "/v1/payments", pay);
        assert_eq!(payment.data()["to_account"]["chain_id"], 8453, "{kind}");
        world.deposit(&shop, till, 8453, "USDC", "1");

        let body =
            json!({ "amount": "5", "currency": "USDC", "name": "Tea", "account_ids": [till] });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let path = format!("/v1/checkout/{}", link.id());
        let offered = |world: &mut World| {
            let shown = world.public("GET", &path, Value::Null);
            let options = shown.data()["options"].as_array().expect("options").clone();
            let chains = options.iter().map(|option| option["chain"]["id"].as_i64());
            chains.collect::<Vec<_>>()
        };
        assert_eq!(offered(&mut world), [Some(8453)], "{kind}");
        add_chain(&mut world, &shop, 137);
        assert_eq!(
            offered(&mut world),
            [Some(8453), Some(137)],
            "{kind}: a chain that was added later"
        );
    });
}
