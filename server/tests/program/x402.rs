//! Programs pay over HTTP 402 through a live server on a real node, with the official clients and middleware.

use std::path::Path;
use std::process::{Command, Stdio};

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::Anvil;
use settlekit_tests::python::python;

use crate::place::{Answer, Place, Server, answer_of, call, request, sign, wait_for};
use crate::real_chain::{Town, text};

/// USDC on Base, which the clients know.
const USDC: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/// The keys of the node's accounts 5 and 6.
const PAYER: &str = "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba";
const POOR: &str = "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e";

/// A town whose token is at the address of USDC, and whose operator pays the network.
fn town(place: Place) -> (Town, Server, String) {
    let node = Anvil::start(8453);
    let deployed = node.deploy(&crate::token_faults::token("Stablecoin"));
    let code = alloy_primitives::hex::encode_prefixed(node.code(deployed));
    let usdc: Address = USDC.parse().expect("an address");
    node.set_code(usdc, &code);
    let town = Town::over(place, node, usdc);
    assert_eq!(town.connect()["signed_transfers"], "USDC");
    let words = ["chain", "payer-fees", "--chain", "8453", "--per-day", "0.1"];
    assert!(town.place.run(&words).status.success());
    let server = town.serve();
    town.open_till(&server);
    let mut made = request(
        &town.shop.key,
        "POST",
        "/accounts/till/pay-in-addresses",
        &json!({ "chain_id": 8453 }),
    );
    sign(&mut made, &town.shop);
    let made = answer_of(&server.address, &made);
    let pay_to = text(&made.body["data"], "address");
    let payer = town.node.account(5);
    town.node.mint(usdc, payer, 1_000_000);
    // Payers have no coins for the network.
    town.node.set_balance(payer, U256::ZERO);
    let poor = town.node.account(6);
    town.node.set_balance(poor, U256::ZERO);
    wait_for("the hot wallet has its gas money", || {
        town.node.mine(1);
        !supported(&town, &server).is_empty()
    });
    (town, server, pay_to)
}

fn supported(town: &Town, server: &Server) -> Vec<Value> {
    let asked = request(&town.shop.key, "GET", "/x402/supported", &Value::Null);
    let kinds = answer_of(&server.address, &asked).body["kinds"].clone();
    kinds.as_array().cloned().unwrap_or_default()
}

fn official_clients_pay(place: Place) {
    let (town, server, pay_to) = town(place);
    let body = json!({ "name": "Tea", "amount": "0.01", "currency": "USDC" });
    let key = &town.shop.key;
    let paylink = text(&call(&server.address, key, "POST", "/paylinks", body), "id");
    wait_for("the paylink can be paid", || {
        town.node.mine(1);
        let asked = request("", "GET", &format!("/x402/{paylink}"), &Value::Null);
        answer_of(&server.address, &asked).status == 402
    });
    // From here on the node mines by itself.
    town.node.call("evm_setIntervalMining", json!([1]));
    let run = |program: &Path, script: &str| -> Value {
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/x402")
            .join(script);
        let output = Command::new(program)
            .arg(script)
            .env("SETTLEKIT_URL", format!("http://{}", server.address))
            .env("SETTLEKIT_API_KEY", key)
            .env("PAYLINK", &paylink)
            .env("PAY_TO", &pay_to)
            .env("PAYER_KEY", PAYER)
            .env("POOR_KEY", POOR)
            .stderr(Stdio::inherit())
            .output()
            .expect("the program runs");
        serde_json::from_slice(&output.stdout).expect("results")
    };
    let by_python = run(&python("x402"), "pay.py");
    assert_eq!(by_python["status"], 200, "{by_python}");
    assert_eq!(by_python["body"]["amount"], "0.01");
    let got = run(Path::new("node"), "pay.mjs");
    for client in ["paylink", "axios", "express", "hono"] {
        assert_eq!(got[client]["status"], 200, "{client}: {got}");
    }
    let payer = town.node.account(5).to_string();
    for client in ["paylink", "express", "hono"] {
        let settled = &got[client]["settled"];
        assert_eq!(settled["success"], true, "{client}: {got}");
        assert_eq!(settled["payer"], payer, "{client}");
        let hash = &settled["transaction"];
        let receipt = town.node.call("eth_getTransactionReceipt", json!([hash]));
        assert_eq!(receipt["status"], "0x1", "{client}: {receipt}");
    }
    assert_eq!(got["paylink"]["body"]["amount"], "0.01");
    let mut ten: Vec<u64> = serde_json::from_value(got["ten"].clone()).expect("statuses");
    ten.sort_unstable();
    assert_eq!(ten, [&[200][..], &[402; 9]].concat(), "{got}");
    for refused in ["replay", "poor", "poorPaylink"] {
        assert_eq!(got[refused], 402, "{refused}: {got}");
    }
    // Three of a cent each at the paylink, and three of a quarter of a cent at the routes.
    let paid = || {
        let payments = call(&server.address, key, "GET", "/payments", Value::Null);
        let payments = payments["items"].as_array().cloned().unwrap_or_default();
        let confirmed = payments.iter().filter(|one| one["status"] == "Confirmed");
        let mut amounts: Vec<String> = confirmed.map(|one| text(one, "paid_amount")).collect();
        amounts.sort_unstable();
        (amounts, payments.len())
    };
    let expected = ["0.0025", "0.0025", "0.0025", "0.01", "0.01", "0.01"];
    wait_for("all payments are confirmed", || paid().0 == expected);
    assert_eq!(paid().1, 6);
    town.node.call("evm_setIntervalMining", json!([0]));
    let held = town
        .node
        .token_balance(town.token, town.node.account(5), town.node.height());
    assert_eq!(held, U256::from(1_000_000 - 3 * 10_000 - 3 * 2_500));
    town.until_compared();
}

#[test]
fn official_clients_and_middleware_of_x402_pay_with_sqlite() {
    official_clients_pay(Place::live());
}

#[test]
fn official_clients_and_middleware_of_x402_pay_with_postgresql() {
    official_clients_pay(Place::live_postgres());
}

impl Town {
    /// The body for the facilitator of a payment that the node signs for a payer.
    fn x402_body(&self, payer: Address, pay_to: &str, nonce: &str) -> Value {
        let now = crate::place::now().seconds();
        let nonce = format!("0x{}", nonce.repeat(32));
        let offered = json!({
            "to": pay_to, "value": "2500", "valid_before": now + 600, "nonce": nonce, "domain_name": "USD Coin",
            "domain_version": "2", "token_address": USDC,
        });
        let signed = self.authorize(payer, &offered);
        let accepted = json!({
            "scheme": "exact", "network": "eip155:8453", "asset": USDC, "amount": "2500", "payTo": pay_to,
            "maxTimeoutSeconds": 600,
        });
        json!({
            "x402Version": 2,
            "paymentRequirements": accepted,
            "paymentPayload": {
                "x402Version": 2,
                "accepted": accepted,
                "payload": {
                    "signature": signed["signature"],
                    "authorization": {
                        "from": payer.to_string(), "to": pay_to, "value": "2500", "validAfter": "0",
                        "validBefore": (now + 600).to_string(), "nonce": nonce,
                    },
                },
            },
        })
    }
}

fn settle(town: &Town, server: &Server, body: &Value) -> Answer {
    let asked = request(&town.shop.key, "POST", "/x402/settle", body);
    answer_of(&server.address, &asked)
}

#[test]
fn a_payment_whose_answer_was_lost_in_a_crash_is_settled_once() {
    let (town, server, pay_to) = town(Place::live());
    let body = town.x402_body(town.node.account(5), &pay_to, "5a");
    let asked = request(&town.shop.key, "POST", "/x402/verify", &body);
    wait_for("the payment can be settled", || {
        town.node.mine(1);
        answer_of(&server.address, &asked).body["isValid"] == true
    });
    // No block is mined, so that the request waits while the server dies.
    let asked = request(&town.shop.key, "POST", "/x402/settle", &body);
    let address = server.address.clone();
    let waiting = std::thread::spawn(move || crate::place::ask(&address, &asked));
    wait_for("the hot wallet has sent it", || {
        town.node.call("txpool_status", json!([]))["pending"] != "0x0"
    });
    server.signal("KILL");
    drop(server);
    assert!(waiting.join().expect("a thread").is_none(), "no answer");
    let server = town.serve();
    town.node.call("evm_setIntervalMining", json!([1]));
    // The request that died had some time for itself.
    wait_for("the payment is answered to another request", || {
        settle(&town, &server, &body).body["success"] == true
    });
    let again = settle(&town, &server, &body);
    assert_eq!(again.body["errorReason"], "duplicate_settlement");
    let payments = call(
        &server.address,
        &town.shop.key,
        "GET",
        "/payments",
        Value::Null,
    );
    assert_eq!(payments["total"], 1, "{payments}");
    town.node.call("evm_setIntervalMining", json!([0]));
    town.until_compared();
}

#[test]
fn a_settlement_that_cannot_wait_for_its_block_is_not_accepted() {
    let (town, server, pay_to) = town(Place::live());
    let body = |nonce: u8| town.x402_body(town.node.account(5), &pay_to, &format!("{nonce:02x}"));
    let to = |endpoint: &str, body: &Value| {
        request(&town.shop.key, "POST", &format!("/x402/{endpoint}"), body)
    };
    let other = body(64);
    wait_for("payments can be settled", || {
        town.node.mine(1);
        answer_of(&server.address, &to("verify", &other)).body["isValid"] == true
    });
    // Without a block, all of these wait.
    let waiting: Vec<_> = (0..64)
        .map(|nonce| {
            let (address, asked) = (server.address.clone(), to("settle", &body(nonce)));
            std::thread::spawn(move || crate::place::ask(&address, &asked))
        })
        .collect();
    let total = || {
        let key = &town.shop.key;
        let payments = call(&server.address, key, "GET", "/payments", Value::Null);
        payments["total"].clone()
    };
    wait_for("all are accepted", || total() == 64);
    assert_eq!(settle(&town, &server, &other).status, 503);
    assert_eq!(total(), 64);
    town.node.call("evm_setIntervalMining", json!([1]));
    let answers = waiting.into_iter().filter_map(|one| one.join().ok()?);
    let settled = answers.filter(|(_, body)| body["success"] == true);
    assert_eq!(settled.count(), 64);
    assert_eq!(settle(&town, &server, &other).body["success"], true);
    assert_eq!(total(), 65);
    town.node.call("evm_setIntervalMining", json!([0]));
    town.until_compared();
}
