//! Live servers that watch a real node: two on one database, by finality, without traces, and with a node that lies.

use std::time::{Duration, Instant};

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, PAYER, TOKEN, Transaction, abi, word};
use settlekit_tests::liar::{Liar, Lie};

use crate::place::{Place, Server, call, refused, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

impl Town {
    fn status(&self, server: &Server, id: &str) -> Value {
        let path = format!("/payments/{id}");
        call(&server.address, &self.shop.key, "GET", &path, Value::Null)["status"].clone()
    }
}

#[test]
fn a_second_server_on_postgresql_watches_within_half_a_minute_after_a_kill_and_one_after_1200_blocks_reads_them_all()
 {
    // Hundreds of blocks are mined while nobody watches; their traces need their states.
    let node = Anvil::start_keeping(4096, 8453, &[]);
    let token = node.deploy(TOKEN);
    let town = Town::over(Place::live_postgres(), node, token);
    town.connect();
    let mut servers = vec![town.serve(), town.serve()];
    town.open_till(&servers[0]);
    let payment = town.pay(&servers[0], 5_000_000);
    town.mine_until(&servers[1], &payment, "Confirmed");
    // One of the two kills hits the server that watches.
    for _ in 0..2 {
        let mut killed = servers.remove(0);
        killed.signal("KILL");
        let _ended = killed.child.wait();
        let since = Instant::now();
        servers.push(town.serve());
        let payment = town.pay(&servers[0], 5_000_000);
        town.mine_until(&servers[0], &payment, "Confirmed");
        let elapsed = since.elapsed();
        assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
    }
    town.until_compared();
    // Nobody reads for twice as many blocks as are kept, with a payment in the middle.
    let (payment, to) = town.create_payment(&servers[0], 5_000_000);
    for mut server in servers {
        server.signal("TERM");
        assert!(server.child.wait().expect("an end").success());
    }
    town.node.mine(600);
    town.node.mint(town.token, to, 5_000_000);
    town.node.mine(600);
    let server = town.serve();
    wait_for("the payment in the middle is booked", || {
        town.status(&server, &payment) == "Confirmed"
    });
    town.until_compared();
}

/// Connects Optimism, whose USDC has the same contract address as that of Base here.
fn connect_optimism(town: &Town) -> Anvil {
    let node = Anvil::start(10);
    assert_eq!(node.deploy(TOKEN), town.token);
    node.pay(town.wallet, 10_u64.pow(18));
    node.mine(1);
    let (url, token) = (node.url(), format!("USDC={}", town.token));
    let words = ["chain", "connect", "--chain", "10", "--token", &token];
    let options = ["--rpc", &url, "--confirmations", "3", "--deploy", "--json"];
    let connected = town.place.json(&[&words[..], &options].concat());
    assert_eq!(connected["name"], "Optimism", "{connected}");
    node
}

/// Pays 5 USDC on Base and 7 on Optimism, and waits until both payments are confirmed.
fn pay_on_both(town: &Town, optimism: &Anvil, server: &Server) {
    let near = town.pay(server, 5_000_000);
    let body = json!({ "amount": "7", "currency": "USDC", "chain_id": 10, "account": "far" });
    let far = call(&server.address, &town.shop.key, "POST", "/payments", body);
    let to = text(&far, "deposit_address").parse().expect("an address");
    optimism.mint(town.token, to, 7_000_000);
    let far = text(&far, "id");
    wait_for("both payments are confirmed", || {
        town.node.mine(1);
        optimism.mine(1);
        let mut both = [&near, &far].into_iter();
        both.all(|id| town.status(server, id) == "Confirmed")
    });
    let chains = [&near, &far].map(|id| {
        let transaction = town.payment(server, id)["crypto_transactions"][0].take();
        transaction["chain_id"].as_u64()
    });
    assert_eq!(chains, [Some(8453), Some(10)]);
}

#[test]
fn two_chains_are_read_at_once_and_left_to_the_other_server_by_one_that_ends() {
    let town = Town::new(Place::live_postgres());
    town.connect();
    let optimism = connect_optimism(&town);
    let first = town.serve();
    town.open_till(&first);
    let body = json!({ "reference": "far", "chain_id": 10, "currencies": ["USDC"] });
    call(&first.address, &town.shop.key, "POST", "/accounts", body);
    pay_on_both(&town, &optimism, &first);
    let mut first = first;
    first.signal("TERM");
    assert!(first.child.wait().expect("an end").success());
    let since = Instant::now();
    let second = town.serve();
    pay_on_both(&town, &optimism, &second);
    let elapsed = since.elapsed();
    assert!(elapsed < Duration::from_secs(15), "{elapsed:?}");
    wait_for("the books agree with both chains", || {
        town.node.mine(1);
        optimism.mine(1);
        town.differences().is_empty()
    });
    let compared = town.place.json(&["verify", "--chain", "--json"]);
    let chains = compared["chains"].as_array().expect("a list").iter();
    let mut chains: Vec<_> = chains
        .map(|chain| (chain["chain_id"].as_u64(), chain["block"].is_u64()))
        .collect();
    chains.sort_unstable();
    assert_eq!(chains, [(Some(10), true), (Some(8453), true)], "{compared}");
}

#[test]
fn a_payment_confirms_by_the_finality_of_the_chain() {
    let node = Anvil::start_with(8453, &["--slots-in-an-epoch", "4"]);
    let token = node.deploy(TOKEN);
    node.mine(20);
    let town = Town::over(Place::live(), node, token);
    let url = town.node.url();
    let connected = town.connect_with(&["--rpc", &url, "--confirmations", "finalized"]);
    assert_eq!(connected["confirmations"], "finalized", "{connected}");
    let server = town.serve();
    town.open_till(&server);
    let id = town.pay(&server, 5_000_000);
    town.node.mine(1);
    wait_for("the payment is seen", || {
        town.status(&server, &id) == "Processing"
    });
    // Two epochs of four blocks.
    for _ in 0..7 {
        town.node.mine(1);
    }
    assert_eq!(town.status(&server, &id), "Processing");
    town.mine_until(&server, &id, "Confirmed");
    town.until_compared();
}

#[test]
fn a_reorganisation_of_blocks_before_the_connection_is_followed() {
    let town = Town::new(Place::live());
    town.node.mine(20);
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let lost = town.pay(&server, 5_000_000);
    town.node.mine(1);
    wait_for("the payment is seen", || {
        town.status(&server, &lost) == "Processing"
    });
    // The latest block of the connection is among them.
    town.node.reorganise(10);
    let payment = town.pay(&server, 5_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    assert_ne!(town.status(&server, &lost), "Confirmed");
    town.until_compared();
}

#[test]
fn without_traces_sweeps_and_payouts_are_followed_exactly_and_coins_of_contracts_are_a_difference()
{
    let town = Town::new(Place::live());
    let url = town.node.url();
    let words = ["--rpc", &url, "--confirmations", "3", "--no-traces"];
    let connected = town.connect_with(&words);
    assert_eq!(connected["traces"], "false", "{connected}");
    let server = town.serve();
    town.open_till(&server);
    let key = &town.shop.key;
    let till = call(&server.address, key, "GET", "/accounts/till", Value::Null);
    let till = till["address"].as_str().expect("an address");
    let till: Address = till.parse().expect("an address");
    town.node.pay(till, 2_000_000_000_000_000_000);
    wait_for("the coins are booked", || {
        town.node.mine(1);
        let path = "/accounts/till/balances";
        let held = call(&server.address, key, "GET", path, Value::Null);
        held.to_string().contains("\"2\"")
    });
    // More than the hot wallet has: the proxy wallet is swept before.
    let body = json!({
        "account": "till", "amount": "1.5", "currency": "ETH", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &payout, "Confirmed");
    town.until_compared();
    let payer = town.node.deploy(PAYER);
    let forward = abi("forward(address)", &[word(till)]);
    let from = town.node.account(2);
    town.node.send(&Transaction::call(from, payer, 77, forward));
    let surplus = format!("{till} holds 0.000000000000000077 ETH, the books say 0");
    wait_for("what was not seen is a difference", || {
        town.node.mine(1);
        let found = town.differences();
        found.len() == 1 && found[0].contains(&surplus)
    });
}

#[test]
fn the_comparison_needs_two_nodes_that_agree_and_a_third_may_lie() {
    let town = Town::new(Place::live());
    let liars: Vec<Liar> = (0..3).map(|_| Liar::start(town.node.address())).collect();
    let urls: Vec<String> = liars.iter().map(Liar::url).collect();
    let words = ["--rpc", &urls[0], "--rpc", &urls[1], "--rpc", &urls[2]];
    town.connect_with(&[&words[..], &["--confirmations", "3"]].concat());
    let server = town.serve();
    town.open_till(&server);
    let id = town.pay(&server, 5_000_000);
    town.mine_until(&server, &id, "Confirmed");
    town.until_compared();
    drop(server);
    // Balances of one that lies, wherever it stands.
    let inflate = |liar: &Liar| {
        liar.tamper(|method, _, result| {
            if ["eth_getBalance", "eth_call"].contains(&method) {
                *result = format!("0x{}", "1".repeat(64)).into();
            }
        });
    };
    for liar in &liars {
        inflate(liar);
        assert_eq!(town.differences(), Vec::<String>::new());
        liar.tell(Lie::Die);
        assert_eq!(town.differences(), Vec::<String>::new());
        liar.tell(Lie::None);
    }
    // One of two that are left.
    liars[2].tell(Lie::Die);
    inflate(&liars[0]);
    let found = town.differences();
    assert!(
        !found.is_empty() && found.iter().all(|one| one.contains("disagree")),
        "{found:?}"
    );
    // One alone is not believed.
    liars[0].tell(Lie::Die);
    let found = town.differences();
    assert!(
        found.len() == 1 && found[0].contains("1 of 2 needed nodes"),
        "{found:?}"
    );
    liars[0].tell(Lie::None);
    liars[2].tell(Lie::None);
    // A node of another fork is named.
    liars[1].tamper(|method, _, result| {
        if method == "eth_getBlockByNumber" && result["hash"].is_string() {
            result["hash"] = format!("0x{}", "7".repeat(64)).into();
        }
    });
    let found = town.differences();
    assert!(
        found.len() == 1 && found[0].contains("has another block"),
        "{found:?}"
    );
}

#[test]
fn a_chain_is_not_connected_if_its_nodes_disagree_on_what_lies_in_the_hot_wallet() {
    let town = Town::new(Place::live());
    let liar = Liar::start(town.node.address());
    liar.tamper(|method, _, result| {
        if method == "eth_getBalance" {
            *result = "0x7".into();
        }
    });
    let (url, other, token) = (town.node.url(), liar.url(), format!("USDC={}", town.token));
    let words = ["chain", "connect", "--chain", "8453", "--rpc", &url];
    let options = ["--rpc", &other, "--token", &token, "--deploy"];
    let said = refused(&town.place.run(&[&words[..], &options].concat()));
    assert!(said.contains("the nodes disagree on the ETH"), "{said}");
    for confirmations in ["0", "513", "final"] {
        let options = ["--confirmations", confirmations, "--token", &token];
        let output = town.place.run(&[&words[..], &options].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("neither `finalized` nor a number"), "{said}");
    }
    liar.tell(Lie::None);
    let words = ["--rpc", &url, "--rpc", &other, "--confirmations", "3"];
    town.connect_with(&words);
}
