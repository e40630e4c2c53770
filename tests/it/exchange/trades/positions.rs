//! The operator's money behind trades at exchange accounts: who it is lost to, and where it lies.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_primitives::Address;
use serde_json::json;
use settlekit_service::Seed;
use settlekit_service::operator::{NewKey, NewWithdrawal, OperatorError};
use settlekit_service::price_sources::PriceSource;
use settlekit_tests::chain::{CONFIRMATIONS, USDC};
use settlekit_tests::world::{amount, currency};

use super::{PURCHASE, SALE, TradeWorld, answered, book, described, eth_usdc};
use crate::chain::sending::{GAS, broadcast, estimated};
use crate::prices::feed::Feed;
use crate::trade::{accept, order};

/// The same, with a price source that knows what the coins are worth.
fn priced(mut world: TradeWorld) -> TradeWorld {
    let mut feed = Feed {
        connected: world.world.connected,
        said: BTreeMap::new(),
        told: Vec::new(),
    };
    feed.connect(PriceSource::Bitstamp);
    feed.say(PriceSource::Bitstamp, "ETH", "2000");
    feed.say(PriceSource::Bitstamp, "USDC", "1");
    feed.answer();
    world.world.connected = feed.connected;
    world
}

impl TradeWorld {
    /// The operator's own money in a hot wallet and the part to withdraw, in the smallest unit.
    fn own(&mut self, wallet: Address, currency: &str) -> (i128, i128) {
        let (service, database) = self.world.connected.world.parts();
        let wallets = service.wallets(database).expect("wallets");
        let mut wallets = wallets.iter();
        let wallet = wallets.find(|of| of.address == wallet).expect("the wallet");
        let mut holdings = wallet.holdings.iter();
        let held = holdings.find(|held| held.currency.as_str() == currency);
        held.map(|held| (held.own, held.available))
            .expect("a holding")
    }

    /// Withdraws the operator's own USDC.
    fn withdraw(&mut self, amount: &str) -> Result<Address, OperatorError> {
        let new = NewWithdrawal {
            chain: "8453".parse().expect("a chain"),
            wallet: None,
            currency: currency("USDC"),
            amount: amount.parse().expect("an amount"),
            to: Address::repeat_byte(0x77),
        };
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.withdraw_own_money(database, &new, now, Seed([8; 32]))
    }

    fn move_usdc(&mut self, from: Address, to: Address, dollars: u64) {
        let connected = &mut self.world.connected;
        let hash = connected.chain.hash();
        connected.move_usdc(hash, (from, to), dollars * 1_000_000);
        connected.blocks(CONFIRMATIONS);
    }
}

#[test]
fn prices_that_the_sources_contradict_in_either_direction_are_not_used() {
    TradeWorld::each(|kind, world| {
        let mut world = priced(world);
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
        let small = PURCHASE.replace("4000", "400");
        for (price, higher, query) in [
            // The merchant would get too little, and too much of the operator's money.
            ("1700", "1701", SALE),
            ("20000", "20001", SALE),
            ("2400", "2401", &small),
            ("1500", "1501", &small),
        ] {
            world.world.pass(Duration::from_secs(10));
            world.read_book(&answered(&book(&[[price, "5"]], &[[higher, "5"]])));
            let refusal = world.refusal(query);
            assert_eq!(refusal, "409 VENUE_UNAVAILABLE", "{kind} {price}");
        }
    });
}

#[test]
fn an_accepted_quote_is_not_executed_at_a_higher_fee() {
    TradeWorld::each(|kind, mut world| {
        for (fee, is_executed) in [(0.8, false), (0.4, true), (0.2, true)] {
            let quoted = world.quote(SALE);
            let made = accept(&mut world.world.connected.world, &world.shop, &quoted);
            // A market that was added before has the highest fee that it ever had.
            let (service, database) = world.world.connected.world.parts();
            let removed = service.remove_exchange_market(database, "Kraken", "ETH/USDC");
            assert_eq!(removed, Ok(()), "{kind}");
            let mut changed = described();
            changed["ETHUSDC"]["fees"] = json!([[0, fee]]);
            assert_eq!(world.add(&eth_usdc(), &answered(&changed)), Ok(()));
            world.work();
            world.work();
            let made = made.expect("an order");
            let made = order(&mut world.world.connected.world, &world.shop, &made);
            if is_executed {
                assert_eq!(made["status"], "Processing", "{kind} {fee}");
                let (id, _) = world.placed();
                world.close(&id, ["2", "2", "4000"]);
            } else {
                assert_eq!(made["status"], "Failed", "{kind} {fee}");
                assert_eq!(made["reason"], "VenueRefused", "{kind} {fee}");
                assert_eq!(world.balance("ETH").1, "10", "{kind} {fee}");
            }
            world.pass(Duration::from_secs(10));
        }
        world.is_sound(kind);
    });
}

#[test]
fn coins_sold_during_a_rotation_are_the_operators_where_they_go() {
    TradeWorld::each(|kind, mut world| {
        let (till, old) = (world.till, world.world.connected.wallet);
        // As a sweep does.
        world.move_ether(till, old, 10);
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let new = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
        let new = new.expect("a new wallet");
        // As a move does, with all money of merchants.
        world.move_ether(old, new, 10);
        world.close(&id, ["2", "2", "4000"]);
        assert_eq!(
            world.own(new, "ETH"),
            (2_000_000_000_000_000_000, 2_000_000_000_000_000_000)
        );
        assert_eq!(world.own(old, "USDC").0, 96_036_000_000, "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn the_wallet_shows_how_much_of_it_the_operator_may_withdraw() {
    TradeWorld::each(|kind, mut world| {
        let wallet = world.world.connected.wallet;
        assert_eq!(
            world.own(wallet, "USDC"),
            (100_000_000_000, 100_000_000_000)
        );
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        // 3 964 are promised.
        assert_eq!(world.own(wallet, "USDC"), (100_000_000_000, 96_036_000_000));
        // The operator withdraws them all the same.
        world.move_usdc(wallet, Address::repeat_byte(0x77), 100_000);
        world.is_sound(kind);
        world.close(&id, ["2", "2", "4000"]);
        // The merchant's money is not there: 3 964 USDC are missing.
        assert_eq!(world.own(wallet, "USDC"), (-3_964_000_000, 0), "{kind}");
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
        assert_eq!(
            world.world.connected.differences(),
            ["3964000000 USDC are missing"],
            "{kind}"
        );
        let chain = &mut world.world.connected.chain;
        chain.transfer(Some(USDC), wallet, 3_964_000_000);
        world.world.connected.blocks(CONFIRMATIONS);
        world.is_sound(kind);
    });
}

#[test]
fn withdrawals_leave_promised_money_and_orders_promise_no_money_being_withdrawn() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        // 3 964 of 100 000 are promised.
        let refused = world.withdraw("96036.000001");
        let available = Some(amount("96036"));
        let usdc = currency("USDC");
        assert_eq!(
            refused,
            Err(OperatorError::NotAvailable(usdc, available)),
            "{kind}"
        );
        let wallet = world.world.connected.wallet;
        assert_eq!(world.withdraw("96036"), Ok(wallet), "{kind}");
        let sign = estimated(&mut world.world.connected);
        world.world.connected.estimate(sign, &GAS);
        let (_, hash, _) = broadcast(&mut world.world.connected);
        // What leaves covers no quote.
        let refusal = world.refusal(SALE);
        assert_eq!(refusal, "422 SIZE_NOT_TRADED sell_amount[0]", "{kind}");
        world.close(&id, ["2", "2", "4000"]);
        let connected = &mut world.world.connected;
        connected.mine((hash, wallet, 0), true);
        let to = Address::repeat_byte(0x77);
        connected.move_usdc(hash, (wallet, to), 96_036_000_000);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
        assert_eq!(world.own(wallet, "USDC"), (0, 0), "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn a_withdrawal_that_waits_gives_way_to_an_order() {
    TradeWorld::each(|kind, mut world| {
        let wallet = world.world.connected.wallet;
        assert_eq!(world.withdraw("100000"), Ok(wallet), "{kind}");
        let sign = estimated(&mut world.world.connected);
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        // It is not covered any more, and has ended.
        world.world.connected.estimate(sign, &GAS);
        assert_eq!(world.world.connected.requests(), [], "{kind}");
        assert_eq!(world.world.connected.failures.len(), 1, "{kind}");
        world.close(&id, ["2", "2", "4000"]);
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
        world.is_sound(kind);
    });
}
