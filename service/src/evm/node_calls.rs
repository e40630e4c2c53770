//! Calls of contracts on every node of a chain, and the answer that they agree on.
//!
//! The service calls no node. The host sends the calls and brings the answers: with a report, or with the request that needs them.

use std::sync::Arc;

use alloy_primitives::{B256, Bytes};
use settlekit_core::value::{ChainId, Timestamp};

use super::contract_calls::{CallBatch, CallError, ContractCall, batches};

/// Calls for every node of a chain, at one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeCalls {
    /// The chain.
    pub chain: ChainId,
    /// The URLs of its nodes, which may contain keys.
    pub nodes: Vec<String>,
    /// The batches for each of them.
    pub batches: Vec<CallBatch>,
}

/// A node's answer to each batch.
pub type NodeAnswers = Vec<Result<Vec<u8>, CallError>>;

impl NodeCalls {
    /// Calls of contracts at a block.
    pub fn new(
        (chain, block): (ChainId, B256),
        nodes: Vec<String>,
        calls: &[ContractCall],
    ) -> Self {
        Self {
            chain,
            nodes,
            batches: batches(chain, block, calls),
        }
    }

    /// The return value of each call that the nodes agree on.
    pub fn read(&self, answers: &[NodeAnswers], now: Timestamp) -> Vec<Result<Bytes, CallError>> {
        let batches = self.batches.iter().enumerate();
        let returned = batches.flat_map(|(place, batch)| {
            // A node without an answer counts as one that must agree.
            let of_nodes = (0..self.nodes.len()).map(|node| {
                match answers.get(node).and_then(|answers| answers.get(place)) {
                    Some(Ok(body)) => Ok(body.as_slice()),
                    Some(Err(error)) => Err(*error),
                    None => Err(CallError::Unreachable),
                }
            });
            batch.read(&of_nodes.collect::<Vec<_>>(), now)
        });
        returned.collect()
    }

    /// Whether these are the same calls, at any block.
    fn has(&self, chain: ChainId, calls: &[ContractCall]) -> bool {
        let own = self.batches.iter().flat_map(|batch| &batch.calls);
        self.chain == chain && own.eq(calls)
    }
}

/// The nodes' answers to the calls that a request needs. The host puts them into the request's extensions, which no caller can write.
#[derive(Debug, Clone, Default)]
pub struct ContractAnswers(Arc<Vec<(NodeCalls, Vec<NodeAnswers>)>>);

impl ContractAnswers {
    /// Adds the answers of the nodes to calls, one for each node.
    pub fn add(&mut self, calls: NodeCalls, answers: Vec<NodeAnswers>) {
        Arc::make_mut(&mut self.0).push((calls, answers));
    }

    /// The return values of calls, if they were made.
    pub fn find(
        &self,
        chain: ChainId,
        calls: &[ContractCall],
        now: Timestamp,
    ) -> Option<Vec<Result<Bytes, CallError>>> {
        let mut made = self.0.iter();
        let (made, answers) = made.find(|(made, _)| made.has(chain, calls))?;
        Some(made.read(answers, now))
    }
}
