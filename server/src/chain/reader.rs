//! Reads blocks from one node.
//!
//! A block is read in two steps. The first fetches all its transactions, logs and traces: two calls, three with traces, or for a
//! range of blocks about as many together. The second asks which addresses are watched, and fetches the receipts of the
//! transactions that concern them. It runs just before the block is recorded, so an address that has just become watched counts.

use std::collections::HashMap;

use alloy_primitives::B256;
use futures_util::future::join;
use settlekit_service::StoreError;
use settlekit_service::block::{Block, BlockId, Watch};

use super::answer::{FullBlock, Log};
use super::block_data::BlockData;
use super::block_traces::Traced;
use super::concerned::Concerned;
use super::node::Heights;
use super::rpc::{Rpc, RpcError};
use super::store::ChainStore;

/// Why a block was not read.
#[derive(Debug)]
pub enum ReadError {
    /// The node failed.
    Rpc(RpcError),
    /// The database failed.
    Store(StoreError),
    /// The node's block does not follow the previous block.
    Unlinked,
}

impl From<RpcError> for ReadError {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A reader of one node.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    node: &'a Rpc,
    watch: &'a Watch,
}

impl<'a> Reader<'a> {
    /// A reader of a node of the chain.
    pub fn new(node: &'a Rpc, watch: &'a Watch) -> Self {
        Self { node, watch }
    }

    /// Fetches the block after another.
    ///
    /// # Errors
    /// [`ReadError::Unlinked`] if the node has another block before it.
    pub async fn fetch_next(&self, after: BlockId) -> Result<BlockData, ReadError> {
        let next = heights(after.number, 1);
        let block = self.fetch_blocks(next).await?.into_iter().next();
        let block = block
            .filter(|block| block.header.parent == after.hash)
            .ok_or(ReadError::Unlinked)?;
        let logs = self.logs_of(&block).await?;
        let logs_of = self.assign(std::slice::from_ref(&block), logs).await?;
        let moved = match self.is_traced(&block) {
            true => self.node.moved_in(&block).await?,
            false => nothing_moved(&block),
        };
        let logs = logs_of.into_iter().flatten().collect();
        Ok(BlockData { block, logs, moved })
    }

    /// The logs of a block. Anybody can fill a block with more of them than a node gives in one answer: they are read from its
    /// receipts then.
    async fn logs_of(&self, block: &FullBlock) -> Result<Vec<Log>, RpcError> {
        let tokens = &self.watch.tokens;
        match self.node.logs(block.header.hash, tokens).await {
            Err(error) if error.failure.may_be_too_much() && error.failure.may_be_of_request() => {
                tracing::debug!(chain = %self.watch.chain, %error, "chain logs refused");
                let receipts = self.node.receipts_of(block, tokens).await?.into_iter();
                let logs = receipts.flat_map(|receipt| receipt.logs);
                Ok(logs.map(|(_, log)| log).collect())
            }
            logs => logs,
        }
    }

    /// Fetches the blocks after a height. The caller checks which block the first one follows.
    ///
    /// # Errors
    /// [`ReadError::Unlinked`] if they do not follow each other: the node changed its mind between two calls.
    pub async fn fetch_range(&self, after: u64, count: u64) -> Result<Vec<BlockData>, ReadError> {
        let heights = heights(after, count);
        let logs = self.node.logs_in(heights, &self.watch.tokens);
        // The node answers one call while the other answer is read.
        let (blocks, logs) = join(self.fetch_blocks(heights), logs).await;
        let blocks = blocks?;
        let logs_of = self.assign(&blocks, logs?).await?;
        let moved_in = self.moved(&blocks).await?;
        let joined = blocks.into_iter().zip(logs_of).zip(moved_in);
        let joined = joined.map(|((block, logs), moved)| BlockData { block, logs, moved });
        Ok(joined.collect())
    }

    /// The blocks at these heights, each linked to the one before.
    async fn fetch_blocks(&self, heights: Heights) -> Result<Vec<FullBlock>, ReadError> {
        let found = self.node.blocks(heights).await?;
        let mut blocks: Vec<FullBlock> = Vec::new();
        for (number, block) in (heights.first..).zip(found) {
            let missing = || format!("no block {number}, below the latest block");
            let block = block.ok_or_else(|| self.impossible("eth_getBlockByNumber", missing()))?;
            let before = blocks.last().map(|before| before.header.hash);
            if before.is_some_and(|before| before != block.header.parent) {
                return Err(ReadError::Unlinked);
            }
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// The logs of each block, checked against its header.
    async fn assign(
        &self,
        blocks: &[FullBlock],
        logs: Vec<Log>,
    ) -> Result<Vec<Vec<Log>>, ReadError> {
        let places: HashMap<B256, usize> = (blocks.iter().enumerate())
            .map(|(place, block)| (block.header.hash, place))
            .collect();
        let mut logs_of = vec![Vec::new(); blocks.len()];
        for log in logs {
            let Some(place) = places.get(&log.block) else {
                let reason = format!("a log of the block {}", log.block);
                return Err(self.impossible("eth_getLogs", reason));
            };
            logs_of[*place].push(log);
        }
        for logs in &mut logs_of {
            logs.sort_by_key(|log| log.log_index);
            if (logs.windows(2)).any(|pair| pair[0].log_index == pair[1].log_index) {
                let reason = "two logs at one position".to_owned();
                return Err(self.impossible("eth_getLogs", reason));
            }
        }
        for (block, logs) in blocks.iter().zip(&logs_of) {
            if logs.is_empty() && block.header.may_log(&self.watch.tokens) {
                self.check_no_logs(block).await?;
            }
        }
        Ok(logs_of)
    }

    /// Checks that a block has no logs although the filter of its header allows some: a node that answers before it has indexed
    /// the block's logs says that there are none.
    async fn check_no_logs(&self, block: &FullBlock) -> Result<(), ReadError> {
        let receipts = self.node.receipts_of(block, &self.watch.tokens).await?;
        if receipts.iter().all(|receipt| receipt.logs.is_empty()) {
            return Ok(());
        }
        let reason = format!(
            "no logs of block {}, but its receipts have some",
            block.header.number
        );
        Err(self.impossible("eth_getLogs", reason))
    }

    fn is_traced(&self, block: &FullBlock) -> bool {
        self.watch.traces && !block.transactions.is_empty()
    }

    /// The transfers by contracts in the blocks.
    async fn moved(&self, blocks: &[FullBlock]) -> Result<Vec<Vec<Traced>>, ReadError> {
        let traced: Vec<&FullBlock> = (blocks.iter())
            .filter(|block| self.is_traced(block))
            .collect();
        let mut traces = self.node.moved_in_blocks(&traced).await?.into_iter();
        let moved = blocks.iter().map(|block| match self.is_traced(block) {
            true => traces.next().unwrap_or_default(),
            false => nothing_moved(block),
        });
        Ok(moved.collect())
    }

    /// The block as the service records it: the part that concerns watched addresses.
    ///
    /// # Errors
    /// Any error of the node or the database.
    pub async fn complete(
        &self,
        store: &impl ChainStore,
        data: &BlockData,
    ) -> Result<Block, ReadError> {
        let concerned = Concerned::find(store, self.watch.chain, data).await?;
        let hashes = concerned.transactions(data);
        let receipts = self.node.receipts(&hashes, &self.watch.tokens).await?;
        let assembled = concerned.assemble(self.watch, data, receipts);
        assembled.map_err(|reason| self.impossible("eth_getTransactionReceipt", reason))
    }

    fn impossible(&self, method: &'static str, reason: String) -> ReadError {
        ReadError::Rpc(self.node.impossible(method, reason))
    }
}

fn nothing_moved(block: &FullBlock) -> Vec<Traced> {
    vec![Some(Vec::new()); block.transactions.len()]
}

fn heights(after: u64, count: u64) -> Heights {
    Heights {
        first: after.saturating_add(1),
        last: after.saturating_add(count),
    }
}
