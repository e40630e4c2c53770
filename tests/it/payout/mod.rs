//! Payouts.

mod approve_payout;
mod cancel_payment;
mod create_payout;
mod estimate_payout;
mod list_payouts;
mod refuse_payout;
mod settlement;
mod test_networks;

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, Shop, WALLET, World, text};

/// A shop with an account on Base that holds an amount.
pub(crate) fn shop(world: &mut World, usdc: &str) -> Shop {
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, account, 8453, "USDC", usdc);
    shop
}

pub(crate) fn payout(world: &mut World, shop: &Shop, amount: &str) -> Answer {
    let body = json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": WALLET });
    world.signed(shop, None, "POST", "/v1/payouts", body)
}

pub(crate) fn available(world: &mut World, shop: &Shop, currency: &str) -> String {
    let path = "/v1/partners/accounts/till/balances";
    let balances = world.signed(shop, None, "GET", path, Value::Null);
    balances.data()["balances"]
        .as_array()
        .expect("balances")
        .iter()
        .find(|balance| balance["currency"] == currency)
        .map(|balance| text(balance, "amount"))
        .expect("the currency")
}
