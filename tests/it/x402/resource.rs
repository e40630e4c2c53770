//! `GET /x402/{paylink_id}` on a real chain.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{request, text};

use super::{accepted, encoded, header, payment, resource, signed, signed_with};
use crate::account::prove_wallet;
use crate::chain::extended_keys::{ADDRESSES, XPUB, create, first_wallet};
use crate::chain::payers::{NO_DIFFERENCES, Payers, RICH, Token};
use crate::chain::sending::sent;

const NETWORK: &str = "eip155:8453";

#[test]
fn a_paylink_asks_for_a_payment_in_both_versions() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let asked = payers.world().send(resource(&link, Vec::new()));
        assert_eq!(asked.status, 402, "{kind}");
        let wallet = payers.connected.wallet.to_string();
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
        assert_eq!(payers.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn a_payment_has_its_receipt_once_a_block_has_the_transfer() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        let given = payers.pay(&link, &paid);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
        assert_eq!(given.header("payment-response"), None, "{kind}");
        assert_eq!(given.body["transaction_hash"], Value::Null, "{kind}");
        let hash = payers.execute_payment(&paid, 0);
        let settled = payers.pay(&link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        let payer = payers.payer.address();
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
        let again = payers.pay(&link, &paid);
        assert_eq!(again.body, settled.body, "{kind}");
        payers.connected.blocks(3);
        let [payment] = payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["source"], "X402", "{kind}");
        assert_eq!(payment["payment_method"], "Direct", "{kind}");
        assert_eq!(payment["customer"]["wallet_address"], payer, "{kind}");
        assert!(payment.get("deposit_address").is_none(), "{kind}");
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.requests(), [], "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

/// The shop has one account, of an extended public key that is proven and empty. Returns a paylink.
fn paylink_of_a_key(payers: &mut Payers) -> String {
    payers.shop = payers.world().shop("Key", None);
    let shop = payers.shop.clone();
    let account = create(payers.world(), &shop, "till", 8453, XPUB);
    prove_wallet(payers.world(), &shop, account.id_number(), &first_wallet());
    payers.connected.blocks(3);
    payers.connected.report_empty_wallets();
    payers.paylink()
}

#[test]
fn a_proven_extended_public_key_is_paid_at_its_first_address() {
    Payers::each(|kind, mut payers| {
        let link = paylink_of_a_key(&mut payers);
        let asked = payers.world().send(resource(&link, Vec::new()));
        let accepts = header(&asked, "payment-required")["accepts"].clone();
        assert_eq!(accepts.as_array().map(Vec::len), Some(1), "{kind}");
        assert_eq!(accepts[0]["payTo"], ADDRESSES[0], "{kind}");
        // Without a proof, another account takes the money.
        let watcher = payers.world().shop("Watcher", None);
        create(payers.world(), &watcher, "key", 8453, XPUB);
        (payers.world()).account(&watcher, "till", 8453, &["USDC"]);
        let other = super::paylink(payers.world(), &watcher);
        let wallet = payers.connected.wallet.to_string();
        assert_eq!(accepted(payers.world(), &other)["payTo"], wallet, "{kind}");
        payers.connected.blocks(3);
        payers.connected.report_empty_wallets();
        let paid = payers.payment_for(&link, 1);
        assert_eq!(payers.pay(&link, &paid).status, 202, "{kind}");
        let hash = payers.execute_payment(&paid, 0);
        let settled = payers.pay(&link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        payers.connected.blocks(3);
        let [payment] = payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["id"], settled.body["payment_id"], "{kind}");
        assert_eq!(payers.till(), "10 0", "{kind}");
        let shop = payers.shop.clone();
        let moved = payers.world().list(&shop, "/v1/accounts/till/movement");
        let [moved] = moved.try_into().expect("one movement");
        assert_eq!(moved["entity_id"], payment["id"], "{kind}");
        assert_eq!(moved["status"], "Confirmed", "{kind}");
        assert_eq!(moved["transaction_hash"], format!("{hash:#x}"), "{kind}");
        assert_eq!(payers.connected.requests(), [], "{kind}: no sweep");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
        let payments = payers.world().list(&watcher, "/v1/payments");
        assert_eq!(payments, Vec::<Value>::new(), "{kind}");
        // The merchant signs what goes back to the payer, with the key of that address.
        let path = format!("/v1/payments/{}/refunds", text(&payment, "id"));
        let refund = payers.world().signed(&shop, None, "POST", &path, json!({}));
        assert_eq!(refund.status, 201, "{kind}: {}", refund.body);
        let payouts = payers.world().list(&shop, "/v1/payouts");
        let path = format!("/v1/payments/{}", text(&payouts[0], "id"));
        let prepared = payers.world().read(&shop, &path)["prepared_transaction"].clone();
        assert_eq!(prepared["from"], ADDRESSES[0], "{kind}: {prepared}");
        let link = text(&prepared, "link");
        let back = format!("address={}&uint256=10000000", payers.payer.address());
        assert!(link.ends_with(&back), "{kind}: {link}");
    });
}

#[test]
fn payments_at_the_first_address_of_a_key_are_told_apart_by_their_nonces() {
    Payers::each(|kind, mut payers| {
        let link = paylink_of_a_key(&mut payers);
        let paid = [1, 2].map(|nonce| payers.payment_for(&link, nonce));
        let statuses = |payers: &mut Payers| {
            let statuses = paid.each_ref().map(|paid| payers.pay(&link, paid).status);
            format!("{kind}: {statuses:?}")
        };
        assert_eq!(statuses(&mut payers), format!("{kind}: [202, 202]"));
        let ends = (payers.from(), ADDRESSES[0].parse().expect("an address"));
        let plain = payers.connected.chain.hash();
        payers.connected.move_usdc(plain, ends, 10_000_000);
        payers.execute_by_another(&paid[1]);
        assert_eq!(statuses(&mut payers), format!("{kind}: [202, 200]"));
        payers.connected.reorganise(1);
        assert_eq!(statuses(&mut payers), format!("{kind}: [202, 202]"));
        payers.execute_by_another(&paid[0]);
        assert_eq!(statuses(&mut payers), format!("{kind}: [200, 202]"));
        payers.connected.move_usdc(plain, ends, 10_000_000);
        payers.execute_by_another(&paid[1]);
        assert_eq!(statuses(&mut payers), format!("{kind}: [200, 200]"));
        payers.connected.blocks(3);
        let payments = payers.payments();
        assert_eq!(payments.len(), 2, "{kind}");
        for payment in &payments {
            assert_eq!(payment["status"], "Confirmed", "{kind}: {payment}");
            assert_eq!(payment["paid_amount"], "10", "{kind}: {payment}");
        }
        // The plain transfer pays nothing, and is the merchant's.
        assert_eq!(payers.till(), "30 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn the_payments_of_a_wallet_are_of_one_customer() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        for nonce in [1, 2] {
            let paid = payers.payment_for(&link, nonce);
            assert_eq!(payers.pay(&link, &paid).status, 202, "{kind}");
        }
        let payments = payers.payments();
        assert_eq!(payments.len(), 2, "{kind}");
        assert_eq!(
            payments[0]["customer_id"], payments[1]["customer_id"],
            "{kind}"
        );
    });
}

#[test]
fn a_client_of_version_one_pays_too() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let accepted = accepted(payers.world(), &link);
        let payload = signed(&payers.payer, &accepted, 1, payers.until());
        let paid =
            json!({"x402Version": 1, "scheme": "exact", "network": "base", "payload": payload});
        let headers = || vec![("X-PAYMENT".to_owned(), encoded(&paid))];
        let given = payers.send(&resource(&link, headers()), RICH);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
        payers.execute_payment(&paid, 0);
        let settled = payers.send(&resource(&link, headers()), RICH);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        let response = header(&settled, "x-payment-response");
        assert_eq!(response["network"], "base", "{kind}");
        assert_eq!(response["success"], true, "{kind}");
    });
}

#[test]
fn the_same_payment_sent_ten_times_pays_once() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        let answers: Vec<Value> = (0..10).map(|_| payers.pay(&link, &paid).body).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{kind}");
        assert_eq!(payers.payments().len(), 1, "{kind}");
        payers.execute_payment(&paid, 0);
        assert_eq!(payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_wrong_payment_is_refused_with_its_code_and_changes_nothing() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let asks = accepted(payers.world(), &link);
        let (payer, until) = (Wallet::new([7; 32]), payers.until());
        let now = payers.connected.world.now.seconds();
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
            let refused = payers.pay_as(&link, &paid, token);
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
            let refused = payers.send(&resource(&link, headers), RICH);
            assert_eq!(refused.status, 402, "{kind}: {text}");
        }
        assert_eq!(payers.payments(), Vec::<Value>::new(), "{kind}");
        let shop = payers.shop.clone();
        assert_eq!(
            payers.world().list(&shop, "/v1/customers"),
            Vec::<Value>::new(),
            "{kind}"
        );
        assert_eq!(payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_transfer_that_pays_one_paylink_pays_no_other() {
    Payers::each(|kind, mut payers| {
        let (one, other) = (payers.paylink(), payers.paylink());
        let paid = payers.payment_for(&one, 1);
        assert_eq!(payers.pay(&one, &paid).status, 202, "{kind}");
        let refused = payers.pay(&other, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_nonce_already_used",
            "{kind}"
        );
        payers.execute_payment(&paid, 0);
        let refused = payers.pay(&other, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_nonce_already_used",
            "{kind}"
        );
        assert_eq!(payers.payments().len(), 1, "{kind}");
    });
}

#[test]
fn a_receipt_needs_the_signature_of_its_payer() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let mut paid = payers.payment_for(&link, 1);
        payers.pay(&link, &paid);
        payers.execute_payment(&paid, 0);
        // Payer, nonce and amount are on the chain, for all to see.
        paid["payload"]["signature"] = json!(format!("0x{}1b", "11".repeat(64)));
        let refused = payers.pay(&link, &paid);
        assert_eq!(refused.status, 402, "{kind}");
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_signature",
            "{kind}"
        );
    });
}

#[test]
fn a_reverted_transfer_is_pending_until_nobody_can_execute_it() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        payers.pay(&link, &paid);
        let (_, hash) = sent(&mut payers.connected);
        let wallet = payers.connected.wallet;
        payers.connected.mine((hash, wallet, 0), false);
        payers.connected.blocks(3);
        // Who signs another now may pay twice.
        assert_eq!(payers.pay(&link, &paid).status, 202, "{kind}");
        assert_eq!(payers.world().awaited, None, "{kind}");
        payers
            .world()
            .pass_and_work(Duration::from_secs(300 + 15 * 60));
        let refused = payers.pay(&link, &paid);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_transaction_failed",
            "{kind}"
        );
        assert_eq!(
            header(&refused, "payment-response")["success"],
            false,
            "{kind}"
        );
        payers.world().pass_and_work(Duration::from_secs(3_600));
        let [payment] = payers.payments().try_into().expect("one payment");
        assert_eq!(payment["status"], "Expired", "{kind}");
        let again = payers.payment_for(&link, 2);
        assert_eq!(payers.pay(&link, &again).status, 202, "{kind}");
        payers.execute_payment(&again, 1);
        assert_eq!(payers.pay(&link, &again).status, 200, "{kind}");
    });
}

#[test]
fn a_reverted_transfer_that_somebody_else_executes_has_its_receipt() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        payers.pay(&link, &paid);
        let (_, hash) = sent(&mut payers.connected);
        let wallet = payers.connected.wallet;
        payers.connected.mine((hash, wallet, 0), false);
        payers.connected.blocks(3);
        payers.execute_by_another(&paid);
        let settled = payers.pay(&link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_reorganised_transfer_has_no_receipt_until_a_block_has_it_again() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        payers.pay(&link, &paid);
        let hash = payers.execute_payment(&paid, 0);
        assert_eq!(payers.pay(&link, &paid).status, 200, "{kind}");
        payers.connected.reorganise(1);
        assert_eq!(payers.pay(&link, &paid).status, 202, "{kind}");
        payers.execute_in(&paid, (hash, 0));
        assert_eq!(payers.pay(&link, &paid).status, 200, "{kind}");
        payers.connected.blocks(3);
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn what_another_transaction_executes_after_a_reorganisation_counts_once() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        payers.pay(&link, &paid);
        let [one, other] = [(), ()].map(|()| payers.connected.chain.hash());
        // The first one comes back in the end.
        for (reorganised, hash) in [(0, one), (1, other), (1, one)] {
            payers.connected.reorganise(reorganised);
            payers.include_payment(&paid, hash);
            let [payment] = payers.payments().try_into().expect("one payment");
            assert_eq!(payment["paid_amount"], "10", "{kind}: {hash}");
            assert_eq!(payment["status"], "Processing", "{kind}: {hash}");
        }
        payers.connected.blocks(3);
        let [payment] = payers.payments().try_into().expect("one payment");
        assert_eq!(payment["paid_amount"], "10", "{kind}");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payers.till(), "10 0", "{kind}");
        assert_eq!(payers.connected.differences(), NO_DIFFERENCES, "{kind}");
    });
}

#[test]
fn a_paylink_that_no_program_can_pay_says_so() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        payers.pay_fees(None);
        let asked = payers.world().send(resource(&link, Vec::new()));
        assert_eq!(asked.refusal(), "422 NOT_SUPPORTED", "{kind}");
        assert_eq!(
            payers.pay(&link, &paid).refusal(),
            "422 NOT_SUPPORTED",
            "{kind}"
        );
        payers.pay_fees(Some(1_000_000_000_000_000_000));
        let shop = payers.shop.clone();
        let delivered = json!({
            "name": "Tea", "amount": "10", "currency": "USDC", "metadata": {"shipping_address_collection": true},
        });
        let delivered = payers.world().post(&shop, "/v1/paylinks", delivered).id();
        let asked = payers.world().send(resource(&delivered, Vec::new()));
        assert_eq!(asked.refusal(), "422 NOT_SUPPORTED", "{kind}");
        let path = format!("/v1/paylinks/{link}");
        let deleted = payers.world().keyed(&shop, "DELETE", &path, Value::Null);
        assert!(deleted.status < 300, "{kind}: {}", deleted.body);
        assert_eq!(
            payers.pay(&link, &paid).refusal(),
            "409 PAYLINK_CLOSED",
            "{kind}"
        );
        let unknown = resource("pl_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", Vec::new());
        assert_eq!(
            payers.world().send(unknown).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        assert_eq!(payers.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn the_last_of_a_stock_is_sold_to_one_program() {
    Payers::each(|kind, mut payers| {
        let shop = payers.shop.clone();
        let body =
            json!({"name": "Tea", "amount": "10", "currency": "USDC", "available_quantity": 1});
        let link = payers.world().post(&shop, "/v1/paylinks", body).id();
        let (first, second) = (payers.payment_for(&link, 1), payers.payment_for(&link, 2));
        assert_eq!(payers.pay(&link, &first).status, 202, "{kind}");
        assert_eq!(
            payers.pay(&link, &second).refusal(),
            "409 PAYLINK_CLOSED",
            "{kind}"
        );
        assert_eq!(payers.pay(&link, &first).status, 202, "{kind}");
        payers.execute_payment(&first, 0);
        assert_eq!(payers.pay(&link, &first).status, 200, "{kind}");
    });
}

#[test]
fn a_payment_is_unavailable_without_answers_of_nodes() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let paid = payers.payment_for(&link, 1);
        let headers = vec![("PAYMENT-SIGNATURE".to_owned(), encoded(&paid))];
        let refused = payers
            .world()
            .send_with_nodes(&resource(&link, headers), |calls| {
                calls.nodes.iter().map(|_| Vec::new()).collect()
            });
        assert_eq!(refused.refusal(), "503 UNAVAILABLE", "{kind}");
        assert_eq!(payers.payments(), Vec::<Value>::new(), "{kind}");
    });
}

#[test]
fn a_program_that_takes_the_nonce_of_a_checkout_pays_its_paylink_only() {
    Payers::each(|kind, mut payers| {
        let shop = payers.shop.clone();
        let body = json!({"amount": "10", "currency": "USDC", "chain_id": 8453, "account": "till"});
        let checkout = payers.world().post(&shop, "/v1/payments", body).id();
        let path = format!("/v1/checkout/payments/{checkout}");
        let offered = payers.world().public("GET", &path, Value::Null);
        let offered = offered.data()["authorization"].clone();
        let link = payers.paylink();
        let asks = accepted(payers.world(), &link);
        let (nonce, until) = (text(&offered, "nonce"), payers.until());
        let payload = signed_with(&payers.payer, &asks, &nonce, until);
        let paid = json!({"x402Version": 2, "accepted": asks, "payload": payload});
        assert_eq!(payers.pay(&link, &paid).status, 202, "{kind}");
        let (_, hash) = sent(&mut payers.connected);
        let wallet = payers.connected.wallet;
        payers.connected.mine((hash, wallet, 0), false);
        payers.connected.blocks(3);
        // Reverted, it could be signed again, but for its own payment only.
        let authorized = payers.payer.authorize(&offered, 8453);
        let path = format!("{path}/authorizations");
        let given = request("POST", &path, &authorized, Vec::new());
        let refused = payers.send(&given, RICH).refusal();
        assert_eq!(refused, "409 AUTHORIZATION_USED", "{kind}");
        assert_eq!(payers.connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_page_of_another_origin_may_pay_a_paylink() {
    Payers::each(|kind, mut payers| {
        let link = payers.paylink();
        let path = format!("/v1/x402/{link}");
        let origin = || vec![("Origin".to_owned(), "https://shop.example".to_owned())];
        let asked = request("OPTIONS", &path, &Value::Null, origin());
        let allowed = payers.world().send(asked);
        assert_eq!(allowed.status, 204, "{kind}: {}", allowed.body);
        let header = |name: &str| allowed.header(name).unwrap_or_default().to_owned();
        assert_eq!(header("access-control-allow-origin"), "*", "{kind}");
        assert_eq!(header("access-control-allow-methods"), "GET", "{kind}");
        assert_eq!(
            header("access-control-allow-headers"),
            "payment-signature, x-payment",
            "{kind}"
        );
        let asked = payers.world().send(resource(&link, origin()));
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
        let refused = payers.world().send(settle);
        assert!(
            refused.header("access-control-allow-origin").is_none(),
            "{kind}"
        );
    });
}
