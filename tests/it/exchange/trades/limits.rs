//! What the operator gives at most to merchants who trade at exchange accounts, and what is left of it.

use std::time::Duration;

use alloy_primitives::Address;
use settlekit_service::Seed;
use settlekit_service::operator::NewKey;
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_tests::chain::{CONFIRMATIONS, USDC};

use super::{PURCHASE, SALE, TradeWorld};
use crate::chain::sending::{GAS, broadcast, estimated};

#[test]
fn the_operator_promises_no_more_than_lies_in_the_hot_wallet() {
    TradeWorld::each(|kind, mut world| {
        // 1 ETH lies there, for fees. Each of two quotes takes more than half of it.
        let purchase = PURCHASE.replace("4000", "1300");
        let (first, second) = (world.quote(&purchase), world.quote(&purchase));
        let first = world.accept(&first);
        assert_eq!(world.status(&first), "Processing", "{kind}");
        let second = world.accept(&second);
        assert_eq!(world.status(&second), "Failed", "{kind}");
        assert_eq!(
            world.balance("USDC"),
            ("10000".into(), "8700".into()),
            "{kind}"
        );
        assert_eq!(
            world.refusal(&purchase),
            "422 SIZE_NOT_TRADED sell_amount[0]",
            "{kind}"
        );
        world.is_sound(kind);
    });
}

#[test]
fn what_a_merchant_has_bought_leaves_the_hot_wallet_without_a_sweep() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["2", "2", "4000"]);
        let connected = &mut world.world.connected;
        connected.pay_out(&world.shop, "3964");
        let requests = connected.requests();
        let [NodeRequest::Estimate { id, to, .. }] = requests.as_slice() else {
            panic!("{kind}: not one estimate: {requests:?}");
        };
        assert_eq!(*to, USDC, "{kind}");
        connected.estimate(*id, &GAS);
        let (id, hash, _) = broadcast(connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        // One unit more is only there once the till is swept.
        connected.pay_out(&world.shop, "0.000001");
        assert_eq!(connected.requests(), [], "{kind}");
    });
}

#[test]
fn the_operator_takes_away_what_merchants_have_sold_and_keeps_gas_money() {
    TradeWorld::each(|kind, mut world| {
        let (till, wallet) = (world.till, world.world.connected.wallet);
        // As a sweep does.
        world.move_ether(till, wallet, 10);
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["2", "2", "4000"]);
        world.move_ether(wallet, Address::repeat_byte(0x77), 2);
        world.is_sound(kind);
        // 1 ETH for fees is still the operator's: a payout leaves.
        let connected = &mut world.world.connected;
        connected.pay_out(&world.shop, "1");
        let id = estimated(connected);
        connected.estimate(id, &GAS);
        broadcast(connected);
    });
}

#[test]
fn money_of_a_test_network_is_not_traded_at_an_exchange() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        assert_eq!(quoted["buy_asset"]["amount"], 3964, "{kind}");
        let (_, database) = world.world.connected.world.parts();
        let test = database.execute("UPDATE chains SET test_network = 1 WHERE id = 8453", &[]);
        assert_eq!(test.expect("an update"), 1, "{kind}");
        let refusal = world.refusal(SALE);
        assert!(refusal.starts_with("422 "), "{kind}: {refusal}");
    });
}

#[test]
fn a_merchant_has_three_orders_under_way_at_exchanges_and_the_next_waits() {
    TradeWorld::each(|kind, mut world| {
        let sale = SALE.replace("=2&", "=0.1&");
        let mut orders = Vec::new();
        for _ in 0..4 {
            let quoted = world.quote(&sale);
            orders.push(world.accept(&quoted));
        }
        let stored = |world: &mut TradeWorld| {
            let (service, database) = world.world.connected.world.parts();
            service.exchange_orders(database).expect("orders").len()
        };
        assert_eq!(stored(&mut world), 3, "{kind}");
        for made in &orders {
            assert_eq!(world.status(made), "Processing", "{kind}");
        }
        for _ in 0..3 {
            world.placed();
        }
        world.pass(Duration::from_secs(10));
        world.work();
        assert_eq!(stored(&mut world), 3, "{kind}");
        // One of them ends.
        let asked = world.round();
        let id = asked.order().expect("about an order").to_owned();
        world.close_asked(&asked, &id, ["0.1", "0.1", "200"]);
        world.world.pass(Duration::from_secs(2));
        world.work();
        assert_eq!(stored(&mut world), 4, "{kind}");
        let ended = orders.iter().map(|made| world.status(made));
        let settled = ended.filter(|status| status == "Settled");
        assert_eq!(settled.count(), 1, "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn a_fee_that_the_exchange_has_raised_is_that_of_the_next_quotes() {
    TradeWorld::each(|kind, mut world| {
        for (fee, next) in [("16", 3964), ("32", 3948)] {
            world.fee = fee;
            let quoted = world.quote(SALE);
            world.accept(&quoted);
            let (id, _) = world.placed();
            world.close(&id, ["2", "2", "4000"]);
            assert_eq!(
                world.quote(SALE)["buy_asset"]["amount"],
                next,
                "{kind} {fee}"
            );
        }
        let expected = "Kraken has charged 8000 millionths for an order in ETH/USDC, more than its fee of 4000: quotes have the new fee";
        assert_eq!(world.world.failures, [expected], "{kind}");
    });
}

#[test]
fn after_a_rotation_the_new_hot_wallet_gives_only_what_lies_in_it() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let new = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
        let new = new.expect("a new wallet");
        // The order under way is the old one's.
        world.close(&id, ["2", "2", "4000"]);
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
        world.is_sound(kind);
        let refusal = world.refusal(SALE);
        assert_eq!(refusal, "422 SIZE_NOT_TRADED sell_amount[0]", "{kind}");
        let chain = &mut world.world.connected.chain;
        chain.transfer(Some(USDC), new, 4_000_000_000);
        world.world.connected.blocks(CONFIRMATIONS);
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
        world.is_sound(kind);
    });
}
