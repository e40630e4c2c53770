//! Claims of wallets: visible data, permitted uses, and attacks on the proof. Further tests of the proof:
//! `account/prove_ownership.rs`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{OTHER_WALLET, Shop, World, text};

use crate::account::{challenge, claim, claim_on, prove, prove_wallet, wallet};

/// A shop with money on Base.
fn payer(world: &mut World) -> (Shop, i64) {
    let shop = world.shop("Payer", None);
    let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, till, 8453, "USDC", "100");
    (shop, till)
}

fn pay_out(world: &mut World, shop: &Shop, to: &str) -> Value {
    let out = json!({ "account": "till", "amount": "30", "currency": "USDC", "chain_id": 8453, "address": to,
        "reference": "invoice 7 of the supplier" });
    let made = world.create(shop, "/v1/payouts", out);
    world.settle();
    let id = made.id();
    let path = format!("/v1/payments/{id}");
    let sent = world.read(shop, &path);
    assert_eq!(sent["status"], "Confirmed");
    sent
}

#[test]
fn a_payout_to_a_wallet_claimed_by_another_merchant_succeeds() {
    World::each(|kind, mut world| {
        let (shop, till) = payer(&mut world);
        let rival = world.shop("Rival", None);
        let supplier = wallet().address();
        let watched = claim(&mut world, &rival, &supplier);
        let sent = pay_out(&mut world, &shop, &supplier);

        let path = format!("/v1/accounts/{watched}/movement");
        let seen = world.read(&rival, &path);
        assert_eq!(seen["total"], 1, "{kind}: {seen}");
        let seen = &seen["items"][0];
        let from = world.read(&shop, &format!("/v1/accounts/{till}"))["address"].clone();
        assert_eq!(seen["type"], "Deposit", "{kind}");
        assert_eq!(seen["amount"], "30", "{kind}");
        assert_eq!(seen["from_address"], from, "{kind}");
        let hash = &sent["settlement_transaction"]["transaction_hash"];
        assert_eq!(&seen["transaction_hash"], hash, "{kind}");
        assert_eq!(seen["entity_id"], Value::Null, "{kind}");
        // The rival can read nothing that identifies the payer.
        let mut read = String::new();
        for path in [
            "/v1/events?limit=100",
            "/v1/movements",
            "/v1/payments",
            "/v1/accounts",
            "/v1/customers",
        ] {
            read.push_str(&world.read(&rival, path).to_string());
        }
        let found = format!("/v1/find?text={}", hash.as_str().expect("a hash"));
        read.push_str(
            &world
                .keyed(&rival, "GET", &found, Value::Null)
                .body
                .to_string(),
        );
        for secret in [
            shop.id.to_string(),
            text(&sent, "id"),
            "invoice 7".to_owned(),
            "Payer".to_owned(),
        ] {
            assert!(!read.contains(&secret), "{kind}: {secret}");
        }
        // The payer does not learn of the watcher: it can claim the wallet too, and sees nothing earlier.
        let own = claim(&mut world, &shop, &supplier);
        let path = format!("/v1/accounts/{own}/movement");
        assert_eq!(world.read(&shop, &path)["total"], 0, "{kind}");
        pay_out(&mut world, &shop, &supplier);
        for (who, account, total) in [(&shop, own, 1), (&rival, watched, 2)] {
            let path = format!("/v1/accounts/{account}/movement");
            assert_eq!(world.read(who, &path)["total"], total, "{kind}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn watching_a_wallet_does_not_allow_reorganising_its_transfers() {
    World::each(|kind, mut world| {
        let (shop, _) = payer(&mut world);
        let rival = world.shop("Rival", None);
        let supplier = wallet().address();
        claim(&mut world, &rival, &supplier);
        let out = json!({ "account": "till", "amount": "30", "currency": "USDC", "chain_id": 8453, "address": supplier });
        let made = world.signed(&shop, None, "POST", "/v1/payouts", out);
        world.work();
        let path = format!("/v1/payments/{}", made.id());
        let sent = world.read(&shop, &path);
        let undo =
            json!({ "transaction_hash": sent["settlement_transaction"]["transaction_hash"] });
        let refused = world.keyed(&rival, "POST", "/v1/sandbox/reorganisations", undo);
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.settle();
        assert_eq!(world.read(&shop, &path)["status"], "Confirmed", "{kind}");
    });
}

/// All ways to debit an account, or to book something on it.
fn uses(account: i64) -> Vec<(&'static str, String, Value, &'static str)> {
    let to = OTHER_WALLET;
    vec![
        (
            "POST",
            "/v1/payouts".to_owned(),
            json!({ "account": account, "amount": "1", "currency": "USDC", "chain_id": 8453, "address": to }),
            "409 WALLET_NOT_HELD account",
        ),
        (
            "POST",
            "/v1/trade/quicktrade".to_owned(),
            json!({ "account_id": account, "amount": "20", "currency": "USDC", "to_currency": "ETH" }),
            "409 WALLET_NOT_HELD account_id",
        ),
        (
            "POST",
            "/v1/trade/quicktrade".to_owned(),
            json!({ "account_reference": "till", "amount": "20", "currency": "USDC", "to_currency": "ETH",
                "settlement_account_id": account }),
            "409 WALLET_NOT_HELD settlement_account_id",
        ),
        (
            "GET",
            format!(
                "/v1/trade/quote?sell_currency=USDC&sell_amount=20&buy_currency=ETH&account_id={account}"
            ),
            Value::Null,
            "409 WALLET_NOT_HELD account_id",
        ),
        (
            "POST",
            format!("/v1/partners/accounts/id/{account}/automations/maintain-balance"),
            json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": to }),
            "409 WALLET_NOT_HELD",
        ),
        (
            "POST",
            "/v1/accounts/virtual".to_owned(),
            json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
                "deposit_splits": [{ "account_id": account, "pct": "50" }] }),
            "409 WALLET_NOT_HELD deposit_splits[0].account_id",
        ),
    ]
}

/// All ways to direct payments to an account.
fn receipts(account: i64) -> Vec<(&'static str, String, Value, &'static str)> {
    vec![
        (
            "POST",
            "/v1/payments".to_owned(),
            json!({ "account": account, "amount": "1", "currency": "USDC", "chain_id": 8453 }),
            "account",
        ),
        (
            "POST",
            "/v1/paylinks".to_owned(),
            json!({ "account_ids": [account], "amount": "1", "currency": "USDC", "name": "Tea" }),
            "account_ids",
        ),
        (
            "POST",
            format!("/v1/accounts/{account}/pay-in-addresses"),
            json!({ "chain_id": 8453 }),
            "chain_id",
        ),
    ]
}

#[test]
fn own_wallets_neither_send_nor_hold_balances() {
    World::each(|kind, mut world| {
        let (shop, _) = payer(&mut world);
        let own = claim(&mut world, &shop, &wallet().address());
        world.deposit(&shop, own, 8453, "USDC", "50");
        for is_proven in [false, true] {
            if is_proven {
                prove_wallet(&mut world, &shop, own, &wallet());
            }
            for (method, path, body, expected) in uses(own) {
                let refused = world.signed(&shop, None, method, &path, body);
                assert_eq!(refused.refusal(), expected, "{kind} {path} {is_proven}");
            }
        }
        for _ in 0..3 {
            world.settle();
        }
        let held = world.read(&shop, &format!("/v1/accounts/{own}/balances"));
        let held = held.as_array().expect("balances").iter();
        let usdc = held.clone().find(|held| held["currency"] == "USDC");
        let usdc = usdc.expect("USDC");
        assert_eq!(
            (&usdc["posted"], &usdc["available"]),
            (&json!("50"), &json!("0")),
            "{kind}"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn payments_to_a_proven_own_wallet_cannot_be_refunded_by_the_service() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let own = claim(&mut world, &shop, &wallet().address());
        for (method, path, body, field) in receipts(own) {
            let refused = world.signed(&shop, None, method, &path, body);
            let expected = format!("422 OWNERSHIP_UNPROVEN {field}");
            assert_eq!(refused.refusal(), expected, "{kind} {path}");
        }
        // Nor as a default.
        let open = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
        let refused = world.keyed(&shop, "POST", "/v1/payments", open.clone());
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED account", "{kind}");
        prove_wallet(&mut world, &shop, own, &wallet());
        for (method, path, body, _) in receipts(own) {
            let taken = world.signed(&shop, None, method, &path, body);
            assert_eq!(taken.status, 201, "{kind} {path}: {}", taken.body);
        }
        let paid = world.keyed(&shop, "POST", "/v1/payments", open);
        let to = text(paid.data(), "deposit_address");
        world.observe_deposit(&to, "0xfeed", "1000000", 3);
        let id = paid.id();
        let path = format!("/v1/payments/{id}");
        assert_eq!(world.read(&shop, &path)["status"], "Confirmed", "{kind}");
        let back = json!({ "address": OTHER_WALLET });
        let back = world.signed(&shop, None, "POST", &format!("{path}/refunds"), back);
        assert_eq!(back.refusal(), "409 WALLET_NOT_HELD", "{kind}");
        assert_eq!(world.read(&shop, &path)["status"], "Confirmed", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_checkout_offers_no_unproven_wallet() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        // The oldest account, which would be the default.
        let own = claim(&mut world, &shop, &wallet().address());
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let refused = world.keyed(&shop, "POST", "/v1/paylinks", link.clone());
        assert_eq!(
            refused.refusal(),
            "422 OWNERSHIP_UNPROVEN account_ref",
            "{kind}"
        );
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let path = format!("/v1/checkout/{}", link.id());
        let begin = |world: &mut World, currency: &str| {
            let chosen = json!({ "chain_id": 8453, "currency": currency });
            world.public("POST", &format!("{path}/payments"), chosen)
        };
        let eth = begin(&mut world, "ETH");
        assert_eq!(eth.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
        let usdc = text(begin(&mut world, "USDC").data(), "payment_id");
        let usdc = format!("/v1/payments/{usdc}");
        assert_eq!(world.read(&shop, &usdc)["to_account"]["id"], till, "{kind}");
        prove_wallet(&mut world, &shop, own, &wallet());
        let eth = begin(&mut world, "ETH");
        assert_eq!(eth.status, 201, "{kind}: {}", eth.body);
    });
}

#[test]
fn claiming_a_service_address_credits_its_owner_only() {
    World::each(|kind, mut world| {
        let (shop, till) = payer(&mut world);
        let rival = world.shop("Rival", None);
        let address = world.read(&shop, &format!("/v1/accounts/{till}"));
        let address = text(&address, "address");
        let watched = claim(&mut world, &rival, &address);
        world.observe_deposit(&address, "0xbeef", "5000000", 3);
        let posted = |world: &mut World, who: &Shop, account: i64| {
            let held = world.read(who, &format!("/v1/accounts/{account}/balances"));
            let held = held.as_array().expect("balances").iter();
            let usdc = held.clone().find(|held| held["currency"] == "USDC");
            usdc.expect("USDC")["posted"].clone()
        };
        assert_eq!(posted(&mut world, &shop, till), "105", "{kind}");
        assert_eq!(
            posted(&mut world, &rival, watched),
            "5",
            "{kind}: as observed"
        );
        let overview = world.read(&rival, "/v1/overview");
        assert_eq!(overview["total_usd"], "0.00", "{kind}: {overview}");
        assert_eq!(overview["accounts"], json!([]), "{kind}");
        for (method, path, body, expected) in uses(watched) {
            // It has no other account.
            if path.contains("quicktrade") && expected.contains("settlement") {
                continue;
            }
            let refused = world.signed(&rival, None, method, &path, body);
            assert_eq!(refused.refusal(), expected, "{kind} {path}");
        }
        // No merchant can sign for it: the service holds its key.
        let message = challenge(&mut world, &rival, watched);
        let refused = prove(&mut world, &rival, watched, &wallet().sign(&message));
        assert_eq!(
            refused.refusal(),
            "422 OWNERSHIP_UNPROVEN signature",
            "{kind}"
        );
        // Its owner has it already; other merchants learn nothing.
        let body = json!({ "address": address, "chain_id": 8453, "currencies": ["USDC"] });
        let own = world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(own.refusal(), "409 ALREADY_EXISTS address", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_signature_proves_one_account_once_before_it_expires() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let (own, address) = (wallet(), wallet().address());
        let account = claim(&mut world, &shop, &address);
        let unproven = "422 OWNERSHIP_UNPROVEN signature";
        let gone = "409 CHALLENGE_EXPIRED";
        let early = prove(&mut world, &shop, account, &own.sign("anything"));
        assert_eq!(early.refusal(), gone, "{kind}: no request");

        let message = challenge(&mut world, &shop, account);
        for part in [
            shop.id.to_string(),
            address.clone(),
            "Base (8453)".to_owned(),
            format!("Issued at: {}", Timestamp::from_micros(world.now.micros())),
            "Expires at: ".to_owned(),
            "http://127.0.0.1:8080".to_owned(),
        ] {
            assert!(message.contains(&part), "{kind}: {part} in {message}");
        }
        let signature = own.sign(&message);
        // Another account with the same wallet: of another merchant, or on another chain.
        let theirs = claim(&mut world, &other, &address);
        challenge(&mut world, &other, theirs);
        let refused = prove(&mut world, &other, theirs, &signature);
        assert_eq!(refused.refusal(), unproven, "{kind}: another merchant's");
        let elsewhere = claim_on(&mut world, &shop, &address, 10);
        challenge(&mut world, &shop, elsewhere);
        let refused = prove(&mut world, &shop, elsewhere, &signature);
        assert_eq!(refused.refusal(), unproven, "{kind}: another chain's");
        let stranger = Wallet::new([0x43; 32]).sign(&message);
        let refused = prove(&mut world, &shop, account, &stranger);
        assert_eq!(refused.refusal(), unproven, "{kind}: another wallet's");
        // A new challenge replaces the previous one.
        let later = challenge(&mut world, &shop, account);
        let refused = prove(&mut world, &shop, account, &signature);
        assert_eq!(refused.refusal(), unproven, "{kind}: replaced");
        world.pass(Duration::from_secs(15 * 60));
        let refused = prove(&mut world, &shop, account, &own.sign(&later));
        assert_eq!(refused.refusal(), gone, "{kind}: too late");
        let path = format!("/v1/accounts/{account}");
        let still = world.read(&shop, &path);
        assert_eq!(still.get("ownership_proven_at"), None, "{kind}");

        let in_time = challenge(&mut world, &shop, account);
        world.pass(Duration::from_secs(15 * 60 - 1));
        let signature = own.sign(&in_time);
        let done = prove(&mut world, &shop, account, &signature);
        assert_eq!(done.status, 200, "{kind}: {}", done.body);
        assert_eq!(done.data(), &world.read(&shop, &path), "{kind}");
        assert!(done.data()["ownership_proven_at"].is_string(), "{kind}");
        let again = prove(&mut world, &shop, account, &signature);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}: used");

        // After deletion, a new claim needs a new proof.
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        let second = claim(&mut world, &shop, &address);
        let refused = prove(&mut world, &shop, second, &signature);
        assert_eq!(refused.refusal(), gone, "{kind}: another claim");
        prove_wallet(&mut world, &shop, second, &own);
    });
}

#[test]
fn watching_a_payment_address_does_not_allow_reorganising_the_payment() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let payment =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", payment);
        let address = payment.data()["deposit_address"].clone();
        let id = payment.id();
        let thief = world.shop("Thief", None);
        let claim = json!({ "address": address, "chain_id": 8453, "currencies": ["USDC"] });
        world.post(&thief, "/v1/accounts", claim);
        world.pay(&id);
        let seen = world.read(&thief, "/v1/movements?limit=1");
        let hash = seen["items"][0]["transaction_hash"].clone();
        let undo = json!({ "transaction_hash": hash, "returns": false });
        let undone = world.keyed(&thief, "POST", "/v1/sandbox/reorganisations", undo);
        assert_eq!(undone.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.pass_and_work(std::time::Duration::from_secs(60));
        let payment = world.read(&shop, &format!("/v1/payments/{id}"));
        assert_eq!(payment["status"], "Confirmed", "{kind}");
    });
}
