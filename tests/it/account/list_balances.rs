//! `GET /accounts/{account}/balances`.

use serde_json::Value;
use settlekit_tests::world::World;

use super::{chains, virtual_account};

#[test]
fn balances_of_an_account_include_its_sub_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        let below = chains(made.data());
        world.deposit(&shop, below[1].1, 8453, "USDC", "2.5");
        let balances = world.keyed(&shop, "GET", "/v1/accounts/till/balances", Value::Null);
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let shown: Vec<_> = balances
            .data()
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| {
                (
                    item["account_id"].as_i64(),
                    text(item, "currency"),
                    text(item, "posted"),
                    text(item, "reserved"),
                    text(item, "available"),
                )
            })
            .collect();
        let row = |account: i64, currency: &str, held: &str| {
            let text = str::to_owned;
            (
                Some(account),
                text(currency),
                text(held),
                text("0"),
                text(held),
            )
        };
        assert_eq!(
            shown,
            [
                row(below[0].1, "ETH", "0"),
                row(below[0].1, "USDC", "0"),
                row(below[1].1, "USDC", "2.5"),
            ],
            "{kind}"
        );
        let other = world.shop("Other", None);
        let hidden = world.keyed(
            &other,
            "GET",
            &format!("/v1/accounts/{}/balances", below[0].1),
            Value::Null,
        );
        assert_eq!(hidden.status, 404, "{kind}");
    });
}
