//! Payments whose payer only signs (EIP-3009), through a live server on a real node, which signs for the payer.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_core::value::Amount;
use settlekit_tests::anvil::{Anvil, Transaction, abi, number, word};

use crate::place::{Answer, Place, Server, answer_of, call, refused, request, wait_for};
use crate::real_chain::{Town, text};

/// A connected town whose token takes signed transfers, with a till, and its operator pays the network.
fn town(place: Place) -> (Town, Server) {
    let town = unlimited(place);
    town.pay_fees("0.01");
    let server = town.serve();
    town.open_till(&server);
    (town, server)
}

fn unlimited(place: Place) -> Town {
    let node = Anvil::start(8453);
    let token = node.deploy(&crate::token_faults::token("Stablecoin"));
    let town = Town::over(place, node, token);
    let connected = town.connect();
    assert_eq!(connected["signed_transfers"], "USDC", "{connected}");
    town
}

impl Town {
    /// A payer who has the units of the token, and no coins.
    fn payer(&self, units: u64) -> Address {
        let payer = self.node.account(5);
        self.node.mint(self.token, payer, units);
        self.node.set_balance(payer, U256::ZERO);
        self.node.mine(1);
        payer
    }

    /// Pays the network for payers, up to a limit a day.
    fn pay_fees(&self, per_day: &str) {
        let words = [
            "chain",
            "payer-fees",
            "--chain",
            "8453",
            "--per-day",
            per_day,
        ];
        let output = self.place.run(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    }

    fn checkout(&self, server: &Server, id: &str) -> Value {
        let path = format!("/checkout/payments/{id}");
        call(&server.address, "", "GET", &path, Value::Null)
    }

    /// What the page offers to sign, once the hot wallet's gas money has its confirmations.
    fn offered(&self, server: &Server, id: &str) -> Value {
        let mut offered = Value::Null;
        wait_for("a signature is offered", || {
            self.node.mine(1);
            offered = self.checkout(server, id)["authorization"].clone();
            !offered.is_null()
        });
        offered
    }

    /// What a payer's wallet gives for what a payment offers.
    pub(crate) fn authorize(&self, payer: Address, offered: &Value) -> Value {
        let message = json!({
            "from": payer.to_string(),
            "to": offered["to"],
            "value": offered["value"],
            "validAfter": "0",
            "validBefore": offered["valid_before"].to_string(),
            "nonce": offered["nonce"],
        });
        let field = |name: &str, kind: &str| json!({ "name": name, "type": kind });
        let typed = json!({
            "types": {
                "EIP712Domain": [
                    field("name", "string"),
                    field("version", "string"),
                    field("chainId", "uint256"),
                    field("verifyingContract", "address"),
                ],
                "TransferWithAuthorization": [
                    field("from", "address"),
                    field("to", "address"),
                    field("value", "uint256"),
                    field("validAfter", "uint256"),
                    field("validBefore", "uint256"),
                    field("nonce", "bytes32"),
                ],
            },
            "primaryType": "TransferWithAuthorization",
            "domain": {
                "name": offered["domain_name"],
                "version": offered["domain_version"],
                "chainId": 8453,
                "verifyingContract": offered["token_address"],
            },
            "message": message,
        });
        let signature = self
            .node
            .call("eth_signTypedData_v4", json!([payer.to_string(), typed]));
        json!({
            "from": payer.to_string(),
            "value": offered["value"],
            "valid_after": 0,
            "valid_before": offered["valid_before"],
            "signature": signature,
        })
    }

    fn send(&self, server: &Server, id: &str, body: &Value) -> Answer {
        let path = format!("/checkout/payments/{id}/authorizations");
        answer_of(&server.address, &request("", "POST", &path, body))
    }

    /// The reason of a refused authorization.
    fn refused(&self, server: &Server, id: &str, body: &Value) -> String {
        let answer = self.send(server, id, body);
        assert!(answer.status >= 400, "{}", answer.body);
        text(&answer.body["error"]["errors"][0], "reason")
    }

    fn till_posted(&self, server: &Server) -> String {
        let path = "/accounts/till/balances";
        let held = call(&server.address, &self.shop.key, "GET", path, Value::Null);
        let mut held = held.as_array().expect("balances").iter();
        let held = held.find(|held| held["currency"] == "USDC");
        held.map_or_else(String::new, |held| text(held, "posted"))
    }
}

/// The operator's list of wallets is changed while the server runs.
fn wallets_are_offered(town: &Town, server: &Server, id: &str) {
    // The payment is of no paylink: no wallet has a page to open.
    assert_eq!(town.checkout(server, id).get("wallet_links"), None);
    let words = |words: &[&'static str]| [&["wallet-link"][..], words].concat();
    let run = |given: &[&'static str]| town.place.json(&[&words(given)[..], &["--json"]].concat());
    let refuse = |given: &[&'static str]| refused(&town.place.run(&words(given)));
    let add = |template: &'static str| ["add", "--name", "House", "--template", template];
    let added = run(&add("house://pay?uri={payment_uri}"));
    assert_eq!(added[4]["name"], "House", "{added}");
    let offered = town.checkout(server, id)["wallet_links"].clone();
    let url = text(&offered[0], "url");
    assert!(url.starts_with("house://pay?uri=ethereum%3A0x"), "{url}");
    let said = refuse(&add("file:///{page_url}"));
    assert!(
        said.contains("`template` must start with https://"),
        "{said}"
    );
    let said = refuse(&add("house://x?{page_url}"));
    assert!(said.contains("named House already"), "{said}");
    let removed = run(&["remove", "--name", "okx wallet"]);
    assert_eq!(removed.as_array().map(Vec::len), Some(4), "{removed}");
    let restored = run(&["restore"]);
    assert_eq!(restored, run(&["list"]));
    assert_eq!(restored[3]["name"], "OKX Wallet", "{restored}");
    assert_eq!(town.checkout(server, id).get("wallet_links"), None);
}

fn a_payer_without_coins_pays(place: Place) {
    let (town, server) = town(place);
    let payer = town.payer(10_000_000);
    let (id, _) = town.create_payment(&server, 10_000_000);
    wallets_are_offered(&town, &server, &id);
    let offered = town.offered(&server, &id);
    assert_eq!(offered["to"], town.wallet.to_string(), "{offered}");
    assert_eq!(offered["value"], "10000000");
    let body = town.authorize(payer, &offered);
    let accepted = town.send(&server, &id, &body);
    assert_eq!(accepted.status, 202, "{}", accepted.body);
    assert_eq!(accepted.body["data"]["authorization_status"], "Accepted");
    assert!(accepted.body["data"]["authorization"].is_null());

    // Sent again it is the same, and pays nothing else.
    assert_eq!(town.send(&server, &id, &body).status, 202);
    let (other, _) = town.create_payment(&server, 10_000_000);
    assert_eq!(
        town.refused(&server, &other, &body),
        "AUTHORIZATION_UNSIGNED"
    );

    town.mine_until(&server, &id, "Confirmed");
    let payment = town.payment(&server, &id);
    assert_eq!(payment["paid_amount"], "10");
    assert_eq!(payment["sender_address"], payer.to_string());
    // The operator paid what the receipt says.
    let hash = &payment["crypto_transactions"][0]["transaction_hash"];
    let receipt = town.node.call("eth_getTransactionReceipt", json!([hash]));
    let units = |name: &str| {
        let units = text(&receipt, name);
        i128::from_str_radix(units.trim_start_matches("0x"), 16).expect("hexadecimal")
    };
    let fee = units("gasUsed") * units("effectiveGasPrice");
    let fee = Amount::from_units(fee, 18).expect("an amount");
    assert_eq!(payment["network_fee"], fee.to_string(), "{receipt}");
    assert_eq!(payment["network_fee_currency"], "ETH");
    assert_eq!(town.till_posted(&server), "10");
    let height = town.node.height();
    let held = town.node.token_balance(town.token, town.wallet, height);
    assert_eq!(held, U256::from(10_000_000));
    town.until_compared();
    assert_eq!(town.payment(&server, &other)["paid_amount"], "0");
}

#[test]
fn a_payer_without_coins_pays_by_a_signature_with_sqlite() {
    a_payer_without_coins_pays(Place::live());
}

#[test]
fn a_payer_without_coins_pays_by_a_signature_with_postgresql() {
    a_payer_without_coins_pays(Place::live_postgres());
}

#[test]
fn an_authorization_that_somebody_else_sends_pays_its_payment_once() {
    let (town, server) = town(Place::live());
    let payer = town.payer(10_000_000);
    let (id, _) = town.create_payment(&server, 10_000_000);
    let offered = town.offered(&server, &id);
    let body = town.authorize(payer, &offered);
    // Nothing is mined before the other has sent it.
    assert_eq!(town.send(&server, &id, &body).status, 202);
    let signature = alloy_primitives::hex::decode(text(&body, "signature")).expect("hex");
    let fixed = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).expect("32 bytes");
    let until = body["valid_before"].as_u64().expect("seconds");
    let words = [
        word(payer),
        word(town.wallet),
        number(10_000_000),
        number(0),
        number(until),
        fixed(&alloy_primitives::hex::decode(text(&offered, "nonce")).expect("hex")),
        number(u64::from(signature[64])),
        fixed(&signature[..32]),
        fixed(&signature[32..64]),
    ];
    let function = "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)";
    wait_for("the hot wallet has sent it", || {
        town.node.call("txpool_status", json!([]))["pending"] != "0x0"
    });
    // With a higher fee, it comes first in the block.
    town.node.call(
        "eth_sendTransaction",
        json!([{
            "from": town.node.account(1).to_string(),
            "to": town.token.to_string(),
            "data": alloy_primitives::hex::encode_prefixed(abi(function, &words)),
            "gas": "0x30000",
            "maxFeePerGas": "0x174876e800",
            "maxPriorityFeePerGas": "0x174876e800",
        }]),
    );
    town.mine_until(&server, &id, "Confirmed");
    assert_eq!(town.payment(&server, &id)["paid_amount"], "10");
    assert_eq!(town.till_posted(&server), "10");
    town.until_compared();
    assert!(town.checkout(&server, &id)["authorization"].is_null());
}

#[test]
fn an_authorization_is_refused_before_anything_is_sent() {
    let town = unlimited(Place::live());
    let server = town.serve();
    town.open_till(&server);
    let (id, _) = town.create_payment(&server, 10_000_000);
    // The operator pays for nobody yet.
    assert!(town.checkout(&server, &id)["authorization"].is_null());
    town.pay_fees("0.01");
    let offered = town.offered(&server, &id);
    let payer = town.payer(9_999_999);
    let body = town.authorize(payer, &offered);
    assert_eq!(town.refused(&server, &id, &body), "INSUFFICIENT_FUNDS");

    let changed = |field: &str, value: Value| {
        let mut body = body.clone();
        body[field] = value;
        body
    };
    for (field, value, reason) in [
        ("value", json!("9999999"), "AUTHORIZATION_AMOUNT"),
        ("valid_before", json!(1), "AUTHORIZATION_NOT_VALID_NOW"),
        (
            "valid_after",
            json!(4_000_000_000_u64),
            "AUTHORIZATION_NOT_VALID_NOW",
        ),
        (
            "from",
            json!(town.node.account(1).to_string()),
            "AUTHORIZATION_UNSIGNED",
        ),
    ] {
        let refused = town.refused(&server, &id, &changed(field, value));
        assert_eq!(refused, reason, "{field}");
    }

    // One block brings the money, and the payer on the token's list.
    town.node.mint(town.token, payer, 1);
    let block = abi("setBlacklisted(address,bool)", &[word(payer), number(1)]);
    let block = Transaction::call(town.node.account(1), town.token, 0, block);
    town.node.send(&block);
    town.node.mine(1);
    wait_for("the token refuses the payer", || {
        town.refused(&server, &id, &body) == "NOT_SUPPORTED"
    });
    assert_eq!(town.payment(&server, &id)["paid_amount"], "0");
    town.until_compared();
}
