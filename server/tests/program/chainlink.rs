//! Price feeds on a real node, read through two providers by a live server.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, PRICE_FEED, Transaction, abi, number};
use settlekit_tests::liar::{Liar, Lie};

use crate::place::{Place, Server, now, refused, wait_for};
use crate::prices::{has_no_rate, health, paylink, price, source, until_price};
use crate::real_chain::Town;

/// The chain with the feeds.
const CHAIN: &str = "31337";

/// `latestRoundData()`.
const LATEST_ROUND_DATA: &str = "0xfeaf968c";

/// The description of the uptime feed of a sequencer.
const SEQUENCER: &str = "L2 Sequencer Uptime Status Feed";

/// A live place with a chain that takes payments, and one with price feeds: a node, and a provider in front of it that may lie.
struct Feeds {
    town: Town,
    node: Anvil,
    liar: Liar,
    euro: Address,
    dollar_coin: Address,
    server: Server,
}

impl Feeds {
    fn new(place: Place) -> Self {
        let town = Town::new(place);
        town.connect();
        let server = town.serve();
        town.open_till(&server);
        let node = Anvil::start(31_337);
        let liar = Liar::start(node.address());
        let euro = feed(&node, "EUR / USD");
        let dollar_coin = feed(&node, "USDC / USD");
        let feeds = Self {
            town,
            node,
            liar,
            euro,
            dollar_coin,
            server,
        };
        feeds.update(euro, 108_000_000, 0);
        feeds.update(dollar_coin, 99_980_000, 0);
        feeds
    }

    /// Connects the chain of the feeds by both providers.
    fn connect_chain(&self) {
        let words = ["chain", "connect", "--chain", CHAIN, "--name", "Feeds"];
        let coin = ["--native", "ETH", "--block-seconds", "1", "--json"];
        let nodes = ["--rpc", &self.node.url(), "--rpc", &self.liar.url()];
        self.town.place.json(&[&words[..], &coin, &nodes].concat());
    }

    /// Mines a block with the next round of a feed, with an age in seconds.
    fn update(&self, feed: Address, answer: u64, age: u64) {
        let at = now().seconds().unsigned_abs() - age;
        let words = [number(answer), number(at), number(at)];
        self.call(feed, abi("update(int256,uint256,uint256)", &words));
    }

    fn call(&self, feed: Address, data: Vec<u8>) {
        let from = self.node.account(1);
        self.node.send(&Transaction::call(from, feed, 0, data));
        self.node.mine(1);
    }

    fn try_connect(&self, options: &[&str]) -> String {
        let words = ["price", "connect", "chainlink"];
        refused(&self.town.place.run(&[&words[..], options].concat()))
    }

    /// Connects the feeds, so that they are read at once, at the node's latest block or a later one.
    fn connect(&self, options: &[&str]) {
        let height = self.node.height();
        wait_for("the latest block is read", || {
            let chains = self.town.place.json(&["chain", "list", "--json"]);
            let mut chains = chains.as_array().expect("a list").iter();
            let chain = chains.find(|chain| chain["chain_id"] == 31_337);
            chain.is_some_and(|chain| chain["block"].as_u64() >= Some(height))
        });
        let euro = format!("EUR={}:3600", self.euro);
        let dollar_coin = format!("USDC={}", self.dollar_coin);
        let words = ["price", "connect", "chainlink", "--chain", CHAIN];
        let feeds = ["--feed", euro.as_str(), "--feed", &dollar_coin];
        let words = [&words[..], &feeds, options].concat();
        let output = self.town.place.run(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    }

    /// Reconnects the feeds; the source fails with an error.
    fn fails(&self, options: &[&str], error: &str) {
        self.connect(options);
        wait_for(error, || {
            source(&self.town.place, "chainlink")["last_error"] == error
        });
        has_no_rate(&self.town, &self.server, error);
    }

    /// As [`Self::fails`], as a whole: the health check names the source.
    fn fails_entirely(&self, options: &[&str], error: &str) {
        self.fails(options, error);
        let failing = &health(&self.server).1["failing_price_sources"];
        assert_eq!(failing, &json!(["chainlink"]), "{error}");
    }

    /// Reconnects the feeds; there is a price.
    fn gives(&self, options: &[&str], usd: &str) {
        self.connect(options);
        until_price(&self.town.place, "EUR", usd);
        assert_eq!(paylink(&self.town, &self.server).0, 201);
    }
}

/// Deploys a feed with a description.
pub(crate) fn feed(node: &Anvil, description: &str) -> Address {
    let feed = node.deploy(PRICE_FEED);
    let mut text = [0; 32];
    text[..description.len()].copy_from_slice(description.as_bytes());
    let call = abi("describe(bytes32)", &[text]);
    node.send(&Transaction::call(node.account(1), feed, 0, call));
    node.mine(1);
    feed
}

/// Adds one to the answer of a round.
fn lie(method: &str, params: &Value, result: &mut Value) {
    if method != "eth_call" || params[0]["data"] != LATEST_ROUND_DATA {
        return;
    }
    let digits = result.as_str().and_then(|text| text.strip_prefix("0x"));
    let mut words = hex::decode(digits.expect("bytes")).expect("bytes");
    let answer = U256::from_be_slice(&words[32..64]) + U256::from(1);
    words[32..64].copy_from_slice(&answer.to_be_bytes::<32>());
    *result = format!("0x{}", hex::encode(words)).into();
}

fn prices_arrive_move_and_stop(feeds: &Feeds) {
    let options = ["--chain", CHAIN, "--feed", &format!("EUR={}", feeds.euro)];
    let text = feeds.try_connect(&options);
    assert!(text.contains("chain 31337 is not connected"), "{text}");
    feeds.connect_chain();
    feeds.gives(&[], "1.08");
    let shown = source(&feeds.town.place, "chainlink");
    assert_eq!(shown["chain_id"], 31_337);
    assert_eq!(shown["feeds"][0]["heartbeat_seconds"], 3_600);
    assert_eq!(shown["url"], Value::Null);
    feeds.update(feeds.euro, 109_000_000, 1_800);
    feeds.gives(&[], "1.09");
    // What a feed says is not believed.
    for (answer, age, error) in [
        (
            109_000_000,
            4_000,
            "EUR: the feed's round is older than its heartbeat",
        ),
        (0, 0, "EUR: the price is not positive"),
    ] {
        feeds.update(feeds.euro, answer, age);
        feeds.fails(&[], error);
    }
    feeds.update(feeds.euro, 110_000_000, 0);
    feeds.gives(&[], "1.1");
    feeds.town.place.is_sound();
}

#[test]
fn prices_of_feeds_on_a_chain_arrive_move_and_stop_with_sqlite() {
    prices_arrive_move_and_stop(&Feeds::new(Place::live()));
}

#[test]
fn prices_of_feeds_on_a_chain_arrive_move_and_stop_with_postgresql() {
    prices_arrive_move_and_stop(&Feeds::new(Place::live_postgres()));
}

#[test]
fn providers_that_contradict_each_other_and_a_paused_chain_give_no_price() {
    let feeds = Feeds::new(Place::live());
    feeds.connect_chain();
    feeds.gives(&[], "1.08");
    feeds.liar.tamper(lie);
    feeds.fails_entirely(&[], "EUR: the nodes disagree");
    feeds.liar.tell(Lie::None);
    feeds.gives(&[], "1.08");

    let place = &feeds.town.place;
    let refusal = refused(&place.run(&["chain", "disconnect", "--chain", CHAIN]));
    assert!(
        refusal.contains("prices are read on chain 31337"),
        "{refusal}"
    );
    let paused = place.run(&["chain", "pause", "--chain", CHAIN]);
    assert!(paused.status.success());
    feeds.fails_entirely(&[], "the chain is paused");
    let resumed = place.run(&["chain", "resume", "--chain", CHAIN]);
    assert!(resumed.status.success());
    feeds.gives(&[], "1.08");
    let done = place.run(&["price", "disconnect", "chainlink"]);
    assert!(done.status.success());
    has_no_rate(&feeds.town, &feeds.server, "disconnected");
    assert_eq!(price(place, "EUR"), Value::Null);
    let done = place.run(&["chain", "disconnect", "--chain", CHAIN]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn a_sequencer_that_is_down_or_was_stops_the_prices_of_its_chain() {
    let feeds = Feeds::new(Place::live());
    feeds.connect_chain();
    let sequencer = feed(&feeds.node, SEQUENCER);
    let options = ["--sequencer", &sequencer.to_string()];
    feeds.update(sequencer, 1, 7_200);
    feeds.fails_entirely(&options, "the chain's sequencer is down");
    feeds.update(sequencer, 0, 1_800);
    feeds.fails_entirely(&options, "the chain's sequencer was down within an hour");
    feeds.update(sequencer, 0, 3_700);
    feeds.gives(&options, "1.08");
}

#[test]
fn the_command_takes_only_feeds_that_describe_their_pair() {
    let feeds = Feeds::new(Place::live());
    feeds.connect_chain();
    let euro = feeds.euro.to_string();
    for (options, expected) in [
        // The known feeds of Base are not on this node.
        (vec!["--chain", "8453"], "has no code on this chain"),
        (vec![], "chain 1 is not connected"),
        (vec!["--chain", CHAIN], "no feed of chain 31337 is known"),
        (
            vec!["--chain", CHAIN, "--feed", &format!("ETH={euro}")],
            "does not describe itself as ETH / USD",
        ),
        (
            vec![
                "--chain",
                CHAIN,
                "--feed",
                &format!("EUR={euro}"),
                "--sequencer",
                &euro,
            ],
            "does not describe itself as L2 Sequencer",
        ),
        (
            vec![
                "--chain",
                CHAIN,
                "--feed",
                &format!("EUR={}", Address::ZERO),
            ],
            "has no code on this chain",
        ),
        (
            vec!["--url", "https://chainlink.example"],
            "name the chain instead of --url",
        ),
    ] {
        let text = feeds.try_connect(&options);
        assert!(text.contains(expected), "{options:?}: {text}");
    }
    let place = &feeds.town.place;
    let text = refused(&place.run(&["price", "connect", "kraken", "--chain", "1"]));
    assert!(text.contains("kraken has a URL of its own"), "{text}");
    // A provider that describes the feed otherwise.
    feeds.liar.tamper(|method, params, result| {
        if method == "eth_call" && params[0]["data"] == "0x7284e416" {
            *result = "0x".into();
        }
    });
    let text = feeds.try_connect(&["--chain", CHAIN, "--feed", &format!("EUR={euro}")]);
    assert!(text.contains("does not answer as a price feed"), "{text}");
    assert_eq!(source(place, "chainlink"), Value::Null);
}
