//! Refunds from a merchant's own wallet: prepared for its owner to sign, and counted when a block shows them.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_service::block::Mined;
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::NodeRequest;
use settlekit_tests::chain::{Connected, PAYER, USDC};
use settlekit_tests::world::{Shop, text};

use crate::account::{claim, prove_wallet, wallet};

const ETHER: u64 = 1_000_000_000_000_000_000;

/// A shop with an own wallet, and a payment of 10 USDC that has gone on to it.
struct Paid {
    shop: Shop,
    own: Address,
    account: i64,
    /// The payment.
    path: String,
}

fn paid(connected: &mut Connected) -> Paid {
    let shop = connected.world.shop("Shop", None);
    let own: Address = wallet().address().parse().expect("an address");
    let account = claim(&mut connected.world, &shop, &wallet().address());
    prove_wallet(&mut connected.world, &shop, account, &wallet());
    connected.blocks(3);
    let requests = connected.requests();
    let [NodeRequest::Balances { wallet, block, .. }] = requests.as_slice() else {
        panic!("not one request for balances: {requests:?}");
    };
    connected.report_balances(&Balances {
        wallet: *wallet,
        block: *block,
        units: vec![(None, U256::from(ETHER)), (Some(USDC), U256::ZERO)],
    });
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account": account });
    let payment = connected.world.post(&shop, "/v1/payments", body);
    let proxy: Address = text(payment.data(), "deposit_address")
        .parse()
        .expect("an address");
    connected.chain.transfer(Some(USDC), proxy, 10_000_000);
    move_on(connected, (proxy, own), 10_000_000);
    connected.blocks(3);
    Paid {
        shop,
        own,
        account,
        path: format!("/v1/payments/{}", payment.id()),
    }
}

/// Puts a transfer of USDC into the next block.
fn move_on(connected: &mut Connected, (from, to): (Address, Address), units: u64) -> B256 {
    let hash = connected.chain.hash();
    connected.move_usdc(hash, (from, to), units);
    hash
}

/// The owner's wallet sends USDC, in the next block.
fn sign(connected: &mut Connected, own: Address, to: Address, units: u64) {
    let hash = move_on(connected, (own, to), units);
    connected.chain.mine(Mined {
        hash,
        from: own,
        nonce: 0,
        succeeded: true,
        fee: U256::from(1_000_000_000_000_000_u64),
    });
}

impl Paid {
    /// Asks for a refund; the payout that returns the money.
    fn refund(&self, connected: &mut Connected, body: Value) -> Value {
        let path = format!("{}/refunds", self.path);
        let answer = connected
            .world
            .signed(&self.shop, None, "POST", &path, body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        connected.world.work();
        let payouts = connected.world.read(&self.shop, "/v1/payouts");
        let path = format!("/v1/payments/{}", text(&payouts["items"][0], "id"));
        connected.world.read(&self.shop, &path)
    }

    /// Status, refunded and refunding amount of the payment.
    fn state(&self, connected: &mut Connected) -> String {
        let payment = connected.world.read(&self.shop, &self.path);
        let amount = |name: &str| payment[name].as_str().unwrap_or("-").to_owned();
        let amounts = [amount("refunded_amount"), amount("refunding_amount")];
        format!("{} {}", text(&payment, "status"), amounts.join(" "))
    }

    fn balance(&self, connected: &mut Connected) -> String {
        let path = format!("/v1/accounts/{}/balances", self.account);
        let held = connected.world.read(&self.shop, &path);
        let held = held.as_array().expect("balances").iter();
        let held = held.filter(|held| held["currency"] == "USDC");
        held.map(|held| text(held, "posted")).collect()
    }
}

fn nothing_differs(connected: &mut Connected, kind: &str) {
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

#[test]
fn a_refund_from_an_own_wallet_is_prepared_and_counts_when_its_block_has_the_confirmations() {
    Connected::each(|kind, mut connected| {
        let paid = paid(&mut connected);
        let payout = paid.refund(&mut connected, json!({}));
        assert_eq!(payout["status"], "Pending", "{kind}: {payout}");
        let prepared = &payout["prepared_transaction"];
        assert_eq!(text(prepared, "from"), paid.own.to_string(), "{kind}");
        let link = text(prepared, "link");
        assert!(link.contains(&format!("address={PAYER}")), "{kind}: {link}");
        assert!(link.contains("uint256=10000000"), "{kind}: {link}");
        // Nothing is sent, and the money is the merchant's until a block shows that it left.
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(paid.balance(&mut connected), "10", "{kind}");
        assert_eq!(paid.state(&mut connected), "Confirmed - 10", "{kind}");
        sign(&mut connected, paid.own, PAYER, 10_000_000);
        connected.blocks(2);
        assert_eq!(paid.state(&mut connected), "Confirmed - 10", "{kind}");
        connected.blocks(1);
        assert_eq!(paid.state(&mut connected), "Refunded 10 -", "{kind}");
        assert_eq!(paid.balance(&mut connected), "0", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn two_refunds_from_an_own_wallet_never_return_more_than_was_paid() {
    Connected::each(|kind, mut connected| {
        let paid = paid(&mut connected);
        paid.refund(&mut connected, json!({ "amount": "6" }));
        let path = format!("{}/refunds", paid.path);
        let body = json!({ "amount": "4.000001" });
        let over = connected
            .world
            .signed(&paid.shop, None, "POST", &path, body);
        assert_eq!(over.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        sign(&mut connected, paid.own, PAYER, 6_000_000);
        connected.blocks(3);
        assert_eq!(paid.state(&mut connected), "PartialRefunded 6 -", "{kind}");
        paid.refund(&mut connected, json!({}));
        sign(&mut connected, paid.own, PAYER, 4_000_000);
        connected.blocks(3);
        assert_eq!(paid.state(&mut connected), "Refunded 10 -", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_refund_from_an_own_wallet_that_nobody_signs_can_be_canceled_and_asked_for_again() {
    Connected::each(|kind, mut connected| {
        let paid = paid(&mut connected);
        let payout = paid.refund(&mut connected, json!({}));
        let path = format!("/v1/payments/{}", text(&payout, "id"));
        let canceled = connected
            .world
            .keyed(&paid.shop, "DELETE", &path, Value::Null);
        assert_eq!(canceled.status, 200, "{kind}: {}", canceled.body);
        assert_eq!(paid.state(&mut connected), "Confirmed - -", "{kind}");
        paid.refund(&mut connected, json!({}));
        sign(&mut connected, paid.own, PAYER, 10_000_000);
        connected.blocks(3);
        assert_eq!(paid.state(&mut connected), "Refunded 10 -", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_refund_from_an_own_wallet_that_a_reorganisation_loses_leaves_the_payment_unrefunded() {
    Connected::each(|kind, mut connected| {
        let paid = paid(&mut connected);
        paid.refund(&mut connected, json!({}));
        sign(&mut connected, paid.own, PAYER, 10_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        connected.world.pass(Duration::from_secs(25 * 60 * 60));
        connected.blocks(1);
        connected.world.work();
        assert_eq!(paid.state(&mut connected), "Confirmed - -", "{kind}");
        assert_eq!(paid.balance(&mut connected), "10", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}
