//! Orders that meet a market that moves, a crash, a fork or a stranger.

use alloy_primitives::U256;
use serde_json::json;
use settlekit_tests::anvil::{Transaction, abi};

use super::{QUERY, Shop};
use crate::place::{Place, Server, wait_for};

#[test]
fn a_market_that_moved_before_the_swap_is_sent_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    let (approvals, swaps) = shop.front_run();
    // Into the block of the approval: no node lets the swap pass.
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    shop.send_first(&[approvals, swaps].concat());
    shop.is_refused(&order, &before);
}

#[test]
fn a_market_that_moves_in_the_block_of_the_swap_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    let (approvals, swaps) = shop.front_run();
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    shop.send_first(&approvals);
    shop.market.exchange.node.mine(1);
    wait_for("the swap waits for a block", || shop.waiting() > 0);
    shop.send_first(&swaps);
    shop.is_refused(&order, &before);
    // The next one finds the allowance taken back.
    let quote = shop.quote(QUERY);
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
}

#[test]
fn a_server_that_is_killed_at_any_point_swaps_once() {
    let mut shop = Shop::new(Place::live());
    shop.earn(1_000);
    let order = shop.accept(&shop.quote(QUERY));
    for _ in 0..12 {
        shop.server.signal("KILL");
        shop.server = Server::live(&shop.market.place);
        shop.market.exchange.node.mine(1);
    }
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("USDC"), ("900".to_owned(), "0".to_owned()));
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn what_others_leave_at_the_router_is_the_merchants_and_holds_up_nothing() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let v3 = exchange.uniswap_02.v3.as_ref();
    let router = v3.expect("version 3").router.address();
    let from = exchange.node.account(0);
    let left = 1_000_u64;
    let wrap = Transaction::call(from, exchange.coin(), left, abi("deposit()", &[]));
    exchange.node.send(&wrap);
    exchange.node.mine(1);
    exchange.give(router, exchange.coin(), left);
    let quote = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let swapped = exchange.balance(exchange.coin(), router);
    assert_eq!(swapped, U256::ZERO);
    assert_eq!(json!(shop.balance("ETH").0), ended["to_amount"]);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn an_exchange_that_was_disconnected_fails_the_orders_that_it_has() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    let place = &shop.market.place;
    let done = place.run(&["venue", "disconnect", "--chain", crate::venue::CHAIN]);
    assert!(done.status.success());
    shop.is_refused(&order, &before);
    shop.has_no_price(QUERY);
}

#[test]
fn a_fork_that_takes_approval_and_swap_away_sells_once() {
    let shop = Shop::swept();
    let sold = shop.balance("USDC");
    let order = shop.accept(&shop.quote(QUERY));
    for what in ["approval", "swap"] {
        wait_for(&format!("the {what} waits for a block"), || {
            shop.waiting() == 1
        });
        shop.market.exchange.node.mine(1);
    }
    shop.market.until_followed();
    shop.market.exchange.node.reorganise(2);
    assert_eq!(shop.order(&order)["status"], "Processing");
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(sold.0, "900");
    assert_eq!(shop.balance("USDC"), ("800".to_owned(), "0".to_owned()));
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
    shop.market.place.is_sound();
}
