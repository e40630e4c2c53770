//! The transaction that a payer's wallet signs: it pays the amount due of a checkout.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

/// Starts a checkout of a price in a currency on Base.
fn start(connected: &mut Connected, price: &str, currency: &str) -> Value {
    let shop = connected.world.shop("Shop", None);
    connected
        .world
        .account(&shop, "till", 8453, &["USDC", "ETH"]);
    let link = json!({ "amount": price, "currency": currency, "name": "Tea" });
    let link = connected.world.post(&shop, "/v1/paylinks", link).id();
    let chosen = json!({ "chain_id": 8453, "currency": currency });
    let path = format!("/v1/checkout/{link}/payments");
    connected.world.public("POST", &path, chosen).data().clone()
}

fn read(connected: &mut Connected, payment: &Value) -> Value {
    let path = format!("/v1/checkout/payments/{}", text(payment, "payment_id"));
    let read = connected.world.public("GET", &path, Value::Null);
    read.data().clone()
}

/// `transfer(address,uint256)` of ERC-20.
fn transfer(to: Address, units: u64) -> String {
    let [to, units] = [to.into_word(), B256::from(U256::from(units))];
    format!("0xa9059cbb{to:x}{units:x}")
}

#[test]
fn a_token_payment_asks_the_wallet_for_a_transfer_of_what_is_due() {
    Connected::each(|kind, mut connected| {
        let payment = start(&mut connected, "5.25", "USDC");
        let to: Address = text(&payment, "address").parse().expect("an address");
        let expected = |units: u64| {
            json!({
                "to": USDC.to_string(), "value": "0x0", "data": transfer(to, units),
                "token_address": USDC.to_string(), "units": units.to_string(), "decimals": 6,
            })
        };
        assert_eq!(
            payment["unsigned_transaction"],
            expected(5_250_000),
            "{kind}"
        );
        connected.chain.transfer(Some(USDC), to, 2_000_000);
        connected.blocks(3);
        let payment = read(&mut connected, &payment);
        let rest = &payment["unsigned_transaction"];
        assert_eq!(*rest, expected(3_250_000), "{kind}: {payment}");
        connected.chain.transfer(Some(USDC), to, 3_250_000);
        connected.blocks(1);
        let payment = read(&mut connected, &payment);
        assert_eq!(
            payment["status"], "Processing",
            "{kind}: it awaits confirmations"
        );
        let paid = payment.get("unsigned_transaction");
        assert_eq!(paid, None, "{kind}: nothing is due");
    });
}

#[test]
fn a_native_payment_asks_the_wallet_for_coins() {
    Connected::each(|kind, mut connected| {
        let payment = start(&mut connected, "0.5", "ETH");
        let expected = json!({
            "to": payment["address"], "value": "0x6f05b59d3b20000", "data": "0x",
            "units": "500000000000000000", "decimals": 18,
        });
        assert_eq!(payment["unsigned_transaction"], expected, "{kind}");
    });
}

#[test]
fn neither_an_ended_payment_nor_a_sandbox_asks_a_wallet_for_money() {
    Connected::each(|kind, mut connected| {
        let payment = start(&mut connected, "5.25", "USDC");
        let shop = connected.world.shop("Other", None);
        connected.world.account(&shop, "till", 8453, &["USDC"]);
        connected.world.pass_and_work(Duration::from_secs(86_400));
        let payment = read(&mut connected, &payment);
        assert_eq!(payment["status"], "Expired", "{kind}");
        assert_eq!(payment.get("unsigned_transaction"), None, "{kind}");
    });
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Tea", None);
    world.account(&shop, "till", 8453, &["USDC"]);
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.post(&shop, "/v1/paylinks", link).id();
    let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
    let path = format!("/v1/checkout/{link}/payments");
    let payment = world.public("POST", &path, chosen).data().clone();
    assert_eq!(payment.get("unsigned_transaction"), None);
}
