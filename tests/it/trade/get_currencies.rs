//! `GET /trade/currencies`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{World, texts};

#[test]
fn every_traded_currency_is_listed_with_its_chains() {
    World::each(|kind, mut world| {
        let shop = world.otc_shop("Shop");
        let read = world.read(&shop, "/v1/trade/currencies");
        assert_eq!(
            read["payment_methods"],
            json!(["Deposit", "Balance"]),
            "{kind}"
        );
        let currencies = read["currencies"].as_array().expect("currencies");
        let symbols = texts(currencies, "symbol");
        let traded = world.read(&shop, "/v1/trade/instruments");
        let traded = traded.as_array().expect("instruments");
        let mut traded = [texts(traded, "base"), texts(traded, "quote")].concat();
        traded.sort();
        traded.dedup();
        assert_eq!(symbols, traded, "{kind}");
        let chains = world.read(&shop, "/v1/chains");
        for currency in currencies {
            let symbol = &currency["symbol"];
            let (mut on, mut scales) = (Vec::new(), Vec::new());
            for chain in chains.as_array().expect("chains") {
                let assets = chain["assets"].as_array().expect("assets");
                for asset in assets.iter().filter(|asset| asset["symbol"] == *symbol) {
                    on.push(chain["id"].clone());
                    scales.push(asset["scale"].as_u64().expect("a scale"));
                }
            }
            assert_eq!(currency["chain_ids"], json!(on), "{kind}: {symbol}");
            // What is exact on every chain.
            let scale = scales.into_iter().min();
            assert_eq!(currency["scale"].as_u64(), scale, "{kind}: {symbol}");
        }
    });
}

#[test]
fn a_currency_that_is_not_listed_cannot_be_sold() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let path = "/v1/trade/quote?sell_currency=GBP&sell_amount=10&buy_currency=ETH&estimate=true";
    let refused = world.keyed(&shop, "GET", path, Value::Null);
    assert_eq!(refused.refusal(), "422 NOT_SUPPORTED sell_currency[0]");
}
