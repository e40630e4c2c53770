//! Reads of contracts: a JSON-RPC batch of `eth_call`s for every node of a chain, and the answer that they agree on.
//!
//! All nodes are asked about one block, by its hash: honest ones answer the same, however far each has read.

use std::fmt;
use std::time::Duration;

use alloy_primitives::{Address, B256, Bytes, U256, hex};
use serde::Deserialize;
use serde_json::{Value, json};
use settlekit_core::value::{ChainId, Timestamp};

/// The oldest block that contracts are read at.
const BLOCK_AGE_MAX: Duration = Duration::from_secs(5 * 60);

/// How far a time on the chain may be ahead of this clock.
const AHEAD_MAX: Duration = Duration::from_secs(60);

/// The nodes that must give the same answer, if there are as many.
const AGREEING: usize = 2;

/// The calls of a batch before those of contracts: chain id and block.
const FIRST_CALL: usize = 2;

/// The most calls of contracts in a batch. Some providers refuse batches of more than a hundred.
const CALLS_MAX: usize = 98;

/// The code of the JSON-RPC error of a reverted call. Not every node uses it.
const REVERTED: i64 = 3;

/// A call that reads a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractCall {
    /// Who calls; `None` where it makes no difference.
    pub from: Option<Address>,
    /// The contract.
    pub to: Address,
    /// Selector and arguments.
    pub data: Bytes,
}

/// Why there is no answer to a call that can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallError {
    /// A node does not answer.
    Unreachable,
    /// An answer is not of the protocol: other JSON, missing or repeated ids, no bytes.
    Malformed,
    /// A node refuses the batch or the call.
    Refused,
    /// The contract reverts.
    Reverted,
    /// A node is of another chain.
    OtherChain,
    /// A node lacks the block.
    NoBlock,
    /// The block is too old: the chain has halted, or is not read.
    OldBlock,
    /// A time on the chain is ahead of this clock, or out of range.
    Outdated,
    /// Too few nodes give the same answer.
    NodesDisagree,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "a node does not answer",
            Self::Malformed => "the answer is malformed",
            Self::Refused => "the request was refused",
            Self::Reverted => "the contract reverted",
            Self::OtherChain => "a node is of another chain",
            Self::NoBlock => "a node lacks the latest block",
            Self::OldBlock => "the chain's latest block is old",
            Self::Outdated => "the time on the chain is not now",
            Self::NodesDisagree => "the nodes disagree",
        })
    }
}

impl std::error::Error for CallError {}

/// Calls of contracts at one block of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallBatch {
    /// The chain.
    pub chain: ChainId,
    /// The hash of the block whose state is read.
    pub block: B256,
    /// The calls.
    pub calls: Vec<ContractCall>,
}

/// Splits calls into batches that every provider takes. Their return values, batch after batch, are in the order of the calls.
pub fn batches(chain: ChainId, block: B256, calls: &[ContractCall]) -> Vec<CallBatch> {
    let parts = calls.chunks(CALLS_MAX);
    let batches = parts.map(|calls| CallBatch {
        chain,
        block,
        calls: calls.to_vec(),
    });
    batches.collect()
}

impl CallBatch {
    /// The JSON-RPC batch for a node.
    pub fn request(&self) -> String {
        let hash = self.block.to_string();
        let mut calls = vec![
            ("eth_chainId", json!([])),
            ("eth_getBlockByHash", json!([hash, false])),
        ];
        calls.extend(self.calls.iter().map(|call| {
            let data = hex::encode_prefixed(&call.data);
            let from = call.from.map(|from| from.to_string());
            let mut call = json!({ "to": call.to.to_string(), "data": data });
            if let Some(from) = from {
                call["from"] = from.into();
            }
            ("eth_call", json!([call, { "blockHash": hash }]))
        }));
        let calls = calls.into_iter().enumerate();
        let calls = calls.map(|(id, (method, params))| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        });
        Value::Array(calls.collect()).to_string()
    }

    /// What each call returns by the nodes' answers to [`Self::request`], one for each node of the chain. The error of an answer is
    /// why that node has none.
    pub fn read<E: Copy + From<CallError>>(
        &self,
        answers: &[Result<&[u8], E>],
        now: Timestamp,
    ) -> Vec<Result<Bytes, E>> {
        let nodes = answers.iter();
        let nodes = nodes.map(|answer| Ok(self.read_node((*answer)?, now)?));
        let nodes: Vec<NodeAnswer<E>> = nodes.collect();
        let calls = 0..self.calls.len();
        calls.map(|call| agreed(&nodes, call)).collect()
    }

    /// Return values from one node, in order.
    fn read_node(
        &self,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Vec<Result<Bytes, CallError>>, CallError> {
        let mut results = results(body, FIRST_CALL + self.calls.len())?.into_iter();
        let (Some(chain), Some(header)) = (results.next(), results.next()) else {
            return Err(CallError::Malformed);
        };
        if quantity(&chain?) != Some(self.chain.get().unsigned_abs()) {
            return Err(CallError::OtherChain);
        }
        check_block(&header?, self.block, now)?;
        Ok(results
            .map(|result| result.and_then(|value| bytes(&value)))
            .collect())
    }
}

/// Return values from one node, or the reason why it is not believed.
type NodeAnswer<E> = Result<Vec<Result<Bytes, CallError>>, E>;

/// The return value of a call that enough nodes agree on. They must agree on a revert (`None`), too.
fn agreed<E: Copy + From<CallError>>(nodes: &[NodeAnswer<E>], call: usize) -> Result<Bytes, E> {
    let needed = nodes.len().clamp(1, AGREEING);
    let (mut answered, mut failed) = (Vec::new(), None);
    for node in nodes {
        let error = match node {
            Ok(returned) => match returned.get(call) {
                Some(Ok(bytes)) => {
                    answered.push(Some(bytes));
                    continue;
                }
                Some(Err(CallError::Reverted)) => {
                    answered.push(None);
                    continue;
                }
                Some(Err(error)) => E::from(*error),
                None => CallError::Malformed.into(),
            },
            Err(error) => *error,
        };
        failed = failed.or(Some(error));
    }
    let is_shared =
        |one: &Option<&Bytes>| answered.iter().filter(|other| *other == one).count() >= needed;
    let shared: Vec<Option<&Bytes>> = answered.iter().copied().filter(is_shared).collect();
    match (shared.first(), failed) {
        (Some(first), _) if shared.iter().all(|other| other == first) => match first {
            Some(bytes) => Ok((*bytes).clone()),
            None => Err(CallError::Reverted.into()),
        },
        (None, Some(error)) if answered.len() < needed => Err(error),
        _ => Err(CallError::NodesDisagree.into()),
    }
}

/// An answer of a batch.
#[derive(Deserialize)]
struct Reply {
    id: u64,
    /// Missing and `null` are the same: neither is a value.
    #[serde(default)]
    result: Value,
    error: Option<Value>,
}

/// Why a node has no result of a call. Nodes differ in the code of a revert, not in the word.
fn reply_error(error: &Value) -> CallError {
    let message = error["message"].as_str().unwrap_or_default();
    let is_revert = error["code"].as_i64() == Some(REVERTED)
        || message.to_ascii_lowercase().contains("revert")
        || message.starts_with("VM execution error");
    match is_revert {
        true => CallError::Reverted,
        false => CallError::Refused,
    }
}

/// The results of a batch in the order of its calls, which a node may answer in any.
fn results(body: &[u8], count: usize) -> Result<Vec<Result<Value, CallError>>, CallError> {
    let Ok(replies) = serde_json::from_slice::<Vec<Reply>>(body) else {
        // A node that refuses the batch as a whole answers with one object.
        let refused =
            serde_json::from_slice::<Value>(body).is_ok_and(|body| body["error"].is_object());
        return Err(match refused {
            true => CallError::Refused,
            false => CallError::Malformed,
        });
    };
    let mut results = vec![None; count];
    for reply in replies {
        let place = usize::try_from(reply.id).ok();
        let place = place.and_then(|id| results.get_mut(id));
        let place = place.ok_or(CallError::Malformed)?;
        let result = match reply.error {
            Some(error) => Err(reply_error(&error)),
            None => Ok(reply.result),
        };
        if place.replace(result).is_some() {
            return Err(CallError::Malformed);
        }
    }
    let all: Option<Vec<_>> = results.into_iter().collect();
    all.ok_or(CallError::Malformed)
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

fn bytes(value: &Value) -> Result<Bytes, CallError> {
    let digits = digits(value).filter(|digits| !digits.starts_with("0x"));
    let bytes = digits.and_then(|digits| hex::decode(digits).ok());
    bytes.map(Bytes::from).ok_or(CallError::Malformed)
}

/// Checks that a node has the block, and that it is recent.
fn check_block(header: &Value, block: B256, now: Timestamp) -> Result<(), CallError> {
    if header.is_null() {
        return Err(CallError::NoBlock);
    }
    let hash = header["hash"].as_str().and_then(|hash| hash.parse().ok());
    if hash != Some(block) {
        return Err(CallError::NoBlock);
    }
    let seconds = quantity(&header["timestamp"]).ok_or(CallError::Malformed)?;
    let mined_at = time(U256::from(seconds), now)?;
    match now.since(mined_at) <= BLOCK_AGE_MAX {
        true => Ok(()),
        false => Err(CallError::OldBlock),
    }
}

/// A time on the chain, in seconds, which is not ahead.
pub(crate) fn time(seconds: U256, now: Timestamp) -> Result<Timestamp, CallError> {
    let seconds = u32::try_from(seconds).map_err(|_| CallError::Outdated)?;
    let at = Timestamp::from_millis(i64::from(seconds) * 1_000);
    match at.since(now) <= AHEAD_MAX {
        true => Ok(at),
        false => Err(CallError::Outdated),
    }
}
