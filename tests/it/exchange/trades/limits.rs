//! The operator's own money: the limit of trades at exchange accounts.

use alloy_primitives::Address;
use settlekit_service::Seed;
use settlekit_service::operator::NewKey;
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_tests::chain::{CONFIRMATIONS, MemoryChain, USDC};
use settlekit_tests::world::text;

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

/// Connects another chain with this scale of USDC, where the merchant gets money.
fn earn_elsewhere(
    world: &mut TradeWorld,
    (is_test, scale): (bool, u32),
    (token, units): (Option<Address>, u64),
) {
    let connected = &mut world.world.connected;
    let base = std::mem::replace(&mut connected.chain, MemoryChain::optimism());
    connected.is_test = is_test;
    connected.connect();
    let (_, database) = connected.world.parts();
    let scaled =
        format!("UPDATE assets SET scale = {scale} WHERE chain_id = 10 AND symbol = 'USDC'");
    assert_eq!(database.execute(&scaled, &[]).expect("an update"), 1);
    let merchant = &mut connected.world;
    let other = merchant.account(&world.shop, "other", 10, &["USDC", "ETH"]);
    let other = merchant.read(&world.shop, &format!("/v1/accounts/{other}"));
    let other = text(&other, "address").parse().expect("an address");
    connected.chain.transfer(token, other, units);
    connected.blocks(CONFIRMATIONS);
    connected.chain = base;
}

#[test]
fn a_trade_that_names_no_chain_sells_no_money_of_a_test_network() {
    TradeWorld::each(|kind, mut world| {
        // More than the 10 ETH of the till.
        let free = (None, 18_000_000_000_000_000_000);
        earn_elsewhere(&mut world, (true, 6), free);
        let quoted = world.quote(SALE);
        assert_eq!(quoted["sell_assets"][0]["chain_id"], 8453, "{kind}");
        assert_eq!(quoted["buy_asset"]["chain_id"], 8453, "{kind}");
        let named = world.refusal(&format!("{SALE}&sell_chain_ids=10"));
        assert!(named.starts_with("422 NOT_SUPPORTED"), "{kind}: {named}");
    });
}

#[test]
fn a_trade_sells_from_the_account_with_the_most_money_and_not_with_the_most_units() {
    TradeWorld::each(|kind, mut world| {
        // 0.01 USDC in 18 decimal places beside 10 000 in 6.
        let cent = (Some(USDC), 10_000_000_000_000_000);
        earn_elsewhere(&mut world, (false, 18), cent);
        let quoted = world.quote(&PURCHASE.replace("4000", "400"));
        assert_eq!(quoted["sell_assets"][0]["chain_id"], 8453, "{kind}");
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
