//! Unauthorised payouts: with a write key, without a signature, with a session left open.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::header;
use settlekit_core::operation::Scope;
use settlekit_service::step::WireRequest;
use settlekit_tests::database;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{OTHER_WALLET, Shop, WALLET, World, number, request, text};

/// Where the attacker wants the money.
const ATTACKER_WALLET: &str = OTHER_WALLET;
/// Where the merchant sends some of it.
const MERCHANT_WALLET: &str = WALLET;

/// Fields that name a payout target, or an account to which something can be added that is paid out.
const DESTINATIONS: [&str; 12] = [
    "account_id",
    "account_ids",
    "address",
    "chains",
    "deposit_splits",
    "external_account_id",
    "parent_account_id",
    "payout_address",
    "settlement_account_id",
    "settlement_address",
    "signature",
    "wallet_address",
];

/// Operations with such a field or the scope of payouts that are not tried here, and why.
const HARMLESS: [(&str, &str); 7] = [
    (
        "ApprovePayout",
        "a second member's session with step-up: `payout::approve_payout`",
    ),
    (
        "AuthorizePayment",
        "money comes in, from a payer who has signed for it",
    ),
    (
        "CreatePaylink",
        "its accounts are held, or proven by who may send money out",
    ),
    ("DeleteAutomation", "it ends payouts and conversions"),
    ("DeleteExternalAccount", "it removes a destination"),
    ("RefusePayout", "the money stays"),
    ("UpdateCustomer", "nothing is sent to a customer's wallet"),
];

struct Books {
    shop: Shop,
    till: i64,
    /// A virtual account whose deposits are shared with an external wallet.
    shared: i64,
    payment: String,
    quote: String,
    destination: Value,
    automation: Value,
    watched: i64,
    signature: String,
}

fn books(world: &mut World) -> Books {
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.account(&shop, "desk", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, till, 8453, "USDC", "100");
    let paid = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": till });
    let paid = world.keyed(&shop, "POST", "/v1/payments", paid);
    let to = text(paid.data(), "deposit_address");
    world.observe_deposit(&to, "0xfeed", "5000000", 3);
    let shared = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
        "deposit_splits": [{ "address": MERCHANT_WALLET, "pct": "10" }] });
    let shared = world
        .create(&shop, "/v1/accounts/virtual", shared)
        .id_number();
    let wallet = json!({ "type": "Digital", "address": MERCHANT_WALLET, "chain_id": 8453, "currencies": ["USDC"] });
    let path = "/v1/accounts/external-account";
    let destination = world.signed(&shop, None, "POST", path, wallet);
    let keep = json!({ "currency": "ETH", "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": MERCHANT_WALLET });
    let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
    world.create(&shop, &path, keep);
    let automations = "/v1/partners/accounts/till/automations";
    let automations = world.signed(&shop, None, "GET", automations, Value::Null);
    let automation = automations.data()["items"][0]["id"].clone();
    let off = json!({ "enabled": false });
    let path = format!("/v1/partners/automations/{automation}");
    assert_eq!(world.signed(&shop, None, "PATCH", &path, off).status, 200);
    let wish = format!(
        "/v1/trade/quote?sell_currency=USDC&sell_amount=20&buy_currency=ETH&account_id={till}&deposit_method=Balance&settlement_address={ATTACKER_WALLET}"
    );
    let quote = world.keyed(&shop, "GET", &wish, Value::Null);
    let quote = quote.id();
    let theirs = Wallet::new([0x66; 32]);
    let claim = json!({ "address": theirs.address(), "chain_id": 8453, "currencies": ["USDC"] });
    let watched = world.create(&shop, "/v1/accounts", claim).id_number();
    let path = format!("/v1/accounts/{watched}/ownership/challenge");
    let challenge = world.keyed(&shop, "POST", &path, Value::Null);
    let signature = theirs.sign(challenge.data()["message"].as_str().expect("a text"));
    Books {
        payment: paid.id(),
        destination: destination.data()["id"].clone(),
        shop,
        till,
        shared,
        quote,
        automation,
        watched,
        signature,
    }
}

/// All ways to send money out: operation, method, path and body.
fn outflows(books: &Books) -> Vec<(&'static str, &'static str, String, Value)> {
    let Books {
        till,
        shared,
        payment,
        quote,
        destination,
        automation,
        watched,
        signature,
        ..
    } = books;
    let chain = json!([{ "chain_id": 137, "currencies": ["USDC"] }]);
    let splits = json!([{ "address": ATTACKER_WALLET, "pct": "50" }]);
    let virtual_accounts = "/v1/accounts/virtual";
    let text = str::to_owned;
    vec![
        (
            "CreatePayout",
            "POST",
            text("/v1/payouts"),
            json!({ "account": till, "amount": "1", "currency": "USDC", "chain_id": 8453, "address": ATTACKER_WALLET }),
        ),
        (
            "CreatePayout",
            "POST",
            text("/v1/payouts"),
            json!({ "account": till, "amount": "1", "currency": "USDC", "external_account_id": destination }),
        ),
        (
            "RefundPayment",
            "POST",
            format!("/v1/payments/{payment}/refunds"),
            json!({ "address": ATTACKER_WALLET }),
        ),
        (
            "CreateVirtualAccount",
            "POST",
            text(virtual_accounts),
            json!({ "reference": "new", "chains": chain, "deposit_splits": splits }),
        ),
        (
            "UpdateVirtualAccount",
            "PATCH",
            text(virtual_accounts),
            json!({ "reference": "shared", "deposit_splits": splits }),
        ),
        (
            "UpdateVirtualAccount",
            "PATCH",
            text(virtual_accounts),
            json!({ "reference": "shared", "chains": chain }),
        ),
        // An account that pays out automatically forwards deposits.
        (
            "UpdateVirtualAccount",
            "PATCH",
            text(virtual_accounts),
            json!({ "reference": "shared", "deposit_splits": [{ "account_id": till, "pct": "50" }] }),
        ),
        (
            "CreateVirtualAccount",
            "POST",
            text(virtual_accounts),
            json!({ "reference": "newer", "chains": chain, "deposit_splits": [{ "account_ref": "till", "pct": "50" }] }),
        ),
        (
            "CreateAccount",
            "POST",
            text("/v1/accounts"),
            json!({ "parent_account_id": shared, "chain_id": 10, "currencies": ["USDC"] }),
        ),
        (
            "CreateAccount",
            "POST",
            text("/v1/accounts"),
            json!({ "parent_account_id": till, "chain_id": 10, "currencies": ["ETH"] }),
        ),
        (
            "CreateQuickTrade",
            "POST",
            text("/v1/trade/quicktrade"),
            json!({ "account_id": till, "amount": "20", "currency": "USDC", "to_currency": "ETH", "settlement_address": ATTACKER_WALLET }),
        ),
        (
            "AcceptQuote",
            "POST",
            format!("/v1/trade/quote/{quote}/accept"),
            json!({}),
        ),
        (
            "MaintainBalance",
            "POST",
            format!("/v1/partners/accounts/id/{till}/automations/maintain-balance"),
            json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 1, "payout_address": ATTACKER_WALLET }),
        ),
        (
            "ConvertBalance",
            "POST",
            text("/v1/partners/accounts/id/desk/automations/convert-balance"),
            json!({ "currency": "USDC", "to_currency": "ETH", "threshold_amount": 0, "max_cost_bps": 1000 }),
        ),
        (
            "UpdateAutomation",
            "PATCH",
            format!("/v1/partners/automations/{automation}"),
            json!({ "enabled": true }),
        ),
        (
            "UpdateAutomation",
            "PATCH",
            format!("/v1/partners/automations/{automation}"),
            json!({ "amount": "0.001" }),
        ),
        (
            "CreateExternalAccount",
            "POST",
            text("/v1/accounts/external-account"),
            json!({ "type": "Digital", "address": ATTACKER_WALLET, "chain_id": 8453, "currencies": ["USDC"] }),
        ),
        (
            "ProveOwnership",
            "POST",
            format!("/v1/accounts/{watched}/ownership"),
            json!({ "signature": signature }),
        ),
    ]
}

/// The organisation's money and payouts, as text.
fn state(world: &mut World, books: &Books) -> String {
    let mut all = String::new();
    for path in [
        "/v1/accounts?limit=100",
        "/v1/movements?limit=100",
        "/v1/payouts?limit=100",
        "/v1/trade/orders",
        "/v1/accounts/external-account",
    ] {
        all.push_str(&world.read(&books.shop, path).to_string());
    }
    for account in ["till", "desk"] {
        let automations = format!("/v1/partners/accounts/{account}/automations");
        let automations = world.signed(&books.shop, None, "GET", &automations, Value::Null);
        all.push_str(&automations.body.to_string());
    }
    all
}

#[test]
fn money_leaves_only_with_scope_signature_and_step_up() {
    World::each(|kind, mut world| {
        let books = books(&mut world);
        let writes = world.scoped(&books.shop, &["read", "write"]);
        let pays = world.scoped(&books.shop, &["read", "write", "payout"]);
        let owner = world.sign_in(&books.shop, "owner@shop.example");
        let before = state(&mut world, &books);
        for (name, method, path, body) in outflows(&books) {
            let refused = world.signed(&writes, None, method, &path, body.clone());
            assert_eq!(
                refused.refusal(),
                "403 SCOPE_MISSING",
                "{kind} {name} {body}"
            );
            let refused = world.keyed(&writes, method, &path, body.clone());
            assert!(
                [401, 403].contains(&refused.status),
                "{kind} {name}: {}",
                refused.body
            );
            let refused = world.keyed(&pays, method, &path, body.clone());
            assert_eq!(
                refused.refusal(),
                "401 SIGNATURE_MISSING",
                "{kind} {name} {body}"
            );
            let refused = world.session(&owner, method, &path, body.clone());
            assert_eq!(
                refused.refusal(),
                "401 STEP_UP_REQUIRED",
                "{kind} {name} {body}"
            );
        }
        for _ in 0..4 {
            world.work();
            world.pass(Duration::from_secs(20));
        }
        assert_eq!(state(&mut world, &books), before, "{kind}");
        // Each succeeds with authorisation.
        let mut done = BTreeSet::new();
        for (name, method, path, body) in outflows(&books) {
            // The quote has expired.
            if name == "AcceptQuote" {
                continue;
            }
            let answer = world.signed(&pays, None, method, &path, body.clone());
            assert!(answer.status < 300, "{kind} {name} {body}: {}", answer.body);
            done.insert(name);
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn every_operation_with_a_destination_or_the_scope_of_payouts_is_covered() {
    let mut world = World::new(database::sqlite());
    let tried: BTreeSet<&str> = outflows(&books(&mut world))
        .iter()
        .map(|way| way.0)
        .collect();
    for operation in CATALOGUE.iter().filter(|operation| !operation.sandbox) {
        let mut names = operation.body_fields.iter().chain(operation.query_params);
        let names_one = operation.method != "GET" && names.any(|name| DESTINATIONS.contains(name));
        let is_harmless = HARMLESS.iter().any(|(id, _)| *id == operation.id);
        assert!(
            !(names_one || operation.outflow || operation.scope == Scope::Payout)
                || tried.contains(operation.id)
                || is_harmless,
            "{} can send money out and is not tried",
            operation.id
        );
    }
}

#[test]
fn a_missing_signature_does_not_use_up_the_idempotency_key() {
    World::each(|kind, mut world| {
        let books = books(&mut world);
        let body = json!({ "account_id": books.till, "amount": "20", "currency": "USDC", "to_currency": "ETH",
            "settlement_address": MERCHANT_WALLET });
        let path = "/v1/trade/quicktrade";
        let once = |mut request: WireRequest| {
            let key = (header::IDEMPOTENCY_KEY.to_owned(), "once".to_owned());
            request.headers.push(key);
            request
        };
        let key = vec![(header::API_KEY.to_owned(), books.shop.key.clone())];
        let refused = world.send(once(request("POST", path, &body, key)));
        assert_eq!(refused.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let signed = world.sign(&books.shop, None, "POST", path, &body);
        let done = world.send(once(signed));
        assert_eq!(done.status, 201, "{kind}: {}", done.body);
    });
}

#[test]
fn an_optional_signature_is_checked() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let body = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
    let stranger = Shop {
        secret: "another secret".to_owned(),
        ..shop.clone()
    };
    let refused = world.signed(&stranger, None, "POST", "/v1/plan", body.clone());
    assert_eq!(refused.refusal(), "401 SIGNATURE_INVALID");
    let request = world.sign(&shop, None, "POST", "/v1/plan", &body);
    assert_eq!(world.send(request.clone()).status, 201);
    assert_eq!(world.send(request.clone()).refusal(), "401 NONCE_REUSED");
    let mut changed = request;
    changed.body = changed.body.replace("Tea", "Gin");
    assert_eq!(world.send(changed).refusal(), "401 SIGNATURE_INVALID");
}

#[test]
fn a_share_to_an_account_never_goes_to_a_wallet_under_its_reference() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        // A reference with an account on another chain, and later with the merchant's own wallet on the deposits' chain.
        world.account(&shop, "taxes", 10, &["USDC"]);
        let till = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "account_ref": "taxes", "pct": "50" }] });
        let till = world.post(&shop, "/v1/accounts/virtual", till);
        let below = number(&till.data()["sub_accounts"][0], "id");
        let joins = json!({ "reference": "taxes", "address": ATTACKER_WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        world.post(&shop, "/v1/accounts", joins);
        world.deposit(&shop, below, 8453, "USDC", "100");
        world.work();
        let held = world.read(&shop, &format!("/v1/accounts/{below}/balances"));
        assert_eq!(held[0]["posted"], "100", "{kind}: it stays");
        // Setting it again is refused.
        let again = json!({ "reference": "till", "deposit_splits": [{ "account_ref": "taxes", "pct": "60" }] });
        let again = world.keyed(&shop, "PATCH", "/v1/accounts/virtual", again);
        let expected = "409 WALLET_NOT_HELD deposit_splits[0].account_ref";
        assert_eq!(again.refusal(), expected, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_trade_into_an_account_with_automatic_payouts_counts_as_outflow() {
    World::each(|kind, mut world| {
        let books = books(&mut world);
        let shared = json!({ "reference": "savings", "chains": [{ "chain_id": 8453, "currencies": ["ETH"] }],
            "deposit_splits": [{ "address": MERCHANT_WALLET, "pct": "10" }] });
        let shared = world
            .create(&books.shop, "/v1/accounts/virtual", shared)
            .id_number();
        let accounts = world.read(&books.shop, "/v1/accounts?limit=100");
        let mut accounts = accounts["items"].as_array().expect("accounts").iter();
        let below = accounts.find(|account| account["parent_id"] == shared);
        let below = below.expect("an account of the chain")["id"].clone();
        let body = json!({ "account_id": books.till, "amount": "20", "currency": "USDC", "to_currency": "ETH",
            "settlement_account_id": below });
        let path = "/v1/trade/quicktrade";
        let refused = world.keyed(&books.shop, "POST", path, body.clone());
        assert_eq!(refused.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        world.create(&books.shop, path, body);
    });
}

#[test]
fn an_automation_ignores_own_wallets_among_sub_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let below = json!({ "parent_account_id": till, "address": ATTACKER_WALLET, "chain_id": 10, "currencies": ["USDC"] });
        let below = world.create(&shop, "/v1/accounts", below).id_number();
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 50, "payout_address": MERCHANT_WALLET });
        world.create(&shop, &path, keep);
        world.deposit(&shop, below, 10, "USDC", "100");
        world.deposit(&shop, till, 8453, "USDC", "10");
        for _ in 0..3 {
            world.work();
            world.pass(Duration::from_secs(20));
        }
        let payouts = world.read(&shop, "/v1/payouts");
        assert_eq!(payouts["total"], 0, "{kind}: {payouts}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn changing_the_webhook_url_in_a_session_needs_step_up() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "owner@shop.example");
        let url = |url: &str| json!({ "webhook_url": url });
        let refused = world.session(&owner, "PUT", "/v1/orgs", url("https://attacker.example"));
        assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        let set = world.session_with_step_up(
            &owner,
            "PUT",
            "/v1/orgs",
            url("https://shop.example/hooks"),
        );
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        for other in ["https://attacker.example", ""] {
            let refused = world.session(&owner, "PUT", "/v1/orgs", url(other));
            assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind} {other}");
        }
        // An unchanged value needs no step-up; a key with `manage` needs none either.
        let same = world.session(&owner, "PUT", "/v1/orgs", url("https://shop.example/hooks"));
        assert_eq!(same.status, 200, "{kind}: {}", same.body);
        let name = world.session(&owner, "PUT", "/v1/orgs", json!({ "name": "Tea" }));
        assert_eq!(name.status, 200, "{kind}: {}", name.body);
        let by_key = world.keyed(&shop, "PUT", "/v1/orgs", url("https://shop.example/other"));
        assert_eq!(by_key.status, 200, "{kind}: {}", by_key.body);
    });
}
