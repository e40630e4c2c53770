//! Markets that others move around an order: before its accept, or in the block of its swap.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};

use super::{QUERY, Shop, WHOLE, units};
use crate::place::wait_for;

/// Somebody's trades in the block of a swap: before it and after it.
fn sandwich(shop: &Shop, dollars: u64) -> String {
    let exchange = &shop.market.exchange;
    let (before_approvals, before) = shop.sale((exchange.dollar, exchange.euro), dollars * WHOLE);
    let (after_approvals, after) = shop.sale((exchange.euro, exchange.dollar), dollars * WHOLE / 2);
    shop.send_first(&[before_approvals, after_approvals].concat());
    exchange.node.mine(1);
    shop.market.until_followed();
    let order = shop.accept(&shop.quote(QUERY));
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    exchange.node.mine(1);
    wait_for("the swap waits for a block", || shop.waiting() > 0);
    shop.send_first(&before);
    shop.send_last(&after);
    exchange.node.mine(1);
    // The block has all of them in this order.
    let block = exchange
        .node
        .call("eth_getBlockByNumber", json!(["latest", true]));
    let sent = block["transactions"].as_array().expect("a list").iter();
    let senders: Vec<Address> = sent.map(|one| address(&one["from"])).collect();
    let stranger = exchange.node.account(0);
    let (ahead, behind) = (vec![stranger; before.len()], vec![stranger; after.len()]);
    let expected = [ahead, vec![shop.market.wallet], behind].concat();
    assert_eq!(senders, expected);
    order
}

fn address(value: &Value) -> Address {
    value.as_str().expect("text").parse().expect("an address")
}

/// The block of the latest swap.
fn block_of_swap(shop: &Shop) -> Value {
    let swaps = shop.swaps();
    swaps.last().expect("a swap")["blockNumber"].clone()
}

#[test]
fn a_sandwich_beyond_the_slippage_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = sandwich(&shop, 200_000);
    let swaps = shop.swaps();
    let last = swaps.last().expect("a swap");
    assert_eq!(last["status"], "0x0", "{last}");
    shop.is_refused(&order, &before);
    assert_eq!(shop.swaps().len(), swaps.len(), "it is not tried again");
}

#[test]
fn a_sandwich_within_the_slippage_brings_at_least_the_quote() {
    let shop = Shop::swept();
    let euros = units(&shop.balance("EURC").0.into());
    let order = sandwich(&shop, 10_000);
    let height = block_of_swap(&shop);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    let path = format!(
        "/trade/quote/{}",
        ended["quote_id"].as_str().expect("an id")
    );
    let quote = shop.get(&path);
    let brought = units(&ended["to_amount"]);
    assert!(brought >= units(&quote["buy_asset"]["amount"]), "{ended}");
    // The stranger has taken a part of what was expected.
    let expected = units(&quote["properties"]["expected_amount"]);
    assert!(brought < expected, "{brought} {expected}");
    assert_eq!(units(&shop.balance("EURC").0.into()), euros + brought);
    assert_eq!(shop.balance("USDC"), ("800".to_owned(), "0".to_owned()));
    assert_eq!(block_of_swap(&shop), height);
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_market_that_is_drained_between_quote_and_accept_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let quote = shop.quote(QUERY);
    shop.market.exchange.drain();
    shop.is_refused(&shop.accept(&quote), &before);
    let swaps = shop.swaps();
    assert_eq!(swaps.len(), 1, "no node lets the swap pass: {swaps:?}");
    shop.has_no_size(QUERY);
}

#[test]
fn a_market_that_moves_between_quote_and_accept_sells_nothing_below_the_quote() {
    let shop = Shop::swept();
    let before = shop.balances();
    let quote = shop.quote(QUERY);
    let (approvals, swaps) = shop.front_run();
    shop.send_first(&[approvals, swaps].concat());
    shop.market.exchange.node.mine(1);
    shop.is_refused(&shop.accept(&quote), &before);
    // A quote at the new price is settled.
    let quote = shop.quote(QUERY);
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let least = units(&quote["buy_asset"]["amount"]);
    assert!(units(&ended["to_amount"]) >= least, "{ended}");
    shop.until_compared();
}
