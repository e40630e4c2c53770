//! Transfers that payers sign (EIP-3009) and the hot wallet sends, and what the chain makes of them.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::block::{Mined, Transfer};
use settlekit_service::contract_calls::CallError;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{GAS_MONEY, USDC};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, items, request, text, texts};

use super::extended_keys::{ADDRESSES, with_key};
use super::model::prices::connect_prices;
use super::payers::{NO_DIFFERENCES, Payers, RICH, Token};
use super::sending::{
    GAS, balance, broadcast, estimated, filler_asked_for, holdings, mine_filler, sent,
};
use crate::account::prove_wallet;

/// A payment that has cost the operator nothing.
const NO_FEE: [Value; 3] = [Value::Null, Value::Null, Value::Null];

impl Payers {
    /// Creates a payment in whole USDC for the shop's till; returns its id.
    fn payment(&mut self, usdc: u64) -> String {
        let shop = self.shop.clone();
        self.payment_of(&shop, usdc)
    }

    fn payment_of(&mut self, shop: &Shop, usdc: u64) -> String {
        let body = json!({
            "amount": usdc.to_string(), "currency": "USDC", "chain_id": 8453, "account": "till",
        });
        self.connected.world.post(shop, "/v1/payments", body).id()
    }

    fn checkout(&mut self, payment: &str) -> Value {
        let path = format!("/v1/checkout/payments/{payment}");
        let world = &mut self.connected.world;
        world.public("GET", &path, Value::Null).data().clone()
    }

    /// What the payer signs for what a payment offers.
    fn signed(&mut self, payment: &str) -> Value {
        let offered = self.checkout(payment)["authorization"].clone();
        self.sign(payment, &offered)
    }

    fn sign(&mut self, payment: &str, offered: &Value) -> Value {
        let nonce: B256 = text(offered, "nonce").parse().expect("32 bytes");
        self.nonces.insert(payment.to_owned(), nonce);
        self.payer.authorize(offered, 8453)
    }

    /// Gives the service what the payer signed; the nodes tell of the token.
    fn give(&mut self, payment: &str, body: &Value, token: Token) -> Answer {
        let path = format!("/v1/checkout/payments/{payment}/authorizations");
        let asked = request("POST", &path, body, Vec::new());
        self.send(&asked, token)
    }

    /// As [`Payers::give`], of a payer who has the money; it must be accepted.
    fn authorize(&mut self, payment: &str) -> Value {
        let body = self.signed(payment);
        self.give_accepted(payment, &body);
        body
    }

    /// Creates a payment and authorizes it; returns its id.
    fn authorized_payment(&mut self, usdc: u64) -> String {
        let payment = self.payment(usdc);
        self.authorize(&payment);
        payment
    }

    fn give_accepted(&mut self, payment: &str, body: &Value) {
        let given = self.give(payment, body, RICH);
        assert_eq!(given.status, 202, "{}", given.body);
    }

    /// As [`Payers::authorize`], valid for some minutes.
    fn authorize_for(&mut self, payment: &str, minutes: u64) {
        let mut offered = self.checkout(payment)["authorization"].clone();
        let now = self.connected.world.now;
        let until = now.plus(Duration::from_secs(minutes * 60));
        offered["valid_before"] = json!(until.seconds());
        let body = self.sign(payment, &offered);
        self.give_accepted(payment, &body);
    }

    /// The latest authorization is signed, broadcast, and reverted in a block with its confirmations.
    fn revert(&mut self, payment: &str, nonce: u64) {
        let (_, hash) = sent(&mut self.connected);
        self.mine(payment, (hash, nonce), None);
        self.connected.blocks(3);
        assert_eq!(self.authorization_status(payment), "Failed");
    }

    fn authorization_status(&mut self, payment: &str) -> Value {
        self.checkout(payment)["authorization_status"].clone()
    }

    fn status(&mut self, payment: &str) -> String {
        let path = format!("/v1/payments/{payment}");
        text(
            &self.connected.world.read(&self.shop.clone(), &path),
            "status",
        )
    }

    /// A payment to the shop is confirmed, its money is at the till, and the books agree with the chain.
    fn assert_confirmed(&mut self, payment: &str, till: &str, kind: &str) {
        assert_eq!(self.status(payment), "Confirmed", "{kind}");
        assert_eq!(self.till(), till, "{kind}");
        assert_eq!(self.connected.differences(), NO_DIFFERENCES, "{kind}");
    }

    /// Puts the transaction of the hot wallet with a nonce into the next block, which executes what was signed for a payment; without
    /// units it is reverted.
    fn mine(&mut self, payment: &str, (hash, nonce): (B256, u64), units: Option<u64>) {
        let wallet = self.connected.wallet;
        self.connected.mine((hash, wallet, nonce), units.is_some());
        if let Some(units) = units {
            self.execute(payment, hash, units);
        }
    }

    /// Puts a transfer to the hot wallet into the next block that executes what was signed for a payment.
    fn execute(&mut self, payment: &str, hash: B256, units: u64) {
        let (from, wallet) = (self.from(), self.connected.wallet);
        let nonce = self.nonces[payment];
        self.include(hash, (from, wallet, units), nonce);
    }

    /// As [`Payers::execute`], in a transaction of somebody else.
    fn sent_by_another(&mut self, payment: &str, units: u64) -> B256 {
        let hash = self.connected.chain.hash();
        self.execute(payment, hash, units);
        hash
    }

    /// Puts a plain transfer of the payer to the hot wallet into the next block.
    fn plain(&mut self, units: u64) {
        let (from, wallet) = (self.from(), self.connected.wallet);
        let hash = self.connected.chain.hash();
        self.connected.move_usdc(hash, (from, wallet), units);
    }

    /// What a payment shows of the network's fee: amount, currency, worth.
    fn network_fee(&mut self, payment: &str) -> [Value; 3] {
        let path = format!("/v1/payments/{payment}");
        let shown = self.connected.world.read(&self.shop.clone(), &path);
        ["network_fee", "network_fee_currency", "network_fee_usd"].map(|name| shown[name].clone())
    }

    /// What a shop sees of its limit of the day.
    fn payer_fees(&mut self, shop: &Shop) -> Value {
        self.connected.world.read(shop, "/v1/chains")[0]["payer_fees"].clone()
    }
}

#[test]
fn an_authorized_payment_is_executed_and_the_operator_pays_the_network() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        let body = payers.authorize(&payment);
        assert_eq!(payers.authorization_status(&payment), "Accepted", "{kind}");
        assert!(payers.checkout(&payment).get("authorization").is_none());
        assert_eq!(payers.give(&payment, &body, RICH).status, 202, "{kind}");
        let (id, hash) = sent(&mut payers.connected);
        assert_eq!(payers.authorization_status(&payment), "Sent", "{kind}");
        assert_eq!(payers.network_fee(&payment), NO_FEE, "{kind}");
        payers.mine(&payment, (hash, 0), Some(10_000_000));
        payers.connected.blocks(1);
        assert_eq!(payers.status(&payment), "Processing", "{kind}");
        assert_eq!(payers.checkout(&payment)["paid_amount"], "10", "{kind}");
        // Without a price it has no worth.
        let fee = [json!("0.000021"), json!("ETH"), Value::Null];
        assert_eq!(payers.network_fee(&payment), fee, "{kind}");
        // A reorganisation takes the fee away, and brings the transaction again.
        payers.connected.reorganise(1);
        assert_eq!(payers.network_fee(&payment), NO_FEE, "{kind}");
        assert_eq!(payers.checkout(&payment)["paid_amount"], "10", "{kind}");
        assert_eq!(broadcast(&mut payers.connected).1, hash, "{kind}");
        payers.connected.broadcast((id, hash), Broadcast::Accepted);
        payers.mine(&payment, (hash, 0), Some(10_000_000));
        payers.connected.blocks(4);
        assert_eq!(payers.status(&payment), "Confirmed", "{kind}");
        assert_eq!(payers.network_fee(&payment), fee, "{kind}");
        assert_eq!(payers.till(), "10 0", "{kind}");
        let expected = [
            format!("{} ETH", GAS_MONEY - FEE),
            "10000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut payers.connected), expected, "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
        assert_eq!(payers.connected.requests(), [], "{kind}");
        // The money is the merchant's, not the operator's: it can leave.
        let shop = payers.shop.clone();
        payers.connected.pay_out(&shop, "10");
        let (_, hash) = sent(&mut payers.connected);
        super::sending::mine(&mut payers.connected, hash, 1, Some(10_000_000));
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "0 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn an_authorized_payment_goes_straight_to_the_merchants_own_wallet() {
    Payers::each(|kind, mut payers| {
        let own = Wallet::new([9; 32]);
        let shop = payers.connected.world.shop("Own", None);
        let body = json!({
            "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": own.address(),
        });
        let account = payers.connected.world.post(&shop, "/v1/accounts", body);
        let account = account.id_number();
        prove_wallet(&mut payers.connected.world, &shop, account, &own);
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let payment = payers.payment_of(&shop, 10);
        let offered = payers.checkout(&payment);
        assert_eq!(offered["authorization"]["to"], own.address(), "{kind}");
        payers.authorize(&payment);
        let (_, hash) = sent(&mut payers.connected);
        let (from, wallet) = (payers.from(), payers.connected.wallet);
        let to: Address = own.address().parse().expect("an address");
        payers.connected.mine((hash, wallet, 0), true);
        payers.connected.move_usdc(hash, (from, to), 10_000_000);
        let nonce = payers.nonces[&payment];
        payers.connected.chain.authorized(hash, (from, nonce));
        // What comes otherwise is no payment's.
        let plain = payers.connected.chain.hash();
        payers.connected.move_usdc(plain, (from, to), 10_000_000);
        payers.connected.blocks(4);
        let path = format!("/v1/payments/{payment}");
        let paid = payers.connected.world.read(&shop, &path);
        assert_eq!(
            (&paid["status"], &paid["paid_amount"]),
            (&json!("Confirmed"), &json!("10")),
            "{kind}"
        );
        assert_eq!(balance(&mut payers.connected, &shop), "20 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn an_authorized_payment_of_an_extended_public_key_goes_to_its_own_address() {
    Payers::each(|kind, mut payers| {
        let shop = with_key(payers.world());
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let payment = payers.payment_of(&shop, 10);
        let offered = payers.checkout(&payment);
        assert_eq!(offered["address"], ADDRESSES[1], "{kind}");
        assert_eq!(offered["authorization"]["to"], ADDRESSES[1], "{kind}");
        payers.authorize(&payment);
        let (_, hash) = sent(&mut payers.connected);
        let wallet = payers.connected.wallet;
        payers.connected.mine((hash, wallet, 0), true);
        let to = ADDRESSES[1].parse().expect("an address");
        let moved = (payers.from(), to, 10_000_000);
        let nonce = payers.nonces[&payment];
        payers.include(hash, moved, nonce);
        payers.connected.blocks(4);
        payers.shop = shop;
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn a_plain_transfer_beside_the_signed_one_pays_too_in_one_block_and_in_two() {
    Payers::each(|kind, mut payers| {
        payers.shop = with_key(payers.world());
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let payment = payers.authorized_payment(10);
        // At the payment's own address, both look the same.
        let to: Address = ADDRESSES[1].parse().expect("an address");
        let (from, nonce) = (payers.from(), payers.nonces[&payment]);
        let [plain, signed] = [(), ()].map(|()| payers.connected.chain.hash());
        payers.connected.move_usdc(plain, (from, to), 10_000_000);
        payers.include(signed, (from, to, 10_000_000), nonce);
        payers.connected.blocks(1);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        assert_eq!(payers.checkout(&payment)["paid_amount"], "20", "{kind}");
        // The plain one comes back a block later.
        payers.connected.reorganise(1);
        payers.include(signed, (from, to, 10_000_000), nonce);
        payers.connected.blocks(1);
        assert_eq!(payers.checkout(&payment)["paid_amount"], "20", "{kind}");
        payers.connected.move_usdc(plain, (from, to), 10_000_000);
        payers.connected.blocks(4);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        payers.assert_confirmed(&payment, "20 0", kind);
        let shop = payers.shop.clone();
        let moved = payers.world().read(&shop, "/v1/accounts/till/movement");
        assert_eq!(
            texts(items(&moved), "status"),
            ["Confirmed", "Confirmed"],
            "{kind}"
        );
    });
}

#[test]
fn what_somebody_else_sends_first_pays_once_and_is_not_sent_again() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        payers.sent_by_another(&payment, 10_000_000);
        payers.connected.blocks(1);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        payers.connected.blocks(3);
        assert_eq!(payers.status(&payment), "Confirmed", "{kind}");
        assert_eq!(payers.network_fee(&payment), NO_FEE, "{kind}");
        assert_eq!(payers.till(), "10 0", "{kind}");
        // What the payer sends otherwise is the operator's, as of anybody.
        payers.plain(10_000_000);
        payers.connected.blocks(4);
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn what_somebody_else_sends_in_the_same_block_pays_although_ours_reverts() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let (_, hash) = sent(&mut payers.connected);
        payers.sent_by_another(&payment, 10_000_000);
        payers.mine(&payment, (hash, 0), None);
        payers.connected.blocks(4);
        assert_eq!(payers.status(&payment), "Confirmed", "{kind}");
        assert_eq!(payers.authorization_status(&payment), "Executed", "{kind}");
        let fee = [json!("0.000021"), json!("ETH"), Value::Null];
        assert_eq!(payers.network_fee(&payment), fee, "{kind}: ours reverted");
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn what_a_node_refuses_before_its_block_is_read_still_pays() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let id = estimated(&mut payers.connected);
        payers.connected.estimate(id, &Estimate::Reverts);
        assert_eq!(payers.authorization_status(&payment), "Accepted", "{kind}");
        payers.connected.world.pass(Duration::from_secs(60));
        let id = estimated(&mut payers.connected);
        payers.connected.estimate(id, &Estimate::Reverts);
        assert_eq!(payers.authorization_status(&payment), "Failed", "{kind}");
        payers.sent_by_another(&payment, 10_000_000);
        payers.connected.blocks(4);
        assert_eq!(payers.authorization_status(&payment), "Executed", "{kind}");
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn an_authorization_that_expires_is_never_sent_and_one_under_way_keeps_its_payment() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        payers.connected.world.pass_and_work(minutes(16));
        assert_eq!(payers.connected.requests(), [], "{kind}");
        assert_eq!(payers.authorization_status(&payment), "Failed", "{kind}");
        payers.connected.world.pass_and_work(minutes(60));
        assert_eq!(payers.status(&payment), "Expired", "{kind}");
        assert_eq!(payers.till(), "0 0", "{kind}");
        // One that was signed just before the price expired keeps its payment.
        let payment = payers.payment(10);
        payers.connected.world.pass_and_work(minutes(29));
        payers.authorize(&payment);
        payers.connected.world.pass_and_work(minutes(5));
        assert_eq!(payers.status(&payment), "Processing", "{kind}");
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&payment, (hash, 0), Some(10_000_000));
        payers.connected.blocks(4);
        assert_eq!(payers.status(&payment), "Confirmed", "{kind}");
    });
}

#[test]
fn the_fees_of_a_day_are_limited_by_organisation_and_what_was_not_spent_is_free_again() {
    Payers::each(|kind, mut payers| {
        // 100 000 gas at 2 times the base fee and the priority fee, for one payer and a half.
        payers.pay_fees(Some(300_150_000_000_000));
        let (first, second) = (payers.payment(10), payers.payment(10));
        let late = payers.signed(&second);
        let shop = payers.shop.clone();
        let used = |amount: &str| json!({ "limit_per_day": "0.00030015", "used_today": amount });
        assert_eq!(payers.payer_fees(&shop), used("0"), "{kind}");
        payers.authorize(&first);
        assert_eq!(payers.payer_fees(&shop), used("0.0002001"), "{kind}");
        assert!(
            payers.checkout(&second).get("authorization").is_none(),
            "{kind}"
        );
        let refused = payers.give(&second, &late, RICH);
        assert_eq!(refused.refusal(), "409 FEE_LIMIT_REACHED", "{kind}");
        // Another organisation has its own limit.
        let other = payers.connected.world.shop("Other", None);
        payers
            .connected
            .world
            .account(&other, "till", 8453, &["USDC"]);
        assert_eq!(payers.payer_fees(&other), used("0"), "{kind}");
        let theirs = payers.payment_of(&other, 10);
        assert!(
            payers.checkout(&theirs).get("authorization").is_some(),
            "{kind}"
        );
        // The network took less than it might have.
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&first, (hash, 0), Some(10_000_000));
        payers.connected.blocks(3);
        assert_eq!(payers.payer_fees(&shop), used("0.000021"), "{kind}");
        assert_eq!(payers.give(&second, &late, RICH).status, 202, "{kind}");
        // Nothing is paid any more without a limit.
        let third = payers.payment(10);
        payers.pay_fees(None);
        assert_eq!(payers.payer_fees(&shop), Value::Null, "{kind}");
        assert!(
            payers.checkout(&third).get("authorization").is_none(),
            "{kind}"
        );
    });
}

#[test]
fn what_the_token_would_refuse_is_refused_before_anything_is_queued() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        let body = payers.signed(&payment);
        let poor = Token {
            held: 9_999_999,
            ..RICH
        };
        let used = Token { used: true, ..RICH };
        let paused = Token {
            reverts: true,
            ..RICH
        };
        for (token, reason) in [
            (poor, "INSUFFICIENT_FUNDS"),
            (used, "AUTHORIZATION_USED"),
            (paused, "NOT_SUPPORTED"),
        ] {
            let refused = payers.give(&payment, &body, token);
            assert!(
                refused.refusal().contains(reason),
                "{kind}: {}",
                refused.refusal()
            );
        }
        assert_eq!(payers.connected.requests(), [], "{kind}");
        // Two payments together need more than the payer has.
        let just = Token {
            held: 19_999_999,
            ..RICH
        };
        let second = payers.payment(10);
        let more = payers.signed(&second);
        assert_eq!(payers.give(&payment, &body, just).status, 202, "{kind}");
        let refused = payers.give(&second, &more, just).refusal();
        assert!(refused.contains("INSUFFICIENT_FUNDS"), "{kind}: {refused}");
        let refused = payers.give(&second, &body, RICH).refusal();
        assert!(
            refused.contains("AUTHORIZATION_UNSIGNED"),
            "{kind}: {refused}"
        );
        // A payment is canceled by nobody while its payer's money is under way.
        let shop = payers.shop.clone();
        let path = format!("/v1/payments/{payment}");
        let refused = payers
            .connected
            .world
            .keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 NOT_CANCELLABLE", "{kind}");
    });
}

#[test]
fn nothing_is_accepted_without_an_answer_of_the_nodes() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        let body = payers.signed(&payment);
        let path = format!("/v1/checkout/payments/{payment}/authorizations");
        let asked = request("POST", &path, &body, Vec::new());
        let world = &mut payers.connected.world;
        let silent = world.send_with_nodes(&asked, |calls| {
            vec![vec![Err(CallError::Unreachable); calls.batches.len()]]
        });
        assert_eq!(silent.status, 503, "{kind}: {}", silent.body);
        let garbage = world.send_with_nodes(&asked, |calls| {
            vec![
                calls
                    .batches
                    .iter()
                    .map(|_| Ok(b"<html>".to_vec()))
                    .collect(),
            ]
        });
        assert_eq!(garbage.status, 503, "{kind}: {}", garbage.body);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        assert_eq!(payers.authorization_status(&payment), Value::Null, "{kind}");
    });
}

#[test]
fn equal_amounts_of_one_payer_pay_the_payments_that_were_authorized() {
    Payers::each(|kind, mut payers| {
        let other = payers.connected.world.shop("Other", None);
        payers
            .connected
            .world
            .account(&other, "till", 8453, &["USDC"]);
        let (mine, theirs) = (payers.payment(10), payers.payment_of(&other, 10));
        payers.authorize(&mine);
        payers.authorize(&theirs);
        let requests = payers.connected.requests();
        assert_eq!(requests.len(), 2, "{kind}");
        let ids: Vec<i64> = requests
            .iter()
            .map(|request| match request {
                NodeRequest::Estimate { id, .. } => *id,
                other => panic!("not an estimate: {other:?}"),
            })
            .collect();
        payers.connected.estimate(ids[0], &GAS);
        payers.connected.estimate(ids[1], &GAS);
        let hashes: Vec<B256> = payers
            .connected
            .requests()
            .iter()
            .map(|request| match request {
                NodeRequest::Broadcast { hash, .. } => *hash,
                other => panic!("not a broadcast: {other:?}"),
            })
            .collect();
        // The second alone is executed.
        payers.mine(&mine, (hashes[0], 0), None);
        payers.mine(&theirs, (hashes[1], 1), Some(10_000_000));
        payers.connected.blocks(4);
        assert_eq!(payers.checkout(&mine)["paid_amount"], "0", "{kind}");
        assert_eq!(payers.authorization_status(&mine), "Failed", "{kind}");
        assert_eq!(payers.checkout(&theirs)["status"], "Confirmed", "{kind}");
        assert_eq!(balance(&mut payers.connected, &other), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_reorganisation_of_what_somebody_else_sent_brings_it_again_or_sends_ours() {
    Payers::each(|kind, mut payers| {
        for comes_again in [true, false] {
            let payment = payers.payment(10);
            payers.authorize(&payment);
            let hash = payers.sent_by_another(&payment, 10_000_000);
            payers.connected.blocks(1);
            assert_eq!(payers.connected.requests(), [], "{kind}");
            assert_eq!(payers.authorization_status(&payment), "Executed", "{kind}");
            payers.connected.reorganise(1);
            assert_eq!(payers.authorization_status(&payment), "Accepted", "{kind}");
            if comes_again {
                payers.execute(&payment, hash, 10_000_000);
            } else {
                payers.connected.blocks(1);
                let (_, hash) = sent(&mut payers.connected);
                payers.mine(&payment, (hash, 0), Some(10_000_000));
            }
            payers.connected.blocks(4);
            assert_eq!(
                payers.status(&payment),
                "Confirmed",
                "{kind}, {comes_again}"
            );
            assert_eq!(payers.connected.requests(), [], "{kind}");
            assert_eq!(payers.authorization_status(&payment), "Executed", "{kind}");
        }
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "20 0", "{kind}");
    });
}

/// The confirmed deposits of a shop's till, each with its transaction.
fn deposits(payers: &mut Payers, shop: &Shop) -> Vec<[String; 3]> {
    let path = "/v1/accounts/till/movement?sort=asc";
    let moved = payers.world().read(shop, path);
    let shown = items(&moved).iter().map(|moved| {
        let names = ["amount", "status", "transaction_hash"];
        names.map(|name| text(moved, name))
    });
    shown.collect()
}

fn confirmed(amount: &str, hash: B256) -> [String; 3] {
    [amount, "Confirmed", &format!("{hash:#x}")].map(str::to_owned)
}

#[test]
fn another_transaction_takes_the_place_of_a_settled_one_that_a_deep_reorganisation_took_away() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&payment, (hash, 0), Some(10_000_000));
        payers.connected.blocks(3);
        payers.assert_confirmed(&payment, "10 0", kind);
        payers.connected.reorganise(3);
        let alarm = payers.connected.failures.concat();
        assert!(alarm.contains("which was confirmed"), "{kind}: {alarm}");
        // Somebody else sends what the payer signed, and ours reverts.
        let first = payers.sent_by_another(&payment, 10_000_000);
        payers.mine(&payment, (hash, 0), None);
        payers.connected.blocks(1);
        let shop = payers.shop.clone();
        let booked = deposits(&mut payers, &shop);
        assert_eq!(booked, [confirmed("10", first)], "{kind}");
        // The fork is replaced, too, before it is settled.
        payers.connected.reorganise(1);
        let second = payers.sent_by_another(&payment, 10_000_000);
        payers.mine(&payment, (hash, 0), None);
        payers.connected.blocks(4);
        let booked = deposits(&mut payers, &shop);
        assert_eq!(booked, [confirmed("10", second)], "{kind}");
        assert_eq!(payers.authorization_status(&payment), "Executed", "{kind}");
        assert_eq!(payers.checkout(&payment)["paid_amount"], "10", "{kind}");
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn only_the_settled_transfer_with_the_same_authorization_is_replaced_at_a_payments_own_address() {
    Payers::each(|kind, mut payers| {
        payers.shop = with_key(payers.world());
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let payment = payers.authorized_payment(10);
        let to: Address = ADDRESSES[1].parse().expect("an address");
        let (from, nonce) = (payers.from(), payers.nonces[&payment]);
        let moved = (from, to, 10_000_000);
        let [plain, signed, other] = [(), (), ()].map(|()| payers.connected.chain.hash());
        payers.connected.move_usdc(plain, (from, to), 10_000_000);
        payers.include(signed, moved, nonce);
        payers.connected.blocks(1);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        payers.connected.blocks(2);
        payers.assert_confirmed(&payment, "20 0", kind);
        payers.connected.reorganise(3);
        payers.include(other, moved, nonce);
        payers.connected.blocks(1);
        payers.connected.move_usdc(plain, (from, to), 10_000_000);
        payers.connected.blocks(4);
        let shop = payers.shop.clone();
        let booked = deposits(&mut payers, &shop);
        let expected = [plain, other].map(|hash| confirmed("10", hash));
        assert_eq!(booked, expected, "{kind}");
        payers.assert_confirmed(&payment, "20 0", kind);
    });
}

#[test]
fn everybody_who_watches_a_wallet_has_a_settled_transfer_once_after_another_transaction_took_its_place()
 {
    Payers::each(|kind, mut payers| {
        let own = Wallet::new([9; 32]);
        let shops = ["Own", "Other"].map(|name| {
            let shop = payers.connected.world.shop(name, None);
            let body = json!({
                "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": own.address(),
            });
            let account = payers.connected.world.post(&shop, "/v1/accounts", body);
            (shop, account.id_number())
        });
        let [(shop, account), (other, _)] = shops;
        prove_wallet(&mut payers.connected.world, &shop, account, &own);
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let payment = payers.payment_of(&shop, 10);
        payers.authorize(&payment);
        let to: Address = own.address().parse().expect("an address");
        let nonce = payers.nonces[&payment];
        let moved = (payers.from(), to, 10_000_000);
        let [first, second] = [(), ()].map(|()| payers.connected.chain.hash());
        payers.include(first, moved, nonce);
        payers.connected.blocks(1);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        payers.connected.blocks(2);
        payers.connected.reorganise(3);
        payers.include(second, moved, nonce);
        payers.connected.blocks(4);
        for shop in [&shop, &other] {
            let booked = deposits(&mut payers, shop);
            assert_eq!(booked, [confirmed("10", second)], "{kind}");
            assert_eq!(balance(&mut payers.connected, shop), "10 0", "{kind}");
        }
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_settled_transfer_leaves_the_wallet_of_a_merchant_once_after_another_transaction_took_its_place()
 {
    Payers::each(|kind, mut payers| {
        let payer = payers.world().shop("Payer", None);
        let body = json!({
            "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": payers.payer.address(),
        });
        payers.world().post(&payer, "/v1/accounts", body);
        payers.connected.blocks(3);
        payers.connected.report_wallets(30_000_000);
        let payment = payers.authorized_payment(10);
        let [first, second] = [(), ()].map(|()| payers.connected.chain.hash());
        payers.execute(&payment, first, 10_000_000);
        payers.connected.blocks(3);
        assert_eq!(balance(&mut payers.connected, &payer), "20 0", "{kind}");
        payers.connected.reorganise(3);
        payers.execute(&payment, second, 10_000_000);
        payers.connected.blocks(4);
        assert_eq!(balance(&mut payers.connected, &payer), "20 0", "{kind}");
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn a_transaction_that_paid_another_address_before_a_deep_reorganisation_takes_the_place_of_a_settled_one()
 {
    Payers::each(|kind, mut payers| {
        let shop = payers.shop.clone();
        let signed = payers.authorized_payment(10);
        let plain = payers.payment(5);
        let shown = payers.world().read(&shop, &format!("/v1/payments/{plain}"));
        let to = text(&shown, "deposit_address");
        let moved = (payers.from(), to.parse().expect("an address"));
        let [first, second] = [(), ()].map(|()| payers.connected.chain.hash());
        payers.execute(&signed, first, 10_000_000);
        payers.connected.move_usdc(second, moved, 5_000_000);
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "15 0", "{kind}");
        payers.connected.reorganise(3);
        // At the position where it paid the other payment.
        payers.execute(&signed, second, 10_000_000);
        payers.connected.blocks(4);
        let booked = deposits(&mut payers, &shop);
        let expected = [confirmed("10", second), confirmed("5", second)];
        assert_eq!(booked, expected, "{kind}");
        assert_eq!(payers.status(&signed), "Confirmed", "{kind}");
        assert_eq!(payers.till(), "15 0", "{kind}");
    });
}

#[test]
fn a_transaction_that_executes_another_authorization_after_a_deep_reorganisation_pays_that() {
    Payers::each(|kind, mut payers| {
        let shop = payers.shop.clone();
        let first = payers.authorized_payment(10);
        let second = payers.authorized_payment(7);
        let hash = payers.connected.chain.hash();
        payers.execute(&first, hash, 10_000_000);
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "10 0", "{kind}");
        payers.connected.reorganise(3);
        payers.execute(&second, hash, 7_000_000);
        payers.connected.blocks(4);
        // The first one stays booked, which is an alarm.
        let booked = deposits(&mut payers, &shop);
        let expected = [confirmed("10", hash), confirmed("7", hash)];
        assert_eq!(booked, expected, "{kind}");
        assert_eq!(payers.status(&second), "Confirmed", "{kind}");
        let alarm = payers.connected.failures.concat();
        assert!(alarm.contains("which was confirmed"), "{kind}: {alarm}");
    });
}

#[test]
fn what_was_reverted_is_signed_again_and_can_never_pay_twice() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        let first = payers.authorize(&payment);
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&payment, (hash, 0), None);
        payers.connected.blocks(3);
        assert_eq!(payers.authorization_status(&payment), "Failed", "{kind}");
        let shown = payers.checkout(&payment);
        assert!(
            shown.get("unsigned_transaction").is_none(),
            "{kind}: {shown}"
        );
        let nonce = payers.nonces[&payment];
        assert_eq!(shown["authorization"]["nonce"], nonce.to_string(), "{kind}");
        payers.connected.world.pass(Duration::from_secs(60));
        let again = payers.authorize(&payment);
        assert_ne!(first["signature"], again["signature"], "{kind}");
        // Somebody sends the first one after all.
        payers.sent_by_another(&payment, 10_000_000);
        payers.connected.blocks(1);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        payers.connected.blocks(3);
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn a_plain_transfer_of_the_same_amount_is_no_payers_authorization() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        payers.plain(10_000_000);
        payers.connected.blocks(1);
        assert_eq!(payers.checkout(&payment)["paid_amount"], "0", "{kind}");
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&payment, (hash, 0), Some(10_000_000));
        payers.connected.blocks(4);
        payers.assert_confirmed(&payment, "10 0", kind);
    });
}

#[test]
fn fees_that_rise_far_above_what_was_reserved_are_not_paid() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        payers.connected.chain.base_fee *= 100;
        payers.connected.blocks(1);
        let id = estimated(&mut payers.connected);
        payers.connected.estimate(id, &GAS);
        assert_eq!(payers.authorization_status(&payment), "Failed", "{kind}");
        assert_eq!(payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn other_transfers_of_the_payer_beside_the_signed_one_take_nothing_from_its_payment() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let (from, wallet) = (payers.from(), payers.connected.wallet);
        let hash = payers.connected.chain.hash();
        for (place, to, units) in [
            (0, Address::repeat_byte(0xee), 1_u64),
            (2, wallet, 3_000_000),
            (3, wallet, 10_000_000),
        ] {
            payers.connected.chain.include(Transfer {
                hash,
                index: TransferIndex::Log(place),
                token: Some(USDC),
                from,
                to,
                units: U256::from(units),
            });
        }
        let nonce = payers.nonces[&payment];
        payers.connected.chain.authorized(hash, (from, nonce));
        payers.connected.blocks(4);
        payers.assert_confirmed(&payment, "10 0", kind);
        assert_eq!(payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn an_expired_transfer_gives_its_nonce_to_a_filler_with_bounded_fees() {
    Payers::each(|kind, mut payers| {
        payers.authorized_payment(10);
        sent(&mut payers.connected);
        payers.connected.world.pass(Duration::from_secs(16 * 60));
        let (id, _) = filler_asked_for(&mut payers.connected);
        payers.connected.estimate(id, &GAS);
        // A node takes every form, and no block comes.
        let mut forms = Vec::new();
        for _ in 0..100 {
            let requests = payers.connected.requests();
            let [NodeRequest::Broadcast { id, hash, .. }] = requests.as_slice() else {
                panic!("{kind}: not one broadcast: {requests:?}");
            };
            forms.push(*hash);
            payers
                .connected
                .broadcast((*id, *hash), Broadcast::Accepted);
            payers.connected.world.pass(Duration::from_secs(60));
        }
        let last = forms.last().copied().expect("a form");
        forms.sort_unstable();
        forms.dedup();
        assert!(forms.len() < 25, "{kind}: {} forms", forms.len());
        mine_filler(&mut payers.connected, last, 0);
        payers.connected.blocks(4);
        assert_eq!(payers.connected.requests(), [], "{kind}");
        assert_eq!(payers.till(), "0 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn what_is_signed_and_expires_before_a_node_takes_it_is_not_sent_any_more() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        let id = estimated(&mut payers.connected);
        payers.connected.estimate(id, &GAS);
        broadcast(&mut payers.connected);
        payers.connected.world.pass(Duration::from_secs(16 * 60));
        filler_asked_for(&mut payers.connected);
        assert_eq!(payers.checkout(&payment)["paid_amount"], "0", "{kind}");
    });
}

#[test]
fn an_authorization_that_becomes_too_dear_holds_up_no_payout() {
    Payers::each(|kind, mut payers| {
        let first = payers.authorized_payment(10);
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&first, (hash, 0), Some(10_000_000));
        payers.connected.blocks(3);
        payers.authorized_payment(10);
        sent(&mut payers.connected);
        payers.connected.chain.base_fee *= 20;
        payers.connected.blocks(1);
        let shop = payers.shop.clone();
        payers.connected.pay_out(&shop, "4");
        payers.connected.world.pass(Duration::from_secs(60));
        let fills =
            payers.connected.requests().into_iter().any(
                |request| matches!(request, NodeRequest::Estimate { from, to, .. } if from == to),
            );
        assert!(fills, "{kind}: a filler takes its nonce");
    });
}

#[test]
fn another_payer_signs_nothing_while_what_the_first_one_signed_can_be_executed() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        payers.revert(&payment, 0);
        let first = std::mem::replace(&mut payers.payer, Wallet::new([8; 32]));
        let body = payers.signed(&payment);
        let refused = payers.give(&payment, &body, RICH).refusal();
        assert_eq!(refused, "409 STATE_FORBIDS", "{kind}");
        // The first payer can sign again.
        payers.payer = first;
        payers.connected.world.pass(Duration::from_secs(1));
        payers.authorize(&payment);
        assert_eq!(payers.authorization_status(&payment), "Accepted", "{kind}");
    });
}

#[test]
fn a_transaction_is_offered_only_when_all_that_was_signed_has_expired() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        payers.authorize_for(&payment, 20);
        payers.revert(&payment, 0);
        payers.authorize_for(&payment, 3);
        payers.revert(&payment, 1);
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        payers.connected.world.pass(minutes(10));
        let shown = payers.checkout(&payment);
        assert!(
            shown.get("unsigned_transaction").is_none(),
            "{kind}: {shown}"
        );
        // A block that executed it may be read later.
        payers.connected.world.pass(minutes(14));
        let shown = payers.checkout(&payment);
        assert!(
            shown.get("unsigned_transaction").is_none(),
            "{kind}: {shown}"
        );
        payers.connected.world.pass(minutes(12));
        let shown = payers.checkout(&payment);
        assert!(
            shown.get("unsigned_transaction").is_some(),
            "{kind}: {shown}"
        );
        assert!(
            shown.get("authorization_status").is_none(),
            "{kind}: {shown}"
        );
    });
}

#[test]
fn a_payer_who_signs_again_and_again_keeps_no_price() {
    Payers::each(|kind, mut payers| {
        let payment = payers.authorized_payment(10);
        payers.revert(&payment, 0);
        let body = payers.signed(&payment);
        payers.connected.world.pass(Duration::from_secs(31 * 60));
        assert!(payers.checkout(&payment).get("authorization").is_none());
        let refused = payers.give(&payment, &body, RICH).refusal();
        assert_eq!(refused, "422 NOT_SUPPORTED", "{kind}");
        payers
            .connected
            .world
            .pass_and_work(Duration::from_secs(60 * 60));
        assert_eq!(payers.status(&payment), "Expired", "{kind}");
    });
}

#[test]
fn a_shorter_second_signature_is_not_sent_after_it_has_expired() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        payers.authorize_for(&payment, 20);
        payers.revert(&payment, 0);
        payers.authorize_for(&payment, 3);
        sent(&mut payers.connected);
        payers.connected.world.pass(Duration::from_secs(4 * 60));
        filler_asked_for(&mut payers.connected);
        assert_eq!(payers.checkout(&payment)["paid_amount"], "0", "{kind}");
    });
}

#[test]
fn much_gas_at_the_fees_of_now_is_no_reason_to_give_up() {
    Payers::each(|kind, mut payers| {
        payers.authorized_payment(10);
        let id = estimated(&mut payers.connected);
        let much = Estimate::Succeeds {
            gas: 230_000,
            priority_fee: 1_000_000,
        };
        payers.connected.estimate(id, &much);
        let (id, hash, _) = broadcast(&mut payers.connected);
        payers.connected.broadcast((id, hash), Broadcast::Accepted);
        payers.connected.world.pass(Duration::from_secs(60));
        // The same bytes again, and no filler.
        assert_eq!(broadcast(&mut payers.connected).1, hash, "{kind}");
    });
}

#[test]
fn a_fee_is_that_of_every_form_in_a_block_with_its_worth_when_the_block_was_read() {
    Payers::each(|kind, mut payers| {
        connect_prices(&mut payers.connected);
        let payment = payers.payment(10);
        payers.authorize(&payment);
        let (_, hash) = sent(&mut payers.connected);
        payers.mine(&payment, (hash, 0), None);
        payers.connected.blocks(3);
        let shown = |fee: &str, usd: &str| [json!(fee), json!("ETH"), json!(usd)];
        let reverted = payers.network_fee(&payment);
        assert_eq!(reverted, shown("0.000021", "0.0525"), "{kind}");
        // The payer signs again, and the network wants more for another form.
        payers.connected.world.pass(Duration::from_secs(60));
        payers.authorize(&payment);
        let (_, first) = sent(&mut payers.connected);
        payers.connected.blocks(4);
        payers.connected.world.pass(Duration::from_secs(60));
        let (id, second, _) = broadcast(&mut payers.connected);
        assert_ne!(first, second, "{kind}");
        payers
            .connected
            .broadcast((id, second), Broadcast::Accepted);
        assert_eq!(payers.network_fee(&payment), reverted, "{kind}");
        let from = payers.connected.wallet;
        payers.connected.chain.mine(Mined {
            hash: second,
            from,
            nonce: 1,
            succeeded: true,
            fee: U256::from(3 * FEE),
        });
        payers.execute(&payment, second, 10_000_000);
        payers.connected.blocks(1);
        let both = shown("0.000084", "0.21");
        assert_eq!(payers.network_fee(&payment), both, "{kind}");
        payers.connected.blocks(3);
        assert_eq!(payers.status(&payment), "Confirmed", "{kind}");
        assert_eq!(payers.network_fee(&payment), both, "{kind}");
        let shop = payers.shop.clone();
        let used = payers.payer_fees(&shop);
        assert_eq!(used["used_today"], "0.000084", "{kind}");
        payers.connected.world.pass(Duration::from_secs(86_400));
        let used = payers.payer_fees(&shop);
        assert_eq!(used["used_today"], "0", "{kind}: another day");
    });
}

#[test]
fn a_transaction_of_somebody_else_with_our_nonce_costs_a_payment_nothing() {
    Payers::each(|kind, mut payers| {
        let payment = payers.payment(10);
        payers.authorize(&payment);
        sent(&mut payers.connected);
        let (foreign, wallet) = (payers.connected.chain.hash(), payers.connected.wallet);
        payers.connected.mine((foreign, wallet, 0), true);
        payers.connected.blocks(1);
        assert_eq!(payers.network_fee(&payment), NO_FEE, "{kind}");
        payers.connected.blocks(3);
        assert_eq!(payers.network_fee(&payment), NO_FEE, "{kind}");
    });
}
