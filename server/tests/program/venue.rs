//! Uniswap's own contracts on a real node, read through two providers by a live server.

use std::collections::BTreeSet;

use alloy_primitives::{Address, hex};
use serde_json::{Value, json};
use settlekit_service::uniswap::{PoolKind, Uniswap};
use settlekit_tests::anvil::word;
use settlekit_tests::exchange::Exchange;
use settlekit_tests::liar::{Liar, Lie};

use crate::place::{Organisation, Place, Server, refused, wait_for};
use crate::prices::health;

/// The chain of the exchange.
pub(crate) const CHAIN: &str = "31337";

/// `getPair(address,address)`.
const GET_PAIR: &str = "0xe6a43905";

/// `factory()`.
const FACTORY: &str = "0xc45a0155";

/// A live place whose chain has an exchange: a node, and a provider in front of it that may lie.
pub(crate) struct Market {
    pub(crate) place: Place,
    pub(crate) shop: Organisation,
    pub(crate) wallet: Address,
    pub(crate) exchange: Exchange,
    pub(crate) liar: Liar,
}

impl Market {
    pub(crate) fn new(place: Place) -> Self {
        let shop = place.organisation_with(&["--otc"]);
        let wallet = place.json(&["wallet", "create", "--json"]);
        let wallet = wallet["address"].as_str().expect("an address");
        let wallet = wallet.parse().expect("an address");
        let exchange = Exchange::deploy();
        let liar = Liar::start(exchange.node.address());
        let market = Self {
            place,
            shop,
            wallet,
            exchange,
            liar,
        };
        // By a transaction, which may be in the first block that is read.
        market.exchange.node.pay(wallet, 10_u64.pow(18));
        market.exchange.node.mine(1);
        let nodes = [market.exchange.node.url(), market.liar.url()];
        market.connect_chain([&nodes[0], &nodes[1]]);
        market
    }

    /// Connects the chain by two nodes, or replaces them.
    pub(crate) fn connect_chain(&self, nodes: [&str; 2]) {
        let euro = format!("EURC={}", self.exchange.euro);
        let dollar = format!("USDC={}", self.exchange.dollar);
        let words = ["chain", "connect", "--chain", CHAIN, "--name", "Market"];
        let coin = ["--native", "ETH", "--block-seconds", "1", "--json"];
        let tokens = ["--token", &euro, "--token", &dollar];
        let more = ["--confirmations", "2", "--deploy"];
        let nodes = ["--rpc", nodes[0], "--rpc", nodes[1]];
        let words = [&words[..], &coin, &tokens, &more, &nodes].concat();
        self.place.json(&words);
    }

    /// The words that connect the exchange by the contracts that are given.
    fn words(contracts: &[(&str, Address)]) -> Vec<String> {
        let words = ["venue", "connect", "--chain", CHAIN].map(str::to_owned);
        let options = contracts.iter();
        let options =
            options.flat_map(|(name, address)| [format!("--{name}"), address.to_string()]);
        words.into_iter().chain(options).collect()
    }

    fn contracts(uniswap: &Uniswap) -> Vec<(&'static str, Address)> {
        let v2 = uniswap.v2.as_ref().expect("version 2");
        let v3 = uniswap.v3.as_ref().expect("version 3");
        vec![
            ("v2-router", v2.router),
            ("v3-router", v3.router.address()),
            ("v3-quoter", v3.quoter),
        ]
    }

    /// Waits until a server has read the latest block.
    pub(crate) fn until_followed(&self) {
        let height = self.exchange.node.height();
        wait_for("the latest block is read", || {
            let chains = self.place.json(&["chain", "list", "--json"]);
            chains[0]["block"].as_u64() >= Some(height)
        });
    }

    /// Connects the exchange once its pools are in the latest block that is read.
    fn connect_followed(&self, uniswap: &Uniswap) {
        self.until_followed();
        self.connect(uniswap);
    }

    pub(crate) fn connect(&self, uniswap: &Uniswap) {
        let words = Self::words(&Self::contracts(uniswap));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = self.place.run(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    }

    /// What refuses to connect the exchange with contracts.
    fn refuses(&self, contracts: &[(&str, Address)]) -> String {
        let words = Self::words(contracts);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        refused(&self.place.run(&words))
    }

    /// The connected exchange.
    fn shown(&self) -> Value {
        let list = self.place.json(&["venue", "list", "--json"]);
        list[0].clone()
    }

    /// The contracts of the pools that are listed.
    fn pools(&self) -> BTreeSet<Address> {
        let shown = self.shown();
        let pools = shown["pools"].as_array().expect("a list").iter();
        let contract = |pool: &Value| pool["contract"].as_str().expect("text").parse();
        pools
            .map(|pool| contract(pool).expect("an address"))
            .collect()
    }

    /// Waits until the pools that there are, found by nobody's server, are listed.
    pub(crate) fn until_read(&self) {
        let (there, _) = self.exchange.discover();
        let there = there.iter().map(|pool| pool.at.address).collect();
        wait_for("the pools are read", || self.pools() == there);
    }

    fn failing(server: &Server) -> Value {
        health(server).1["failing_venues"].clone()
    }
}

fn pools_are_found(market: &Market) {
    let server = Server::live(&market.place);
    market.connect_followed(&market.exchange.uniswap_02);
    market.until_read();
    let shown = market.shown();
    assert_eq!(shown["chain_id"], 31_337, "{shown}");
    assert_eq!(shown["name"], "Uniswap", "{shown}");
    assert_eq!(shown["failures"], 0, "{shown}");
    assert_eq!(shown["slippage_millionths"], 5_000, "{shown}");
    let uniswap = &market.exchange.uniswap_02;
    let v3 = uniswap.v3.as_ref().expect("version 3");
    assert_eq!(shown["v3"]["factory"], json!(v3.factory));
    assert_eq!(Market::failing(&server), Value::Null);
    let listed = market.place.run(&["venue", "list"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(
        listed.contains("Uniswap on chain 31337: 6 pools"),
        "{listed}"
    );
    assert!(listed.contains("version 3, fee 500 millionths"), "{listed}");

    // The other router, after a restart.
    drop(server);
    market.connect(&market.exchange.uniswap);
    assert_eq!(market.pools(), BTreeSet::new());
    let _server = Server::live(&market.place);
    market.until_read();
    let place = &market.place;
    let refusal = refused(&place.run(&["chain", "disconnect", "--chain", CHAIN]));
    assert!(refusal.contains("venue disconnect"), "{refusal}");
    let done = place.run(&["venue", "disconnect", "--chain", CHAIN]);
    assert!(done.status.success());
    assert_eq!(market.shown(), Value::Null);
    // Once the factory's deployment is final.
    wait_for("the chain is disconnected", || {
        market.exchange.node.mine(1);
        let done = place.run(&["chain", "disconnect", "--chain", CHAIN]);
        done.status.success()
    });
    market.place.is_sound();
}

#[test]
fn the_pools_of_an_exchange_are_found_with_sqlite() {
    pools_are_found(&Market::new(Place::live()));
}

#[test]
fn the_pools_of_an_exchange_are_found_with_postgresql() {
    pools_are_found(&Market::new(Place::live_postgres()));
}

#[test]
fn a_pool_that_one_provider_invents_is_not_listed() {
    let market = Market::new(Place::live());
    let server = Server::live(&market.place);
    market.liar.tamper(|method, params, result| {
        let data = params[0]["data"].as_str().unwrap_or_default();
        if method == "eth_call" && data.starts_with(GET_PAIR) {
            let invented = word(Address::repeat_byte(0x66));
            *result = hex::encode_prefixed(invented).into();
        }
    });
    market.connect_followed(&market.exchange.uniswap);
    let (there, _) = market.exchange.discover();
    let second = there.iter().filter(|pool| pool.at.key.kind != PoolKind::V2);
    let second: BTreeSet<Address> = second.map(|pool| pool.at.address).collect();
    wait_for("the pools of version 3 are read", || {
        market.exchange.node.mine(1);
        market.pools() == second
    });
    assert_eq!(market.shown()["last_error"], "the nodes disagree");
    // When the providers agree on nothing, the exchange is unhealthy.
    market.liar.tamper(|method, params, result| {
        if method == "eth_call" && params[1]["blockHash"].is_string() {
            *result = "0x01".into();
        }
    });
    market.connect(&market.exchange.uniswap_02);
    wait_for("reading fails", || {
        Market::failing(&server) == json!([31_337])
    });
    market.liar.tell(Lie::None);
    market.until_read();
    assert_eq!(Market::failing(&server), Value::Null);
}

#[test]
fn only_contracts_that_belong_together_are_connected() {
    let market = Market::new(Place::live());
    let contracts = Market::contracts(&market.exchange.uniswap);
    let [(_, v2), (_, router), (_, quoter)] = contracts[..] else {
        panic!("three contracts");
    };
    let (pools, _) = market.exchange.discover();
    let mut second = pools.iter().filter(|pool| pool.at.key.kind == PoolKind::V2);
    let pool = second.next().expect("a pool of version 2").at.address;
    let empty = Address::repeat_byte(0x55);
    for (contracts, expected) in [
        (vec![], "a router is needed"),
        (vec![("v2-router", empty)], "has no code on this chain"),
        (vec![("v2-router", market.exchange.euro)], "eth_call"),
        (
            vec![("v3-router", router), ("v3-quoter", v2)],
            "is not of the router's factory",
        ),
        (
            vec![("v3-router", pool), ("v3-quoter", quoter)],
            "is not of the router's factory",
        ),
    ] {
        let refusal = market.refuses(&contracts);
        assert!(refusal.contains(expected), "{contracts:?}: {refusal}");
    }
    // A provider that names another factory.
    let v2_factory = market
        .exchange
        .uniswap
        .v2
        .as_ref()
        .expect("version 2")
        .factory;
    market.liar.tamper(move |method, params, result| {
        if method == "eth_call" && params[0]["data"] == FACTORY {
            *result = hex::encode_prefixed(word(v2_factory)).into();
        }
    });
    let refusal = market.refuses(&contracts);
    assert!(refusal.contains("the nodes disagree"), "{refusal}");
    assert_eq!(market.shown(), Value::Null);
    let sandbox = Place::sqlite();
    sandbox.organisation();
    let words = Market::words(&contracts);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let refusal = refused(&sandbox.run(&words));
    assert!(refusal.contains("is not connected"), "{refusal}");
}
