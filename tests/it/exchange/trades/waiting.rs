//! Orders of merchants that wait, as too many are under way.

use std::collections::BTreeSet;
use std::time::Duration;

use settlekit_service::Seed;
use settlekit_service::exchange::{NewExchangeOrder, Side};
use settlekit_tests::world::{amount, text};

use super::{SALE, TradeWorld};

/// The most orders of an account under way.
const OF_ACCOUNT_MAX: usize = 20;

impl TradeWorld {
    /// Orders of the operator, which no server sends yet.
    pub(super) fn order_by_hand(&mut self, count: usize) {
        let new = NewExchangeOrder {
            account: "Kraken".to_owned(),
            market: "USDC/EUR".to_owned(),
            side: Side::Sell,
            volume: amount("1"),
            price: amount("1"),
        };
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        for one in 0..count {
            let seed = Seed([u8::try_from(one).expect("few"); 32]);
            let done = service.order_at_exchange(database, &new, now, seed);
            done.expect("an order");
        }
    }

    /// The number of orders at the exchange.
    fn stored(&mut self) -> usize {
        let (service, database) = self.world.connected.world.parts();
        service.exchange_orders(database).expect("orders").len()
    }

    /// The merchants' orders that have one at the exchange.
    fn covered(&mut self) -> BTreeSet<String> {
        let (_, database) = self.world.connected.world.parts();
        let covered = "SELECT order_id FROM exchange_orders WHERE order_id IS NOT NULL";
        let rows = database.query(covered, &[]).expect("orders");
        let ids = rows
            .iter()
            .map(|row| row.text(0).expect("an id").to_owned());
        ids.collect()
    }
}

#[test]
fn a_merchant_has_three_orders_under_way_at_exchanges_and_the_oldest_of_the_others_is_next() {
    TradeWorld::each(|kind, mut world| {
        let sale = SALE.replace("=2&", "=0.1&");
        let mut orders = Vec::new();
        for _ in 0..6 {
            // Ids of one millisecond have no order.
            world.world.pass(Duration::from_millis(1));
            let quoted = world.quote(&sale);
            orders.push(world.accept(&quoted));
        }
        assert_eq!(world.stored(), 3, "{kind}");
        for made in &orders {
            assert_eq!(world.status(made), "Processing", "{kind}");
        }
        for _ in 0..3 {
            world.placed();
        }
        world.pass(Duration::from_secs(10));
        world.work();
        assert_eq!(world.stored(), 3, "{kind}");
        // One of them ends.
        let asked = world.round();
        let id = asked.order().expect("about an order").to_owned();
        world.close_asked(&asked, &id, ["0.1", "0.1", "200"]);
        world.world.pass(Duration::from_secs(5));
        world.work();
        assert_eq!(world.stored(), 4, "{kind}");
        // The oldest waiting order is placed first.
        let placed = world.covered();
        assert!(placed.contains(&text(&orders[3], "order_id")), "{kind}");
        let ended = orders.iter().map(|made| world.status(made));
        let settled = ended.filter(|status| status == "Settled");
        assert_eq!(settled.count(), 1, "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn an_account_has_twenty_orders_under_way_and_the_next_waits() {
    TradeWorld::each(|kind, mut world| {
        world.order_by_hand(OF_ACCOUNT_MAX - 1);
        let sale = SALE.replace("=2&", "=0.1&");
        let quotes = [world.quote(&sale), world.quote(&sale)];
        let [first, second] = quotes.map(|quoted| world.accept(&quoted));
        assert_eq!(world.stored(), OF_ACCOUNT_MAX, "{kind}");
        let is_covered =
            |world: &mut TradeWorld, made| world.covered().contains(&text(made, "order_id"));
        assert!(is_covered(&mut world, &first), "{kind}");
        assert_eq!(world.status(&second), "Processing", "{kind}");
        // No server has sent them in time.
        world.pass(Duration::from_secs(61));
        world.world.rounds();
        world.work();
        assert_eq!(world.status(&first), "Failed", "{kind}");
        world.world.pass(Duration::from_secs(5));
        world.work();
        assert!(is_covered(&mut world, &second), "{kind}");
        assert_eq!(world.status(&second), "Processing", "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn an_order_that_waits_until_its_quote_ends_fails() {
    TradeWorld::each(|kind, mut world| {
        world.order_by_hand(OF_ACCOUNT_MAX);
        let quoted = world.quote(SALE);
        let made = world.accept(&quoted);
        world.world.pass(Duration::from_secs(14 * 60));
        world.work();
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.balance("ETH").1, "8", "{kind}");
        world.world.pass(Duration::from_secs(60));
        world.work();
        assert_eq!(world.status(&made), "Failed", "{kind}");
        assert_eq!(world.balance("ETH").1, "10", "{kind}");
        assert_eq!(world.stored(), OF_ACCOUNT_MAX, "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn ten_orders_of_a_merchant_wait_and_a_further_one_fails() {
    TradeWorld::each(|kind, mut world| {
        let sale = SALE.replace("=2&", "=0.1&");
        let mut orders = Vec::new();
        for _ in 0..14 {
            let quoted = world.quote(&sale);
            orders.push(world.accept(&quoted));
        }
        let last = orders.pop().expect("an order");
        assert_eq!(world.status(&last), "Failed", "{kind}");
        for _ in 0..2 {
            for made in &orders {
                assert_eq!(world.status(made), "Processing", "{kind}");
            }
            world.world.pass(Duration::from_secs(5));
            world.work();
        }
        assert_eq!(world.stored(), 3, "{kind}");
        world.is_sound(kind);
    });
}
