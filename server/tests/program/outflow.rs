//! Money that leaves by a deposit share, by automations, by a refund and by a payout that a second member approves, through a live
//! server on a real node.

use std::collections::BTreeMap;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::Amount;
use settlekit_tests::anvil::{Transaction, abi, number, word};

use crate::place::{Place, Server, answer_of, ask, call, request, sign, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

/// One unit of USDC.
const UNIT: u64 = 1_000_000;

/// What the operator put into the hot wallet, in wei.
const GAS_MONEY: u64 = 10_u64.pow(18);

/// Gets 30 % of each deposit to an account.
const SHARER: Address = Address::repeat_byte(0x51);

/// Gets what an account has above 4 USDC, when it has more than 8.
const KEEPER: Address = Address::repeat_byte(0x52);

/// Gets all that an account has, when it has more than 8 USDC.
const SWEEPER: Address = Address::repeat_byte(0x53);

const PASSWORD: &str = "a door that opens quietly";

/// A member with a session of the dashboard.
struct Member {
    cookies: String,
    csrf: String,
}

impl Member {
    /// Adds a member, who signs in.
    fn sign_in(town: &Town, server: &Server, email: &str) -> Self {
        let words = ["member", "add", "--name", "Ada", "--password-stdin"];
        let whose = ["--org", &town.shop.id, "--email", email];
        let words = [&words[..], &whose].concat();
        let added = town.place.run_with_input(&words, &format!("{PASSWORD}\n"));
        assert!(added.status.success(), "{added:?}");
        let body = json!({ "email": email, "password": PASSWORD });
        let answer = answer_of(&server.address, &request("", "POST", "/sessions", &body));
        assert_eq!(answer.status, 201, "{}", answer.body);
        Self {
            cookies: answer.cookies().join("; "),
            csrf: text(&answer.body["data"], "csrf_token"),
        }
    }

    /// Sends a request after a step-up; returns the status and the body of the answer.
    fn post(&self, server: &Server, path: &str, body: &Value) -> (u16, Value) {
        let password = json!({ "password": PASSWORD });
        let (status, answer) = self.send(server, "/sessions/step-up", &password, None);
        assert_eq!(status, 201, "{answer}");
        let proof = text(&answer["data"], "token");
        self.send(server, path, body, Some(&proof))
    }

    fn send(&self, server: &Server, path: &str, body: &Value, proof: Option<&str>) -> (u16, Value) {
        let mut asked = request("", "POST", path, body);
        let headers = asked.headers_mut();
        headers.remove(header::API_KEY);
        headers.insert("cookie", self.cookies.parse().expect("cookies"));
        headers.insert(header::CSRF, self.csrf.parse().expect("a token"));
        if let Some(proof) = proof {
            headers.insert(header::STEP_UP, proof.parse().expect("a proof"));
        }
        ask(&server.address, &asked).expect("an answer")
    }
}

/// Sends a signed request that must succeed.
fn signed(town: &Town, server: &Server, path: &str, body: &Value) -> Value {
    let mut asked = request(&town.shop.key, "POST", path, body);
    sign(&mut asked, &town.shop);
    let answer = answer_of(&server.address, &asked);
    assert!(answer.status < 300, "{path}: {}", answer.body);
    answer.body["data"].clone()
}

fn address_of(account: &Value) -> Address {
    text(account, "address").parse().expect("an address")
}

/// An account whose surplus an automation pays out; returns its address.
fn automated(
    town: &Town,
    server: &Server,
    reference: &str,
    (minimum, to): (u64, Address),
) -> Address {
    let key = &town.shop.key;
    let body = json!({ "reference": reference, "chain_id": 8453, "currencies": ["USDC"] });
    let account = call(&server.address, key, "POST", "/accounts", body);
    let id = &account["id"];
    let path = format!("/partners/accounts/id/{id}/automations/maintain-balance");
    let body = json!({
        "currency": "USDC",
        "minimum_threshold_amount": minimum,
        "payout_address": to.to_string(),
        "payout_threshold_amount": 8,
    });
    signed(town, server, &path, &body);
    let path = format!("/accounts/{id}");
    address_of(&call(&server.address, key, "GET", &path, Value::Null))
}

/// The confirmed payouts of the books: what each receiver got, in units.
fn paid_out(town: &Town, server: &Server) -> BTreeMap<Address, U256> {
    let path = "/payouts";
    let list = call(&server.address, &town.shop.key, "GET", path, Value::Null);
    let items = list["items"].as_array().expect("payouts").iter();
    let confirmed = items.filter(|payout| payout["status"] == "Confirmed");
    let of_each = confirmed.map(|payout| {
        let amount: Amount = text(payout, "amount").parse().expect("an amount");
        let units = amount.to_units(6).expect("an amount of USDC");
        let to = address_of(&payout["payout_splits"][0]);
        (to, U256::from(units.unsigned_abs()))
    });
    of_each.collect()
}

/// The coins in the hot wallet by the books, in wei.
fn booked_coins(town: &Town) -> U256 {
    let shown = town.place.json(&["wallet", "show", "--json"]);
    let mut holdings = shown[0]["holdings"].as_array().expect("a list").iter();
    let coins = holdings.find(|held| held["currency"] == "ETH");
    let coins: Amount = text(coins.expect("ETH"), "amount")
        .parse()
        .expect("an amount");
    let units = coins.to_units(18).expect("an amount of ETH");
    U256::from(units.unsigned_abs())
}

/// A server whose till has 60 USDC, all of which lie in the hot wallet: no payout waits for a sweep.
fn funded(town: &Town) -> Server {
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 60 * UNIT);
    town.mine_until(&server, &payment, "Confirmed");
    town.place.json(&["wallet", "sweep", "--json"]);
    wait_for("the books have the sweep", || {
        town.node.mine(1);
        let shown = town.place.run(&["wallet", "show"]);
        String::from_utf8_lossy(&shown.stdout).contains("60 USDC on Base")
    });
    server
}

/// Pays 5 USDC from an account of the node; returns the payment and the payer.
fn pay_from_account(town: &Town, server: &Server) -> (String, Address) {
    let payer = town.node.account(1);
    let (payment, to) = town.create_payment(server, 5 * UNIT);
    town.node.mint(town.token, payer, 5 * UNIT);
    town.node.mine(1);
    let transfer = abi("transfer(address,uint256)", &[word(to), number(5 * UNIT)]);
    town.node
        .send(&Transaction::call(payer, town.token, 0, transfer));
    (payment, payer)
}

/// Pays out 21 USDC, more than the limit: one member creates the payout, another approves it.
fn pay_out_above_the_limit(town: &Town, server: &Server) {
    let words = ["wallet", "limits", "--currency", "USDC", "--per-payout"];
    town.place.json(&[&words[..], &["20", "--json"]].concat());
    let [ada, ben] =
        ["ada@shop.example", "ben@shop.example"].map(|email| Member::sign_in(town, server, email));
    let body = json!({
        "account": "till", "amount": "21", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let (status, payout) = ada.post(server, "/payouts", &body);
    assert_eq!(status, 201, "{payout}");
    assert_eq!(payout["data"]["reason"], "ApprovalRequired", "{payout}");
    let path = format!("/payouts/{}/approve", text(&payout["data"], "id"));
    let (status, refused) = ada.post(server, &path, &Value::Null);
    assert_eq!(status, 409, "{refused}");
    let (status, approved) = ben.post(server, &path, &Value::Null);
    assert_eq!(status, 200, "{approved}");
    assert_eq!(approved["data"]["reason"], Value::Null, "{approved}");
}

fn every_kind_of_payout_leaves(town: &Town) {
    let server = funded(town);
    let body = json!({
        "reference": "shared",
        "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
        "deposit_splits": [{ "address": SHARER.to_string(), "pct": "30" }],
    });
    let shared = signed(town, &server, "/accounts/virtual", &body);
    let shared = &shared["sub_accounts"][0];
    let shared_id = shared["id"].to_string();
    let kept = automated(town, &server, "kept", (4, KEEPER));
    let emptied = automated(town, &server, "emptied", (0, SWEEPER));
    for account in [address_of(shared), kept, emptied] {
        town.node.mint(town.token, account, 10 * UNIT);
    }
    let (payment, payer) = pay_from_account(town, &server);
    town.mine_until(&server, &payment, "Confirmed");
    let path = format!("/payments/{payment}/refunds");
    town.signed(&server, &path, &json!({}));
    pay_out_above_the_limit(town, &server);

    let supplier: Address = SUPPLIER.parse().expect("an address");
    let units = |amount: u64| U256::from(amount * UNIT);
    let expected = BTreeMap::from([
        (SHARER, units(3)),
        (KEEPER, units(6)),
        (SWEEPER, units(10)),
        (payer, units(5)),
        (supplier, units(21)),
    ]);
    wait_for("all payouts are confirmed", || {
        town.node.mine(1);
        paid_out(town, &server).len() == expected.len()
    });
    assert_eq!(paid_out(town, &server), expected);
    for (receiver, units) in expected {
        assert_eq!(town.received(receiver), units, "{receiver}");
    }
    town.mine_until(&server, &payment, "Refunded");
    assert_eq!(town.payment(&server, &payment)["refunded_amount"], "5");
    for (account, balance) in [
        ("till", "39 0"),
        (shared_id.as_str(), "7 0"),
        ("kept", "4 0"),
        ("emptied", "0 0"),
    ] {
        assert_eq!(town.balance(&server, account), balance, "{account}");
    }
    let coins = || town.node.balance(town.wallet, town.node.height());
    wait_for("the gas is booked", || {
        town.node.mine(1);
        booked_coins(town) == coins()
    });
    assert!(coins() < U256::from(GAS_MONEY), "gas was paid");
    town.until_compared();
    let verified = town.place.run(&["verify", "--chain"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

#[test]
fn shares_automations_refunds_and_approved_payouts_leave_on_a_real_node_with_sqlite() {
    every_kind_of_payout_leaves(&Town::new(Place::live()));
}

#[test]
fn shares_automations_refunds_and_approved_payouts_leave_on_a_real_node_with_postgresql() {
    every_kind_of_payout_leaves(&Town::new(Place::live_postgres()));
}
