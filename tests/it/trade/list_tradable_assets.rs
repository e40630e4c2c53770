//! `GET /trade/tradable-assets`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{World, number, text};

use super::trader;

#[test]
fn tradable_assets_depend_on_venues_chains_and_accounts() {
    let mut world = World::new(database::sqlite());
    let (shop, base, _) = trader(&mut world);
    let mut assets = |query: &str| -> Vec<(i64, String)> {
        let target = format!("/v1/trade/tradable-assets?{query}");
        let answer = world.read(&shop, &target);
        let rows = answer.as_array().expect("assets").clone();
        rows.iter()
            .map(|row| {
                let chain = number(row, "chain_id");
                (chain, text(row, "currency"))
            })
            .collect()
    };
    let row = |chain: i64, currency: &str| (chain, currency.to_owned());
    let supported = assets("currency=USDC&chain_id=8453&require_settlement_support=true");
    assert_eq!(
        supported,
        [row(137, "POL"), row(137, "USDC"), row(8453, "ETH")]
    );
    assert!(
        assets("currency=EURC&chain_id=137").is_empty(),
        "it is not there"
    );
    let more = assets("currency=USDC&chain_id=8453");
    assert!(more.contains(&row(8453, "EURC")) && more.contains(&row(137, "USDT")));
    let small = assets("currency=USDC&chain_id=8453&amount=2&require_settlement_support=true");
    assert_eq!(
        small,
        [row(137, "POL"), row(8453, "ETH")],
        "a move of chains begins at ten"
    );
    let here = assets(&format!(
        "currency=ETH&account_id={base}&require_settlement_support=true"
    ));
    assert_eq!(here, [row(8453, "USDC")]);
    assert!(assets("currency=GBP").is_empty());
    let currencies = world.read(&shop, "/v1/trade/currencies");
    assert_eq!(currencies["currencies"].as_array().map(Vec::len), Some(6));
    assert_eq!(currencies["payment_methods"], json!(["Deposit", "Balance"]));
}

#[test]
fn an_asset_is_listed_exactly_for_the_amounts_that_can_be_traded() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let mut assets = Vec::new();
    for (chain, currencies) in [(1, ["ETH", "EURC"]), (56, ["BNB", "USDC"])] {
        world.account(&shop, &format!("on-{chain}"), chain, &currencies);
        let path = format!("/v1/accounts/on-{chain}");
        let account = world.read(&shop, &path)["id"].as_i64().expect("an id");
        for currency in currencies {
            world.deposit(&shop, account, chain, currency, "6000000");
            assets.push((chain, currency));
        }
    }
    for (chain, currency) in assets.clone() {
        for amount in ["0.5", "2", "249000.0", "6000000"] {
            let query = format!("currency={currency}&chain_id={chain}&amount={amount}");
            let path = format!("/v1/trade/tradable-assets?{query}&require_settlement_support=true");
            let listed = world.read(&shop, &path);
            for (to_chain, to) in assets.iter().filter(|one| **one != (chain, currency)) {
                let trade = json!({ "amount": amount, "currency": currency, "chain_id": chain,
                    "to_currency": to, "to_chain_id": to_chain, "dry_run": true });
                let trade = world.keyed(&shop, "POST", "/v1/trade/quicktrade", trade);
                let row = json!({ "chain_id": to_chain, "currency": to });
                let is_listed = listed.as_array().expect("rows").contains(&row);
                assert_eq!(
                    is_listed,
                    trade.status == 201,
                    "{query} {to} {}",
                    trade.body
                );
            }
        }
    }
    let fine = "/v1/trade/tradable-assets?currency=EURC&chain_id=1&amount=0.0000001";
    let fine = world.keyed(&shop, "GET", fine, Value::Null);
    assert_eq!(fine.refusal(), "422 AMOUNT_TOO_MANY_DECIMALS amount");
}
