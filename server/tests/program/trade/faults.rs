//! Orders that meet a market that moves, a crash, a fork or a stranger.

use alloy_primitives::{Address, U256};
use serde_json::json;
use settlekit_service::uniswap::{Exact, NativeCoin, Swap, SwapAmounts};
use settlekit_tests::anvil::{Transaction, abi, number};
use settlekit_tests::liar::{Liar, Lie};

use super::{QUERY, Shop};
use crate::place::{Place, Server, wait_for};
use crate::real_chain::text;

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
fn a_swap_after_a_market_move_or_its_deadline_sells_nothing() {
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
    shop.until_compared();

    // The next block is of eleven minutes later: the router refuses what was to be mined within ten.
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    let node = &shop.market.exchange.node;
    node.mine(1);
    wait_for("the swap waits for a block", || shop.waiting() > 0);
    node.call("evm_increaseTime", json!([11 * 60]));
    shop.is_refused(&order, &before);
    let swaps = shop.swaps();
    let last = swaps.last().expect("a swap");
    assert_eq!((swaps.len(), &last["status"]), (4, &json!("0x0")), "{last}");
}

#[test]
fn a_swap_that_runs_out_of_gas_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let liars = [
        &shop.market.liar,
        &Liar::start(shop.market.exchange.node.address()),
    ];
    let urls = liars.map(Liar::url);
    shop.market.connect_chain([&urls[0], &urls[1]]);
    let routers = shop.routers();
    for liar in liars {
        let routers = routers.clone();
        liar.tamper(move |method, params, result| {
            let to = params[0]["to"].as_str();
            let to: Option<Address> = to.and_then(|to| to.parse().ok());
            if method == "eth_estimateGas" && to.is_some_and(|to| routers.contains(&to)) {
                let gas: U256 = result.as_str().expect("text").parse().expect("gas");
                *result = format!("{:#x}", gas / U256::from(2)).into();
            }
        });
    }
    let order = shop.accept(&shop.quote(QUERY));
    shop.is_refused(&order, &before);
    let swaps = shop.swaps();
    let last = swaps.last().expect("a swap");
    assert_eq!(swaps.len(), 2, "{swaps:?}");
    assert_eq!(last["status"], "0x0", "{last}");
    let gas = |name: &str| -> U256 { text(last, name).parse().expect("gas") };
    // The contract that ran out of gas had all but a 64th.
    assert!(
        gas("gasUsed") >= gas("gas") * U256::from(63) / U256::from(64),
        "{last}"
    );
    // With true estimates the next one settles.
    for liar in liars {
        liar.tell(Lie::None);
    }
    let ended = shop.ended(&shop.accept(&shop.quote(QUERY)));
    assert_eq!(ended["status"], "Settled", "{ended}");
    shop.until_compared();
}

#[test]
fn a_server_that_is_killed_again_and_again_swaps_once() {
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

#[test]
fn coins_left_at_the_router_are_refunded_to_the_merchant_and_the_rest_to_the_operator() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let bought = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let ended = shop.ended(&shop.accept(&bought));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let exchange = &shop.market.exchange;
    let v3 = exchange.uniswap_02.v3.as_ref();
    let router = v3.expect("version 3").router.address();
    let owner = exchange.node.account(0);
    // Coins are worth less in the pool of version 2 from now on.
    let sides = (None, Some(exchange.dollar));
    let size = 1_000_000_u64;
    let best = exchange.quote(sides, Exact::Input(U256::from(size)));
    let drain = Swap {
        uniswap: &exchange.uniswap_02,
        route: &best.expect("a quote").best.route,
        amounts: SwapAmounts::ExactInput {
            input: U256::from(3_000_000_000_000_u64),
            least_output: U256::from(1),
        },
        native: NativeCoin::Sold,
        recipient: owner,
        deadline: u32::MAX.into(),
    };
    let drained = exchange.try_call(owner, &drain.call().expect("a swap"));
    assert!(drained.is_settled);
    shop.market.until_followed();
    let no_calls = [number(32), number(0)];
    // Less than is sold, then more.
    for left in [1_000, 10_u64.pow(18)] {
        let before = shop.balance("ETH").0;
        let call = abi("multicall(bytes[])", &no_calls);
        let from = exchange.node.account(0);
        exchange
            .node
            .send(&Transaction::call(from, router, left, call));
        exchange.node.mine(1);
        let query = format!("sell_currency=ETH&sell_amount=0.{size:018}&buy_currency=USDC");
        let ended = shop.ended(&shop.accept(&shop.quote(&query)));
        assert_eq!(ended["status"], "Settled", "{ended}");
        let sold = U256::from(size.saturating_sub(left));
        assert_eq!(wei(&text(&ended, "from_amount")), sold, "{ended}");
        let height = exchange.node.height();
        assert_eq!(exchange.node.balance(router, height), U256::ZERO);
        let (after, reserved) = shop.balance("ETH");
        let spent = wei(&before) - wei(&after);
        assert_eq!((spent, reserved.as_str()), (sold, "0"), "{before} {after}");
        shop.until_compared();
    }
    shop.market.place.is_sound();
}

/// An amount of coins in wei.
fn wei(amount: &str) -> U256 {
    let (whole, part) = amount.split_once('.').unwrap_or((amount, ""));
    format!("{whole}{part:0<18}").parse().expect("an amount")
}
