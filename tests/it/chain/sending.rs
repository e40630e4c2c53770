//! What tests of outgoing transactions share: a shop with money, payouts, and what the chain does with them.

use alloy_primitives::{Address, B256, U256};
use serde_json::Value;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{OTHER_WALLET, Shop, text};

pub(crate) const GAS: Estimate = Estimate::Succeeds {
    gas: 50_000,
    priority_fee: 2_000_000,
};

/// A shop whose account has 10 USDC, all of it in the hot wallet.
pub(crate) fn funded(connected: &mut Connected) -> Shop {
    let shop = connected.world.shop("Shop", None);
    let till = connected.world.account(&shop, "till", 8453, &["USDC"]);
    let till = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
    let address: Address = text(&till, "address").parse().expect("an address");
    connected.chain.transfer(Some(USDC), address, 10_000_000);
    // What was paid to the proxy is swept at once here.
    connected.sweep(address, 10_000_000);
    connected.blocks(3);
    shop
}

pub(super) fn show(connected: &mut Connected, shop: &Shop, payout: &str) -> Value {
    connected
        .world
        .read(shop, &format!("/v1/payments/{payout}"))
}

pub(super) fn status(connected: &mut Connected, shop: &Shop, payout: &str) -> String {
    text(&show(connected, shop, payout), "status")
}

/// The currency's posted and reserved balance.
pub(crate) fn balance(connected: &mut Connected, shop: &Shop) -> String {
    let held = connected.world.read(shop, "/v1/accounts/till/balances");
    let held = held.as_array().expect("balances").iter();
    let held = held.filter(|held| held["currency"] == "USDC");
    held.map(|held| format!("{} {}", text(held, "posted"), text(held, "reserved")))
        .collect()
}

pub(crate) fn estimated(connected: &mut Connected) -> i64 {
    match connected.requests().as_slice() {
        [NodeRequest::Estimate { id, to, .. }] => {
            assert_eq!(*to, USDC);
            *id
        }
        other => panic!("not one estimate: {other:?}"),
    }
}

pub(crate) fn broadcast(connected: &mut Connected) -> (i64, B256, Vec<u8>) {
    match connected.requests().as_slice() {
        [NodeRequest::Broadcast { id, hash, signed }] => (*id, *hash, signed.clone()),
        other => panic!("not one broadcast: {other:?}"),
    }
}

/// Signs and broadcasts the only queued transaction; a node takes it.
pub(crate) fn sent(connected: &mut Connected) -> (i64, B256) {
    let id = estimated(connected);
    connected.estimate(id, &GAS);
    let (id, hash, _) = broadcast(connected);
    connected.broadcast((id, hash), Broadcast::Accepted);
    (id, hash)
}

/// Puts the transaction with a nonce into the next block, which pays [`OTHER_WALLET`]; without an amount, it is reverted.
pub(super) fn mine(connected: &mut Connected, hash: B256, nonce: u64, units: Option<u64>) {
    let from = connected.wallet;
    connected.mine((hash, from, nonce), units.is_some());
    if let Some(units) = units {
        let to = OTHER_WALLET.parse().expect("an address");
        connected.move_usdc(hash, (from, to), units);
    }
}

/// What lies in the hot wallet, in the smallest units.
pub(crate) fn holdings(connected: &mut Connected) -> Vec<String> {
    let (service, database) = connected.world.parts();
    let wallets = service.wallets(database).expect("wallets");
    let held = wallets[0].holdings.iter().filter(|held| held.units != 0);
    held.map(|held| format!("{} {}", held.units, held.currency))
        .collect()
}

/// The only request: an estimate of a transfer of nothing by the hot wallet to itself. Returns its id and receiver.
pub(super) fn filler_asked_for(connected: &mut Connected) -> (i64, Address) {
    match connected.requests().as_slice() {
        [
            NodeRequest::Estimate {
                id,
                from,
                to,
                value,
                data,
            },
        ] => {
            assert_eq!((from, *value, data.len()), (to, U256::ZERO, 0));
            (*id, *to)
        }
        other => panic!("not one estimate of a filler: {other:?}"),
    }
}

/// Puts a transaction of the hot wallet that moves nothing into the next block.
pub(super) fn mine_filler(connected: &mut Connected, hash: B256, nonce: u64) {
    connected.mine((hash, connected.wallet, nonce), true);
}
