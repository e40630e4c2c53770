//! Baskets in live mode: parts that swaps on a chain and orders at an exchange account execute.

mod again;
mod ends;
mod quotes;
mod world;

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::text;

use world::{BASKET, Ends, ORDERED, SWAPPED, TraderWorld};

#[test]
fn a_basket_of_a_swap_and_an_order_settles_with_the_last_part() {
    for first in [Ends::Swap, Ends::Order] {
        TraderWorld::with_exchange(|kind, mut world| {
            let quoted = world.quote(BASKET);
            let made = world.accept(&quoted);
            match first {
                Ends::Swap => {
                    world.mine();
                    assert_eq!(world.status(&made), "Processing", "{kind}");
                    assert_eq!(world.balance("EURC").0, "90", "{kind}");
                    assert_eq!(world.bought(), SWAPPED, "{kind}");
                    world.is_sound();
                    let id = world.placed();
                    world.close(&id, ["0.01", "0.01", "26"]);
                }
                Ends::Order => {
                    let id = world.placed();
                    world.close(&id, ["0.01", "0.01", "26"]);
                    assert_eq!(world.status(&made), "Processing", "{kind}");
                    assert_eq!(world.balance("ETH").0, "1.99", "{kind}");
                    assert_eq!(world.bought(), ORDERED, "{kind}");
                    world.is_sound();
                    world.mine();
                }
            }
            let ended = world.order(&made);
            assert_eq!(ended["status"], "Settled", "{kind}");
            assert_eq!(ended["from_amount"], "10", "{kind}");
            let bought = world.bought();
            assert_eq!(bought, SWAPPED + ORDERED, "{kind}");
            assert_eq!(world.units(&ended["to_amount"]), bought, "{kind}");
            let assets = &ended["deposit_instruction"]["sell_assets"];
            assert_eq!(assets[0]["amount"], 10, "{kind}");
            assert_eq!(assets[1]["amount"].to_string(), "0.01", "{kind}");
            // 10 × 1.1 + 0.01 × 2 500 dollars.
            let rate: f64 = text(&ended, "effective_rate").parse().expect("a rate");
            let expected = f64::from(u32::try_from(bought).expect("small")) / 36e6;
            assert!((rate - expected).abs() < 1e-9, "{kind}: {rate} {expected}");
            assert_eq!(world.balance("EURC"), ("90".into(), "90".into()), "{kind}");
            assert_eq!(
                world.balance("ETH"),
                ("1.99".into(), "1.99".into()),
                "{kind}"
            );
            world.is_sound();
            // It has ended, whatever comes.
            world.pass(Duration::from_secs(3_600));
            assert_eq!(world.bought(), bought, "{kind}");
            world.is_sound();
        });
    }
}

#[test]
fn two_swaps_on_one_chain_are_under_way_at_once() {
    TraderWorld::each(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        assert_eq!(world.swaps(), ["approval EURC 0", "swap ETH 1"], "{kind}");
        world.mine();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(
            world.swaps(),
            ["approval EURC 0", "swap ETH 1", "swap EURC 0"],
            "{kind}"
        );
        assert_eq!(world.balance("EURC").0, "90", "{kind}");
        assert_eq!(world.balance("ETH").0, "1.99", "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), world.bought(), "{kind}");
        let least = world.units(&quoted["buy_asset"]["amount"]);
        assert!(world.bought() >= least, "{kind}");
        world.is_sound();
    });
}

#[test]
fn an_order_waits_for_the_swap_of_its_currency_and_not_for_that_of_another_part() {
    TraderWorld::each(|kind, mut world| {
        let quoted = world.quote(&BASKET.replace("=10,", "=1,"));
        let other = "sell_currency=EURC&sell_amount=1&buy_currency=USDC&deposit_method=Balance";
        let other = world.quote(other);
        let made = world.accept(&quoted);
        while !world.has("swap", "Mined") {
            world.block();
        }
        let first = ["approval EURC 0", "swap ETH 1", "swap EURC 0"];
        assert_eq!(world.swaps(), first, "{kind}");
        assert!(
            world.has("swap", "Queued") || world.has("swap", "Sent"),
            "{kind}"
        );
        let second = world.accept(&other);
        assert_eq!(world.swaps(), first, "{kind}");
        world.mine();
        assert_eq!(world.swaps().len(), 5, "{kind}");
        for made in [&made, &second] {
            assert_eq!(world.status(made), "Settled", "{kind}");
        }
        world.is_sound();
    });
}

#[test]
fn a_basket_that_settles_to_an_address_is_sent_there_once_and_kept_until_then() {
    TraderWorld::with_exchange(|kind, mut world| {
        let to = "0x7777777777777777777777777777777777777777";
        let quoted = world.quote(&format!("{BASKET}&settlement_address={to}"));
        let made = world.accept(&quoted);
        let id = world.placed();
        world.close(&id, ["0.01", "0.01", "26"]);
        // Nobody else takes it.
        assert_eq!(
            world.balance("USDC"),
            ("25.766".into(), "0".into()),
            "{kind}"
        );
        world.is_sound();
        let body = json!({
            "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": to,
        });
        let shop = world.run.shop.clone();
        let paid = (world.run.connected.world).signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(paid.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        world.mine();
        let settled = world.order(&made);
        assert_eq!(settled["status"], "Settled", "{kind}");
        assert_eq!(world.bought(), 0, "{kind}");
        let payouts = world.run.connected.world.read(&shop, "/v1/payouts");
        assert_eq!(payouts["total"], 1, "{kind}");
        assert_eq!(
            payouts["items"][0]["amount"], settled["to_amount"],
            "{kind}"
        );
        world.is_sound();
    });
}

#[test]
fn a_basket_is_accepted_once() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        let again = world.try_accept(&quoted);
        assert_eq!(again, Err("409 STATE_FORBIDS".to_owned()), "{kind}");
        for _ in 0..3 {
            world.work();
            world.pass(Duration::from_secs(2));
        }
        assert_eq!(world.swaps(), ["approval EURC 0"], "{kind}");
        let (service, database) = world.run.connected.world.parts();
        let orders = service.exchange_orders(database).expect("orders");
        assert_eq!(orders.len(), 1, "{kind}");
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.balance("ETH"), ("2".into(), "1.99".into()), "{kind}");
        let late = world.quote(BASKET);
        world.pass(Duration::from_secs(31));
        let refused = world.try_accept(&late);
        assert_eq!(refused, Err("409 QUOTE_EXPIRED".to_owned()), "{kind}");
        world.is_sound();
    });
}

#[test]
fn nothing_of_a_basket_is_traded_until_all_of_it_is_there() {
    TraderWorld::with_exchange(|kind, mut world| {
        let query = BASKET
            .replace("=10,0.01", "=10,3")
            .replace("Balance", "Deposit");
        let quoted = world.quote(&query);
        let made = world.accept(&quoted);
        assert_eq!(world.status(&made), "Open", "{kind}");
        assert_eq!(
            world.balance("EURC"),
            ("100".into(), "100".into()),
            "{kind}"
        );
        assert_eq!(world.swaps(), [""; 0], "{kind}");
        world.pass(Duration::from_secs(15 * 60));
        world.work();
        let ended: Value = world.order(&made);
        assert_eq!(ended["status"], "Canceled", "{kind}");
        assert_eq!(ended["reason"], "InsufficientFunds", "{kind}");
        world.is_sound();
    });
}

#[test]
fn a_part_that_waits_for_the_limits_of_an_exchange_account_waits_alone() {
    TraderWorld::with_exchange(|kind, mut world| {
        let query = "sell_currency=ETH,ETH,ETH,ETH,EURC&sell_amount=0.01,0.01,0.01,0.01,1&buy_currency=USDC&deposit_method=Balance";
        let quoted = world.quote(query);
        let made = world.accept(&quoted);
        let stored = |world: &mut TraderWorld| {
            let (service, database) = world.run.connected.world.parts();
            service.exchange_orders(database).expect("orders").len()
        };
        // A merchant has three orders under way.
        assert_eq!(stored(&mut world), 3, "{kind}");
        assert_eq!(world.swaps(), ["approval EURC 4"], "{kind}");
        for _ in 0..3 {
            world.placed();
        }
        assert_eq!(stored(&mut world), 3, "{kind}");
        world.close_next(["0.01", "0.01", "26"]);
        assert_eq!(stored(&mut world), 4, "{kind}");
        world.placed();
        for _ in 0..3 {
            world.close_next(["0.01", "0.01", "26"]);
        }
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.bought(), 4 * ORDERED, "{kind}");
        world.is_sound();
        world.mine();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert!(world.bought() > 4 * ORDERED, "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), world.bought(), "{kind}");
        assert_eq!(
            world.balance("ETH"),
            ("1.96".into(), "1.96".into()),
            "{kind}"
        );
        world.is_sound();
    });
}
