//! Tokens that keep a part of each transfer: what they keep of the service's own transfers is a cost of the operator's.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::json;
use settlekit_service::block::{Mined, Transfer};
use settlekit_service::operator::NewKey;
use settlekit_service::outgoing::NodeRequest;
use settlekit_service::{Seed, TransferIndex};
use settlekit_tests::chain::{Connected, PAYER, USDC};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::{Shop, text};

use super::sending::{balance, estimated, sent, status};
use crate::account::{claim, prove_wallet, wallet};

/// Puts a transaction into the next block that sends USDC on; the token keeps a part.
fn send_on(
    connected: &mut Connected,
    hash: B256,
    (from, to): (Address, Address),
    (arrives, kept): (u64, u64),
) {
    for (position, to, units) in [(0, to, arrives), (1, USDC, kept)] {
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(position),
            token: Some(USDC),
            from,
            to,
            units: U256::from(units),
        });
    }
}

/// A shop whose account has 10 USDC at its address, and the address.
fn paid(connected: &mut Connected) -> (Shop, Address) {
    let shop = connected.world.shop("Shop", None);
    let till = connected.world.account(&shop, "till", 8453, &["USDC"]);
    let till = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
    let address: Address = text(&till, "address").parse().expect("an address");
    connected.chain.transfer(Some(USDC), address, 10_000_000);
    connected.blocks(3);
    (shop, address)
}

fn nothing_differs(connected: &mut Connected, kind: &str) {
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

/// What lies where in USDC, in the smallest units.
fn held(connected: &mut Connected) -> Vec<(Address, i128)> {
    let expected = connected.expected();
    let held = expected[0].holdings.iter();
    let held = held.filter(|held| held.asset.symbol.as_str() == "USDC" && held.units != 0);
    held.map(|held| (held.address, held.units)).collect()
}

#[test]
fn what_a_token_keeps_of_a_sweep_is_the_operators_cost() {
    Connected::each(|kind, mut connected| {
        let (shop, proxy) = paid(&mut connected);
        let hot_wallet = connected.wallet;
        let hash = connected.chain.hash();
        let way = (proxy, hot_wallet);
        send_on(&mut connected, hash, way, (9_900_000, 100_000));
        connected.blocks(3);
        assert_eq!(held(&mut connected), [(hot_wallet, 9_900_000)], "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        nothing_differs(&mut connected, kind);
        // The merchant's payout waits until the operator makes up for it.
        connected.pay_out(&shop, "10");
        assert_eq!(connected.requests(), [], "{kind}");
        connected.chain.transfer(Some(USDC), hot_wallet, 100_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(16));
        estimated(&mut connected);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_reorganisation_of_a_sweep_takes_back_what_the_token_kept() {
    Connected::each(|kind, mut connected| {
        let (_, proxy) = paid(&mut connected);
        let hot_wallet = connected.wallet;
        let (hash, way) = (connected.chain.hash(), (proxy, hot_wallet));
        for depth in [1, 3] {
            send_on(&mut connected, hash, way, (9_900_000, 100_000));
            connected.blocks(depth);
            nothing_differs(&mut connected, kind);
            connected.reorganise(depth as usize);
            assert_eq!(held(&mut connected), [(proxy, 10_000_000)], "{kind}");
            nothing_differs(&mut connected, kind);
        }
        // In its new block, the token keeps more.
        send_on(&mut connected, hash, way, (9_000_000, 1_000_000));
        connected.blocks(3);
        assert_eq!(held(&mut connected), [(hot_wallet, 9_000_000)], "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_token_fee_of_a_replaced_hot_wallet_is_the_operators_cost() {
    Connected::each(|kind, mut connected| {
        let (_, proxy) = paid(&mut connected);
        let old = connected.wallet;
        let hash = connected.chain.hash();
        send_on(&mut connected, hash, (proxy, old), (9_900_000, 100_000));
        connected.blocks(3);
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let new = service
            .rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]))
            .expect("a new wallet");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, old, 0), true);
        send_on(&mut connected, hash, (old, new), (9_801_000, 99_000));
        connected.blocks(3);
        assert_eq!(held(&mut connected), [(new, 9_801_000)], "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_a_token_keeps_of_a_payout_is_the_receivers() {
    Connected::each(|kind, mut connected| {
        let (shop, proxy) = paid(&mut connected);
        let hot_wallet = connected.wallet;
        let hash = connected.chain.hash();
        send_on(
            &mut connected,
            hash,
            (proxy, hot_wallet),
            (9_900_000, 100_000),
        );
        connected.blocks(3);
        let payout = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, hot_wallet, 0), true);
        let receiver = settlekit_tests::world::OTHER_WALLET;
        let way = (hot_wallet, receiver.parse().expect("an address"));
        send_on(&mut connected, hash, way, (3_960_000, 40_000));
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_a_token_keeps_of_a_sweep_to_an_own_wallet_is_the_merchants() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let own: Address = wallet().address().parse().expect("an address");
        let account = claim(&mut connected.world, &shop, &wallet().address());
        prove_wallet(&mut connected.world, &shop, account, &wallet());
        let body =
            json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account": account });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        let proxy: Address = text(payment.data(), "deposit_address")
            .parse()
            .expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 10_000_000);
        connected.blocks(3);
        // A reorganisation brings the sweep again, after it was booked.
        let hash = connected.chain.hash();
        let beside = Transfer {
            hash: connected.chain.hash(),
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: PAYER,
            to: own,
            units: U256::from(2_000_000_u64),
        };
        for _ in 0..2 {
            send_on(&mut connected, hash, (proxy, own), (9_900_000, 100_000));
            connected.chain.include(beside.clone());
            connected.blocks(3);
            let path = format!("/v1/accounts/{account}/movement");
            let list = connected.world.read(&shop, &path);
            let items = list["items"].as_array().expect("movements").iter();
            let adjusted = items.filter(|item| item["type"] == "Adjustment");
            let adjusted: Vec<String> = adjusted.map(|item| text(item, "amount")).collect();
            assert_eq!(adjusted, ["0.1"], "{kind}");
            connected.reorganise(3);
        }
    });
}

#[test]
fn what_a_token_keeps_of_a_derived_address_is_the_operators_cost() {
    Connected::each(|kind, mut connected| {
        connected.has_factory = false;
        connected.connect();
        let (shop, derived) = paid(&mut connected);
        let hot_wallet = connected.wallet;
        // Somebody gives the address the coins for its gas.
        connected
            .chain
            .transfer(None, derived, 1_000_000_000_000_000_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(3601));
        let requests = connected.requests();
        let id = requests.iter().find_map(|request| match request {
            NodeRequest::Estimate { id, from, to, .. } if (*from, *to) == (derived, USDC) => {
                Some(*id)
            }
            _ => None,
        });
        let id = id.unwrap_or_else(|| panic!("{kind}: no sweep of the token: {requests:?}"));
        connected.estimate(id, &super::sending::GAS);
        let requests = connected.requests();
        let hash = requests.iter().find_map(|request| match request {
            NodeRequest::Broadcast { id: of, hash, .. } if *of == id => Some(*hash),
            _ => None,
        });
        let hash = hash.unwrap_or_else(|| panic!("{kind}: not signed: {requests:?}"));
        connected.chain.mine(Mined {
            hash,
            from: derived,
            nonce: 0,
            succeeded: true,
            fee: U256::from(FEE),
        });
        send_on(
            &mut connected,
            hash,
            (derived, hot_wallet),
            (9_900_000, 100_000),
        );
        connected.blocks(3);
        assert_eq!(held(&mut connected), [(hot_wallet, 9_900_000)], "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        nothing_differs(&mut connected, kind);
        connected.reorganise(3);
        nothing_differs(&mut connected, kind);
    });
}
