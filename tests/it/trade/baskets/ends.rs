//! Baskets of which some parts, or all, are not executed, or not in full.

use std::time::Duration;

use settlekit_service::Seed;
use settlekit_service::exchange::{NewExchangeOrder, Side};
use settlekit_tests::world::amount;

use super::world::{BASKET, Ends, ORDERED, SWAPPED, TraderWorld};
use crate::chain::model::exchange::move_market;

impl TraderWorld {
    /// Somebody moves the price of euros after the quote, so that no swap of them brings what was quoted.
    fn move_market(&mut self) {
        let hash = self.run.hash();
        (self.run.node.mempool).push(move_market(hash, false, 100_000_000));
    }

    fn set_volume_of_first(&mut self, volume: &str) {
        let (_, database) = self.run.connected.world.parts();
        let set = "UPDATE exchange_orders SET volume = ?1 WHERE part = 0";
        let changed = database.execute(set, &[volume.into()]);
        assert_eq!(changed.expect("an update"), 1);
    }
}

#[test]
fn a_part_that_the_exchange_refuses_leaves_the_others() {
    for first in [Ends::Swap, Ends::Order] {
        TraderWorld::with_exchange(|kind, mut world| {
            let quoted = world.quote(BASKET);
            let made = world.accept(&quoted);
            if matches!(first, Ends::Swap) {
                world.mine();
                assert_eq!(world.status(&made), "Processing", "{kind}");
            }
            let id = world.placed();
            world.close(&id, ["0.01", "0", "0"]);
            if matches!(first, Ends::Order) {
                assert_eq!(world.status(&made), "Processing", "{kind}");
                // The money of the refused part is available at once.
                assert_eq!(world.balance("ETH"), ("2".into(), "2".into()), "{kind}");
                world.is_sound();
                world.mine();
            }
            let ended = world.order(&made);
            assert_eq!(ended["status"], "Settled", "{kind}");
            assert_eq!(ended["from_amount"], "10", "{kind}");
            assert_eq!(world.units(&ended["to_amount"]), SWAPPED, "{kind}");
            assert_eq!(world.bought(), SWAPPED, "{kind}");
            let assets = &ended["deposit_instruction"]["sell_assets"];
            assert_eq!(assets[1]["amount"], 0, "{kind}");
            assert_eq!(world.balance("EURC"), ("90".into(), "90".into()), "{kind}");
            assert_eq!(world.balance("ETH"), ("2".into(), "2".into()), "{kind}");
            world.is_sound();
        });
    }
}

#[test]
fn a_swap_that_the_market_has_left_leaves_the_order_at_the_exchange() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        world.move_market();
        let id = world.placed();
        world.close(&id, ["0.01", "0.01", "26"]);
        world.mine();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(ended["from_amount"], "0", "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), ORDERED, "{kind}");
        // Per dollar of 0.01 ETH.
        assert_eq!(ended["effective_rate"], "1.03064", "{kind}");
        assert_eq!(world.bought(), ORDERED, "{kind}");
        assert_eq!(
            world.balance("EURC"),
            ("100".into(), "100".into()),
            "{kind}"
        );
        assert_eq!(
            world.balance("ETH"),
            ("1.99".into(), "1.99".into()),
            "{kind}"
        );
        world.is_sound();
        // The router may take nothing.
        let mut left = world.run.node.head().allowances.values();
        assert!(left.all(|units| *units == 0), "{kind}");
    });
}

#[test]
fn a_basket_of_which_nothing_is_executed_fails() {
    for first in [Ends::Swap, Ends::Order] {
        TraderWorld::with_exchange(|kind, mut world| {
            let quoted = world.quote(BASKET);
            let made = world.accept(&quoted);
            world.move_market();
            if matches!(first, Ends::Swap) {
                world.mine();
                assert_eq!(world.status(&made), "Processing", "{kind}");
                assert_eq!(
                    world.balance("EURC"),
                    ("100".into(), "100".into()),
                    "{kind}"
                );
                world.is_sound();
            }
            let id = world.placed();
            world.close(&id, ["0.01", "0", "0"]);
            world.mine();
            let ended = world.order(&made);
            assert_eq!(ended["status"], "Failed", "{kind}");
            assert_eq!(ended["reason"], "VenueRefused", "{kind}");
            assert_eq!(world.bought(), 0, "{kind}");
            assert_eq!(
                world.balance("EURC"),
                ("100".into(), "100".into()),
                "{kind}"
            );
            assert_eq!(world.balance("ETH"), ("2".into(), "2".into()), "{kind}");
            world.is_sound();
        });
    }
}

#[test]
fn a_part_that_the_exchange_executes_in_part_is_booked_in_the_operators_favour() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        let id = world.placed();
        world.close(&id, ["0.01", "0.00333333", "8.67"]);
        // 25.766 × 0.333333, rounded down.
        assert_eq!(world.bought(), 8_588_658, "{kind}");
        assert_eq!(world.balance("ETH").0, "1.99666667", "{kind}");
        world.is_sound();
        world.mine();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(
            world.units(&ended["to_amount"]),
            SWAPPED + 8_588_658,
            "{kind}"
        );
        let assets = &ended["deposit_instruction"]["sell_assets"];
        assert_eq!(assets[1]["amount"].to_string(), "0.00333333", "{kind}");
        let eth = world.balance("ETH");
        assert_eq!(eth.0, eth.1, "{kind}");
        world.is_sound();
    });
}

#[test]
fn an_unknown_outcome_at_the_exchange_keeps_its_part_and_no_other() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        world.placed();
        world.mine();
        // Longer than transfers are remembered.
        for _ in 0..40 {
            world.pass(Duration::from_secs(3_600));
            world.block();
        }
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.bought(), SWAPPED, "{kind}");
        assert_eq!(world.balance("EURC"), ("90".into(), "90".into()), "{kind}");
        assert_eq!(world.balance("ETH"), ("2".into(), "1.99".into()), "{kind}");
        world.is_sound();
        let (_, database) = world.run.connected.world.parts();
        let lost = "UPDATE exchange_orders SET status = 'Unknown'";
        database.execute(lost, &[]).expect("an update");
        let (service, database) = world.run.connected.world.parts();
        let id = service.exchange_orders(database).expect("orders")[0]
            .id
            .clone();
        let seen = settlekit_service::exchange::Execution {
            volume: amount("0.01"),
            cost: amount("26"),
            fee: amount("0"),
        };
        let now = world.run.connected.world.now;
        let (service, database) = world.run.connected.world.parts();
        let done = service.resolve_exchange_order(database, &id, seen, now);
        assert_eq!(done, Ok(()), "{kind}");
        world.work();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(
            world.units(&ended["to_amount"]),
            SWAPPED + ORDERED,
            "{kind}"
        );
        world.is_sound();
    });
}

#[test]
fn a_part_that_cannot_start_in_time_ends_without_execution() {
    TraderWorld::with_exchange(|kind, mut world| {
        let new = NewExchangeOrder {
            account: "Kraken".to_owned(),
            market: "ETH/USDC".to_owned(),
            side: Side::Buy,
            volume: amount("1"),
            price: amount("1"),
        };
        let quoted = world.quote(BASKET);
        // The account has as many orders under way as it may have.
        for one in 0..20 {
            let now = world.run.connected.world.now;
            let (service, database) = world.run.connected.world.parts();
            let done = service.order_at_exchange(database, &new, now, Seed([one; 32]));
            done.expect("an order");
        }
        let made = world.accept(&quoted);
        assert_eq!(world.swaps(), ["approval EURC 0"], "{kind}");
        world.mine();
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.bought(), SWAPPED, "{kind}");
        assert_eq!(world.balance("ETH").1, "1.99", "{kind}");
        world.pass(Duration::from_secs(15 * 60));
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), SWAPPED, "{kind}");
        assert_eq!(world.balance("ETH"), ("2".into(), "2".into()), "{kind}");
        world.is_sound();
    });
}

#[test]
fn a_swap_that_cannot_start_in_time_leaves_the_order_at_the_exchange() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let (_, database) = world.run.connected.world.parts();
        let paused = "UPDATE connections SET paused = 1";
        assert_eq!(
            database.execute(paused, &[]).expect("an update"),
            1,
            "{kind}"
        );
        let made = world.accept(&quoted);
        let id = world.placed();
        world.close(&id, ["0.01", "0.01", "26"]);
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.balance("EURC"), ("100".into(), "90".into()), "{kind}");
        world.pass(Duration::from_secs(13 * 60));
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), ORDERED, "{kind}");
        assert_eq!(
            world.balance("EURC"),
            ("100".into(), "100".into()),
            "{kind}"
        );
        world.is_sound();
    });
}

#[test]
fn two_orders_of_a_basket_at_one_account_end_apart() {
    TraderWorld::with_exchange(|kind, mut world| {
        world.add_market("Kraken", "EURC/USDC");
        world.pass(Duration::from_secs(10));
        world.read_exchange();
        let quoted = world.quote(BASKET);
        // 10 × 1.15 × 0.991 and 25.766.
        assert_eq!(
            quoted["buy_asset"]["amount"].to_string(),
            "37.1625",
            "{kind}"
        );
        let made = world.accept(&quoted);
        assert_eq!(world.swaps(), [""; 0], "{kind}");
        let ids = [world.placed(), world.placed()];
        let (service, database) = world.run.connected.world.parts();
        let orders = service.exchange_orders(database).expect("orders");
        assert_eq!(orders.len(), 2, "{kind}");
        let of = |id: &str| {
            let mut orders = orders.iter();
            let found = orders.find(|order| order.id == id);
            found.expect("an order").order.market.clone()
        };
        for id in &ids {
            match of(id).as_str() {
                "ETH/USDC" => world.close(id, ["0.01", "0.01", "26"]),
                _ => world.close(id, ["10", "0", "0"]),
            }
            world.is_sound();
        }
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(world.units(&ended["to_amount"]), ORDERED, "{kind}");
        assert_eq!(
            world.balance("EURC"),
            ("100".into(), "100".into()),
            "{kind}"
        );
        world.is_sound();
    });
}

#[test]
fn a_part_whose_data_is_damaged_stops_no_other_and_is_booked_once_it_is_repaired() {
    TraderWorld::with_exchange(|kind, mut world| {
        let query =
            "sell_currency=ETH,ETH&sell_amount=0.01,0.01&buy_currency=USDC&deposit_method=Balance";
        let quoted = world.quote(query);
        let made = world.accept(&quoted);
        let ids = [world.placed(), world.placed()];
        for id in &ids {
            world.report_closed(id, ["0.01", "0.01", "26"]);
        }
        world.set_volume_of_first("0");
        world.work();
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert!(world.bought() > 0, "{kind}: the other part is booked");
        let before = world.bought();
        world.set_volume_of_first("0.01");
        world.pass(Duration::from_secs(3_600));
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert!(world.bought() > before, "{kind}");
        world.is_sound();
    });
}
