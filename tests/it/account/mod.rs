//! Accounts: fixtures of virtual accounts, own wallets and bundles.

mod circles;
mod create_account;
mod create_ownership_challenge;
mod create_pay_in_address;
mod create_virtual_account;
mod delete_account;
mod deposit;
mod get_account;
mod get_movement;
mod list_accounts;
mod list_all_movements;
mod list_balances;
mod list_movements;
mod list_pay_in_addresses;
mod own_wallet;
mod prove_ownership;
mod reference;
mod shares;
mod update_virtual_account;
mod worth;

use serde_json::{Value, json};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, World, number, text};

fn virtual_account(world: &mut World, shop: &Shop, reference: &str) -> Answer {
    let body = json!({ "reference": reference, "name": "Till",
        "chains": [{ "chain_id": 1, "currencies": ["USDC", "ETH"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
    world.keyed(shop, "POST", "/v1/accounts/virtual", body)
}

/// The sub-accounts of a virtual account, as chain and id.
fn chains(account: &Value) -> Vec<(i64, i64)> {
    let below = account["sub_accounts"].as_array().expect("sub-accounts");
    below
        .iter()
        .map(|account| (number(account, "chain_id"), number(account, "id")))
        .collect()
}

/// A virtual account `till` on Base; returns its id.
fn virtual_till(world: &mut World, shop: &Shop) -> i64 {
    let body =
        json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
    world.post(shop, "/v1/accounts/virtual", body).id_number()
}

fn add_chain(world: &mut World, shop: &Shop, chain: i64) {
    let body =
        json!({ "reference": "till", "chains": [{ "chain_id": chain, "currencies": ["USDC"] }] });
    let added = world.keyed(shop, "PATCH", "/v1/accounts/virtual", body);
    assert_eq!(added.status, 200, "{}", added.body);
}

fn create(world: &mut World, shop: &Shop, body: Value) -> i64 {
    world.post(shop, "/v1/accounts", body).id_number()
}

/// The accounts with reference `till` on Base and Polygon, and a sub-account of the second.
fn bundle(world: &mut World, shop: &Shop) -> [i64; 3] {
    let on = |chain: i64| json!({ "reference": "till", "chain_id": chain, "currencies": ["USDC"] });
    let base = create(world, shop, on(8453));
    world.deposit(shop, base, 8453, "USDC", "1");
    let polygon = create(world, shop, on(137));
    let below =
        json!({ "chain_id": 8453, "currencies": ["USDC", "ETH"], "parent_account_id": polygon });
    let below = create(world, shop, below);
    [base, polygon, below]
}

/// A virtual account on Base; returns its id and its address there.
fn account_with_wallet(world: &mut World, shop: &Shop, reference: &str) -> (i64, Value) {
    let body = json!({ "reference": reference, "chains": [{ "chain_id": 8453, "currencies": ["USDC", "ETH"] }] });
    let made = world.post(shop, "/v1/accounts/virtual", body);
    let address = made.data()["sub_accounts"][0]["address"].clone();
    (made.id_number(), address)
}

fn sweep(world: &mut World, shop: &Shop, account: i64, currency: &str, to: &Value) -> Answer {
    let path = format!("/v1/partners/accounts/id/{account}/automations/maintain-balance");
    let body = json!({ "currency": currency, "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": to });
    world.signed(shop, None, "POST", &path, body)
}

/// Reports a deposit with this number of confirmations.
fn observe_deposit(world: &mut World, shop: &Shop, account: i64, hash: &str, confirmations: u32) {
    let read = world.read(shop, &format!("/v1/accounts/{account}"));
    let to = text(&read, "address");
    world.observe_deposit(&to, hash, "1000000", confirmations);
}

pub(crate) fn wallet() -> Wallet {
    Wallet::new([0x42; 32])
}

/// A claim of a wallet on Base; gives the account's id.
pub(crate) fn claim(world: &mut World, shop: &Shop, address: &str) -> i64 {
    claim_on(world, shop, address, 8453)
}

pub(crate) fn claim_on(world: &mut World, shop: &Shop, address: &str, chain: i64) -> i64 {
    let body = json!({ "address": address, "chain_id": chain, "currencies": ["USDC", "ETH"] });
    world.post(shop, "/v1/accounts", body).id_number()
}

/// The text that an account's wallet is to sign.
pub(crate) fn challenge(world: &mut World, shop: &Shop, account: i64) -> String {
    let path = format!("/v1/accounts/{account}/ownership/challenge");
    let made = world.post(shop, &path, Value::Null);
    text(made.data(), "message")
}

pub(crate) fn prove(world: &mut World, shop: &Shop, account: i64, signature: &str) -> Answer {
    let path = format!("/v1/accounts/{account}/ownership");
    world.signed(shop, None, "POST", &path, json!({ "signature": signature }))
}

pub(crate) fn prove_wallet(world: &mut World, shop: &Shop, account: i64, wallet: &Wallet) {
    let signature = wallet.sign(&challenge(world, shop, account));
    let proven = prove(world, shop, account, &signature);
    assert_eq!(proven.status, 200, "{}", proven.body);
}
