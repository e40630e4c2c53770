//! A live server on a real node without the factory of proxy wallets.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Transaction, abi, number, word};

use crate::place::{Place, call, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

fn a_payment_and_a_payout(town: &Town) {
    let token = format!("USDC={}", town.token);
    let url = town.node.url();
    let words = ["chain", "connect", "--chain", "8453", "--token", &token];
    let options = ["--rpc", &url, "--confirmations", "3", "--json"];
    let connected = town.place.json(&[&words[..], &options].concat());
    assert_eq!(connected["factory"], "missing", "{connected}");
    let server = town.serve();
    let key = &town.shop.key;
    town.open_till(&server);
    let till = call(&server.address, key, "GET", "/accounts/till", Value::Null);
    let till: Address = text(&till, "address").parse().expect("an address");
    let body = json!({ "amount": "25", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let payment = call(&server.address, key, "POST", "/payments", body);
    let to: Address = text(&payment, "deposit_address")
        .parse()
        .expect("an address");
    // Seen before a block has it.
    let payer = town.node.account(1);
    town.node.mint(town.token, payer, 25_000_000);
    town.node.mine(1);
    let pay = abi("transfer(address,uint256)", &[word(to), number(25_000_000)]);
    town.node
        .send(&Transaction::call(payer, town.token, 0, pay));
    let id = text(&payment, "id");
    wait_for("the payment is seen in the mempool", || {
        let seen = town.payment(&server, &id);
        seen["crypto_transactions"][0]["confirmations"] == 0
    });
    assert_eq!(town.payment(&server, &id)["status"], "Processing");
    town.node.pay(till, 2_000_000_000_000_000_000);
    town.mine_until(&server, &id, "Confirmed");
    wait_for("the coins are booked", || {
        town.node.mine(1);
        let path = "/accounts/till/balances";
        let held = call(&server.address, key, "GET", path, Value::Null);
        held.to_string().contains("\"2\"")
    });
    town.until_compared();

    // The money of both is swept by the keys of the two addresses.
    let supplier: Address = SUPPLIER.parse().expect("an address");
    let before = town.node.balance(supplier, town.node.height());
    let pay_out = |amount: &str, currency: &str| {
        let body = json!({
            "account": "till", "amount": amount, "currency": currency, "chain_id": 8453, "address": SUPPLIER,
        });
        town.signed(&server, "/payouts", &body)
    };
    let tokens = pay_out("24.5", "USDC");
    town.mine_until(&server, &tokens, "Confirmed");
    let coins = pay_out("2", "ETH");
    town.mine_until(&server, &coins, "Confirmed");
    let height = town.node.height();
    let paid = town.node.token_balance(town.token, supplier, height);
    assert_eq!(paid, U256::from(24_500_000));
    let paid = town.node.balance(supplier, height) - before;
    assert_eq!(paid, U256::from(2_000_000_000_000_000_000_u64));
    assert_eq!(town.node.token_balance(town.token, to, height), U256::ZERO);
    town.until_compared();
}

#[test]
fn a_live_server_without_the_factory_takes_payments_and_pays_out_with_sqlite() {
    a_payment_and_a_payout(&Town::new(Place::live()));
}

#[test]
fn a_live_server_without_the_factory_takes_payments_and_pays_out_with_postgresql() {
    a_payment_and_a_payout(&Town::new(Place::live_postgres()));
}
