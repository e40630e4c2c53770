//! What the nodes of a chain answer about Chainlink's feeds: a round of a real feed, and answers that no honest node gives.

use alloy_primitives::{Address, B256, I256, U256, hex};
use proptest::prelude::*;
use serde_json::{Value, json};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::block::BlockId;
use settlekit_service::catalogue;
use settlekit_service::price_sources::chainlink::{Feed, FeedSet};
use settlekit_service::price_sources::{PriceError, Quotes, chainlink_feeds};

use super::{currency, shown, time};

/// What the ETH / USD feed of Ethereum returned on 2025-01-08, as a public test of another program recorded it.
const RECORDED: &str = "0x\
    0000000000000000000000000000000000000000000000070000000000001343\
    0000000000000000000000000000000000000000000000000000004e17511aea\
    00000000000000000000000000000000000000000000000000000000677e57a6\
    00000000000000000000000000000000000000000000000000000000677e57bb\
    0000000000000000000000000000000000000000000000070000000000001343";

/// A minute after that round.
const NOW: &str = "2025-01-08T10:48:43Z";

pub(super) const BLOCK: BlockId = BlockId {
    number: 21_579_000,
    hash: B256::repeat_byte(0xb1),
};

/// A round of a feed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    id: U256,
    answer: U256,
    started_at: U256,
    updated_at: U256,
    answered_in: U256,
}

impl Round {
    /// A complete round of a time, in seconds.
    pub(super) fn of(answer: U256, at: i64) -> Self {
        let at = U256::from(at.unsigned_abs());
        Self {
            id: U256::from(7),
            answer,
            started_at: at,
            updated_at: at,
            answered_in: U256::from(7),
        }
    }

    /// Two thousand dollars, now.
    fn good() -> Self {
        Self::of(U256::from(200_000_000_000_u64), time(NOW).seconds())
    }

    /// What the contract returns.
    pub(super) fn returned(self) -> Value {
        let words = [
            self.id,
            self.answer,
            self.started_at,
            self.updated_at,
            self.answered_in,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(U256::to_be_bytes::<32>).collect();
        hex::encode_prefixed(bytes).into()
    }
}

/// The answers of a node to a batch: chain, block of a time in seconds, and what the contracts return.
pub(super) fn batch(chain: ChainId, (block, at): (BlockId, i64), returned: Vec<Value>) -> Value {
    let header = json!({ "hash": block.hash.to_string(), "timestamp": format!("{at:#x}") });
    let mut results = vec![json!(format!("{:#x}", chain.get())), header];
    results.extend(returned);
    let results = results.into_iter().enumerate();
    results
        .map(|(id, result)| json!({ "jsonrpc": "2.0", "id": id, "result": result }))
        .collect()
}

fn ethereum() -> ChainId {
    ChainId::new(1).expect("a chain")
}

fn feed(symbol: &str, heartbeat: u32) -> Feed {
    Feed {
        currency: currency(symbol),
        address: Address::repeat_byte(symbol.as_bytes()[0]),
        decimals: 8,
        heartbeat,
    }
}

/// A feed for ETH, and the feed of a sequencer if asked for.
pub(super) fn set(is_rollup: bool) -> FeedSet {
    FeedSet {
        chain: ethereum(),
        feeds: vec![feed("ETH", 3_600)],
        sequencer: is_rollup.then(|| Address::repeat_byte(0x5e)),
    }
}

/// A node whose contracts return this.
fn node(returned: &[Value]) -> Value {
    batch(ethereum(), (BLOCK, time(NOW).seconds()), returned.to_vec())
}

/// What the bodies of nodes say together.
fn read_bodies(set: &FeedSet, bodies: &[&str], now: Timestamp) -> Result<Quotes, PriceError> {
    let answers = bodies.iter().map(|body| Ok(body.as_bytes()));
    set.read(BLOCK, &answers.collect::<Vec<_>>(), now)
}

/// What nodes say together of ETH.
fn said(set: &FeedSet, nodes: &[Value]) -> Result<Vec<String>, PriceError> {
    let bodies: Vec<String> = nodes.iter().map(Value::to_string).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    read_bodies(set, &bodies, time(NOW)).map(|quotes| shown(&quotes))
}

/// What one node says of ETH by a round.
fn said_by_round(round: Round) -> Vec<String> {
    let said = said(&set(false), &[node(&[round.returned()])]);
    said.expect("an answer")
}

fn failed(error: PriceError) -> Vec<String> {
    vec![format!("ETH: {error}")]
}

#[test]
fn a_recorded_round_is_a_price_with_the_time_of_the_feed() {
    let said = said(&set(false), &[node(&[RECORDED.into()])]);
    let line = "ETH 3353.98640362 at 2025-01-08T10:47:23.000000Z";
    assert_eq!(said, Ok(vec![line.to_owned()]));
}

#[test]
fn a_node_is_asked_about_one_block_by_its_hash() {
    let request: Value = serde_json::from_str(&set(true).request(BLOCK)).expect("JSON");
    let calls = request.as_array().expect("a batch");
    let methods: Vec<&Value> = calls.iter().map(|call| &call["method"]).collect();
    assert_eq!(
        methods,
        ["eth_chainId", "eth_getBlockByHash", "eth_call", "eth_call"]
    );
    let sequencer = &calls[2]["params"];
    assert_eq!(sequencer[0]["data"], "0xfeaf968c");
    let address: Address = (sequencer[0]["to"].as_str().expect("a contract"))
        .parse()
        .expect("an address");
    assert_eq!(address, Address::repeat_byte(0x5e));
    assert_eq!(sequencer[1]["blockHash"], BLOCK.hash.to_string());
    let ids: Vec<u64> = calls
        .iter()
        .filter_map(|call| call["id"].as_u64())
        .collect();
    assert_eq!(ids, [0, 1, 2, 3]);
}

#[test]
fn an_answer_that_cannot_be_a_price_is_an_error_of_its_currency() {
    let of = |answer| Round {
        answer,
        ..Round::good()
    };
    let digits: U256 = "1".repeat(40).parse().expect("40 digits");
    let trillion = U256::from(10).pow(U256::from(20));
    for (round, error) in [
        (of(U256::ZERO), PriceError::NotPositive),
        (of(I256::MINUS_ONE.into_raw()), PriceError::NotPositive),
        (of(I256::MIN.into_raw()), PriceError::NotPositive),
        (of(digits), PriceError::TooHigh),
        (of(I256::MAX.into_raw()), PriceError::TooHigh),
        (of(trillion + U256::from(1)), PriceError::TooHigh),
    ] {
        assert_eq!(said_by_round(round), failed(error), "{round:?}");
    }
    assert_eq!(said_by_round(of(trillion)).len(), 1);
}

#[test]
fn a_round_that_is_incomplete_or_not_of_now_is_no_price() {
    let now = U256::from(time(NOW).seconds().unsigned_abs());
    let at = |updated_at| Round {
        updated_at,
        ..Round::good()
    };
    let seconds = |seconds: u64| U256::from(seconds);
    for (round, error) in [
        (at(U256::ZERO), PriceError::NoRound),
        (at(now + seconds(61)), PriceError::Outdated),
        (at(U256::MAX), PriceError::Outdated),
        // The heartbeat with its margin of five minutes.
        (at(now - seconds(3_901)), PriceError::Stale),
        (at(U256::from(1)), PriceError::Stale),
        (
            Round {
                answered_in: U256::from(6),
                ..Round::good()
            },
            PriceError::NoRound,
        ),
        // More bits than the type has.
        (
            Round {
                id: U256::MAX,
                ..Round::good()
            },
            PriceError::Malformed,
        ),
    ] {
        assert_eq!(said_by_round(round), failed(error), "{round:?}");
    }
    for round in [at(now + seconds(60)), at(now - seconds(3_900))] {
        assert!(
            said_by_round(round)[0].starts_with("ETH 2000 at "),
            "{round:?}"
        );
    }
}

#[test]
fn what_is_not_the_bytes_of_a_round_is_no_price() {
    let good = Round::good().returned();
    let good = good.as_str().expect("bytes");
    for returned in [
        json!("0x"),
        json!(good[..good.len() - 2]),
        json!(format!("{good}00")),
        json!(good.trim_start_matches("0x")),
        json!(format!("0x{good}")),
        json!(format!("{}zz", &good[..good.len() - 2])),
        json!(null),
        json!(2_000),
        json!([good]),
    ] {
        let said = said(&set(false), &[node(std::slice::from_ref(&returned))]);
        assert_eq!(said, Ok(failed(PriceError::Malformed)), "{returned}");
    }
    // A contract that reverts.
    let mut reverted = node(&[json!(null)]);
    reverted[2] = json!({ "id": 2, "error": { "code": 3, "message": "execution reverted" } });
    let said = said(&set(false), &[reverted]);
    assert_eq!(said, Ok(failed(PriceError::Refused)));
}

#[test]
fn a_body_that_is_no_answer_to_the_batch_is_an_error_as_a_whole() {
    let good = node(&[Round::good().returned()]);
    let twice = json!([good[0], good[1], good[2], good[2]]);
    let missing = json!([good[0], good[1]]);
    let mut other = good.clone();
    other[2]["id"] = json!(3);
    let mut unnamed = good.clone();
    unnamed[0]["id"] = json!(null);
    let refused = json!({ "id": null, "error": { "code": -32600, "message": "no batches" } });
    for (body, error) in [
        (twice.to_string(), PriceError::Malformed),
        (missing.to_string(), PriceError::Malformed),
        (other.to_string(), PriceError::Malformed),
        (unnamed.to_string(), PriceError::Malformed),
        (good[0].to_string(), PriceError::Malformed),
        ("[]".to_owned(), PriceError::Malformed),
        (
            "<html>Just a moment...</html>".to_owned(),
            PriceError::Malformed,
        ),
        ("[".repeat(100_000), PriceError::Malformed),
        (refused.to_string(), PriceError::Refused),
    ] {
        let read = read_bodies(&set(false), &[&body], time(NOW));
        let quotes = read.map(|quotes| shown(&quotes));
        assert_eq!(quotes, Ok(failed(error)), "{body:.80}");
    }
    // In any order.
    let reversed: Vec<&Value> = good.as_array().expect("a list").iter().rev().collect();
    let said = said(&set(false), &[json!(reversed)]).expect("an answer");
    assert!(said[0].starts_with("ETH 2000 at "), "{said:?}");
}

#[test]
fn a_node_of_another_chain_or_block_is_not_believed() {
    let seconds = time(NOW).seconds();
    let rounds = vec![Round::good().returned()];
    let other = BlockId {
        hash: B256::repeat_byte(0xb2),
        ..BLOCK
    };
    let base = ChainId::new(8453).expect("a chain");
    let mut unknown = node(&rounds);
    unknown[1]["result"] = json!(null);
    let mut timeless = node(&rounds);
    timeless[1]["result"]["timestamp"] = json!("soon");
    for (node, error) in [
        (
            batch(base, (BLOCK, seconds), rounds.clone()),
            PriceError::OtherChain,
        ),
        (
            batch(ethereum(), (other, seconds), rounds.clone()),
            PriceError::NoBlock,
        ),
        (unknown, PriceError::NoBlock),
        (timeless, PriceError::Malformed),
        // The chain stands still, or is not read.
        (
            batch(ethereum(), (BLOCK, seconds - 301), rounds.clone()),
            PriceError::OldBlock,
        ),
        (
            batch(ethereum(), (BLOCK, seconds + 61), rounds.clone()),
            PriceError::Outdated,
        ),
    ] {
        assert_eq!(said(&set(false), &[node]), Ok(failed(error)), "{error}");
    }
}

#[test]
fn two_nodes_must_give_the_same_round_and_of_three_two() {
    let good = || node(&[Round::good().returned()]);
    let price = said_by_round(Round::good());
    let lie = |dollars: u64| {
        let answer = U256::from(dollars) * U256::from(100_000_000);
        node(&[Round::of(answer, time(NOW).seconds()).returned()])
    };
    let disagree = failed(PriceError::NodesDisagree);
    let silent = json!([]);
    for (nodes, expected) in [
        (vec![good(), good()], &price),
        (vec![good(), lie(1)], &disagree),
        (vec![lie(1), good()], &disagree),
        (vec![lie(1), good(), good()], &price),
        (vec![good(), lie(1), lie(2)], &disagree),
        (vec![good(), good(), lie(1), lie(1)], &disagree),
        (vec![silent.clone(), good(), good()], &price),
        (vec![good(), silent.clone()], &failed(PriceError::Malformed)),
        (vec![silent.clone(), good(), lie(1)], &disagree),
    ] {
        assert_eq!(
            said(&set(false), &nodes).as_ref(),
            Ok(expected),
            "{nodes:?}"
        );
    }
    // A node that does not answer is one that must agree.
    let body = good().to_string();
    let answers = [Ok(body.as_bytes()), Err(PriceError::TimedOut)];
    let read = set(false)
        .read(BLOCK, &answers, time(NOW))
        .expect("an answer");
    assert_eq!(shown(&read), failed(PriceError::TimedOut));
}

#[test]
fn while_a_sequencer_is_down_and_for_an_hour_after_there_is_no_price() {
    let now = U256::from(time(NOW).seconds().unsigned_abs());
    let up = Round {
        answer: U256::ZERO,
        started_at: now - U256::from(3_600),
        ..Round::good()
    };
    let said_with = |sequencer: Round| {
        let returned = [sequencer.returned(), Round::good().returned()];
        said(&set(true), &[node(&returned)])
    };
    assert_eq!(said_with(up), Ok(said_by_round(Round::good())));
    for (sequencer, error) in [
        (
            Round {
                answer: U256::from(1),
                ..up
            },
            PriceError::SequencerDown,
        ),
        (
            Round {
                started_at: now - U256::from(3_599),
                ..up
            },
            PriceError::SequencerRestarted,
        ),
        (
            Round {
                started_at: U256::ZERO,
                ..up
            },
            PriceError::NoRound,
        ),
        (
            Round {
                started_at: now + U256::from(61),
                ..up
            },
            PriceError::Outdated,
        ),
        (
            Round {
                updated_at: U256::ZERO,
                ..up
            },
            PriceError::NoRound,
        ),
    ] {
        assert_eq!(said_with(sequencer), Err(error), "{sequencer:?}");
    }
    let without = said(
        &set(true),
        &[node(&[json!("0x"), Round::good().returned()])],
    );
    assert_eq!(without, Err(PriceError::Malformed));
}

#[test]
fn the_known_feeds_are_of_real_money_and_their_addresses_have_no_typing_error() {
    for known in chainlink_feeds::CHAINS {
        let chain = catalogue::known(known.id).expect("a usual chain");
        assert!(!chain.is_test, "{}", chain.name);
        let feeds = known.feeds.iter().map(|feed| feed.address);
        for address in known.sequencer.into_iter().chain(feeds) {
            let checked = Address::parse_checksummed(address, None);
            assert!(checked.is_ok(), "{}: {address}", chain.name);
        }
        let symbols: Vec<&str> = known.feeds.iter().map(|feed| feed.symbol).collect();
        assert!(symbols.is_sorted_by(|one, next| one < next), "{symbols:?}");
        for symbol in symbols {
            assert_eq!(currency(symbol).as_str(), symbol);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_of_a_node_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..300)) {
        // Any result; no panic.
        let _read = set(true).read(BLOCK, &[Ok(&body)], time(NOW));
    }

    #[test]
    fn an_answer_is_read_to_its_last_digit(
        answer in 1..10_u128.pow(20),
        decimals in 0..=12_u32,
        words in any::<[u64; 4]>(),
    ) {
        let mut set = set(false);
        set.feeds[0].decimals = decimals;
        let body = node(&[Round::of(U256::from(answer), time(NOW).seconds()).returned()]);
        let body = body.to_string();
        let read = set.read(BLOCK, &[Ok(body.as_bytes())], time(NOW)).expect("an answer");
        match read[0].1 {
            Ok(quoted) => {
                let finer = 10_i128.pow(12 - decimals);
                prop_assert_eq!(quoted.price.units() % finer, 0);
                prop_assert_eq!(quoted.price.units() / finer, i128::try_from(answer).expect("it fits"));
            }
            Err(error) => prop_assert_eq!(error, PriceError::TooHigh),
        }
        // Whatever the words are, a price is only one of a positive answer.
        let round = Round { answer: U256::from_limbs(words), ..Round::good() };
        let said = said_by_round(round);
        let is_positive = !round.answer.bit(255) && !round.answer.is_zero();
        prop_assert!(is_positive || said == failed(PriceError::NotPositive), "{:?}", said);
    }
}
