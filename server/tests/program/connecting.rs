//! `settlekit chain connect` asks every node, and marks test money.

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::FACTORY;
use settlekit_tests::liar::{Liar, Lie};

use crate::added_token::{EURC, euro_token};
use crate::place::{Place, call, refused, wait_for};
use crate::real_chain::{Town, text};

/// The selector of `decimals()`.
const DECIMALS: &str = "0x313ce567";

/// The selector of `symbol()`.
const SYMBOL: &str = "0x95d89b41";

/// The text EURC by the ABI.
fn eurc() -> String {
    let [offset, length] = [0x20, 4].map(|number: u64| format!("{number:064x}"));
    format!("0x{offset}{length}45555243{:056x}", 0)
}

/// Whether a call asks a contract for something.
fn asks_for(selector: &str, method: &str, params: &Value) -> bool {
    let data = params[0]["data"].as_str();
    method == "eth_call" && data.is_some_and(|data| data.starts_with(selector))
}

/// The error of a connection by a node that lies and one that does not, the first of them first.
fn connect(town: &Town, liar: &Liar, token: &str) -> [String; 2] {
    let [lies, honest] = [liar.url(), town.node.url()];
    [[&lies, &honest], [&honest, &lies]].map(|[first, second]| {
        let words = ["chain", "connect", "--chain", "8453", "--token", token];
        let nodes = ["--rpc", first, "--rpc", second];
        refused(&town.place.run(&[&words[..], &nodes].concat()))
    })
}

#[test]
fn no_node_is_believed_alone_about_a_token_whichever_is_named_first() {
    let town = Town::new(Place::live());
    let liar = Liar::start(town.node.address());
    liar.tamper(|method, params, result| {
        if asks_for(DECIMALS, method, params) {
            *result = format!("0x{:064x}", 18).into();
        }
    });
    let named = format!("USDC={}", town.token);
    for said in connect(&town, &liar, &named) {
        assert!(said.contains("the nodes disagree on 0x"), "{said}");
    }
    liar.tamper(|method, params, result| {
        if asks_for(SYMBOL, method, params) {
            *result = eurc().into();
        }
    });
    for said in connect(&town, &liar, &named) {
        assert!(said.contains("another symbol than USDC"), "{said}");
    }
    let named = format!("EURC={}", town.token);
    for said in connect(&town, &liar, &named) {
        assert!(said.contains("another symbol than EURC"), "{said}");
    }
}

#[test]
fn no_node_is_believed_alone_about_the_factory_whichever_is_named_first() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    wait_for("the factory is deployed", || {
        town.node.mine(1);
        !town.node.code(FACTORY).is_empty()
    });
    drop(server);
    let liar = Liar::start(town.node.address());
    let factory = FACTORY.to_string().to_lowercase();
    liar.tamper(move |method, params, result| {
        let asked = params[0].as_str().map(str::to_lowercase);
        if method == "eth_getCode" && asked.as_ref() == Some(&factory) {
            *result = "0x".into();
        }
    });
    let named = format!("USDC={}", town.token);
    for said in connect(&town, &liar, &named) {
        assert!(said.contains("the nodes disagree on the factory"), "{said}");
    }
}

#[test]
fn a_known_token_is_refused_if_its_contract_has_another_symbol() {
    let town = Town::new(Place::live());
    // The address of USDC on Base.
    let usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    let code = town.node.code(town.token);
    let usdc = usdc.parse().expect("an address");
    let code = format!("0x{}", alloy_primitives::hex::encode(code));
    town.node.set_code(usdc, &code);
    let liar = Liar::start(town.node.address());
    liar.tamper(|method, params, result| {
        if asks_for(SYMBOL, method, params) {
            *result = eurc().into();
        }
    });
    for said in connect(&town, &liar, "USDC") {
        assert!(said.contains("another symbol than USDC"), "{said}");
    }
    liar.tell(Lie::None);
    let url = liar.url();
    let words = ["chain", "connect", "--chain", "8453", "--rpc", &url];
    let connected = (town.place).json(&[&words[..], &["--token", "USDC", "--json"]].concat());
    assert_eq!(connected["currencies"], "ETH,USDC", "{connected}");
}

#[test]
fn logs_are_asked_for_by_the_shortest_range_that_every_node_gives() {
    let town = Town::new(Place::live());
    town.node.mine(150);
    let liar = Liar::start(town.node.address());
    liar.tell(Lie::CutRange(10));
    let [short, long] = [liar.url(), town.node.url()];
    let words = ["--rpc", &long, "--rpc", &short, "--confirmations", "3"];
    let connected = town.connect_with(&words);
    let range: u64 = text(&connected, "log_range").parse().expect("a number");
    assert!((5..=10).contains(&range), "{connected}");
    drop(liar.take_requests());
    // Many blocks to catch up with.
    town.node.mine(60);
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 5_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    let height = |value: &Value| {
        let digits = value.as_str()?.strip_prefix("0x")?;
        u64::from_str_radix(digits, 16).ok()
    };
    let mut longest = 0;
    for request in liar.take_requests() {
        let filter = &request["params"][0];
        if let (Some(from), Some(to)) = (height(&filter["fromBlock"]), height(&filter["toBlock"])) {
            longest = longest.max(to - from + 1);
        }
    }
    assert!((2..=range).contains(&longest), "{longest} blocks at once");
}

/// No server runs: a token that is added now is not read, and a paused chain is not asked.
fn what_is_not_compared_is_printed(town: &Town) {
    town.node
        .set_code(EURC.parse().expect("an address"), &euro_token(town));
    let add = [
        "chain", "token", "add", "--chain", "8453", "--token", "EURC",
    ];
    town.place.json(&[&add[..], &["--json"]].concat());
    let compare = |more: &[&str]| {
        let output = town.place.run(&[&["verify", "--chain"], more].concat());
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), printed)
    };
    let (code, printed) = compare(&[]);
    assert_eq!(code, Some(0), "{printed}");
    let unread = " not compared: an opening balance is not read yet (EURC of 0x";
    assert!(printed.contains(unread), "{printed}");
    assert_eq!(compare(&["--complete"]).0, Some(1));
    let pause = ["chain", "pause", "--chain", "8453"];
    assert!(town.place.run(&pause).status.success());
    let (code, printed) = compare(&[]);
    assert_eq!(code, Some(0), "{printed}");
    let paused = " not compared: the chain is paused\n";
    assert!(printed.contains(paused), "{printed}");
    let (code, printed) = compare(&["--complete", "--json"]);
    assert_eq!(code, Some(1), "{printed}");
    let found: Value = serde_json::from_str(&printed).expect("JSON");
    let chain = &found["chains"][0];
    assert_eq!(chain["balances"], 0, "{found}");
    let reasons = chain["not_compared"].as_array().expect("a list").iter();
    let reasons: Vec<&str> = reasons.filter_map(|left| left["reason"].as_str()).collect();
    let expected = [
        "an opening balance is not read yet",
        "the wallet was connected within the last hour",
        "the chain is paused",
    ];
    assert_eq!(reasons, expected, "{found}");
}

#[test]
fn test_money_is_marked_wherever_a_command_shows_it() {
    let town = Town::new(Place::live());
    let url = town.node.url();
    // So that the gas money lies there at the first block that is read.
    town.node.mine(100);
    let words = ["--rpc", &url, "--confirmations", "3", "--test-network"];
    let connected = town.connect_with(&words);
    assert_eq!(connected["test_network"], "true", "{connected}");
    // Another node later, and the option left out.
    let usdc = format!("USDC={}", town.token);
    let again = ["chain", "connect", "--chain", "8453", "--token", &usdc];
    let again = [&again[..], &["--rpc", &url]].concat();
    let said = refused(&town.place.run(&again));
    assert!(said.contains("add --test-network, or"), "{said}");
    let known = ["chain", "connect", "--chain", "84532", "--rpc", &url];
    let known = [&known[..], &["--no-test-network"]].concat();
    let said = refused(&town.place.run(&known));
    assert!(said.contains("Base Sepolia is a test network"), "{said}");
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 25_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    town.until_compared();
    // Connected just before, so that it cannot be read: it does not make the comparison fail.
    let wallet = Address::repeat_byte(0xa1).to_string();
    let own =
        json!({ "reference": "own", "chain_id": 8453, "currencies": ["USDC"], "address": wallet });
    call(&server.address, &town.shop.key, "POST", "/accounts", own);
    drop(server);
    let said = |words: &[&str]| {
        let output = town.place.run(words);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let listed = said(&["chain", "list"]);
    assert!(listed.starts_with("Base (8453) (test money): "), "{listed}");
    let listed = town.place.json(&["chain", "list", "--json"]);
    assert_eq!(listed[0]["test_network"], true, "{listed}");
    let shown = said(&["wallet", "show"]);
    assert!(shown.contains(" ETH on Base (test money): "), "{shown}");
    assert!(
        shown.contains("gas money on Base (test money): "),
        "{shown}"
    );
    let shown = town.place.json(&["wallet", "show", "--json"]);
    assert_eq!(shown[0]["holdings"][0]["test_network"], true, "{shown}");
    let compared = said(&["verify", "--chain"]);
    assert!(compared.contains("Base (test money): "), "{compared}");
    let compared = town
        .place
        .json(&["verify", "--chain", "--complete", "--json"]);
    assert_eq!(compared["chains"][0]["test_network"], true, "{compared}");
    let left = compared["chains"][0]["not_compared"].as_array();
    let left = left.expect("what was not compared");
    assert_eq!(left.len(), 1, "{compared}");
    assert_eq!(left[0]["incomplete"], false, "{compared}");

    let swept = said(&["wallet", "sweep"]);
    let line = "Base (test money): 25 USDC at 1 addresses";
    assert!(swept.starts_with(line), "{swept}");
    let swept = town.place.json(&["wallet", "sweep", "--json"]);
    assert_eq!(swept[0]["test_network"], true, "{swept}");
    let (owner, token) = (Address::repeat_byte(0x77), format!("USDC={}", town.token));
    let owner = owner.to_string();
    let withdraw = ["--currency", "ETH", "--amount", "0.001", "--to", &owner];
    for (command, options) in [
        (
            ["chain", "token", "add"].as_slice(),
            ["--token", &token].as_slice(),
        ),
        (&["wallet", "withdraw"], &withdraw),
    ] {
        let words = [command, &["--chain", "8453"], options].concat();
        let printed = said(&words);
        assert!(printed.contains("test_network: true\n"), "{printed}");
    }
    let rotate = ["wallet", "rotate", "--import"];
    let words = "test test test test test test test test test test test junk";
    let used = refused(&town.place.run_with_input(&rotate, words));
    assert!(used.contains("used on Base (test money): "), "{used}");
    let rotated = said(&["wallet", "rotate"]);
    assert!(
        rotated.contains("gas money on Base (test money): "),
        "{rotated}"
    );
    what_is_not_compared_is_printed(&town);
}

#[test]
fn the_hot_wallet_is_shown_with_the_gas_money_that_it_needs() {
    let town = Town::new(Place::live());
    town.node.mine(100);
    let connected = town.connect();
    assert_eq!(connected["test_network"], "false", "{connected}");
    let said = || {
        let output = town.place.run(&["wallet", "show"]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let shown = said();
    assert!(shown.contains("  gas money on Base: "), "{shown}");
    assert!(shown.contains("; keep at least 0."), "{shown}");
    assert!(!shown.contains("test money"), "{shown}");
    let gas = town.place.json(&["wallet", "show", "--json"])[0]["gas"][0].take();
    assert_eq!(gas["low"], false, "{gas}");
    assert!(gas["payouts_left"].as_u64() > Some(1), "{gas}");
    let line = format!("enough for {} payouts", gas["payouts_left"]);
    assert!(shown.contains(&line), "{shown}");
}
