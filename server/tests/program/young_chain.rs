//! Chains and tokens that are younger than the distance between the first recorded block and the latest one.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, TOKEN};
use settlekit_tests::liar::{Fault, Liar};

use crate::place::{Place, refused, wait_for};
use crate::real_chain::{Town, text};

/// A live place on a chain with this many blocks. The latest one deploys the token; the hot wallet has coins and 7 USDC.
fn town(blocks: u64) -> Town {
    let node = Anvil::start(8453);
    node.mine(blocks);
    let token = node.deploy(TOKEN);
    let town = Town::over(Place::live(), node, token);
    town.node.mint(town.token, town.wallet, 7_000_000);
    town.node.mine(1);
    town
}

/// What the books say of the hot wallet's money.
fn booked(town: &Town) -> String {
    let shown = town.place.run(&["wallet", "show"]);
    String::from_utf8_lossy(&shown.stdout).into_owned()
}

fn money_after_the_first_block_is_counted(town: &Town, first: u64) {
    let connected = town.connect();
    assert_eq!(connected["block"], first.to_string(), "{connected}");
    assert_eq!(connected["traces"], "true", "{connected}");
    assert!(!booked(town).contains("USDC on Base"), "{}", booked(town));
    let server = town.serve();
    wait_for("the hot wallet's money is read", || {
        town.node.mine(1);
        booked(town).contains("7 USDC on Base")
    });
    town.until_compared();
    town.open_till(&server);
    let payment = town.pay(&server, 5_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    town.until_compared();
}

#[test]
fn a_chain_of_a_few_blocks_is_read_from_its_first_and_later_money_of_the_hot_wallet_is_counted() {
    money_after_the_first_block_is_counted(&town(1), 1);
}

#[test]
fn a_token_younger_than_the_first_recorded_block_is_taken_and_money_in_it_is_counted() {
    let town = town(100);
    let first = town.node.height() - 64;
    money_after_the_first_block_is_counted(&town, first);
}

#[test]
fn a_node_that_hides_the_code_of_a_token_does_not_make_it_young() {
    let town = town(1);
    town.node.mine(100);
    let (url, token) = (town.node.url(), format!("USDC={}", town.token));
    let connect = |other: &Liar| {
        let words = ["chain", "connect", "--chain", "8453", "--token", &token];
        let options = ["--rpc", &url, "--rpc", &other.url(), "--deploy"];
        refused(&town.place.run(&[&words[..], &options].concat()))
    };
    let other = Liar::start(town.node.address());
    let is_past = |params: &Value| params[1] != "latest";
    other.tamper(move |method, params, result| {
        if method == "eth_call" && is_past(params) {
            *result = "0x".into();
        }
    });
    let said = connect(&other);
    assert!(
        said.contains("does not answer as an ERC-20 token"),
        "{said}"
    );
    other.tamper(move |method, params, result| {
        if ["eth_call", "eth_getCode"].contains(&method) && is_past(params) {
            *result = "0x".into();
        }
    });
    let said = connect(&other);
    assert!(said.contains("the nodes disagree on the USDC"), "{said}");
}

#[test]
fn a_contract_that_answers_nothing_is_no_young_token() {
    let town = town(1);
    let silent = town.node.account(5);
    // STOP
    town.node.set_code(silent, "0x00");
    let (url, token) = (town.node.url(), format!("USDC={silent}"));
    let words = ["chain", "connect", "--chain", "8453", "--token", &token];
    let said = refused(&town.place.run(&[&words[..], &["--rpc", &url]].concat()));
    assert!(
        said.contains("does not answer as an ERC-20 token"),
        "{said}"
    );
}

#[test]
fn a_chain_is_asked_for_traces_at_a_block_that_nodes_trace() {
    let place = Place::live();
    place.organisation();
    let made = place.json(&["wallet", "create", "--json"]);
    let wallet: Address = text(&made, "address").parse().expect("an address");
    let node = Anvil::start(31337);
    let genesis = json!(node.block_hash(0));
    // As geth does.
    let geth = Liar::start(node.address());
    geth.fail(move |method, params| {
        let is_refused = method == "debug_traceBlockByHash" && params[0] == genesis;
        is_refused.then_some(Fault::Error(-32000, "genesis is not traceable"))
    });
    let url = geth.url();
    let words = ["chain", "connect", "--chain", "31337", "--rpc", &url];
    let options = ["--name", "Dev", "--native", "ETH", "--json"];
    let connect = [&words[..], &options].concat();
    let said = refused(&place.run(&connect));
    assert!(said.contains("after its next block"), "{said}");
    node.set_balance(wallet, U256::from(7));
    let connected = place.json(&[&connect[..], &["--no-traces"]].concat());
    assert_eq!(connected["block"], "0", "{connected}");
    assert_eq!(connected["traces"], "false", "{connected}");
    let disconnect = place.run(&["chain", "disconnect", "--chain", "31337"]);
    assert!(disconnect.status.success());
    node.mine(1);
    let connected = place.json(&connect);
    assert_eq!(connected["block"], "1", "{connected}");
    assert_eq!(connected["traces"], "true", "{connected}");
}
