//! `GET /trade/quote`.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;
use settlekit_tests::database;
use settlekit_tests::world::World;

use crate::trade::{accept, balance, quote, settle, status, trader};

#[test]
fn an_exact_buy_yields_the_exact_amount_and_a_basket_has_a_rate_for_each_currency() {
    World::each(|kind, mut world| {
        let (shop, base, polygon) = trader(&mut world);
        let exact = quote(
            &mut world,
            &shop,
            "sell_currency=USDC&buy_currency=ETH&buy_amount=0.1&deposit_method=Balance",
        );
        assert_eq!(exact["mode"], "BuyExact", "{kind}");
        assert_eq!(exact["buy_asset"]["amount"], 0.1, "{kind}");
        accept(&mut world, &shop, &exact).expect("an order");
        settle(&mut world);
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0.1", "{kind}");
        world.deposit(&shop, polygon, 137, "POL", "500");
        let basket = quote(
            &mut world,
            &shop,
            "sell_currency=POL,ETH&sell_amount=500,0.1&buy_currency=USDC&deposit_method=Balance",
        );
        assert_eq!(basket["sell_assets"][0]["chain_id"], 137, "{kind}");
        assert_eq!(basket["sell_assets"][1]["chain_id"], 8453, "{kind}");
        assert!(basket["rate"]["sell_currency_cad_rates"]["POL"].is_number());
        let made = accept(&mut world, &shop, &basket).expect("an order");
        assert_eq!(
            made["deposit_instruction"]["sell_assets"]
                .as_array()
                .map(Vec::len),
            Some(2)
        );
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0", "{kind}");
        assert_eq!(balance(&mut world, &shop, 137, "POL").0, "0", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        assert!(base != polygon);
    });
}

#[test]
fn quote_errors_name_their_fields() {
    let rows = [
        (
            "sell_currency=USDC&buy_currency=ETH",
            "422 REQUIRED sell_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=1&buy_amount=1",
            "422 EXCLUDED sell_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=GBP&sell_amount=10",
            "422 NOT_SUPPORTED buy_currency",
        ),
        (
            "sell_currency=USDT&buy_currency=ETH&sell_amount=10",
            "422 NOT_SUPPORTED sell_currency[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=0.5",
            "422 SIZE_NOT_TRADED sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=9000000",
            "422 SIZE_NOT_TRADED sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&buy_amount=9000",
            "422 SIZE_NOT_TRADED buy_amount",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=1.0000001",
            "422 AMOUNT_TOO_MANY_DECIMALS sell_amount[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&account_id=999",
            "422 REFERENCE_UNKNOWN account_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&settlement_account_id=999",
            "422 REFERENCE_UNKNOWN settlement_account_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&sell_chain_ids=1",
            "422 NOT_SUPPORTED sell_chain_ids[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&buy_chain_id=137",
            "422 NOT_SUPPORTED buy_chain_id",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&deposit_method=Unknown",
            "422 NOT_SUPPORTED deposit_method",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&sell_token_addresses=0x1",
            "422 NOT_SUPPORTED sell_token_addresses[0]",
        ),
        (
            "sell_currency=USDC&buy_currency=ETH&sell_amount=10&buy_token_address=0x1",
            "422 NOT_SUPPORTED buy_token_address",
        ),
        // All errors of a basket, each with its field.
        (
            "sell_currency=USDT,USDC,EURC&buy_currency=ETH&sell_amount=10,10,10",
            "422 NOT_SUPPORTED sell_currency[0], NOT_SUPPORTED sell_currency[2]",
        ),
        (
            "sell_currency=USDC,POL&buy_currency=ETH&sell_amount=0.5,0.1",
            "422 SIZE_NOT_TRADED sell_amount[0], SIZE_NOT_TRADED sell_amount[1]",
        ),
    ];
    let mut world = World::new(database::sqlite());
    let (shop, _, _) = trader(&mut world);
    for (query, refusal) in rows {
        let target = format!("/v1/trade/quote?{query}");
        let answer = world.keyed(&shop, "GET", &target, Value::Null);
        assert_eq!(answer.refusal(), refusal, "{query}");
    }
    let history = world.read(&shop, "/v1/trade/quote/history");
    assert_eq!(history["total"], 0);
}

#[test]
fn an_estimate_creates_nothing_and_needs_no_account() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Looking");
    let estimate = quote(
        &mut world,
        &shop,
        "sell_currency=USDC&sell_amount=100&buy_amount=1&buy_currency=ETH&estimate=true",
    );
    assert_eq!(estimate["mode"], "SellExact");
    assert!(estimate["expires_at"].is_null());
    assert_eq!(
        accept(&mut world, &shop, &estimate),
        Err("404 NOT_FOUND".into())
    );
    let history = world.read(&shop, "/v1/trade/quote/history");
    assert_eq!(history["total"], 0);
}

#[test]
fn a_partner_asks_for_a_quote_for_its_merchant() {
    let mut world = World::new(database::sqlite());
    let partner = world.shop("Partner", None);
    let shop = world.shop("Shop", Some(partner.id));
    world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    let target = "/v1/trade/quote?sell_currency=USDC&sell_amount=10&buy_currency=ETH";
    let quoted = world.signed(&partner, Some(shop.id), "GET", target, Value::Null);
    assert_eq!(quoted.status, 200, "{}", quoted.body);
    assert_eq!(quoted.data()["org_id"], shop.id.to_string());
}

/// An amount in millionths of a whole unit, rounded down.
fn millionths(amount: &Value) -> i128 {
    let text = amount.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
    format!("{whole}{fraction}").parse().expect("an amount")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_quote_never_exceeds_the_value_of_its_inputs(
        cents in 2_000_u32..100_000_000,
        seconds in 0_u64..100_000,
        sold in 0_usize..6,
        bought in 0_usize..6,
        exact_buy in any::<bool>(),
    ) {
        const CURRENCIES: [&str; 6] = ["ETH", "BNB", "POL", "EURC", "USDT", "USDC"];
        // The venues' mean prices in millionths of a US dollar.
        const PRICES: [i128; 6] = [3_200_000_000, 610_000_000, 450_000, 1_080_000, 1_000_000, 1_000_000];
        prop_assume!(sold != bought);
        let mut world = World::new(database::sqlite());
        let shop = world.otc_shop("Trader");
        world.pass(Duration::from_secs(seconds));
        // An exact amount worth this number of cents.
        let exact = if exact_buy { bought } else { sold };
        let units = i128::from(cents) * 10_000 * 1_000_000 / PRICES[exact];
        let amount = format!("{}.{:06}", units / 1_000_000, units % 1_000_000);
        let side = if exact_buy { "buy_amount" } else { "sell_amount" };
        let query = format!(
            "sell_currency={}&buy_currency={}&{side}={amount}&estimate=true",
            CURRENCIES[sold], CURRENCIES[bought]
        );
        let quoted = quote(&mut world, &shop, &query);
        let instruments = world.keyed(&shop, "GET", "/v1/trade/instruments?venue_id=2", Value::Null);
        let price = instruments.data().as_array().expect("instruments").iter().find_map(|row| {
            let straight = row["base"] == CURRENCIES[sold] && row["quote"] == CURRENCIES[bought];
            let mirrored = row["base"] == CURRENCIES[bought] && row["quote"] == CURRENCIES[sold];
            (straight || mirrored).then(|| (millionths(&row["last_price"]), straight))
        });
        let (price, straight) = price.expect("the pair is traded");
        let given = millionths(&quoted["buy_asset"]["amount"]);
        let taken = millionths(&quoted["sell_assets"][0]["amount"]) + 1;
        // Prices show eight decimals and are read to six: one more in the last place is an upper bound.
        if straight {
            prop_assert!(given * 1_000_000 <= taken * (price + 1), "{query}: {quoted}");
        } else {
            prop_assert!(given * price <= taken * 1_000_000, "{query}: {quoted}");
        }
        prop_assert!(given > 0 && taken > 0);
    }
}
