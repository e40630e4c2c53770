//! Merchants' own wallets on a real node: opening balance, deposit, a payout that the owner signs, and a withdrawal outside the
//! service; and payouts of an extended public key, each signed by the address that is named.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Transaction, abi, number, word};
use settlekit_tests::wallet::Wallet;

use crate::place::{self, Place, Server, call, request, wait_for};
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

fn own_wallets(town: &Town) {
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
    a_key(town, &server);
    town.until_compared();
}

/// The key at m/44'/60'/0' of the words `legal winner thank … yellow` of BIP 39, and the private key of its first address.
const XPUB: &str = "xpub6Bh6Cg7bvjFdW6VEAaZmsyhZh86WdJ9Kr5aqqY5LN7UFLpxTrxsiys213UCu8MAYjcq5JhF7jzZXvruGfWfPbxqsByNNhwWaNQRuhP3JcC3";
const FIRST_KEY: &str = "33fa40f84e854b941c2b0436dd4a256e1df1cb41b9c1c0ccc8446408c19b8bf9";

/// Payments at two addresses of a key, and a payout that one of them covers.
fn a_key(town: &Town, server: &Server) {
    let body =
        json!({ "reference": "key", "chain_id": 8453, "currencies": ["USDC"], "xpub": XPUB });
    let key = &town.shop.key;
    let account = call(&server.address, key, "POST", "/accounts", body);
    let path = format!("/accounts/{}/ownership", account["id"]);
    let challenge = format!("{path}/challenge");
    let challenge = call(&server.address, key, "POST", &challenge, Value::Null);
    let first = hex::decode(FIRST_KEY).expect("hex");
    let first = Wallet::new(first.try_into().expect("32 bytes"));
    let signature = first.sign(&text(&challenge, "message"));
    let mut proof = request(key, "POST", &path, &json!({ "signature": signature }));
    place::sign(&mut proof, &town.shop);
    let proven = place::answer_of(&server.address, &proof);
    assert_eq!(proven.status, 200, "{}", proven.body);
    let payments: Vec<Value> = [9, 4]
        .map(|amount: u64| {
            let body = json!({ "amount": amount.to_string(), "currency": "USDC", "chain_id": 8453, "account": "key" });
            let payment = call(&server.address, key, "POST", "/payments", body);
            let to = text(&payment, "deposit_address").parse().expect("an address");
            town.node.mint(town.token, to, amount * 1_000_000);
            // What its transaction takes.
            town.node.pay(to, 10_u64.pow(17));
            payment
        })
        .into();
    for payment in &payments {
        town.mine_until(server, &text(payment, "id"), "Confirmed");
    }
    let body = json!({
        "account": "key", "amount": "3", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let id = town.signed(server, "/payouts", &body);
    let payout = town.payment(server, &id);
    let prepared = &payout["prepared_transaction"];
    assert_eq!(prepared["from"], payments[1]["deposit_address"], "{payout}");
    assert_eq!(prepared["derivation_index"], 2, "{payout}");
    let from = [prepared["from"].clone()];
    town.node.call("anvil_impersonateAccount", json!(from));
    sign(town, &payout);
    town.mine_until(server, &id, "Confirmed");
}

#[test]
fn own_wallets_are_followed_and_their_owner_signs_payouts_with_sqlite() {
    own_wallets(&Town::new(Place::live()));
}

#[test]
fn own_wallets_are_followed_and_their_owner_signs_payouts_with_postgresql() {
    own_wallets(&Town::new(Place::live_postgres()));
}
