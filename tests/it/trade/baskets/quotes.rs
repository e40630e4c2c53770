//! What a quote of a basket says, and which baskets have none.

use serde_json::json;
use settlekit_tests::chain::MemoryChain;

use super::world::{BASKET, ORDERED, TraderWorld};

#[test]
fn a_quote_of_a_basket_has_the_sums_of_its_parts_and_the_worst_price_impact() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        // 10 956 405 less 0.5 %, rounded for the merchant, and 25.766.
        assert_eq!(
            quoted["buy_asset"]["amount"].to_string(),
            "36.667623",
            "{kind}"
        );
        let properties = &quoted["properties"];
        assert_eq!(
            properties["expected_amount"].to_string(),
            "36.722405",
            "{kind}"
        );
        assert_eq!(properties["slippage_bps"], 50, "{kind}");
        let offers = properties["offers"].as_array().expect("a list").iter();
        let chosen = offers.filter(|offer| offer["chosen"] == true);
        let chosen: Vec<_> = chosen
            .map(|offer| (offer["sell_currency"].clone(), offer["venue"].clone()))
            .collect();
        assert_eq!(chosen.len(), 2, "{kind}");
        assert_eq!(chosen[0].0, "EURC", "{kind}");
        assert_eq!(chosen[1], ("ETH".into(), "Kraken".into()), "{kind}");
        let one = |world: &mut TraderWorld, currency: &str, amount: &str| {
            let query = format!("sell_currency={currency}&sell_amount={amount}&buy_currency=USDC");
            world.quote(&query)["properties"].clone()
        };
        assert_eq!(
            properties["network_fee"],
            one(&mut world, "EURC", "10")["network_fee"]
        );
        // Without the exchange account both are swaps.
        let (service, database) = world.run.connected.world.parts();
        let off = service.set_exchange_trading(database, "Kraken", false);
        assert_eq!(off, Ok(()), "{kind}");
        let (euros, ether) = (
            one(&mut world, "EURC", "10"),
            one(&mut world, "ETH", "0.01"),
        );
        let quoted = world.quote(BASKET);
        let properties = &quoted["properties"];
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        for (name, expected) in [
            (
                "expected_amount",
                number(&euros["expected_amount"]) + number(&ether["expected_amount"]),
            ),
            (
                "network_fee",
                number(&euros["network_fee"]) + number(&ether["network_fee"]),
            ),
            ("price_impact_bps", number(&ether["price_impact_bps"])),
            ("slippage_bps", 50.0),
        ] {
            let shown = number(&properties[name]);
            assert!(
                (shown - expected).abs() < 1e-9,
                "{kind} {name}: {shown} {expected}"
            );
        }
        assert!(number(&ether["price_impact_bps"]) > number(&euros["price_impact_bps"]));
        // 10 × 1.1 + 0.01 × 2 500 dollars.
        assert_eq!(quoted["rate"]["usd_value"].to_string(), "36.00", "{kind}");
    });
}

#[test]
fn a_quote_on_a_test_network_has_a_rate_and_no_value() {
    TraderWorld::each(|kind, mut world| {
        let real = world.quote(BASKET);
        assert_eq!(real["rate"]["usd_value"].to_string(), "36.00", "{kind}");
        let (_, database) = world.run.connected.world.parts();
        let test = database.execute("UPDATE chains SET test_network = 1 WHERE id = 8453", &[]);
        assert_eq!(test.expect("an update"), 1, "{kind}");
        let quoted = world.quote(BASKET);
        for value in ["usd_value", "cad_value"] {
            assert!(quoted["rate"].get(value).is_none(), "{kind}: {quoted}");
        }
        let rates = [&real, &quoted].map(|quoted| &quoted["rate"]["effective_rate"]);
        assert_eq!(rates[0], rates[1], "{kind}");
    });
}

#[test]
fn an_estimate_of_a_basket_promises_nothing() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(&format!("{BASKET}&estimate=true"));
        assert_eq!(quoted["properties"]["estimate"], true, "{kind}");
        assert_eq!(quoted["expires_at"], serde_json::Value::Null, "{kind}");
        assert_eq!(
            world.try_accept(&quoted),
            Err("404 NOT_FOUND".to_owned()),
            "{kind}"
        );
    });
}

#[test]
fn the_parts_of_a_basket_together_take_no_more_than_the_operator_and_the_exchange_account_have() {
    TraderWorld::with_exchange(|kind, mut world| {
        let basket = |amounts: &str| {
            format!(
                "sell_currency=ETH,ETH&sell_amount={amounts}&buy_currency=USDC&deposit_method=Deposit"
            )
        };
        // 100 000 dollars, and 100 ETH at the exchange: 25 766 dollars for 10 ETH.
        world.quote(&basket("19,19"));
        assert_eq!(
            world.refusal(&basket("19,20")),
            "422 SIZE_NOT_TRADED sell_amount[1]",
            "{kind}"
        );
        world.run.connected.world.work();
        let (_, database) = world.run.connected.world.parts();
        let less = "UPDATE exchange_balances SET total = '30' WHERE currency = 'ETH'";
        assert_eq!(database.execute(less, &[]).expect("an update"), 1, "{kind}");
        world.quote(&basket("15,15"));
        assert_eq!(
            world.refusal(&basket("15,15.1")),
            "422 SIZE_NOT_TRADED sell_amount[1]",
            "{kind}"
        );
    });
}

#[test]
fn a_currency_is_sold_by_one_swap_at_the_price_of_its_sum() {
    TraderWorld::each(|kind, mut world| {
        let query =
            "sell_currency=EURC,EURC&sell_amount=1,2&buy_currency=USDC&deposit_method=Balance";
        let refused = world.refusal(query);
        assert_eq!(refused, "422 SIZE_NOT_TRADED sell_amount[1]", "{kind}");
    });
}

#[test]
fn a_part_is_quoted_at_what_the_parts_before_it_leave_in_the_order_book() {
    TraderWorld::with_exchange(|kind, mut world| {
        let (_, database) = world.run.connected.world.parts();
        let book = json!({
            "bids": [
                { "price": "2600", "volume": "1" },
                { "price": "2590", "volume": "1" },
                { "price": "2580", "volume": "5" },
            ],
            "asks": [{ "price": "2610", "volume": "5" }],
        });
        let shallow = "UPDATE exchange_markets SET book = ?1";
        let book = book.to_string();
        let values = [book.as_str().into()];
        assert_eq!(
            database.execute(shallow, &values).expect("a book"),
            1,
            "{kind}"
        );
        let mut bought = |amounts: &str| {
            let currencies = vec!["ETH"; amounts.split(',').count()].join(",");
            let quoted = world.quote(&format!(
                "sell_currency={currencies}&sell_amount={amounts}&buy_currency=USDC&deposit_method=Deposit"
            ));
            world.units(&quoted["buy_asset"]["amount"])
        };
        let (first, both) = (bought("1"), bought("2"));
        // The second is priced at its own offer, and neither at the better one of the other.
        assert_eq!(bought("1,1"), first + both / 2, "{kind}");
        assert!(both < 2 * first, "{kind}");
        assert_eq!(bought("0.5,0.5,1"), first + both / 2, "{kind}");
    });
}

#[test]
fn a_basket_with_a_currency_without_a_price_has_no_rate() {
    TraderWorld::each(|kind, mut world| {
        let (_, database) = world.run.connected.world.parts();
        let gone = "DELETE FROM prices WHERE currency = 'EURC'";
        assert_eq!(
            database.execute(gone, &[]).expect("a deletion"),
            1,
            "{kind}"
        );
        world.quote("sell_currency=EURC&sell_amount=10&buy_currency=USDC");
        let refused = world.refusal(BASKET);
        assert_eq!(refused, "409 RATE_UNAVAILABLE sell_currency[0]", "{kind}");
    });
}

#[test]
fn an_account_with_a_false_order_book_hides_no_quote_of_another_one() {
    TraderWorld::with_exchange(|kind, mut world| {
        world.connect_account_as("Second");
        let query = "sell_currency=ETH&sell_amount=0.01&buy_currency=USDC&deposit_method=Balance";
        let venues = |world: &mut TraderWorld| -> Vec<String> {
            let quoted = world.quote(query);
            let offers = quoted["properties"]["offers"].as_array().expect("a list");
            let names = offers.iter().map(|offer| offer["venue"].to_string());
            names.collect()
        };
        let honest = venues(&mut world);
        assert_eq!(honest.len(), 3, "{kind}: {honest:?}");
        // Far above or below the 2 500 of the price sources.
        for (account, bid) in [
            ("Second", "9000"),
            ("Kraken", "9000"),
            ("Second", "2000"),
            ("Kraken", "2000"),
        ] {
            let book = |bid: &str| {
                json!({
                    "bids": [{ "price": bid, "volume": "5000" }],
                    "asks": [{ "price": "9999", "volume": "1" }],
                })
                .to_string()
            };
            let (_, database) = world.run.connected.world.parts();
            let set = "UPDATE exchange_markets SET book = CASE account WHEN ?1 THEN ?2 ELSE ?3 END";
            let (lie, truth) = (book(bid), book("2600"));
            let values = [account.into(), lie.as_str().into(), truth.as_str().into()];
            assert_eq!(database.execute(set, &values).expect("books"), 2, "{kind}");
            let quoted = world.quote(query);
            let bought = world.units(&quoted["buy_asset"]["amount"]);
            assert_eq!(bought, ORDERED, "{kind}: {account} {bid}");
            let named = venues(&mut world);
            assert_eq!(named.len(), 2, "{kind}: {named:?}");
            assert!(!named[0].contains(account), "{kind}: {named:?}");
        }
        // Two of them leave the pools alone.
        let (_, database) = world.run.connected.world.parts();
        let set = "UPDATE exchange_markets SET book = ?1";
        let book = json!({ "bids": [{ "price": "9000", "volume": "5000" }], "asks": [] });
        let book = book.to_string();
        let done = database.execute(set, &[book.as_str().into()]);
        assert_eq!(done.expect("books"), 2, "{kind}");
        let named = venues(&mut world);
        assert_eq!(named.len(), 1, "{kind}: {named:?}");
        assert!(named[0].contains("Uniswap"), "{kind}: {named:?}");
    });
}

#[test]
fn a_chain_without_a_venue_is_named_when_another_one_has_one() {
    TraderWorld::each(|kind, mut world| {
        let connected = &mut world.run.connected;
        let base = std::mem::replace(&mut connected.chain, MemoryChain::optimism());
        connected.connect();
        connected.chain = base;
        let shop = world.run.shop.clone();
        let symbols = ["USDC", "EURC"];
        let world_of_shop = &mut world.run.connected.world;
        world_of_shop.account(&shop, "elsewhere", 10, &symbols);
        let on = |sold: u32, bought: u32| {
            format!(
                "sell_currency=USDC&sell_amount=10&sell_chain_ids={sold}&buy_currency=EURC&buy_chain_id={bought}"
            )
        };
        world.quote(&on(8453, 8453));
        for (sold, bought) in [(10, 10), (10, 8453), (8453, 10)] {
            let query = on(sold, bought);
            let refused = world.refusal(&query);
            assert_eq!(refused, "422 NOT_SUPPORTED buy_currency", "{kind}");
            assert_eq!(
                world.message(&query),
                "cannot be traded for USDC: no venue trades on chain 10",
                "{kind}: {sold} {bought}"
            );
        }
    });
}
