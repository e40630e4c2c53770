//! Orders that a swap settles.

use alloy_primitives::U256;
use serde_json::json;
use settlekit_service::uniswap::{Exact, Slippage};

use super::{QUERY, SLIPPAGE, Shop, WHOLE, shown_fee, units};
use crate::place::{Place, Server, wait_for};
use crate::real_chain::text;

fn a_quote_is_settled(shop: &Shop) {
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let quoted = exchange.quote(sides, Exact::Input(U256::from(100 * WHOLE)));
    let quoted = quoted.expect("a quote").best;
    let quote = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=EURC");
    assert_eq!(
        units(&quote["properties"]["expected_amount"]),
        quoted.output,
        "{quote}"
    );
    let least = Slippage::new(SLIPPAGE)
        .expect("a slippage")
        .least_output(quoted.output);
    assert_eq!(units(&quote["buy_asset"]["amount"]), least, "{quote}");
    // The fee is the pools' part of the amount before it, rounded up: one unit less is too little.
    let (fee, one) = (units(&quote["fees"]["total_fee"]), U256::from(1));
    let part = U256::from(quoted.route.fee(&exchange.uniswap_02));
    let left = U256::from(1_000_000) - part;
    assert!(fee * left >= quoted.output * part, "{quote}");
    assert!((fee - one) * left < quoted.output * part, "{quote}");

    let order = shop.accept(&quote);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    // Nobody traded in between: the merchant has all that the swap brought.
    assert_eq!(units(&ended["to_amount"]), quoted.output, "{ended}");
    assert_eq!(shop.balance("USDC"), ("900".to_owned(), "0".to_owned()));
    assert_eq!(units(&json!(shop.balance("EURC").0)), quoted.output);
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_quote_of_an_exchange_is_settled_by_a_swap_with_sqlite() {
    a_quote_is_settled(&Shop::new(Place::live()));
}

#[test]
fn a_quote_of_an_exchange_is_settled_by_a_swap_with_postgresql() {
    a_quote_is_settled(&Shop::new(Place::live_postgres()));
}

#[test]
fn orders_of_the_same_currency_wait_for_each_other() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let orders: Vec<String> = (0..3).map(|_| shop.accept(&shop.quote(QUERY))).collect();
    for order in &orders {
        let ended = shop.ended(order);
        assert_eq!(ended["status"], "Settled", "{ended}");
    }
    assert_eq!(shop.balance("USDC"), ("700".to_owned(), "0".to_owned()));
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
}

#[test]
fn native_coins_are_bought_and_sold() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let bought = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let ended = shop.ended(&shop.accept(&bought));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let (coins, _) = shop.balance("ETH");
    assert_eq!(json!(coins), ended["to_amount"]);
    shop.until_compared();
    let query = format!("sell_currency=ETH&sell_amount={coins}&buy_currency=EURC");
    let ended = shop.ended(&shop.accept(&shop.quote(&query)));
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("ETH"), ("0".to_owned(), "0".to_owned()));
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_swap_over_two_pools_is_settled_with_two_movements() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let bought = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let height = shop.market.exchange.node.height();
    let first = shop.accept(&bought);
    let ended = shop.ended(&first);
    assert_eq!(ended["status"], "Settled", "{ended}");
    // An approval and a swap through one pool took no more than was shown before the yes.
    let paid = shop.fees_after(height);
    assert!(
        !paid.is_zero() && paid <= shown_fee(&bought),
        "{paid} {bought}"
    );
    let (coins, _) = shop.balance("ETH");
    let moved = ["OUT 100 USDC".to_owned(), format!("IN {coins} ETH")];
    assert_eq!(shop.movements(&first), moved);

    let exchange = &shop.market.exchange;
    let sides = (None, Some(exchange.euro));
    let sold = coins.trim_start_matches("0.").trim_start_matches('0');
    let sold: U256 = sold.parse().expect("few coins");
    let best = exchange.quote(sides, Exact::Input(sold)).expect("a quote");
    assert_eq!(best.best.route.hops().len(), 2, "{best:?}");
    let query = format!("sell_currency=ETH&sell_amount={coins}&buy_currency=EURC");
    shop.market.until_followed();
    let quote = shop.quote(&query);
    let offer = &quote["properties"]["offers"][0];
    assert_eq!(offer["venue"], "Uniswap v2, v2", "{quote}");
    let height = shop.market.exchange.node.height();
    let second = shop.accept(&quote);
    let ended = shop.ended(&second);
    assert_eq!(ended["status"], "Settled", "{ended}");
    // Through two pools as well.
    let paid = shop.fees_after(height);
    assert!(
        !paid.is_zero() && paid <= shown_fee(&quote),
        "{paid} {quote}"
    );
    assert_eq!(units(&ended["to_amount"]), best.best.output, "{ended}");
    let (euros, _) = shop.balance("EURC");
    assert_eq!(json!(euros), ended["to_amount"]);
    let moved = [format!("OUT {coins} ETH"), format!("IN {euros} EURC")];
    assert_eq!(shop.movements(&second), moved);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_dry_run_of_a_quick_trade_sends_nothing_and_the_trade_swaps_once() {
    let shop = Shop::swept();
    let before = shop.balances();
    let dry = shop.quick_trade("100", "EURC", true);
    assert_eq!(dry.get("order_id"), None, "{dry}");
    assert_eq!(dry.get("quote_id"), None, "{dry}");
    let quote = shop.quote(QUERY);
    assert_eq!(
        units(&dry["to_amount"]),
        units(&quote["buy_asset"]["amount"])
    );
    assert_eq!(dry["properties"]["offers"], quote["properties"]["offers"]);
    // More blocks than a swap takes.
    for _ in 0..4 {
        shop.market.exchange.node.mine(1);
        shop.market.until_followed();
    }
    assert_eq!(shop.balances(), before);
    assert_eq!(shop.swaps().len(), 1);
    assert_eq!(shop.get("/trade/orders")["total"], 1);

    let made = shop.quick_trade("100", "EURC", false);
    let order = text(&made, "order_id");
    assert_eq!(made["to_amount"], dry["to_amount"], "{made}");
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert!(
        units(&ended["to_amount"]) >= units(&made["to_amount"]),
        "{ended}"
    );
    let brought = text(&ended, "to_amount");
    let moved = ["OUT 100 USDC".to_owned(), format!("IN {brought} EURC")];
    assert_eq!(shop.movements(&order), moved);
    assert_eq!(shop.balance("USDC"), ("800".to_owned(), "0".to_owned()));
    assert_eq!(shop.swaps().len(), 2);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn an_order_waits_for_the_swap_before_it_and_not_for_its_confirmations() {
    let shop = Shop::swept();
    let first = shop.accept(&shop.quote(QUERY));
    let second = shop.accept(&shop.quote(QUERY));
    for what in ["approval", "swap"] {
        wait_for(&format!("the {what} waits for a block"), || {
            shop.waiting() == 1
        });
        shop.market.exchange.node.mine(1);
    }
    // With one block the first has less than its confirmations.
    wait_for("the approval of the second waits for a block", || {
        shop.waiting() == 1
    });
    assert_eq!(shop.order(&first)["status"], "Processing");
    for order in [&first, &second] {
        let ended = shop.ended(order);
        assert_eq!(ended["status"], "Settled", "{ended}");
    }
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
}

#[test]
fn two_servers_on_one_database_swap_every_order_once() {
    let shop = Shop::new(Place::live_postgres());
    let second = Server::live(&shop.market.place);
    shop.earn(1_000);
    let orders: Vec<String> = (0..3).map(|_| shop.accept(&shop.quote(QUERY))).collect();
    for order in &orders {
        let ended = shop.ended(order);
        assert_eq!(ended["status"], "Settled", "{ended}");
    }
    drop(second);
    assert_eq!(shop.balance("USDC"), ("700".to_owned(), "0".to_owned()));
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
    shop.market.place.is_sound();
}
