//! Chainlink: `latestRoundData()` of price feeds on a connected chain, by one JSON-RPC batch to each of its nodes.

use std::time::Duration;

use alloy_primitives::{Address, Bytes, I256};
use alloy_sol_types::{SolCall, sol};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::{PriceError, Quoted, Quotes};
use crate::evm::contract_calls::{CallBatch, ContractCall, time};
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

/// The description of a rollup's uptime feed.
pub const SEQUENCER_DESCRIPTION: &str = "L2 Sequencer Uptime Status Feed";

/// How long a round may be missing after the feed's heartbeat: a transaction waits for its block.
const MARGIN: Duration = Duration::from_secs(5 * 60);

/// How long a rollup's feeds are not believed after its sequencer was down: their own updates had to wait, too.
const GRACE: Duration = Duration::from_secs(60 * 60);

/// The bytes that a round returns: five words.
const ROUND_BYTES: usize = 5 * 32;

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
    /// The uptime feed of a rollup's sequencer.
    pub sequencer: Option<Address>,
}

impl FeedSet {
    /// The contracts that are called.
    fn contracts(&self) -> impl Iterator<Item = Address> {
        let feeds = self.feeds.iter().map(|feed| feed.address);
        self.sequencer.into_iter().chain(feeds)
    }

    /// The calls at a block.
    fn batch(&self, block: BlockId) -> CallBatch {
        let data = Bytes::from(latestRoundDataCall {}.abi_encode());
        let calls = self.contracts().map(|to| ContractCall {
            from: None,
            to,
            data: data.clone(),
        });
        CallBatch {
            chain: self.chain,
            block: block.hash,
            calls: calls.collect(),
        }
    }

    /// The JSON-RPC batch for a node.
    pub fn request(&self, block: BlockId) -> String {
        self.batch(block).request()
    }

    /// The combined result of the nodes' answers to [`Self::request`], one for each node of the chain.
    ///
    /// # Errors
    /// Why no feed is believed.
    pub fn read(
        &self,
        block: BlockId,
        answers: &[Result<&[u8], PriceError>],
        now: Timestamp,
    ) -> Result<Quotes, PriceError> {
        let mut rounds = self.batch(block).read(answers, now).into_iter();
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
