//! Why a source gives no price.

use std::fmt;

use crate::evm::contract_calls::CallError;
use crate::money::web_answer::WebError;

/// Why a source gives no price: nothing of the answer's own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceError {
    /// There is no connection, or it broke off.
    Unreachable,
    /// There is no answer in time.
    TimedOut,
    /// The answer has another status than 200.
    Status(u16),
    /// The source asks for fewer requests.
    RateLimited,
    /// The answer is larger than any real one.
    TooLarge,
    /// The answer is empty, or names no currency that was asked for.
    Empty,
    /// The answer is not of the source's format: HTML, other JSON, other XML.
    Malformed,
    /// The source refuses the request.
    Refused,
    /// The source does not know one of the pairs, and answers none.
    UnknownPair,
    /// The answer names a pair that was not asked for, or one twice.
    OtherPair,
    /// The source does not trade the currency for US dollars.
    NotTraded,
    /// The price is zero or negative.
    NotPositive,
    /// The price has more than 12 decimal places.
    TooPrecise,
    /// The price is above a trillion dollars.
    TooHigh,
    /// The gap between the best offers is too large, or nothing was traded.
    Thin,
    /// The source's own time is too far from now.
    Outdated,
    /// The chain is paused.
    ChainPaused,
    /// The node is of another chain.
    OtherChain,
    /// The node lacks the recorded block.
    NoBlock,
    /// The recorded block is too old: the chain has halted, or is not read.
    OldBlock,
    /// Too few nodes give the same answer.
    NodesDisagree,
    /// The rollup's sequencer is down.
    SequencerDown,
    /// The rollup's sequencer was down within an hour.
    SequencerRestarted,
    /// The feed has no complete round.
    NoRound,
    /// The feed's round is older than its heartbeat.
    Stale,
}

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "no connection",
            Self::TimedOut => "no answer in time",
            Self::Status(status) => return write!(f, "HTTP status {status}"),
            Self::RateLimited => "too many requests",
            Self::TooLarge => "the answer is too large",
            Self::Empty => "the answer has no price",
            Self::Malformed => "the answer is malformed",
            Self::Refused => "the request was refused",
            Self::UnknownPair => "a pair is unknown",
            Self::OtherPair => "the answer names another pair",
            Self::NotTraded => "not traded for US dollars",
            Self::NotPositive => "the price is not positive",
            Self::TooPrecise => "the price has more than 12 decimal places",
            Self::TooHigh => "the price is above a trillion dollars",
            Self::Thin => "the market is thin",
            Self::Outdated => "the source's time is not now",
            Self::ChainPaused => "the chain is paused",
            Self::OtherChain => "a node is of another chain",
            Self::NoBlock => "a node lacks the latest block",
            Self::OldBlock => "the chain's latest block is old",
            Self::NodesDisagree => "the nodes disagree",
            Self::SequencerDown => "the chain's sequencer is down",
            Self::SequencerRestarted => "the chain's sequencer was down within an hour",
            Self::NoRound => "the feed has no complete round",
            Self::Stale => "the feed's round is older than its heartbeat",
        })
    }
}

impl std::error::Error for PriceError {}

impl From<WebError> for PriceError {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Unreachable => Self::Unreachable,
            WebError::TimedOut => Self::TimedOut,
            WebError::TooLarge => Self::TooLarge,
        }
    }
}

impl From<CallError> for PriceError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unreachable => Self::Unreachable,
            CallError::Malformed => Self::Malformed,
            CallError::Refused | CallError::Reverted => Self::Refused,
            CallError::OtherChain => Self::OtherChain,
            CallError::NoBlock => Self::NoBlock,
            CallError::OldBlock => Self::OldBlock,
            CallError::Outdated => Self::Outdated,
            CallError::NodesDisagree => Self::NodesDisagree,
        }
    }
}
