//! Payouts that nobody requests: shares of deposits and automations really leave a connected chain.

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::outgoing::Broadcast;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{OTHER_WALLET, Shop, text};

use super::sending::{GAS, broadcast, estimated, holdings, mine, status};

/// Creates the virtual account `till` of the body, and pays 10 USDC to it, which lie in the hot wallet then.
fn paid_till(connected: &mut Connected, shop: &Shop, mut body: Value) -> i64 {
    body["reference"] = "till".into();
    body["chains"] = json!([{ "chain_id": 8453, "currencies": ["USDC"] }]);
    let made = connected.world.create(shop, "/v1/accounts/virtual", body);
    let address = text(&made.data()["sub_accounts"][0], "address");
    let address: Address = address.parse().expect("an address");
    connected.chain.transfer(Some(USDC), address, 10_000_000);
    connected.sweep(address, 10_000_000);
    connected.blocks(3);
    made.id_number()
}

/// Runs what is due until the only payout waits for a node; returns its id and amount.
fn only_payout(connected: &mut Connected, shop: &Shop) -> (String, String) {
    for _ in 0..3 {
        connected.world.work();
        connected.world.pass(Duration::from_secs(10));
    }
    let listed = connected.world.read(shop, "/v1/payouts");
    assert_eq!(listed["total"], 1, "{listed}");
    let payout = &listed["items"][0];
    (text(payout, "id"), text(payout, "amount"))
}

/// Sends the payout of the units, which the chain mines and settles.
fn leaves(connected: &mut Connected, (shop, payout): (&Shop, &str), units: u64, kind: &str) {
    assert_eq!(status(connected, shop, payout), "Pending", "{kind}");
    let id = estimated(connected);
    connected.estimate(id, &GAS);
    let first = broadcast(connected);
    // The server was killed before a node answered: the stored bytes have the same nonce.
    connected.world.pass(Duration::from_secs(60));
    assert_eq!(broadcast(connected), first, "{kind}");
    let (id, hash, _) = first;
    connected.broadcast((id, hash), Broadcast::Accepted);
    assert_eq!(status(connected, shop, payout), "Processing", "{kind}");
    mine(connected, hash, 0, Some(units));
    connected.blocks(3);
    assert_eq!(status(connected, shop, payout), "Confirmed", "{kind}");
    let left = format!("{} USDC", 10_000_000 - units);
    assert_eq!(holdings(connected)[1], left, "{kind}");
    for _ in 0..3 {
        connected.world.work();
        connected.world.pass(Duration::from_secs(600));
    }
    assert_eq!(connected.requests(), [], "{kind}: once");
    assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

#[test]
fn the_share_of_a_deposit_for_a_wallet_is_sent_to_it() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let splits = json!({ "deposit_splits": [{ "address": OTHER_WALLET, "pct": "30" }] });
        paid_till(&mut connected, &shop, splits);
        let (payout, amount) = only_payout(&mut connected, &shop);
        assert_eq!(amount, "3", "{kind}");
        leaves(&mut connected, (&shop, &payout), 3_000_000, kind);
    });
}

#[test]
fn what_an_automation_pays_out_is_sent_to_its_wallet() {
    Connected::each(|kind, mut connected| {
        let partner = connected.world.shop("Partner", None);
        let shop = connected.world.shop("Shop", Some(partner.id));
        let account = paid_till(&mut connected, &shop, json!({}));
        let path = format!("/v1/partners/accounts/id/{account}/automations/maintain-balance");
        let body = json!({
            "currency": "USDC", "minimum_threshold_amount": 4, "payout_address": OTHER_WALLET, "payout_threshold_amount": 8,
        });
        let made = (connected.world).signed(&partner, Some(shop.id), "POST", &path, body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let (payout, amount) = only_payout(&mut connected, &shop);
        assert_eq!(amount, "6", "{kind}");
        leaves(&mut connected, (&shop, &payout), 6_000_000, kind);
    });
}
