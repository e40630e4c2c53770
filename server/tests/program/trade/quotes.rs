//! What an exchange trades, and at which price.

use alloy_primitives::{Address, U256};
use serde_json::json;
use settlekit_service::contract_calls::ContractCall;
use settlekit_service::uniswap::{Exact, Pool, PoolKind, PoolState};
use settlekit_tests::anvil::{abi, number, word};
use settlekit_tests::liar::{Fault, Lie};

use super::{QUERY, SLIPPAGE, Shop, WHOLE, units, units_of};
use crate::place::{Place, wait_for};
use crate::prices::{price, until_price};
use crate::real_chain::text;

#[test]
fn without_providers_that_agree_there_is_no_quote() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    shop.market.liar.tamper(|method, params, result| {
        if method == "eth_call" && params[1]["blockHash"].is_string() {
            *result = "0x01".into();
        }
    });
    shop.has_no_price(QUERY);
}

#[test]
fn a_provider_alone_hides_no_route_by_a_revert() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let best = exchange.quote(sides, Exact::Input(U256::from(100 * WHOLE)));
    let best = best.expect("a quote").best;
    let v3 = exchange.v3().quoter.to_string();
    shop.market.liar.fail(move |method, params| {
        let is_quoted = method == "eth_call" && params[0]["to"] == v3.as_str();
        is_quoted.then_some(Fault::Error(3, "execution reverted"))
    });
    shop.has_no_price(QUERY);
    shop.market.liar.tell(Lie::None);
    let quote = shop.quote(QUERY);
    assert_eq!(
        units(&quote["properties"]["expected_amount"]),
        best.output,
        "{quote}"
    );
}

#[test]
fn a_size_that_moves_the_price_too_far_is_not_traded() {
    let shop = Shop::new(Place::live());
    shop.earn(10);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let quotes = exchange.quote(sides, Exact::Input(U256::from(900_000 * WHOLE)));
    let best = quotes.expect("a quote").best;
    assert!(best.price_impact > 50_000, "{}", best.price_impact);
    shop.has_no_size("sell_currency=USDC&sell_amount=900000&buy_currency=EURC");
}

#[test]
fn a_route_that_gives_far_less_is_no_substitute_for_one_that_moves_the_price_too_far() {
    let shop = Shop::swept();
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.euro), Some(exchange.dollar));
    let sold = U256::from(100_000 * WHOLE);
    let quotes = exchange.quote(sides, Exact::Input(sold));
    let quotes = quotes.expect("quotes");
    assert!(quotes.best.price_impact > 50_000, "{:?}", quotes.best);
    let others = quotes.others.iter();
    let others = others.filter_map(|(_, quote)| quote.as_ref().ok());
    let small = others.filter(|quote| quote.price_impact <= 50_000);
    let next = small.map(|quote| quote.output).max().expect("a route");
    let part = next * U256::from(100) / quotes.best.output;
    assert!(part < U256::from(95), "{part} % of the best");
    shop.has_no_size("sell_currency=EURC&sell_amount=100000&buy_currency=USDC");
}

#[test]
fn what_the_price_sources_contradict_is_not_traded() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let place = &shop.market.place;
    let feeds = shop.feeds(&[
        ("EURC", 90_000_000),
        ("USDC", 100_000_000),
        ("ETH", 100_000_000_000_000),
    ]);
    let connect = |feeds: &[&String]| shop.connect_feeds(feeds);
    // The exchange gives 91 euros for 100 dollars, which are worth 82 dollars.
    connect(&[&feeds[0], &feeds[1]]);
    until_price(place, "EURC", "0.9");
    until_price(place, "USDC", "1");
    shop.has_no_price(QUERY);
    let best = "sell_currency=EURC&sell_amount=100&buy_currency=USDC";
    let bought = units(&shop.quote(best)["buy_asset"]["amount"]);
    assert!(bought > U256::from(100 * WHOLE), "{bought}");
    // The euro was quoted, and has no price now.
    connect(&[&feeds[1]]);
    wait_for("the euro has no price", || price(place, "EURC").is_null());
    shop.has_no_price(QUERY);
    // What no source quotes is not compared.
    let done = place.run(&["price", "disconnect", "chainlink"]);
    assert!(done.status.success());
    let quote = shop.quote(QUERY);
    // The network takes more than a dollar.
    connect(&[&feeds[1], &feeds[2]]);
    until_price(place, "ETH", "1000000");
    shop.has_no_size("sell_currency=USDC&sell_amount=1&buy_currency=EURC");
    // An accepted quote stays.
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
}

/// Decimal places of liquidity and sizes, rounded down.
const SHOWN: usize = 8;

fn ten_to(places: usize) -> U256 {
    U256::from(10).pow(U256::from(places))
}

/// The token of a currency, with its decimal places.
fn token(shop: &Shop, symbol: &str) -> (Address, usize) {
    let exchange = &shop.market.exchange;
    match symbol {
        "EURC" => (exchange.euro, 6),
        "USDC" => (exchange.dollar, 6),
        _ => (exchange.coin(), 18),
    }
}

/// The balance of a pool in a currency, with the decimal places of liquidity.
fn held(shop: &Shop, pool: &Pool, symbol: &str) -> U256 {
    let (token, scale) = token(shop, symbol);
    let balance = shop.market.exchange.balance(token, pool.at.address);
    match scale < SHOWN {
        true => balance * ten_to(SHOWN - scale),
        false => balance / ten_to(scale - SHOWN),
    }
}

/// The word of what a call returns.
fn returned(shop: &Shop, to: Address, data: Vec<u8>, place: usize) -> U256 {
    let data = data.into();
    let answers = shop.market.exchange.read(&[ContractCall {
        from: None,
        to,
        data,
    }]);
    let answer = answers[0].as_ref().expect("an answer");
    U256::from_be_slice(&answer[32 * place..32 * (place + 1)])
}

/// Whether a sale of so much of a token in a pool moves its price by less than one percent, by the contracts' own answers.
fn moves_little(shop: &Shop, pool: &Pool, (sold, bought): (Address, Address), units: U256) -> bool {
    let uniswap = &shop.market.exchange.uniswap_02;
    let (hundred, least) = (U256::from(100), U256::from(99));
    match (pool.at.key.kind, pool.state) {
        (PoolKind::V3 { fee }, PoolState::V3 { sqrt_price, .. }) => {
            let function = "quoteExactInputSingle((address,address,uint256,uint24,uint160))";
            let amount = units.to_be_bytes();
            let words = [
                word(sold),
                word(bought),
                amount,
                number(fee.into()),
                number(0),
            ];
            let quoter = uniswap.v3.as_ref().expect("version 3").quoter;
            let after = returned(shop, quoter, abi(function, &words), 1);
            let (low, high) = (sqrt_price.min(after), sqrt_price.max(after));
            low * low * hundred > high * high * least
        }
        (PoolKind::V2, PoolState::V2 { reserves }) => {
            let words = [
                units.to_be_bytes(),
                number(64),
                number(2),
                word(sold),
                word(bought),
            ];
            let router = uniswap.v2.as_ref().expect("version 2").router;
            let function = "getAmountsOut(uint256,address[])";
            let output = returned(shop, router, abi(function, &words), 3);
            let (of_sold, of_bought) = match sold == pool.at.key.token0 {
                true => reserves,
                false => (reserves.1, reserves.0),
            };
            (of_bought - output) * of_sold * hundred > (of_sold + units) * of_bought * least
        }
        other => panic!("a pool of two versions: {other:?}"),
    }
}

/// Each instrument shows what its pool holds, and as the largest size one that moves the price by just less than one percent.
fn instruments_are_as_deep_as_their_pools(shop: &Shop) {
    let listed = shop.get("/trade/instruments?venue_id=31337");
    let listed = listed.as_array().expect("a list");
    let (mut pools, _) = shop.market.exchange.discover();
    assert_eq!(listed.len(), pools.len(), "{listed:?}");
    let mut measured = 0;
    for one in listed {
        let (base, quote) = (text(one, "base"), text(one, "quote"));
        let ((sold, scale), (bought, _)) = (token(shop, &base), token(shop, &quote));
        let shown = |name: &str| units_of(&one[name], SHOWN);
        let liquidity = (shown("base_liquidity"), shown("quote_liquidity"));
        let place = pools.iter().position(|pool| {
            let key = &pool.at.key;
            (key.token0, key.token1) == (sold.min(bought), sold.max(bought))
                && (held(shop, pool, &base), held(shop, pool, &quote)) == liquidity
        });
        let pool = pools.swap_remove(place.unwrap_or_else(|| panic!("no pool holds {one}")));
        // The pools of coins hold too little to measure.
        if base != "EURC" {
            continue;
        }
        let largest = shown("max_size") / ten_to(SHOWN - scale);
        let sides = (sold, bought);
        assert!(moves_little(shop, &pool, sides, largest), "{one}");
        let more = largest * U256::from(105) / U256::from(100);
        assert!(!moves_little(shop, &pool, sides, more), "{one}");
        measured += 1;
    }
    assert_eq!(measured, 3, "both versions: {listed:?}");
}

#[test]
fn what_an_exchange_trades_is_listed_and_the_rest_is_refused() {
    let shop = Shop::new(Place::live());
    shop.earn(10);
    let currencies = shop.get("/trade/currencies");
    let symbols = currencies["currencies"].as_array().expect("a list").iter();
    let symbols: Vec<String> = symbols.map(|one| text(one, "symbol")).collect();
    assert_eq!(symbols, ["ETH", "EURC", "USDC"]);
    let assets = shop.get("/trade/tradable-assets?currency=USDC");
    let assets = assets.as_array().expect("a list").iter();
    let assets: Vec<String> = assets.map(|one| text(one, "currency")).collect();
    assert_eq!(assets, ["ETH", "EURC"]);

    // One instrument for each pool, priced as the pool was filled: in dollars, at 11 to 10 or 25 to 16.
    let listed = shop.get("/trade/instruments?venue_id=31337&base=EURC");
    let listed = listed.as_array().expect("a list").iter();
    let listed: Vec<_> = listed
        .map(|one| {
            let names = ["venue_name", "base", "quote"].map(|name| text(one, name));
            let numbers = ["last_price", "estimated_cost_bps"].map(|name| one[name].to_string());
            (names.join(" "), numbers.join(" "))
        })
        .collect();
    let (pools, _) = shop.market.exchange.discover();
    let euro = shop.market.exchange.euro;
    let dollar = shop.market.exchange.dollar;
    let has_both = |pool: &&Pool| {
        let key = &pool.at.key;
        (key.token0, key.token1) == (euro.min(dollar), euro.max(dollar))
    };
    assert_eq!(
        listed.len(),
        pools.iter().filter(has_both).count(),
        "{listed:?}"
    );
    assert!(
        listed.contains(&("Uniswap EURC USDC".to_owned(), "1.1 30".to_owned())),
        "{listed:?}"
    );

    instruments_are_as_deep_as_their_pools(&shop);

    for (query, reason, field) in [
        (
            "sell_currency=USDC&sell_amount=5&buy_currency=USDC",
            "NOT_SUPPORTED",
            "buy_currency",
        ),
        (
            "sell_currency=USDC&buy_amount=90000000&buy_currency=EURC",
            "SIZE_NOT_TRADED",
            "buy_amount",
        ),
    ] {
        let (status, error) = shop.refusal(query);
        let said = (status, &error["reason"], &error["field"]);
        assert_eq!(
            said,
            (422, &json!(reason), &json!(field)),
            "{query}: {error}"
        );
    }
    // The rate of a basket is per dollar, and no price source is connected.
    let (status, error) = shop.refusal("sell_currency=USDC,EURC&sell_amount=5,5&buy_currency=ETH");
    let said = (status, &error["reason"], &error["field"]);
    let expected = (409, &json!("RATE_UNAVAILABLE"), &json!("sell_currency[0]"));
    assert_eq!(said, expected, "{error}");
    // An exact bought amount is the least that the swap brings.
    let quote = shop.quote("sell_currency=USDC&buy_amount=5&buy_currency=EURC");
    assert_eq!(quote["buy_asset"]["amount"], json!(5), "{quote}");
    // It sells the quoted input and the slippage of it, rounded down.
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let exact = Exact::Output(U256::from(5 * WHOLE));
    let quoted = exchange.quote(sides, exact).expect("a quote").best.input;
    let sold = units(&quote["sell_assets"][0]["amount"]);
    let (million, one) = (U256::from(1_000_000), U256::from(1));
    let most = quoted * U256::from(1_000_000 + SLIPPAGE);
    assert!(sold * million <= most, "{quoted} {quote}");
    assert!((sold + one) * million > most, "{quoted} {quote}");
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert!(
        units(&ended["to_amount"]) >= U256::from(5 * WHOLE),
        "{ended}"
    );
    assert_eq!(
        units(&json!(shop.balance("EURC").0)),
        units(&ended["to_amount"])
    );
    shop.until_compared();
}
