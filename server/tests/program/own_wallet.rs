//! A merchant's own wallet on a real node: opening balance, deposit, a payout that the owner signs, and a withdrawal outside the
//! service.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Transaction, abi, number, word};

use crate::place::{Place, Server, call, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

/// The account's balance in USDC.
fn balance(town: &Town, server: &Server) -> Option<String> {
    let path = "/accounts/own/balances";
    let held = call(&server.address, &town.shop.key, "GET", path, Value::Null);
    let mut held = held.as_array().expect("balances").iter();
    let usdc = held.find(|held| held["currency"] == "USDC")?;
    usdc["posted"].as_str().map(str::to_owned)
}

fn until_balance(town: &Town, server: &Server, expected: &str) {
    wait_for(&format!("a balance of {expected} USDC"), || {
        town.node.mine(1);
        balance(town, server).as_deref() == Some(expected)
    });
}

/// Puts the payout's prepared transaction into a block, as its owner's wallet would.
fn sign(town: &Town, payout: &Value) {
    let prepared = &payout["prepared_transaction"];
    let data = text(prepared, "data");
    let data = data.strip_prefix("0x").expect("bytes in hex");
    town.node.send(&Transaction {
        from: text(prepared, "from").parse().expect("an address"),
        to: Some(text(prepared, "to").parse().expect("an address")),
        value: text(prepared, "value").parse().expect("an amount"),
        data: hex::decode(data).expect("bytes in hex"),
        nonce: None,
    });
}

fn an_own_wallet(town: &Town) {
    town.connect();
    let server = town.serve();
    let wallet = town.node.account(3);
    let supplier: Address = SUPPLIER.parse().expect("an address");
    town.node.mint(town.token, wallet, 50_000_000);
    town.node.mine(1);
    let body = json!({
        "reference": "own", "chain_id": 8453, "currencies": ["USDC"], "address": wallet.to_string(),
    });
    let key = &town.shop.key;
    call(&server.address, key, "POST", "/accounts", body);
    // What lay there before is asked for.
    until_balance(town, &server, "50");
    town.node.mint(town.token, wallet, 20_000_000);
    until_balance(town, &server, "70");

    let body = json!({
        "account": "own", "amount": "5", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let id = town.signed(&server, "/payouts", &body);
    let payout = town.payment(&server, &id);
    assert_eq!(payout["status"], "Pending", "{payout}");
    sign(town, &payout);
    town.mine_until(&server, &id, "Confirmed");
    until_balance(town, &server, "65");
    let paid = town
        .node
        .token_balance(town.token, supplier, town.node.height());
    assert_eq!(paid, U256::from(5_000_000));

    // The owner pays somebody without the service.
    let transfer = abi(
        "transfer(address,uint256)",
        &[word(supplier), number(3_000_000)],
    );
    town.node
        .send(&Transaction::call(wallet, town.token, 0, transfer));
    until_balance(town, &server, "62");
    town.until_compared();
}

#[test]
fn an_own_wallet_is_followed_and_its_owner_signs_payouts_with_sqlite() {
    an_own_wallet(&Town::new(Place::live()));
}

#[test]
fn an_own_wallet_is_followed_and_its_owner_signs_payouts_with_postgresql() {
    an_own_wallet(&Town::new(Place::live_postgres()));
}
