//! A new hot wallet: what the old one holds and still gets goes on to it.

use std::time::Duration;

use alloy_primitives::{Address, B256};
use settlekit_service::operator::{Factory, NewKey, OperatorError};
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_service::{FACTORY, Seed, Words};
use settlekit_tests::chain::{Connected, GAS_MONEY, USDC, WORDS};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::{OTHER_WALLET, text};

use super::sending::{GAS, balance, funded, sent, status};

fn rotate(connected: &mut Connected, key: NewKey<'_>) -> Result<Address, OperatorError> {
    let now = connected.world.now;
    let (service, database) = connected.world.parts();
    service.rotate_wallet(database, key, now, Seed([3; 32]))
}

/// The only estimate among the requests that are due: its id, sender and receiver.
fn asked(connected: &mut Connected) -> (i64, Address, Address) {
    match connected.requests().as_slice() {
        [NodeRequest::Estimate { id, from, to, .. }] => (*id, *from, *to),
        other => panic!("not one estimate: {other:?}"),
    }
}

/// Signs what was estimated; a node takes it.
fn sent_as(connected: &mut Connected, id: i64) -> B256 {
    connected.estimate(id, &GAS);
    let requests = connected.requests();
    let signed = requests.iter().find_map(|request| match request {
        NodeRequest::Broadcast { id: of, hash, .. } if *of == id => Some(*hash),
        _ => None,
    });
    let hash = signed.unwrap_or_else(|| panic!("not signed: {requests:?}"));
    connected.broadcast((id, hash), Broadcast::Accepted);
    hash
}

/// Puts a transaction into the next block, with the token transfer that it makes.
fn mine(
    connected: &mut Connected,
    transaction: (B256, Address, u64),
    (from, to, units): (Address, Address, u64),
) {
    connected.mine(transaction, true);
    connected.move_usdc(transaction.0, (from, to), units);
}

/// What lies in each hot wallet, the oldest first.
fn holdings(connected: &mut Connected) -> Vec<String> {
    let (service, database) = connected.world.parts();
    let wallets = service.wallets(database).expect("wallets");
    let mut all = Vec::new();
    for wallet in wallets {
        let held = wallet.holdings.iter().filter(|held| held.units != 0);
        let held = held.map(|held| format!("{} {}", held.units, held.currency));
        all.push(held.collect::<Vec<_>>().join(", "));
    }
    all
}

#[test]
fn the_money_of_a_replaced_hot_wallet_goes_on_to_the_new_one_for_ever() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let receiver: Address = OTHER_WALLET.parse().expect("an address");
        let first = connected.pay_out(&shop, "4");
        let (_, first_hash) = sent(&mut connected);
        let second = connected.pay_out(&shop, "3");
        let old = connected.wallet;
        let new = rotate(&mut connected, NewKey::Index(1)).expect("a new wallet");
        assert_ne!(new, old, "{kind}");
        // What is signed leaves the old wallet, and so does the rest of its money. The payout that is not signed waits.
        let (id, from, to) = asked(&mut connected);
        assert_eq!((from, to), (old, USDC), "{kind}");
        let move_hash = sent_as(&mut connected, id);
        mine(
            &mut connected,
            (first_hash, old, 0),
            (old, receiver, 4_000_000),
        );
        mine(&mut connected, (move_hash, old, 1), (old, new, 6_000_000));
        connected.blocks(3);
        let shown = status(&mut connected, &shop, &first);
        assert_eq!(shown, "Confirmed", "{kind}");
        let old_gas = GAS_MONEY - 2 * FEE;
        let expected = [format!("{old_gas} ETH"), "6000000 USDC".to_owned()];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        // The gas money is still at the old wallet: the new one cannot send with it.
        connected.world.pass(Duration::from_secs(16));
        let (id, from, _) = asked(&mut connected);
        assert_eq!(from, new, "{kind}");
        connected.estimate(id, &GAS);
        assert_eq!(connected.requests(), [], "{kind}");
        connected.chain.transfer(None, new, GAS_MONEY);
        connected.blocks(2);
        assert_eq!(connected.requests(), [], "{kind}");
        // Once its gas money is settled, it waits no longer.
        connected.blocks(1);
        let (id, _, _) = asked(&mut connected);
        let second_hash = sent_as(&mut connected, id);
        mine(
            &mut connected,
            (second_hash, new, 0),
            (new, receiver, 3_000_000),
        );
        connected.blocks(3);
        let shown = status(&mut connected, &shop, &second);
        assert_eq!(shown, "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "3 0", "{kind}");
        // A proxy of before pays the old wallet: the new one sweeps it there, and the old one sends it on.
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy: Address = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(3601));
        let (id, from, to) = asked(&mut connected);
        assert_eq!((from, to), (new, FACTORY), "{kind}");
        let sweep_hash = sent_as(&mut connected, id);
        mine(
            &mut connected,
            (sweep_hash, new, 1),
            (proxy, old, 5_000_000),
        );
        connected.blocks(3);
        let (id, from, to) = asked(&mut connected);
        assert_eq!((from, to), (old, USDC), "{kind}");
        let move_hash = sent_as(&mut connected, id);
        mine(&mut connected, (move_hash, old, 2), (old, new, 5_000_000));
        connected.blocks(3);
        let expected = [
            format!("{} ETH", old_gas - FEE),
            format!("{} ETH, 8000000 USDC", GAS_MONEY - 2 * FEE),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        connected.world.pass(Duration::from_secs(3601));
        assert_eq!(connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_new_hot_wallet_has_new_addresses_of_payments_that_pay_it() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let new = rotate(&mut connected, NewKey::Index(1)).expect("a new wallet");
        let other = connected.world.account(&shop, "other", 8453, &["USDC"]);
        let other = connected
            .world
            .read(&shop, &format!("/v1/accounts/{other}"));
        let proxy: Address = text(&other, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 1_000_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(3601));
        let requests = connected.requests();
        let sweeps = requests.iter().filter(|request| {
            matches!(request, NodeRequest::Estimate { to, data, .. }
                if *to == FACTORY && data.windows(20).any(|part| part == new.as_slice()))
        });
        assert_eq!(sweeps.count(), 1, "{kind}: {requests:?}");
    });
}

#[test]
fn a_hot_wallet_is_never_put_into_use_twice() {
    Connected::each(|kind, mut connected| {
        let old = connected.wallet;
        let words = Words::parse(WORDS).expect("the words are valid");
        for key in [NewKey::Index(0), NewKey::Words(&words)] {
            let refused = rotate(&mut connected, key);
            assert_eq!(refused, Err(OperatorError::WalletKnown(old)), "{kind}");
        }
        let new = rotate(&mut connected, NewKey::Index(1)).expect("a new wallet");
        let refused = rotate(&mut connected, NewKey::Index(0));
        assert_eq!(refused, Err(OperatorError::WalletKnown(old)), "{kind}");
        let (service, database) = connected.world.parts();
        let wallets = service.wallets(database).expect("wallets");
        let in_use = wallets.iter().filter(|wallet| wallet.retired_at.is_none());
        let in_use: Vec<Address> = in_use.map(|wallet| wallet.address).collect();
        assert_eq!(in_use, [new], "{kind}");
    });
}

#[test]
fn a_sweep_that_the_operator_asks_for_takes_what_would_wait() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy: Address = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        assert_eq!(connected.requests(), [], "{kind}");
        let (now, chain) = (connected.world.now, connected.chain.id);
        let (service, database) = connected.world.parts();
        let unknown = "1".parse().expect("a chain");
        let refused = service.sweep_proxies(database, Some(unknown), now);
        assert_eq!(
            refused.map(drop),
            Err(OperatorError::NotConnected(unknown)),
            "{kind}"
        );
        let queued = service.sweep_proxies(database, Some(chain), now);
        let queued = queued.expect("a sweep");
        assert_eq!(queued[0].factory, Factory::Deployed, "{kind}");
        let sums = queued[0].sums.iter();
        let sums: Vec<String> = sums
            .map(|(asset, proxies, units)| format!("{proxies}: {units} {}", asset.symbol))
            .collect();
        assert_eq!(sums, ["1: 5000000 USDC"], "{kind}");
        let (_, _, to) = asked(&mut connected);
        assert_eq!(to, FACTORY, "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
    });
}
