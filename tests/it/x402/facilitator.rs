//! `/x402/verify`, `/x402/settle` and `/x402/supported` on a real chain.

use std::time::Duration;

use alloy_primitives::U256;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_service::Awaited;
use settlekit_service::block::PendingTransfer;
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_tests::chain::USDC;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, request, text};

use super::{payment, signed};
use crate::account::prove_wallet;
use crate::chain::extended_keys::{ADDRESSES, XPUB, create, first_wallet};
use crate::chain::payers::{NO_DIFFERENCES, Payers, RICH, Token};
use crate::chain::sending::{GAS, broadcast, holdings, sent};

const USED: &str = "invalid_exact_evm_nonce_already_used";

/// A merchant's program with a resource of its own.
struct Merchant {
    payers: Payers,
    /// What it asks for: version 2.
    requirements: Value,
}

impl Merchant {
    fn each(test: impl Fn(&str, Self)) {
        Payers::each(|kind, mut payers| {
            let shop = payers.shop.clone();
            let pay_to = pay_in_address(&mut payers, &shop);
            let token = USDC.to_string();
            let requirements = json!({
                "scheme": "exact", "network": "eip155:8453", "asset": token, "amount": "2500", "payTo": pay_to,
                "maxTimeoutSeconds": 60, "extra": {"name": "USD Coin", "version": "2"},
            });
            test(
                kind,
                Self {
                    payers,
                    requirements,
                },
            );
        });
    }

    fn payment(&self, nonce: u8) -> Value {
        let until = self.payers.until();
        payment(&self.payers.payer, &self.requirements, nonce, until)
    }

    /// The body of a request to verify or settle a payment.
    fn body(&self, payment: &Value) -> Value {
        json!({
            "x402Version": payment["x402Version"], "paymentPayload": payment, "paymentRequirements": self.requirements,
        })
    }

    fn call(&mut self, endpoint: &str, payment: &Value, token: Token) -> Answer {
        let shop = self.payers.shop.clone();
        self.call_as(&shop, endpoint, payment, token)
    }

    fn call_as(&mut self, shop: &Shop, endpoint: &str, payment: &Value, token: Token) -> Answer {
        let body = self.body(payment);
        let headers = vec![(header::API_KEY.to_owned(), shop.key.clone())];
        let asked = request("POST", &format!("/v1/x402/{endpoint}"), &body, headers);
        self.payers.send(&asked, token)
    }

    fn verify(&mut self, payment: &Value) -> Value {
        let answer = self.call("verify", payment, RICH);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    fn settle(&mut self, payment: &Value) -> Value {
        let answer = self.call("settle", payment, RICH);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// The answer to the first request to settle a payment, and the transfer that it awaits.
    fn begin(&mut self, payment: &Value) -> (Value, Awaited) {
        let pending = self.settle(payment);
        assert_eq!(pending["errorReason"], "settlement_pending", "{pending}");
        let awaited = self.payers.world().awaited;
        (pending, awaited.expect("it waits"))
    }

    /// As [`Merchant::settle`], by a request that has waited.
    fn resume(&mut self, payment: &Value, awaited: Awaited) -> Value {
        self.payers.world().resumes = Some(awaited);
        self.settle(payment)
    }

    /// The first request has had its time.
    fn pass_the_time_of_the_first(&mut self) {
        self.payers.world().pass(Duration::from_secs(45));
    }
}

fn pay_in_address(payers: &mut Payers, shop: &Shop) -> String {
    let path = "/v1/accounts/till/pay-in-addresses";
    let made = payers.world().create(shop, path, json!({"chain_id": 8453}));
    text(made.data(), "address")
}

#[test]
fn a_payment_for_a_resource_of_the_merchant_is_settled_once() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let payer = merchant.payers.payer.address();
        let valid = json!({"isValid": true, "payer": payer});
        assert_eq!(merchant.verify(&paid), valid, "{kind}");
        assert_eq!(merchant.payers.payments(), Vec::<Value>::new(), "{kind}");
        let (_, awaited) = merchant.begin(&paid);
        let hash = merchant.payers.execute_payment(&paid, 0);
        let settled = json!({
            "success": true, "transaction": hash.to_string(), "network": "eip155:8453", "payer": payer,
        });
        assert_eq!(merchant.resume(&paid, awaited), settled, "{kind}");
        let again = merchant.resume(&paid, awaited);
        assert_eq!(again["errorReason"], "duplicate_settlement", "{kind}");
        merchant.pass_the_time_of_the_first();
        let again = merchant.settle(&paid);
        assert_eq!(again["success"], false, "{kind}");
        assert_eq!(again["errorReason"], "duplicate_settlement", "{kind}");
        assert_eq!(
            merchant.verify(&paid)["invalidReason"],
            "duplicate_settlement",
            "{kind}"
        );
        merchant.payers.connected.blocks(3);
        let [payment] = merchant.payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["amount"], "0.0025", "{kind}");
        assert_eq!(payment["source"], "X402", "{kind}");
        assert_eq!(payment["customer"]["wallet_address"], payer, "{kind}");
        assert_eq!(merchant.payers.till(), "0.0025 0", "{kind}");
        assert_eq!(
            merchant.payers.connected.differences(),
            NO_DIFFERENCES,
            "{kind}"
        );
    });
}

#[test]
fn a_refund_of_a_settled_payment_goes_to_the_wallet_that_signed() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let (_, awaited) = merchant.begin(&paid);
        merchant.payers.execute_payment(&paid, 0);
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
        let proxy = text(&merchant.requirements, "payTo");
        let connected = &mut merchant.payers.connected;
        connected.sweep(proxy.parse().expect("an address"), 2_500);
        connected.blocks(3);
        let shop = merchant.payers.shop.clone();
        let [payment] = merchant.payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        let path = format!("/v1/payments/{}", text(&payment, "id"));
        let world = merchant.payers.world();
        let refunds = format!("{path}/refunds");
        let refund = world.signed(&shop, None, "POST", &refunds, json!({}));
        assert_eq!(refund.status, 201, "{kind}: {}", refund.body);
        world.work();
        assert_eq!(merchant.payers.till(), "0.0025 0.0025", "{kind}");
        let payer = merchant.payers.from();
        let requests = merchant.payers.connected.requests();
        let [NodeRequest::Estimate { id, to, data, .. }] = requests.as_slice() else {
            panic!("{kind}: not one estimate: {requests:?}");
        };
        assert_eq!(*to, USDC, "{kind}");
        let arguments = [payer.into_word().0, U256::from(2_500).to_be_bytes()].concat();
        assert_eq!(data[4..], arguments, "{kind}");
        let connected = &mut merchant.payers.connected;
        connected.estimate(*id, &GAS);
        let (id, hash, _) = broadcast(connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        let wallet = connected.wallet;
        connected.mine((hash, wallet, 1), true);
        connected.move_usdc(hash, (wallet, payer), 2_500);
        connected.blocks(3);
        let refunded = merchant.payers.world().read(&shop, &path);
        assert_eq!(refunded["status"], "Refunded", "{kind}");
        assert_eq!(refunded["refunded_amount"], "0.0025", "{kind}");
        assert_eq!(merchant.payers.till(), "0 0", "{kind}");
        let held = holdings(&mut merchant.payers.connected);
        assert!(!held.iter().any(|held| held.ends_with("USDC")), "{kind}");
        assert_eq!(
            merchant.payers.connected.differences(),
            NO_DIFFERENCES,
            "{kind}"
        );
        // Its signature pays for nothing else.
        merchant.pass_the_time_of_the_first();
        let again = merchant.settle(&paid);
        assert_eq!(again["errorReason"], "duplicate_settlement", "{kind}");
        assert_eq!(merchant.payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn who_copies_a_signature_from_the_chain_is_not_served() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let (_, awaited) = merchant.begin(&paid);
        let refuses = |merchant: &mut Merchant| {
            assert_eq!(
                merchant.verify(&paid)["invalidReason"],
                "settlement_pending",
                "{kind}"
            );
            assert_eq!(
                merchant.settle(&paid)["errorReason"],
                "settlement_pending",
                "{kind}"
            );
        };
        refuses(&mut merchant);
        merchant.payers.execute_payment(&paid, 0);
        refuses(&mut merchant);
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
    });
}

#[test]
fn a_payment_whose_first_request_got_no_answer_is_answered_to_another() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        merchant.begin(&paid);
        merchant.pass_the_time_of_the_first();
        assert_eq!(merchant.verify(&paid)["isValid"], true, "{kind}");
        let pending = merchant.settle(&paid);
        assert_eq!(pending["errorReason"], "settlement_pending", "{kind}");
        merchant.payers.execute_payment(&paid, 0);
        assert_eq!(merchant.settle(&paid)["success"], true, "{kind}");
        assert_eq!(
            merchant.settle(&paid)["errorReason"],
            "duplicate_settlement",
            "{kind}"
        );
        assert_eq!(merchant.payers.payments().len(), 1, "{kind}");
    });
}

#[test]
fn ten_requests_with_one_payment_settle_once() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        for _ in 0..10 {
            assert_eq!(merchant.verify(&paid)["isValid"], true, "{kind}");
        }
        let (_, awaited) = merchant.begin(&paid);
        for _ in 0..9 {
            let refused = merchant.settle(&paid);
            assert_eq!(refused["errorReason"], "settlement_pending", "{kind}");
        }
        merchant.payers.execute_payment(&paid, 0);
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
        let refused = merchant.settle(&paid);
        assert_eq!(refused["errorReason"], "duplicate_settlement", "{kind}");
        assert_eq!(merchant.payers.payments().len(), 1, "{kind}");
        assert_eq!(merchant.payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn the_smallest_unit_of_a_token_can_be_paid() {
    Merchant::each(|kind, mut merchant| {
        merchant.requirements["amount"] = json!("1");
        let paid = merchant.payment(1);
        let (_, awaited) = merchant.begin(&paid);
        merchant.payers.execute_payment(&paid, 0);
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
        merchant.payers.connected.blocks(3);
        assert_eq!(merchant.payers.till(), "0.000001 0", "{kind}");
    });
}

#[test]
fn a_wrong_payment_is_neither_valid_nor_settled() {
    Merchant::each(|kind, mut merchant| {
        let other_shop = merchant.payers.world().shop_with_till("Coffee");
        let right = merchant.payment(1);
        let changed = |path: &str, value: Value| {
            let mut changed = right.clone();
            *changed.pointer_mut(path).expect("a member") = value;
            changed
        };
        let poor = Token {
            held: 2_499,
            ..RICH
        };
        let used = Token { used: true, ..RICH };
        let mut one = right.clone();
        one["x402Version"] = json!(1);
        for (paid, token, code) in [
            (
                changed("/accepted/amount", json!("1")),
                RICH,
                "invalid_payment_requirements",
            ),
            (
                changed("/accepted/payTo", json!(merchant.payers.payer.address())),
                RICH,
                "invalid_payment_requirements",
            ),
            (
                changed(
                    "/payload/authorization/to",
                    json!(merchant.payers.payer.address()),
                ),
                RICH,
                "invalid_exact_evm_signature",
            ),
            (
                changed("/payload/authorization/validBefore", json!("1")),
                RICH,
                "invalid_exact_evm_signature",
            ),
            (changed("/payload", Value::Null), RICH, "invalid_payload"),
            (one, RICH, "invalid_payload"),
            (
                right.clone(),
                poor,
                "invalid_exact_evm_insufficient_balance",
            ),
            (right.clone(), used, USED),
        ] {
            let verified = merchant.call("verify", &paid, token);
            assert_eq!(verified.body["isValid"], false, "{kind}: {code}");
            assert_eq!(verified.body["invalidReason"], code, "{kind}");
            let settled = merchant.call("settle", &paid, token);
            assert_eq!(settled.body["success"], false, "{kind}: {code}");
            assert_eq!(settled.body["errorReason"], code, "{kind}");
            assert_eq!(settled.body["transaction"], "", "{kind}");
        }
        // The receiver is another merchant's.
        let refused = merchant.call_as(&other_shop, "settle", &right, RICH);
        assert_eq!(
            refused.body["errorReason"], "invalid_payment_requirements",
            "{kind}"
        );
        assert_eq!(merchant.payers.payments(), Vec::<Value>::new(), "{kind}");
        assert_eq!(merchant.payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_signed_transfer_of_another_amount_does_not_pay() {
    Merchant::each(|kind, mut merchant| {
        let asked = merchant.requirements.clone();
        for (name, value, code) in [
            (
                "amount",
                json!("2499"),
                "invalid_exact_evm_authorization_value",
            ),
            (
                "amount",
                json!("2501"),
                "invalid_exact_evm_authorization_value",
            ),
            (
                "payTo",
                json!(merchant.payers.payer.address()),
                "invalid_exact_evm_recipient_mismatch",
            ),
        ] {
            let mut other = asked.clone();
            other[name] = value;
            let until = merchant.payers.until();
            let payload = signed(&merchant.payers.payer, &other, 1, until);
            let paid = json!({"x402Version": 2, "accepted": asked, "payload": payload});
            assert_eq!(merchant.verify(&paid)["invalidReason"], code, "{kind}");
            assert_eq!(merchant.settle(&paid)["errorReason"], code, "{kind}");
        }
        assert_eq!(merchant.payers.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn what_pays_an_address_of_a_payment_pays_no_resource() {
    Merchant::each(|kind, mut merchant| {
        let shop = merchant.payers.shop.clone();
        let body = json!({"amount": "10", "currency": "USDC", "chain_id": 8453, "account": "till"});
        let payment = merchant.payers.world().post(&shop, "/v1/payments", body);
        merchant.requirements["payTo"] = payment.data()["deposit_address"].clone();
        let paid = merchant.payment(1);
        let refused = merchant.settle(&paid);
        assert_eq!(
            refused["errorReason"], "invalid_payment_requirements",
            "{kind}"
        );
    });
}

#[test]
fn a_read_only_key_verifies_and_settles_nothing() {
    Merchant::each(|kind, mut merchant| {
        let shop = merchant.payers.shop.clone();
        let reader = merchant.payers.world().scoped(&shop, &["read"]);
        let paid = merchant.payment(1);
        let verified = merchant.call_as(&reader, "verify", &paid, RICH);
        assert_eq!(verified.body["isValid"], true, "{kind}");
        let refused = merchant.call_as(&reader, "settle", &paid, RICH);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let nobody = Shop {
            key: "sk_unknown".to_owned(),
            ..shop
        };
        let refused = merchant.call_as(&nobody, "verify", &paid, RICH);
        assert_eq!(refused.refusal(), "401 KEY_INVALID", "{kind}");
    });
}

#[test]
fn the_limit_of_network_fees_holds_for_programs() {
    Merchant::each(|kind, mut merchant| {
        merchant.payers.pay_fees(Some(1));
        let paid = merchant.payment(1);
        assert_eq!(
            merchant.verify(&paid)["invalidReason"],
            "fee_limit_reached",
            "{kind}"
        );
        assert_eq!(
            merchant.settle(&paid)["errorReason"],
            "fee_limit_reached",
            "{kind}"
        );
        assert_eq!(merchant.payers.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn the_networks_are_those_whose_fees_the_operator_pays() {
    Merchant::each(|kind, mut merchant| {
        let shop = merchant.payers.shop.clone();
        let wallet = merchant.payers.connected.wallet.to_string();
        let world = merchant.payers.world();
        let supported = world.keyed(&shop, "GET", "/v1/x402/supported", Value::Null);
        let expected = json!({
            "kinds": [
                {"x402Version": 2, "scheme": "exact", "network": "eip155:8453"},
                {"x402Version": 1, "scheme": "exact", "network": "base"},
            ],
            "extensions": [],
            "signers": {"eip155:*": [wallet]},
        });
        assert_eq!(supported.body, expected, "{kind}");
        merchant.payers.pay_fees(None);
        let world = merchant.payers.world();
        let supported = world.keyed(&shop, "GET", "/v1/x402/supported", Value::Null);
        assert_eq!(supported.body["kinds"], json!([]), "{kind}");
    });
}

#[test]
fn the_own_wallet_of_a_merchant_is_paid_directly() {
    Merchant::each(|kind, mut merchant| {
        let own = Wallet::new([9; 32]);
        let shop = merchant.payers.world().shop("Own", None);
        let body = json!({
            "name": "Wallet", "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": own.address(),
        });
        let account = merchant.payers.world().post(&shop, "/v1/accounts", body);
        merchant.requirements["payTo"] = json!(own.address());
        let paid = merchant.payment(1);
        let refused = merchant.call_as(&shop, "settle", &paid, RICH);
        assert_eq!(
            refused.body["errorReason"], "invalid_payment_requirements",
            "{kind}: not proven"
        );
        prove_wallet(merchant.payers.world(), &shop, account.id_number(), &own);
        let pending = merchant.call_as(&shop, "settle", &paid, RICH);
        assert_eq!(pending.body["errorReason"], "settlement_pending", "{kind}");
        merchant.payers.execute_payment(&paid, 0);
        merchant.payers.world().resumes = merchant.payers.world().awaited;
        let settled = merchant.call_as(&shop, "settle", &paid, RICH);
        assert_eq!(settled.body["success"], true, "{kind}: {}", settled.body);
        merchant.payers.connected.blocks(3);
        let payments = merchant.payers.world().list(&shop, "/v1/payments");
        assert_eq!(payments[0]["status"], "Confirmed", "{kind}");
    });
}

#[test]
fn the_first_address_of_an_extended_public_key_is_paid_once_it_is_proven() {
    Merchant::each(|kind, mut merchant| {
        let shop = merchant.payers.world().shop("Key", None);
        let account = create(merchant.payers.world(), &shop, "till", 8453, XPUB);
        merchant.requirements["payTo"] = json!(ADDRESSES[0]);
        let paid = merchant.payment(1);
        let refused = merchant.call_as(&shop, "verify", &paid, RICH);
        let reason = &refused.body["invalidReason"];
        assert_eq!(*reason, "invalid_payment_requirements", "{kind}");
        let world = merchant.payers.world();
        prove_wallet(world, &shop, account.id_number(), &first_wallet());
        let verified = merchant.call_as(&shop, "verify", &paid, RICH);
        assert_eq!(verified.body["isValid"], true, "{kind}: {}", verified.body);
    });
}

#[test]
fn a_payment_for_one_resource_is_refused_for_another() {
    Merchant::each(|kind, mut merchant| {
        let shop = merchant.payers.shop.clone();
        let paid = merchant.payment(1);
        let cheap = merchant.requirements.clone();
        let other = pay_in_address(&mut merchant.payers, &shop);
        let (_, awaited) = merchant.begin(&paid);
        let check = |merchant: &mut Merchant| {
            for (name, value, code) in [
                (
                    "amount",
                    json!("2500000"),
                    "invalid_exact_evm_authorization_value",
                ),
                (
                    "payTo",
                    json!(other),
                    "invalid_exact_evm_recipient_mismatch",
                ),
            ] {
                // What the client says that it has accepted is not signed.
                let mut dear = paid.clone();
                dear["accepted"][name] = value.clone();
                merchant.requirements[name] = value;
                assert_eq!(merchant.verify(&dear)["invalidReason"], code, "{kind}");
                assert_eq!(merchant.settle(&dear)["errorReason"], code, "{kind}");
                merchant.requirements = cheap.clone();
            }
        };
        check(&mut merchant);
        merchant.payers.execute_payment(&paid, 0);
        check(&mut merchant);
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
    });
}

#[test]
fn a_pending_settlement_names_its_transaction_once_it_is_sent() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let (pending, awaited) = merchant.begin(&paid);
        assert_eq!(pending["transaction"], "", "{kind}");
        let (_, hash) = sent(&mut merchant.payers.connected);
        let pending = merchant.resume(&paid, awaited);
        assert_eq!(pending["errorReason"], "settlement_pending", "{kind}");
        assert_eq!(pending["transaction"], hash.to_string(), "{kind}");
    });
}

#[test]
fn a_transfer_that_a_node_shows_before_its_block_pays_its_payment() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let (_, awaited) = merchant.begin(&paid);
        let (_, hash) = sent(&mut merchant.payers.connected);
        let shown = PendingTransfer {
            hash,
            token: Some(USDC),
            // A node alone says so.
            from: Wallet::new([8; 32]).address().parse().expect("hex"),
            to: text(&merchant.requirements, "payTo").parse().expect("hex"),
            units: U256::from(2_500),
        };
        merchant.payers.connected.show_pending(&[shown]);
        merchant.payers.execute_in(&paid, (hash, 0));
        assert_eq!(merchant.resume(&paid, awaited)["success"], true, "{kind}");
        merchant.payers.connected.blocks(3);
        let [payment] = merchant.payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        let shop = merchant.payers.shop.clone();
        let moved = merchant
            .payers
            .world()
            .list(&shop, "/v1/accounts/till/movement");
        assert_eq!(moved[0]["entity_id"], payment["id"], "{kind}");
    });
}

#[test]
fn nodes_that_do_not_answer_leave_an_idempotency_key_unused() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let body = merchant.body(&paid);
        let headers = vec![
            (header::API_KEY.to_owned(), merchant.payers.shop.key.clone()),
            (header::IDEMPOTENCY_KEY.to_owned(), "tea".to_owned()),
        ];
        let asked = request("POST", "/v1/x402/settle", &body, headers);
        let refused = merchant.payers.world().send_with_nodes(&asked, |calls| {
            calls.nodes.iter().map(|_| Vec::new()).collect()
        });
        assert_eq!(refused.refusal(), "503 UNAVAILABLE", "{kind}");
        let pending = merchant.payers.send(&asked, RICH);
        assert_eq!(pending.body["errorReason"], "settlement_pending", "{kind}");
        merchant.payers.execute_payment(&paid, 0);
        // The key keeps no pending or refused settlement.
        let refused = merchant.payers.send(&asked, RICH);
        assert_eq!(refused.body["errorReason"], "settlement_pending", "{kind}");
        merchant.pass_the_time_of_the_first();
        assert_eq!(
            merchant.payers.send(&asked, RICH).body["success"],
            true,
            "{kind}"
        );
        assert_eq!(
            merchant.payers.send(&asked, RICH).body["success"],
            true,
            "{kind}"
        );
    });
}

#[test]
fn a_signed_request_is_answered_after_its_wait_and_not_a_second_time() {
    Merchant::each(|kind, mut merchant| {
        let paid = merchant.payment(1);
        let body = merchant.body(&paid);
        let shop = merchant.payers.shop.clone();
        let world = merchant.payers.world();
        let asked = world.sign(&shop, None, "POST", "/v1/x402/settle", &body);
        let pending = merchant.payers.send(&asked, RICH);
        assert_eq!(pending.body["errorReason"], "settlement_pending", "{kind}");
        let awaited = merchant.payers.world().awaited;
        merchant.payers.execute_payment(&paid, 0);
        merchant.payers.world().resumes = awaited;
        let settled = merchant.payers.send(&asked, RICH);
        assert_eq!(settled.body["success"], true, "{kind}: {}", settled.body);
        merchant.pass_the_time_of_the_first();
        let again = merchant.payers.send(&asked, RICH);
        assert_eq!(again.refusal(), "401 NONCE_REUSED", "{kind}");
    });
}
