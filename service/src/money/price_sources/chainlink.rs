//! Chainlink: `latestRoundData()` of price feeds on a connected chain, by one JSON-RPC batch to each of its nodes.
//!
//! All nodes are asked about one block, by its hash: honest ones answer the same, however far each has read.

use std::time::Duration;

use alloy_primitives::{Address, Bytes, I256, U256, hex};
use alloy_sol_types::{SolCall, sol};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::{PriceError, Quoted, Quotes};
use crate::money::price::{PRICE_SCALE, Price};
use crate::store::connection::BlockId;

sol! {
    /// `AggregatorV3Interface`.
    function latestRoundData() external view returns (
        uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
    );
}

/// The most decimal places of a feed: nothing is rounded.
pub const DECIMALS_MAX: u32 = PRICE_SCALE;

/// What a rollup's uptime feed describes itself as.
pub const SEQUENCER_DESCRIPTION: &str = "L2 Sequencer Uptime Status Feed";

/// How long a round may be missing after the feed's heartbeat: a transaction waits for its block.
const MARGIN: Duration = Duration::from_secs(5 * 60);

/// The oldest block that feeds are read at. While a chain stands still, so do its feeds.
const BLOCK_AGE_MAX: Duration = Duration::from_secs(5 * 60);

/// How far a time on the chain may be ahead of this clock.
const AHEAD_MAX: Duration = Duration::from_secs(60);

/// How long a rollup's feeds are not believed after its sequencer was down: their own updates had to wait, too.
const GRACE: Duration = Duration::from_secs(60 * 60);

/// The nodes that must give the same answer, if there are as many.
const AGREEING: usize = 2;

/// The bytes that a round returns: five words.
const ROUND_BYTES: usize = 5 * 32;

/// The calls before those of the feeds: chain id and block.
const FIRST_FEED: usize = 2;

/// A price feed: US dollars per unit of a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// The currency.
    pub currency: Currency,
    /// The contract, a proxy in front of the aggregator of the day.
    pub address: Address,
    /// Decimal places of the answer.
    pub decimals: u32,
    /// The longest time between two rounds, in seconds.
    pub heartbeat: u32,
}

/// The price feeds of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedSet {
    /// The chain.
    pub chain: ChainId,
    /// The feeds, one for each currency.
    pub feeds: Vec<Feed>,
    /// The feed that tells whether the sequencer of a rollup is up.
    pub sequencer: Option<Address>,
}

impl FeedSet {
    /// The contracts that are called.
    fn contracts(&self) -> impl Iterator<Item = Address> {
        let feeds = self.feeds.iter().map(|feed| feed.address);
        self.sequencer.into_iter().chain(feeds)
    }

    /// The JSON-RPC batch for a node.
    pub fn request(&self, block: BlockId) -> String {
        let hash = block.hash.to_string();
        let data = hex::encode_prefixed(latestRoundDataCall {}.abi_encode());
        let mut calls = vec![
            ("eth_chainId", json!([])),
            ("eth_getBlockByHash", json!([hash, false])),
        ];
        calls.extend(self.contracts().map(|contract| {
            let call = json!({ "to": contract.to_string(), "data": data });
            ("eth_call", json!([call, { "blockHash": hash }]))
        }));
        let calls = calls.into_iter().enumerate();
        let calls = calls.map(|(id, (method, params))| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        });
        Value::Array(calls.collect()).to_string()
    }

    /// What the nodes' answers to [`Self::request`] say together, one for each node of the chain.
    ///
    /// # Errors
    /// Why no feed is believed.
    pub fn read(
        &self,
        block: BlockId,
        answers: &[Result<&[u8], PriceError>],
        now: Timestamp,
    ) -> Result<Quotes, PriceError> {
        let nodes = answers.iter();
        let nodes = nodes.map(|answer| self.read_node(block, (*answer)?, now));
        let nodes: Vec<NodeAnswer> = nodes.collect();
        let mut rounds = (0..self.contracts().count()).map(|contract| agreed(&nodes, contract));
        if self.sequencer.is_some() {
            let round = rounds.next().unwrap_or(Err(PriceError::Empty))?;
            check_sequencer(&round, now)?;
        }
        let quotes = self.feeds.iter().zip(rounds).map(|(feed, round)| {
            let quoted = round.and_then(|round| quoted(feed, &round, now));
            (feed.currency.clone(), quoted)
        });
        Ok(quotes.collect())
    }

    /// What a node's contracts return, in order.
    fn read_node(&self, block: BlockId, body: &[u8], now: Timestamp) -> NodeAnswer {
        let mut results = results(body, FIRST_FEED + self.contracts().count())?.into_iter();
        let (Some(chain), Some(header)) = (results.next(), results.next()) else {
            return Err(PriceError::Malformed);
        };
        if quantity(&chain?) != Some(self.chain.get().unsigned_abs()) {
            return Err(PriceError::OtherChain);
        }
        check_block(&header?, block, now)?;
        Ok(results
            .map(|result| result.and_then(|value| bytes(&value)))
            .collect())
    }
}

/// What the contracts return to a node, or why the node is not believed.
type NodeAnswer = Result<Vec<Result<Bytes, PriceError>>, PriceError>;

/// What enough nodes say that a contract returns.
fn agreed(nodes: &[NodeAnswer], contract: usize) -> Result<Bytes, PriceError> {
    let needed = nodes.len().clamp(1, AGREEING);
    let (mut said, mut failed) = (Vec::new(), None);
    for node in nodes {
        let returned = match node {
            Ok(returned) => returned.get(contract).ok_or(PriceError::Malformed),
            Err(error) => Err(*error),
        };
        match returned.and_then(|returned| returned.as_ref().map_err(|error| *error)) {
            Ok(bytes) => said.push(bytes),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    let is_shared = |one: &&Bytes| said.iter().filter(|other| *other == one).count() >= needed;
    let shared: Vec<&Bytes> = said.iter().copied().filter(is_shared).collect();
    match (shared.first(), failed) {
        (Some(first), _) if shared.iter().all(|other| other == first) => Ok((*first).clone()),
        (None, Some(error)) if said.len() < needed => Err(error),
        _ => Err(PriceError::NodesDisagree),
    }
}

/// An answer of a batch.
#[derive(Deserialize)]
struct Reply {
    id: u64,
    /// Missing and `null` are the same: neither is a value.
    #[serde(default)]
    result: Value,
    error: Option<IgnoredAny>,
}

/// The results of a batch in the order of its calls, which a node may answer in any.
fn results(body: &[u8], count: usize) -> Result<Vec<Result<Value, PriceError>>, PriceError> {
    let Ok(replies) = serde_json::from_slice::<Vec<Reply>>(body) else {
        // A node that refuses the batch as a whole answers with one object.
        let refused =
            serde_json::from_slice::<Value>(body).is_ok_and(|body| body["error"].is_object());
        return Err(match refused {
            true => PriceError::Refused,
            false => PriceError::Malformed,
        });
    };
    let mut results = vec![None; count];
    for reply in replies {
        let place = usize::try_from(reply.id).ok();
        let place = place.and_then(|id| results.get_mut(id));
        let place = place.ok_or(PriceError::Malformed)?;
        let result = match reply.error {
            Some(_) => Err(PriceError::Refused),
            None => Ok(reply.result),
        };
        if place.replace(result).is_some() {
            return Err(PriceError::Malformed);
        }
    }
    let all: Option<Vec<_>> = results.into_iter().collect();
    all.ok_or(PriceError::Malformed)
}

/// Digits of a value after `0x`.
fn digits(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix("0x")
}

fn quantity(value: &Value) -> Option<u64> {
    let digits = digits(value)?;
    // `from_str_radix` would take a sign.
    let is_hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
}

fn bytes(value: &Value) -> Result<Bytes, PriceError> {
    let digits = digits(value).filter(|digits| !digits.starts_with("0x"));
    let bytes = digits.and_then(|digits| hex::decode(digits).ok());
    bytes.map(Bytes::from).ok_or(PriceError::Malformed)
}

/// Checks that a node has the block, and that it is of now.
fn check_block(header: &Value, block: BlockId, now: Timestamp) -> Result<(), PriceError> {
    if header.is_null() {
        return Err(PriceError::NoBlock);
    }
    let hash = header["hash"].as_str().and_then(|hash| hash.parse().ok());
    if hash != Some(block.hash) {
        return Err(PriceError::NoBlock);
    }
    let seconds = quantity(&header["timestamp"]).ok_or(PriceError::Malformed)?;
    let mined_at = time(U256::from(seconds), now)?;
    match now.since(mined_at) <= BLOCK_AGE_MAX {
        true => Ok(()),
        false => Err(PriceError::OldBlock),
    }
}

/// A time on the chain, in seconds, which is not ahead.
fn time(seconds: U256, now: Timestamp) -> Result<Timestamp, PriceError> {
    let seconds = u32::try_from(seconds).map_err(|_| PriceError::Outdated)?;
    let at = Timestamp::from_millis(i64::from(seconds) * 1_000);
    match at.since(now) <= AHEAD_MAX {
        true => Ok(at),
        false => Err(PriceError::Outdated),
    }
}

/// A complete round.
fn round(returned: &[u8]) -> Result<latestRoundDataReturn, PriceError> {
    if returned.len() != ROUND_BYTES {
        return Err(PriceError::Malformed);
    }
    let round = latestRoundDataCall::abi_decode_returns_validate(returned);
    let round = round.map_err(|_| PriceError::Malformed)?;
    match round.updatedAt.is_zero() || round.answeredInRound < round.roundId {
        true => Err(PriceError::NoRound),
        false => Ok(round),
    }
}

/// Checks that a rollup's sequencer is up, and has been for a while.
fn check_sequencer(returned: &[u8], now: Timestamp) -> Result<(), PriceError> {
    let round = round(returned)?;
    if round.answer != I256::ZERO {
        return Err(PriceError::SequencerDown);
    }
    // Before the first round there is no start.
    if round.startedAt.is_zero() {
        return Err(PriceError::NoRound);
    }
    let up_since = time(round.startedAt, now)?;
    match now.since(up_since) >= GRACE {
        true => Ok(()),
        false => Err(PriceError::SequencerRestarted),
    }
}

fn quoted(feed: &Feed, returned: &[u8], now: Timestamp) -> Result<Quoted, PriceError> {
    let round = round(returned)?;
    let at = time(round.updatedAt, now)?;
    let heartbeat = Duration::from_secs(u64::from(feed.heartbeat));
    if now.since(at) > heartbeat + MARGIN {
        return Err(PriceError::Stale);
    }
    if round.answer <= I256::ZERO {
        return Err(PriceError::NotPositive);
    }
    let missing = PRICE_SCALE.checked_sub(feed.decimals);
    let missing = missing.ok_or(PriceError::TooPrecise)?;
    let answer = i128::try_from(round.answer).ok();
    let units = answer.and_then(|answer| answer.checked_mul(10_i128.pow(missing)));
    let price = units.and_then(Price::new).ok_or(PriceError::TooHigh)?;
    Ok(Quoted {
        price,
        at: Some(at),
    })
}
