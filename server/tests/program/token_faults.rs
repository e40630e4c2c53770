//! Tokens that pause, block addresses or keep a part of each transfer, through a live server on a real node.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, Transaction, abi, number, word};

use crate::place::{Place, Server, call, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

/// The address of USDC on Base, whose symbol and decimal places are known.
const USDC: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/// The code of a token of `contracts/test/tokens`.
pub(crate) fn token(name: &str) -> String {
    let all = include_str!("../../../contracts/test/tokens/tokens.json");
    let all: Value = serde_json::from_str(all).expect("JSON");
    let code = all[name].as_str().expect(name);
    code.trim_start_matches("0x").to_owned()
}

fn town(name: &str) -> Town {
    let node = Anvil::start(8453);
    let token = node.deploy(&token(name));
    Town::over(Place::live(), node, token)
}

impl Town {
    /// Calls the token as anybody.
    fn call_token(&self, function: &str, words: &[[u8; 32]]) {
        let call = Transaction::call(self.node.account(1), self.token, 0, abi(function, words));
        self.node.send(&call);
    }

    /// Sends a payout of USDC.
    fn pay_out(&self, server: &Server, amount: &str) -> String {
        let body = json!({
            "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
        });
        self.signed(server, "/payouts", &body)
    }
}

fn number_of(flag: bool) -> [u8; 32] {
    number(u64::from(flag))
}

/// A town whose till has 10 USDC, of which 9 lie in the hot wallet.
fn funded() -> (Town, Server) {
    let town = town("Stablecoin");
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 10_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    let payout = town.pay_out(&server, "1");
    town.mine_until(&server, &payout, "Confirmed");
    (town, server)
}

#[test]
fn a_payout_of_a_paused_token_gives_the_money_back_and_one_after_the_pause_leaves() {
    let (town, server) = funded();
    town.call_token("setPaused(bool)", &[number_of(true)]);
    town.node.mine(1);
    let payout = town.pay_out(&server, "4");
    town.mine_until(&server, &payout, "Failed");
    assert_eq!(town.till(&server), "9 0");
    town.call_token("setPaused(bool)", &[number_of(false)]);
    town.node.mine(1);
    let payout = town.pay_out(&server, "4");
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.till(&server), "5 0");
    let supplier = SUPPLIER.parse().expect("an address");
    assert_eq!(town.received(supplier), U256::from(5_000_000));
    town.until_compared();
}

#[test]
fn a_payout_to_a_blocked_address_gives_the_money_back() {
    let (town, server) = funded();
    let supplier: Address = SUPPLIER.parse().expect("an address");
    let block = [word(supplier), number_of(true)];
    town.call_token("setBlacklisted(address,bool)", &block);
    town.node.mine(1);
    let payout = town.pay_out(&server, "4");
    town.mine_until(&server, &payout, "Failed");
    assert_eq!(town.till(&server), "9 0");
    assert_eq!(town.received(supplier), U256::from(1_000_000));
    town.until_compared();
}

#[test]
fn a_payout_that_the_token_reverts_in_its_block_gives_the_money_back() {
    let (town, server) = funded();
    let supplier: Address = SUPPLIER.parse().expect("an address");
    let payout = town.pay_out(&server, "4");
    // It is broadcast, and waits for a block.
    wait_for("the payout is in the mempool", || {
        let status = town.node.call("txpool_status", json!([]));
        status["pending"] != "0x0"
    });
    let block = abi(
        "setBlacklisted(address,bool)",
        &[word(supplier), number_of(true)],
    );
    // With a higher fee, it comes first in the block.
    town.node.call(
        "eth_sendTransaction",
        json!([{
            "from": town.node.account(1).to_string(),
            "to": town.token.to_string(),
            "data": format!("0x{}", hex::encode(block)),
            "gas": "0x30000",
            "maxFeePerGas": "0x174876e800",
            "maxPriorityFeePerGas": "0x174876e800",
        }]),
    );
    town.mine_until(&server, &payout, "Failed");
    assert_eq!(town.till(&server), "9 0");
    assert_eq!(town.received(supplier), U256::from(1_000_000));
    town.until_compared();
}

#[test]
fn a_token_that_keeps_a_part_of_each_transfer_counts_as_what_arrived() {
    with_fees();
}

/// A town whose USDC keeps a hundredth of each transfer, with what was paid to the till: 9.9 USDC.
fn with_fees() -> (Town, Server) {
    let node = Anvil::start(8453);
    let deployed = node.deploy(&token("FeeToken"));
    let usdc: Address = USDC.parse().expect("an address");
    let code = format!("0x{}", hex::encode(node.code(deployed)));
    node.set_code(usdc, &code);
    let town = Town::over(Place::live(), node, usdc);
    let (url, place) = (town.node.url(), &town.place);
    let words = ["chain", "connect", "--chain", "8453", "--rpc", &url];
    let options = ["--token", "USDC", "--confirmations", "3", "--deploy"];
    place.json(&[&words[..], &options, &["--json"]].concat());
    let server = town.serve();
    town.open_till(&server);
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let key = &town.shop.key;
    let payment = call(&server.address, key, "POST", "/payments", body);
    let to: Address = text(&payment, "deposit_address")
        .parse()
        .expect("an address");
    // A hundredth stays with the token.
    town.node.mint(town.token, town.node.account(1), 10_000_000);
    town.node.mine(1);
    town.call_token("transfer(address,uint256)", &[word(to), number(10_000_000)]);
    wait_for("what arrived is booked", || {
        town.node.mine(1);
        town.till(&server) == "9.9 0"
    });
    let id = text(&payment, "id");
    let payment = town.payment(&server, &id);
    assert_eq!(payment["paid_amount"], "9.9", "{payment}");
    town.until_compared();
    (town, server)
}

#[test]
fn what_a_token_keeps_of_a_sweep_is_booked_also_after_a_reorganisation() {
    let (town, server) = with_fees();
    town.place.json(&["wallet", "sweep", "--json"]);
    let swept = U256::from(9_801_000);
    wait_for("the proxy is swept", || {
        town.node.mine(1);
        town.received(town.wallet) == swept
    });
    // Takes the block of the sweep away; it is broadcast again.
    town.node.reorganise(2);
    wait_for("the proxy is swept again", || {
        town.node.mine(1);
        town.received(town.wallet) == swept
    });
    town.node.mine(4);
    wait_for("the sweep is settled", || {
        town.node.mine(1);
        let shown = town.place.run(&["wallet", "show"]);
        String::from_utf8_lossy(&shown.stdout).contains("9.801 USDC on Base")
    });
    town.until_compared();
    assert_eq!(town.till(&server), "9.9 0", "the operator bears it");
    // The payout of all waits until the operator makes up for it.
    let payout = town.pay_out(&server, "9.9");
    town.node.mint(town.token, town.wallet, 99_000);
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.till(&server), "0 0");
    town.until_compared();
}
