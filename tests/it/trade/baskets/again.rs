//! Outcomes of parts that come twice, at once, or after a reorganisation.

use std::time::Duration;

use serde_json::json;
use settlekit_service::Service;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::venue_operator::NewVenue;
use settlekit_tests::postgres;
use settlekit_tests::world::{http_request, text};

use super::world::{BASKET, ORDERED, SWAPPED, TraderWorld};
use crate::chain::at_once::{at_once, seed};
use crate::chain::model::exchange::contracts;

#[test]
fn an_outcome_that_is_reported_again_is_booked_once() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        let id = world.placed();
        world.close(&id, ["0.01", "0.01", "26"]);
        // The order is looked at again and again, by servers that have started since.
        for _ in 0..5 {
            world.pass(Duration::from_secs(60));
            for round in world.rounds() {
                assert!(round.order().is_none(), "{kind}");
            }
            assert_eq!(world.bought(), ORDERED, "{kind}");
            world.is_sound();
        }
        world.mine();
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert_eq!(world.bought(), SWAPPED + ORDERED, "{kind}");
        // A reorganisation takes the swap away and brings it again.
        let depth = 2;
        let dropped = world.run.node.fork(depth);
        world.run.node.mempool.extend(dropped);
        world.run.connected.reorganise(depth);
        world.mine();
        assert_eq!(world.bought(), SWAPPED + ORDERED, "{kind}");
        world.is_sound();
    });
}

#[test]
fn the_outcomes_of_two_parts_at_one_instant_are_booked_once_each() {
    for _ in 0..5 {
        let address = postgres::database();
        let database = Postgres::open(&address).expect("a connection");
        let mut world = TraderWorld::new(Box::new(database));
        world.connect_account();
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        let id = world.placed();
        while !world.has("swap", "Mined") {
            world.block();
        }
        world.block();
        assert_eq!(world.bought(), 0);
        world.report_closed(&id, ["0.01", "0.01", "26"]);
        // The block that settles the swap.
        let seconds = world.run.seconds();
        assert!(world.run.node.mine(seconds, || false).is_empty());
        let block = world.run.connected.chain.block();
        let now = world.run.connected.world.now;
        let service: Service = world.run.connected.world.parts().0.clone();
        at_once(&address, 4, |server, database| match server {
            0 | 1 => {
                let blocks = std::slice::from_ref(&block);
                let seen = service.observe_blocks(database, blocks, now, seed(server));
                seen.expect("a block");
            }
            _ => {
                let due = service.work(database, now, seed(server));
                due.expect("due jobs");
            }
        });
        world.work();
        let ended = world.order(&made);
        assert_eq!(ended["status"], "Settled");
        assert_eq!(world.units(&ended["to_amount"]), SWAPPED + ORDERED);
        assert_eq!(world.bought(), SWAPPED + ORDERED);
        world.is_sound();
    }
}

#[test]
fn several_accepts_of_one_quote_at_one_instant_make_one_order_with_one_approval() {
    for _ in 0..5 {
        let address = postgres::database();
        let database = Postgres::open(&address).expect("a connection");
        let mut world = TraderWorld::new(Box::new(database));
        let quoted = world
            .quote("sell_currency=EURC&sell_amount=10&buy_currency=USDC&deposit_method=Balance");
        let path = format!("/v1/trade/quote/{}/accept", text(&quoted, "id"));
        let shop = world.run.shop.clone();
        let signed = (0..4).map(|_| {
            let world = &mut world.run.connected.world;
            http_request(&world.sign(&shop, None, "POST", &path, &json!({})))
        });
        let requests: Vec<_> = signed.collect();
        let now = world.run.connected.world.now;
        let service: Service = world.run.connected.world.parts().0.clone();
        let mut statuses = at_once(&address, requests.len(), |server, database| {
            let answer = service.answer(database, &requests[server], now, seed(server));
            answer.status().as_u16()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409]);
        world.work();
        world.work();
        assert_eq!(world.balance("EURC"), ("100".into(), "90".into()));
        world.mine();
        assert_eq!(world.swaps(), ["approval EURC 0", "swap EURC 0"]);
        let orders = world.run.connected.world.read(&shop, "/v1/trade/orders");
        assert_eq!(orders["total"], 1, "{orders}");
        assert_eq!(orders["items"][0]["status"], "Settled", "{orders}");
        assert_eq!(world.balance("EURC"), ("90".into(), "90".into()));
        assert_eq!(world.bought(), SWAPPED);
        world.is_sound();
    }
}

#[test]
fn an_approval_that_is_mined_again_after_its_part_has_ended_starts_no_swap() {
    TraderWorld::with_exchange(|kind, mut world| {
        let quoted = world.quote(BASKET);
        let made = world.accept(&quoted);
        world.placed();
        // The exchange of the chain is gone when the approval is in a block: the part ends.
        let chain = world.run.connected.chain.id;
        let (service, database) = world.run.connected.world.parts();
        service.disconnect_venue(database, chain).expect("a venue");
        let mut depth = 0;
        while world.balance("EURC").1 != "100" {
            world.block();
            depth += 1;
        }
        assert_eq!(world.swaps(), ["approval EURC 0"], "{kind}");
        assert_eq!(world.status(&made), "Processing", "{kind}");
        let new = NewVenue {
            name: "Uniswap".to_owned(),
            contracts: contracts(),
            slippage: settlekit_service::uniswap::Slippage::new(5_000).expect("a slippage"),
        };
        let now = world.run.connected.world.now;
        let (service, database) = world.run.connected.world.parts();
        service
            .connect_venue(database, chain, &new, now)
            .expect("a venue");
        // A reorganisation deeper than the confirmations brings the approval again.
        let dropped = world.run.node.fork(depth);
        world.run.node.mempool.extend(dropped);
        world.run.connected.reorganise(depth);
        world.mine();
        assert_eq!(world.swaps(), ["approval EURC 0"], "{kind}");
        assert_eq!(
            world.balance("EURC"),
            ("100".into(), "100".into()),
            "{kind}"
        );
        let alarms = std::mem::take(&mut world.run.connected.failures);
        assert!(
            alarms
                .iter()
                .all(|alarm| alarm.contains("a reorganisation")),
            "{alarms:?}"
        );
        world.pass(Duration::from_secs(2));
        world.is_sound();
    });
}
