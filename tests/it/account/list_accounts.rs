//! `GET /accounts`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World, number, text};

use super::{chains, virtual_account};

#[test]
fn sub_accounts_and_deleted_accounts_are_listed_too() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = virtual_account(&mut world, &shop, "till");
        let spare = world.account(&shop, "spare", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{spare}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        let listed = world.list(&shop, "/v1/accounts");
        let shown = listed.iter();
        let shown: Vec<_> = shown
            .map(|account| (number(account, "id"), text(account, "state")))
            .collect();
        let mut expected = vec![till.id_number()];
        expected.extend(chains(till.data()).iter().map(|(_, id)| *id));
        let mut expected: Vec<_> = expected
            .into_iter()
            .map(|id| (id, "Active".to_owned()))
            .collect();
        expected.push((spare, "Deleted".to_owned()));
        assert_eq!(shown, expected, "{kind}");
        let deleted_at = &deleted.data()["deleted_at"];
        assert_eq!(listed[3]["deleted_at"], *deleted_at, "{kind}");
    });
}

#[test]
fn accounts_of_another_organisation_are_not_listed() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let own = world.account(&other, "till", 8453, &["USDC"]);
        let listed = world.list(&other, "/v1/accounts");
        assert_eq!(listed.len(), 1, "{kind}");
        assert_eq!(number(&listed[0], "id"), own, "{kind}");
    });
}

/// Reference, balance and reserved money of each account with a reference in US dollars, in the order of the list.
fn worths(world: &mut World, shop: &Shop) -> Vec<String> {
    let listed = world.list(shop, "/v1/accounts");
    let named = listed.iter().filter(|one| one["reference"].is_string());
    let worth = |one: &Value, field: &str| one[field].as_str().unwrap_or("-").to_owned();
    let lines = named.map(|one| {
        let [balance, reserved] = ["balance_usd", "reserved_usd"].map(|field| worth(one, field));
        format!("{} {balance} {reserved}", text(one, "reference"))
    });
    lines.collect()
}

#[test]
fn accounts_are_listed_with_the_worth_of_their_balance() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let coins = world.account(&shop, "coins", 8453, &["ETH"]);
        world.account(&shop, "spare", 8453, &["USDC"]);
        let body = json!({ "reference": "stand", "name": "Stand", "chains": [{ "chain_id": 1, "currencies": ["USDC"] },
            { "chain_id": 8453, "currencies": ["USDC"] }] });
        let stand = world.post(&shop, "/v1/accounts/virtual", body);
        world.deposit(&shop, till, 8453, "USDC", "100");
        world.deposit(&shop, coins, 8453, "ETH", "0.5");
        for (chain, id) in chains(stand.data()) {
            world.deposit(&shop, id, chain, "USDC", "2.5");
        }
        let payout = json!({ "account": "till", "amount": "40", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        world.create(&shop, "/v1/payouts", payout);
        let shown = worths(&mut world, &shop);
        // The network takes 0.02 of the payout.
        let expected = [
            "till 100.00 40.02",
            "coins 1600.00 0.00",
            "spare 0.00 0.00",
            "stand 5.00 0.00",
        ];
        for expected in expected {
            let found = shown.iter().filter(|line| *line == expected).count();
            assert!(found > 0, "{kind}: {expected} in {shown:?}");
        }
        let one = world.read(&shop, "/v1/accounts/till");
        assert_eq!(one.get("balance_usd"), None, "{kind}");
        let mut world = world.disconnected();
        let shown = worths(&mut world, &shop);
        let mut shown = shown.iter();
        assert!(shown.all(|line| line.ends_with(" - -")), "{kind}");
    });
}
