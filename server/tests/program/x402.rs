//! Programs pay over HTTP 402 through a live server on a real node, with the official clients and middleware.

use std::process::{Command, Stdio};

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::Anvil;
use settlekit_tests::python::python;

use crate::place::{Answer, Place, Server, answer_of, call, request, sign, total, wait_for};
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
    let output = Command::new("node")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/x402/pay.mjs"
        ))
        .env("SETTLEKIT_URL", format!("http://{}", server.address))
        .env("SETTLEKIT_API_KEY", key)
        .env("PAYLINK", &paylink)
        .env("PAY_TO", &pay_to)
        .env("PAYER_KEY", PAYER)
        .env("POOR_KEY", POOR)
        .env("PYTHON", python("x402"))
        .stderr(Stdio::inherit())
        .output()
        .expect("node runs");
    let got: Value = serde_json::from_slice(&output.stdout).expect("results");
    for client in ["paylink", "version1", "axios", "python"] {
        assert_eq!(got[client]["status"], 200, "{client}: {got}");
        assert_eq!(got[client]["body"]["amount"], "0.01", "{client}: {got}");
    }
    let routes = [
        "express",
        "hono",
        "axiosExpress",
        "axiosHono",
        "pythonExpress",
        "pythonHono",
    ];
    for client in routes {
        assert_eq!(got[client]["status"], 200, "{client}: {got}");
        assert!(got[client]["body"]["tea"].is_u64(), "{client}: {got}");
    }
    let payer = town.node.account(5).to_string();
    for client in ["paylink", "version1", "express", "hono"] {
        let settled = &got[client]["settled"];
        assert_eq!(settled["success"], true, "{client}: {got}");
        assert_eq!(settled["payer"], payer, "{client}");
        let hash = &settled["transaction"];
        let receipt = town.node.call("eth_getTransactionReceipt", json!([hash]));
        assert_eq!(receipt["status"], "0x1", "{client}: {receipt}");
    }
    let mut ten: Vec<u64> = serde_json::from_value(got["ten"].clone()).expect("statuses");
    ten.sort_unstable();
    assert_eq!(ten, [&[200][..], &[402; 9]].concat(), "{got}");
    for refused in ["replay", "poor", "poorPaylink"] {
        assert_eq!(got[refused], 402, "{refused}: {got}");
    }
    // Four of a cent each at the paylink, and seven of a quarter of a cent at the routes.
    let paid = || {
        let payments = call(&server.address, key, "GET", "/payments", Value::Null);
        let payments = payments["items"].as_array().cloned().unwrap_or_default();
        let confirmed = payments.iter().filter(|one| one["status"] == "Confirmed");
        let mut amounts: Vec<String> = confirmed.map(|one| text(one, "paid_amount")).collect();
        amounts.sort_unstable();
        (amounts, payments.len())
    };
    let expected = [&["0.0025"; 7][..], &["0.01"; 4]].concat();
    wait_for("all payments are confirmed", || paid().0 == expected);
    wrong_payments_are_refused(&town, &server, &pay_to);
    assert_eq!(paid().1, 11);
    town.node.call("evm_setIntervalMining", json!([0]));
    let held = town
        .node
        .token_balance(town.token, town.node.account(5), town.node.height());
    assert_eq!(held, U256::from(1_000_000 - 4 * 10_000 - 7 * 2_500));
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
        let end = crate::place::now().seconds() + 600;
        self.x402_body_until(payer, pay_to, nonce, end)
    }

    /// The same, with the end of its validity in seconds since 1970.
    fn x402_body_until(&self, payer: Address, pay_to: &str, nonce: &str, end: i64) -> Value {
        let nonce = format!("0x{}", nonce.repeat(32));
        let offered = json!({
            "to": pay_to, "value": "2500", "valid_before": end, "nonce": nonce, "domain_name": "USD Coin",
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
                        "validBefore": end.to_string(), "nonce": nonce,
                    },
                },
            },
        })
    }
}

/// Every payment that is not what was asked for is refused with its reason, and sends nothing.
fn wrong_payments_are_refused(town: &Town, server: &Server, pay_to: &str) {
    let payer = town.node.account(5);
    let right = || town.x402_body(payer, pay_to, "b0");
    let with = |pointer: &str, value: &str| {
        let mut body = right();
        for place in ["/paymentRequirements", "/paymentPayload/accepted"] {
            let field = body.pointer_mut(&format!("{place}{pointer}"));
            *field.expect("a field") = json!(value);
        }
        body
    };
    let stranger = town.node.account(7).to_string();
    let mut forged = right();
    forged["paymentPayload"]["payload"]["authorization"]["from"] = json!(stranger);
    // Signed for the stranger, while the payment asks for the shop.
    let mut misdirected = town.x402_body(payer, &stranger, "b3");
    misdirected["paymentRequirements"]["payTo"] = json!(pay_to);
    misdirected["paymentPayload"]["accepted"]["payTo"] = json!(pay_to);
    let expired = crate::place::now().seconds() - 1;
    let cases = [
        (
            with("/amount", "2501"),
            "invalid_exact_evm_authorization_value",
        ),
        (with("/network", "eip155:1"), "invalid_network"),
        (
            with("/asset", &stranger),
            "invalid_exact_evm_eip3009_not_supported",
        ),
        (with("/payTo", &stranger), "invalid_payment_requirements"),
        (misdirected, "invalid_exact_evm_recipient_mismatch"),
        (forged, "invalid_exact_evm_signature"),
        (
            town.x402_body_until(payer, pay_to, "b1", expired),
            "invalid_exact_evm_payload_authorization_valid_before",
        ),
        (
            town.x402_body(town.node.account(6), pay_to, "b2"),
            "invalid_exact_evm_insufficient_balance",
        ),
    ];
    for (body, reason) in cases {
        let asked = request(&town.shop.key, "POST", "/x402/verify", &body);
        let verified = answer_of(&server.address, &asked).body;
        assert_eq!(verified["isValid"], false, "{reason}: {verified}");
        assert_eq!(verified["invalidReason"], reason, "{verified}");
        let settled = settle(town, server, &body).body;
        assert_eq!(settled["success"], false, "{reason}: {settled}");
        assert_eq!(settled["errorReason"], reason, "{settled}");
        assert_eq!(settled["transaction"], "", "{settled}");
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

fn a_signed_request_is_answered_once(place: Place) {
    let (town, server, pay_to) = town(place);
    let (address, key) = (&server.address, &town.shop.key);
    let body = town.x402_body(town.node.account(5), &pay_to, "6b");
    let asked = request(key, "POST", "/x402/verify", &body);
    wait_for("the payment can be settled", || {
        town.node.mine(1);
        answer_of(address, &asked).body["isValid"] == true
    });
    let signed = || {
        let mut asked = request(key, "POST", "/x402/settle", &body);
        sign(&mut asked, &town.shop);
        asked
    };
    let asked = signed();
    let waiting = {
        let (address, asked) = (address.clone(), asked.clone());
        std::thread::spawn(move || crate::place::ask(&address, &asked))
    };
    wait_for("the hot wallet has sent it", || {
        town.node.call("txpool_status", json!([]))["pending"] != "0x0"
    });
    assert!(!waiting.is_finished(), "no block has it");
    wait_for("a block has it", || {
        town.node.mine(1);
        waiting.is_finished()
    });
    let (status, settled) = waiting.join().expect("a thread").expect("an answer");
    assert_eq!(status, 200, "{settled}");
    assert_eq!(settled["success"], true, "{settled}");
    let hash = &settled["transaction"];
    let receipt = town.node.call("eth_getTransactionReceipt", json!([hash]));
    assert_eq!(receipt["status"], "0x1", "{receipt}");
    let again = answer_of(address, &asked);
    let reason = &again.body["error"]["errors"][0]["reason"];
    assert_eq!((again.status, reason), (401, &json!("NONCE_REUSED")));
    // A new signature of the request is not answered with the payment either.
    let again = answer_of(address, &signed()).body;
    assert_eq!(again["errorReason"], "duplicate_settlement", "{again}");
    wait_for("the payment is booked", || {
        town.node.mine(1);
        town.till(&server) == "0.0025 0"
    });
    town.until_compared();
    assert_eq!(total(address, key, "/payments"), 1);
    assert_eq!(total(address, key, "/accounts/till/movement"), 1);
}

#[test]
fn a_signed_settlement_waits_for_its_block_and_is_answered_once_with_sqlite() {
    a_signed_request_is_answered_once(Place::live());
}

#[test]
fn a_signed_settlement_waits_for_its_block_and_is_answered_once_with_postgresql() {
    a_signed_request_is_answered_once(Place::live_postgres());
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
    // Another key of the organisation has no slots of its own.
    let words = ["key", "create", "--org", &town.shop.id, "--json"];
    let created = town.place.json(&words);
    for key in [&town.shop.key, &text(&created, "api_key")] {
        let asked = request(key, "POST", "/x402/settle", &other);
        assert_eq!(answer_of(&server.address, &asked).status, 503);
    }
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
