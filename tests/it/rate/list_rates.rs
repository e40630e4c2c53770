//! `GET /rates`.

use settlekit_core::value::Amount;
use settlekit_tests::world::{World, text};

#[test]
fn a_balance_is_worth_its_amount_at_the_listed_rate() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["EURC"]);
        world.deposit(&shop, till, 8453, "EURC", "12");
        world.settle();
        let rates = world.read(&shop, "/v1/rates");
        let items = rates["items"].as_array().expect("rates");
        let euro = items.iter().find(|rate| rate["currency"] == "EURC");
        let usd: Amount = text(euro.expect("a rate"), "usd").parse().expect("exact");
        let worth = Amount::from_units_unshortened(usd.to_units(6).expect("units") * 12, 6);
        let overview = world.read(&shop, "/v1/overview");
        let total: Amount = text(&overview, "total_usd").parse().expect("exact");
        assert_eq!(
            total.minus(worth.expect("worth")).map(Amount::is_zero),
            Ok(true),
            "{kind}"
        );
    });
}

#[test]
fn a_sandbox_has_one_source_that_gives_every_rate() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let rates = world.read(&shop, "/v1/rates");
        let sources = rates["sources"].as_array().expect("sources");
        assert_eq!(sources.len(), 1, "{kind}: {rates}");
        assert_eq!(sources[0]["status"], "Healthy", "{kind}");
        let items = rates["items"].as_array().expect("rates");
        let mut symbols: Vec<String> = items.iter().map(|rate| text(rate, "currency")).collect();
        for rate in items {
            assert_eq!(rate["sources"][0]["usd"], rate["usd"], "{kind}: {rate}");
            assert_eq!(rate["sources"][0]["status"], "Fresh", "{kind}: {rate}");
            assert_eq!(rate["priced_at"], world.now.to_string(), "{kind}: {rate}");
            assert!(rate.get("gap").is_none(), "{kind}: {rate}");
        }
        assert!(
            symbols.is_sorted() && symbols.len() > 1,
            "{kind}: {symbols:?}"
        );
        // Every currency that can be paid with has a rate; that of the US dollar is one.
        for chain in world.read(&shop, "/v1/chains").as_array().expect("chains") {
            for asset in chain["assets"].as_array().expect("assets") {
                let symbol = text(asset, "symbol");
                assert!(symbols.contains(&symbol), "{kind}: {symbol}");
            }
        }
        symbols.retain(|symbol| symbol == "USD");
        assert!(symbols.is_empty(), "{kind}");
    });
}
