//! `GET /x402/{paylink_id}` on a real chain.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{request, text};

use super::{Programs, accepted, encoded, header, payment, resource, signed, signed_with};
use crate::chain::authorizations::{RICH, Token};
use crate::chain::sending::sent;

const NO_DIFFERENCES: Vec<String> = Vec::new();
const NETWORK: &str = "eip155:8453";

#[test]
fn a_paylink_asks_for_a_payment_in_both_versions() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let asked = programs.world().send(resource(&link, Vec::new()));
        assert_eq!(asked.status, 402, "{kind}");
        let wallet = programs.connected.wallet.to_string();
        let two = header(&asked, "payment-required");
        let token = text(&two["accepts"][0], "asset");
        let extra = json!({"name": "USD Coin", "version": "2"});
        let accepts = json!([{
            "scheme": "exact", "network": NETWORK, "asset": token, "amount": "10000000", "payTo": wallet,
            "maxTimeoutSeconds": 300, "extra": extra,
        }]);
        assert_eq!(two["x402Version"], 2, "{kind}");
        assert_eq!(two["accepts"], accepts, "{kind}");
        let url = text(&two["resource"], "url");
        assert!(url.ends_with(&format!("/v1/x402/{link}")), "{kind}: {url}");
        let one = json!({"x402Version": 1, "accepts": [{
            "scheme": "exact", "network": "base", "asset": token, "maxAmountRequired": "10000000", "payTo": wallet,
            "maxTimeoutSeconds": 300, "extra": extra, "resource": url, "description": "Tea", "mimeType": "application/json",
        }]});
        assert_eq!(asked.body, one, "{kind}");
        assert_eq!(programs.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn a_payment_has_its_receipt_once_a_block_has_the_transfer() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        let given = programs.pay(&link, &paid);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
        assert_eq!(given.header("payment-response"), None, "{kind}");
        assert_eq!(given.body["transaction_hash"], Value::Null, "{kind}");
        let hash = programs.execute(&paid, 0);
        let settled = programs.pay(&link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        let payer = programs.payer.address();
        let expected = json!({
            "success": true, "transaction": hash.to_string(), "network": NETWORK, "payer": payer,
        });
        assert_eq!(header(&settled, "payment-response"), expected, "{kind}");
        assert_eq!(
            settled.body["payment_id"], given.body["payment_id"],
            "{kind}"
        );
        assert_eq!(settled.body["amount"], "10", "{kind}");
        // The receipt can be had again, and nothing is paid twice.
        let again = programs.pay(&link, &paid);
        assert_eq!(again.body, settled.body, "{kind}");
        programs.connected.blocks(3);
        let [payment] = programs.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["source"], "X402", "{kind}");
        assert_eq!(payment["payment_method"], "Direct", "{kind}");
        assert_eq!(payment["customer"]["wallet_address"], payer, "{kind}");
        assert!(payment.get("deposit_address").is_none(), "{kind}");
        assert_eq!(programs.till_balance(), "10 0", "{kind}");
        assert_eq!(programs.connected.requests(), [], "{kind}");
        assert_eq!(programs.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn the_payments_of_a_wallet_are_of_one_customer() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        for nonce in [1, 2] {
            let paid = programs.payment(&link, nonce);
            assert_eq!(programs.pay(&link, &paid).status, 202, "{kind}");
        }
        let payments = programs.payments();
        assert_eq!(payments.len(), 2, "{kind}");
        assert_eq!(
            payments[0]["customer_id"], payments[1]["customer_id"],
            "{kind}"
        );
    });
}

#[test]
fn a_client_of_version_one_pays_too() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let accepted = accepted(programs.world(), &link);
        let payload = signed(&programs.payer, &accepted, 1, programs.until());
        let paid =
            json!({"x402Version": 1, "scheme": "exact", "network": "base", "payload": payload});
        let headers = || vec![("X-PAYMENT".to_owned(), encoded(&paid))];
        let given = programs.send(&resource(&link, headers()), RICH);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
        programs.execute(&paid, 0);
        let settled = programs.send(&resource(&link, headers()), RICH);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        let response = header(&settled, "x-payment-response");
        assert_eq!(response["network"], "base", "{kind}");
        assert_eq!(response["success"], true, "{kind}");
    });
}

#[test]
fn the_same_payment_sent_ten_times_pays_once() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        let answers: Vec<Value> = (0..10).map(|_| programs.pay(&link, &paid).body).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{kind}");
        assert_eq!(programs.payments().len(), 1, "{kind}");
        programs.execute(&paid, 0);
        assert_eq!(programs.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_wrong_payment_is_refused_with_its_code_and_changes_nothing() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let asks = accepted(programs.world(), &link);
        let (payer, until) = (Wallet::new([7; 32]), programs.until());
        let now = programs.connected.world.now.seconds();
        let right = payment(&payer, &asks, 1, until);
        let changed = |path: &str, value: Value| {
            let mut changed = right.clone();
            *changed.pointer_mut(path).expect("a member") = value;
            changed
        };
        let asking = |name: &str, value: Value| {
            let mut asks = asks.clone();
            asks[name] = value;
            payment(&payer, &asks, 1, until)
        };
        let other = payment(&Wallet::new([8; 32]), &asks, 1, until);
        let other = other["payload"]["signature"].clone();
        let own = payer.address();
        let poor = Token {
            held: 9_999_999,
            ..RICH
        };
        let used = Token { used: true, ..RICH };
        let reverts = Token {
            reverts: true,
            ..RICH
        };
        for (paid, token, code) in [
            (
                changed("/x402Version", json!(3)),
                RICH,
                "invalid_x402_version",
            ),
            (
                changed("/accepted/scheme", json!("upto")),
                RICH,
                "unsupported_scheme",
            ),
            (
                changed("/accepted/network", json!("eip155:1")),
                RICH,
                "invalid_exact_evm_eip3009_not_supported",
            ),
            (
                changed("/accepted/network", json!("solana:5eykt4U")),
                RICH,
                "invalid_network",
            ),
            (
                changed("/accepted/amount", json!("1")),
                RICH,
                "invalid_payment_requirements",
            ),
            (
                changed("/payload/authorization/nonce", json!("0x01")),
                RICH,
                "invalid_payload",
            ),
            (
                changed("/payload/authorization/validBefore", json!("soon")),
                RICH,
                "invalid_payload",
            ),
            (
                changed("/payload/authorization", Value::Null),
                RICH,
                "invalid_payload",
            ),
            (
                changed("/payload/signature", other),
                RICH,
                "invalid_exact_evm_signature",
            ),
            (
                changed("/payload/signature", json!("0x")),
                RICH,
                "invalid_exact_evm_signature",
            ),
            (
                changed("/payload/authorization/value", json!("1")),
                RICH,
                "invalid_exact_evm_signature",
            ),
            (
                asking("amount", json!("9999999")),
                RICH,
                "invalid_payment_requirements",
            ),
            (
                asking("payTo", json!(own)),
                RICH,
                "invalid_payment_requirements",
            ),
            (
                payment(&payer, &asks, 1, now + 14),
                RICH,
                "invalid_exact_evm_payload_authorization_valid_before",
            ),
            (
                payment(&payer, &asks, 1, now + 3_601),
                RICH,
                "invalid_exact_evm_payload_authorization_valid_before",
            ),
            (
                right.clone(),
                poor,
                "invalid_exact_evm_insufficient_balance",
            ),
            (right.clone(), used, "invalid_exact_evm_nonce_already_used"),
            (
                right.clone(),
                reverts,
                "invalid_exact_evm_transaction_simulation_failed",
            ),
        ] {
            let refused = programs.pay_as(&link, &paid, token);
            assert_eq!(refused.status, 402, "{kind}: {code}: {}", refused.body);
            assert_eq!(
                header(&refused, "payment-required")["error"],
                code,
                "{kind}"
            );
            assert_eq!(refused.body["error"], code, "{kind}");
            if refused.header("payment-response").is_some() {
                assert_eq!(
                    header(&refused, "payment-response")["success"],
                    false,
                    "{kind}"
                );
            }
        }
        for text in ["", "no base64!", "e30=", &"A".repeat(9_000)] {
            let headers = vec![("PAYMENT-SIGNATURE".to_owned(), text.to_owned())];
            let refused = programs.send(&resource(&link, headers), RICH);
            assert_eq!(refused.status, 402, "{kind}: {text}");
        }
        assert_eq!(programs.payments(), Vec::<Value>::new(), "{kind}");
        let shop = programs.shop.clone();
        assert_eq!(
            programs.world().list(&shop, "/v1/customers"),
            Vec::<Value>::new(),
            "{kind}"
        );
        assert_eq!(programs.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_transfer_that_pays_one_paylink_pays_no_other() {
    Programs::each(|kind, mut programs| {
        let (one, other) = (programs.paylink(), programs.paylink());
        let paid = programs.payment(&one, 1);
        assert_eq!(programs.pay(&one, &paid).status, 202, "{kind}");
        let refused = programs.pay(&other, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_nonce_already_used",
            "{kind}"
        );
        programs.execute(&paid, 0);
        let refused = programs.pay(&other, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_nonce_already_used",
            "{kind}"
        );
        assert_eq!(programs.payments().len(), 1, "{kind}");
    });
}

#[test]
fn a_receipt_needs_the_signature_of_its_payer() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let mut paid = programs.payment(&link, 1);
        programs.pay(&link, &paid);
        programs.execute(&paid, 0);
        // Payer, nonce and amount are on the chain, for all to see.
        paid["payload"]["signature"] = json!(format!("0x{}1b", "11".repeat(64)));
        let refused = programs.pay(&link, &paid);
        assert_eq!(refused.status, 402, "{kind}");
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_signature",
            "{kind}"
        );
    });
}

#[test]
fn a_reverted_transfer_is_pending_until_nobody_can_execute_it() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        programs.pay(&link, &paid);
        let (_, hash) = sent(&mut programs.connected);
        let wallet = programs.connected.wallet;
        programs.connected.mine((hash, wallet, 0), false);
        programs.connected.blocks(3);
        // Who signs another now may pay twice.
        assert_eq!(programs.pay(&link, &paid).status, 202, "{kind}");
        assert_eq!(programs.world().awaited, None, "{kind}");
        programs
            .world()
            .pass_and_work(Duration::from_secs(300 + 15 * 60));
        let refused = programs.pay(&link, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_transaction_failed",
            "{kind}"
        );
        assert_eq!(
            header(&refused, "payment-response")["success"],
            false,
            "{kind}"
        );
        programs.world().pass_and_work(Duration::from_secs(3_600));
        let [payment] = programs.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Expired", "{kind}");
        let again = programs.payment(&link, 2);
        assert_eq!(programs.pay(&link, &again).status, 202, "{kind}");
        programs.execute(&again, 1);
        assert_eq!(programs.pay(&link, &again).status, 200, "{kind}");
    });
}

#[test]
fn a_reverted_transfer_that_somebody_else_executes_has_its_receipt() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        programs.pay(&link, &paid);
        let (_, hash) = sent(&mut programs.connected);
        let wallet = programs.connected.wallet;
        programs.connected.mine((hash, wallet, 0), false);
        programs.connected.blocks(3);
        programs.execute_by_another(&paid);
        let settled = programs.pay(&link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        programs.connected.blocks(3);
        assert_eq!(programs.till_balance(), "10 0", "{kind}");
        assert_eq!(programs.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_reorganised_transfer_has_no_receipt_until_a_block_has_it_again() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        programs.pay(&link, &paid);
        let hash = programs.execute(&paid, 0);
        assert_eq!(programs.pay(&link, &paid).status, 200, "{kind}");
        programs.connected.reorganise(1);
        assert_eq!(programs.pay(&link, &paid).status, 202, "{kind}");
        programs.execute_in(&paid, (hash, 0));
        assert_eq!(programs.pay(&link, &paid).status, 200, "{kind}");
        programs.connected.blocks(3);
        assert_eq!(programs.till_balance(), "10 0", "{kind}");
        assert_eq!(programs.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_paylink_that_no_program_can_pay_says_so() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        programs.pay_fees(None);
        let asked = programs.world().send(resource(&link, Vec::new()));
        assert_eq!(asked.refusal(), "422 NOT_SUPPORTED", "{kind}");
        assert_eq!(
            programs.pay(&link, &paid).refusal(),
            "422 NOT_SUPPORTED",
            "{kind}"
        );
        programs.pay_fees(Some(1_000_000_000_000_000_000));
        let shop = programs.shop.clone();
        let delivered = json!({
            "name": "Tea", "amount": "10", "currency": "USDC", "metadata": {"shipping_address_collection": true},
        });
        let delivered = programs.world().post(&shop, "/v1/paylinks", delivered).id();
        let asked = programs.world().send(resource(&delivered, Vec::new()));
        assert_eq!(asked.refusal(), "422 NOT_SUPPORTED", "{kind}");
        let path = format!("/v1/paylinks/{link}");
        let deleted = programs.world().keyed(&shop, "DELETE", &path, Value::Null);
        assert!(deleted.status < 300, "{kind}: {}", deleted.body);
        assert_eq!(
            programs.pay(&link, &paid).refusal(),
            "409 PAYLINK_CLOSED",
            "{kind}"
        );
        let unknown = resource("pl_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", Vec::new());
        assert_eq!(
            programs.world().send(unknown).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        assert_eq!(programs.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn the_last_of_a_stock_is_sold_to_one_program() {
    Programs::each(|kind, mut programs| {
        let shop = programs.shop.clone();
        let body =
            json!({"name": "Tea", "amount": "10", "currency": "USDC", "available_quantity": 1});
        let link = programs.world().post(&shop, "/v1/paylinks", body).id();
        let (first, second) = (programs.payment(&link, 1), programs.payment(&link, 2));
        assert_eq!(programs.pay(&link, &first).status, 202, "{kind}");
        assert_eq!(
            programs.pay(&link, &second).refusal(),
            "409 PAYLINK_CLOSED",
            "{kind}"
        );
        assert_eq!(programs.pay(&link, &first).status, 202, "{kind}");
        programs.execute(&first, 0);
        assert_eq!(programs.pay(&link, &first).status, 200, "{kind}");
    });
}

#[test]
fn a_payment_is_unavailable_without_answers_of_nodes() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let paid = programs.payment(&link, 1);
        let headers = vec![("PAYMENT-SIGNATURE".to_owned(), encoded(&paid))];
        let refused = programs
            .world()
            .send_with_nodes(&resource(&link, headers), |calls| {
                calls.nodes.iter().map(|_| Vec::new()).collect()
            });
        assert_eq!(refused.refusal(), "503 UNAVAILABLE", "{kind}");
        assert_eq!(programs.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn a_program_that_takes_the_nonce_of_a_checkout_pays_its_paylink_only() {
    Programs::each(|kind, mut programs| {
        let shop = programs.shop.clone();
        let body = json!({"amount": "10", "currency": "USDC", "chain_id": 8453, "account": "till"});
        let checkout = programs.world().post(&shop, "/v1/payments", body).id();
        let path = format!("/v1/checkout/payments/{checkout}");
        let offered = programs.world().public("GET", &path, Value::Null);
        let offered = offered.data()["authorization"].clone();
        let link = programs.paylink();
        let asks = accepted(programs.world(), &link);
        let (nonce, until) = (text(&offered, "nonce"), programs.until());
        let payload = signed_with(&programs.payer, &asks, &nonce, until);
        let paid = json!({"x402Version": 2, "accepted": asks, "payload": payload});
        assert_eq!(programs.pay(&link, &paid).status, 202, "{kind}");
        let (_, hash) = sent(&mut programs.connected);
        let wallet = programs.connected.wallet;
        programs.connected.mine((hash, wallet, 0), false);
        programs.connected.blocks(3);
        // Reverted, it could be signed again, but for its own payment only.
        let authorized = programs.payer.authorize(&offered, 8453);
        let path = format!("{path}/authorizations");
        let given = request("POST", &path, &authorized, Vec::new());
        let refused = programs.send(&given, RICH).refusal();
        assert_eq!(refused, "409 AUTHORIZATION_USED", "{kind}");
        assert_eq!(programs.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_page_of_another_origin_may_pay_a_paylink() {
    Programs::each(|kind, mut programs| {
        let link = programs.paylink();
        let path = format!("/v1/x402/{link}");
        let origin = || vec![("Origin".to_owned(), "https://shop.example".to_owned())];
        let asked = request("OPTIONS", &path, &Value::Null, origin());
        let allowed = programs.world().send(asked);
        assert_eq!(allowed.status, 204, "{kind}: {}", allowed.body);
        let header = |name: &str| allowed.header(name).unwrap_or_default().to_owned();
        assert_eq!(header("access-control-allow-origin"), "*", "{kind}");
        assert_eq!(header("access-control-allow-methods"), "GET", "{kind}");
        assert_eq!(
            header("access-control-allow-headers"),
            "payment-signature, x-payment",
            "{kind}"
        );
        let asked = programs.world().send(resource(&link, origin()));
        assert_eq!(
            asked.header("access-control-allow-origin"),
            Some("*"),
            "{kind}"
        );
        let exposed = asked.header("access-control-expose-headers");
        assert!(
            exposed.is_some_and(|names| names.contains("payment-required")),
            "{kind}"
        );
        // The facilitator is for servers.
        let settle = request("OPTIONS", "/v1/x402/settle", &Value::Null, origin());
        let refused = programs.world().send(settle);
        assert!(
            refused.header("access-control-allow-origin").is_none(),
            "{kind}"
        );
    });
}
