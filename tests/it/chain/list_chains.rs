//! `GET /chains`.

use serde_json::{Value, json};
use settlekit_core::value::WalletAddress;
use settlekit_tests::database;
use settlekit_tests::world::{World, number, text};

#[test]
fn exactly_the_listed_assets_are_supported_on_a_chain() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let chains = world.read(&shop, "/v1/chains");
        let chains = chains.as_array().expect("chains");
        let mut symbols: Vec<String> = Vec::new();
        for asset in chains.iter().flat_map(|chain| chain["assets"].as_array()) {
            symbols.extend(asset.iter().map(|asset| text(asset, "symbol")));
        }
        symbols.sort();
        symbols.dedup();
        assert!(chains.len() > 1 && symbols.len() > 1, "{kind}: {chains:?}");
        for chain in chains {
            let assets = chain["assets"].as_array().expect("assets");
            for symbol in &symbols {
                let body = json!({ "chain_id": chain["id"], "currencies": [symbol] });
                let made = world.keyed(&shop, "POST", "/v1/accounts", body);
                let is_listed = assets.iter().any(|asset| asset["symbol"] == **symbol);
                let expected = match is_listed {
                    true => "201 ",
                    false => "422 NOT_SUPPORTED currencies",
                };
                let id = number(chain, "id");
                assert_eq!(made.refusal(), expected, "{kind}: {symbol} on {id}");
            }
        }
    });
}

#[test]
fn a_chains_native_currency_has_no_contract_and_every_other_asset_has_one() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let chains = world.read(&shop, "/v1/chains");
    for chain in chains.as_array().expect("chains") {
        let native = &chain["native_currency_symbol"];
        let mut natives = 0;
        for asset in chain["assets"].as_array().expect("assets") {
            let is_native = asset["symbol"] == *native;
            natives += usize::from(is_native);
            match asset.get("token_address") {
                Some(Value::String(address)) if !is_native => {
                    let parsed: WalletAddress = address.parse().expect("an address");
                    assert_eq!(parsed.to_string(), *address, "its checksum");
                }
                None if is_native => {}
                _ => panic!("{asset} on {chain}"),
            }
        }
        assert_eq!(natives, 1, "{chain}");
    }
}
