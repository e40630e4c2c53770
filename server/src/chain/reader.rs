//! Reads blocks from one node.
//!
//! A block is read in two steps. The first fetches all its transactions, token transfers and traces: two calls, three with traces,
//! or for a range of blocks about as many together. The second asks which addresses are watched, and fetches the receipts of the
//! transactions that concern them. It runs just before the block is recorded, so an address that became watched meanwhile counts.

use std::collections::{BTreeSet, HashMap, HashSet};

use alloy_primitives::{Address, B256};
use settlekit_service::block::{Block, BlockId, Mined, Transfer, Watch};
use settlekit_service::{StoreError, TransferIndex};

use super::answer::{FullBlock, Receipt, TokenTransfer, Transaction};
use super::node::Heights;
use super::rpc::{Rpc, RpcError};
use super::store::ChainStore;
use super::trace::Moved;

/// Why a block was not read.
#[derive(Debug)]
pub enum ReadError {
    /// The node failed.
    Rpc(RpcError),
    /// The database failed.
    Store(StoreError),
    /// The node's block does not follow the block before.
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

/// All of a block that could concern an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    block: FullBlock,
    /// The transfers of the chain's tokens, in order.
    transfers: Vec<TokenTransfer>,
    /// The native coins that contracts moved, for each transaction; empty without traces.
    moved: Vec<Vec<Moved>>,
}

impl BlockData {
    /// The height and hash.
    pub fn id(&self) -> BlockId {
        BlockId {
            number: self.block.header.number,
            hash: self.block.header.hash,
        }
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
        let mut fetched = self.fetch_blocks(after, 1).await?;
        let block = fetched.remove(0);
        let tokens = &self.watch.tokens;
        let transfers = self.node.transfers(block.header.hash, tokens).await?;
        let mut fetched = self.join(vec![block], transfers).await?;
        Ok(fetched.remove(0))
    }

    /// Fetches several blocks after another.
    ///
    /// # Errors
    /// [`ReadError::Unlinked`] if the node has another block before the first, or changed its mind between two calls.
    pub async fn fetch_range(
        &self,
        after: BlockId,
        count: u64,
    ) -> Result<Vec<BlockData>, ReadError> {
        let blocks = self.fetch_blocks(after, count).await?;
        let heights = heights(after, count);
        let tokens = &self.watch.tokens;
        let transfers = self.node.transfers_in(heights, tokens).await?;
        self.join(blocks, transfers).await
    }

    /// The blocks after another, each linked to the one before.
    async fn fetch_blocks(&self, after: BlockId, count: u64) -> Result<Vec<FullBlock>, ReadError> {
        let found = self.node.blocks(heights(after, count)).await?;
        let (mut blocks, mut parent) = (Vec::new(), after.hash);
        for (number, block) in (after.number + 1..).zip(found) {
            let missing = || format!("no block {number}, below the latest block");
            let block = block.ok_or_else(|| self.impossible("eth_getBlockByNumber", missing()))?;
            if block.header.parent != parent {
                return Err(ReadError::Unlinked);
            }
            parent = block.header.hash;
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// Assigns the transfers to their blocks, and adds the traces.
    async fn join(
        &self,
        blocks: Vec<FullBlock>,
        transfers: Vec<TokenTransfer>,
    ) -> Result<Vec<BlockData>, ReadError> {
        let places: HashMap<B256, usize> = (blocks.iter().enumerate())
            .map(|(place, block)| (block.header.hash, place))
            .collect();
        let mut transfers_of = vec![Vec::new(); blocks.len()];
        for transfer in transfers {
            let Some(place) = places.get(&transfer.block) else {
                let reason = format!("a log of the block {}", transfer.block);
                return Err(self.impossible("eth_getLogs", reason));
            };
            transfers_of[*place].push(transfer);
        }
        for transfers in &mut transfers_of {
            transfers.sort_by_key(|transfer| transfer.log_index);
            if (transfers.windows(2)).any(|pair| pair[0].log_index == pair[1].log_index) {
                let reason = "two logs at one position".to_owned();
                return Err(self.impossible("eth_getLogs", reason));
            }
        }
        for (block, transfers) in blocks.iter().zip(&transfers_of) {
            if transfers.is_empty() && block.header.may_transfer(&self.watch.tokens) {
                self.check_no_transfers(block).await?;
            }
        }
        let moved_in = self.moved(&blocks).await?;
        let joined = blocks.into_iter().zip(transfers_of).zip(moved_in);
        let joined = joined.map(|((block, transfers), moved)| BlockData {
            block,
            transfers,
            moved,
        });
        Ok(joined.collect())
    }

    /// Checks that a block has no transfers although the filter of its header allows some: a node that answers before it has
    /// indexed the block's logs says that there are none.
    async fn check_no_transfers(&self, block: &FullBlock) -> Result<(), ReadError> {
        let receipts = self.node.receipts_of(block, &self.watch.tokens).await?;
        if receipts.iter().all(|receipt| receipt.transfers.is_empty()) {
            return Ok(());
        }
        let reason = format!(
            "no logs of block {}, but its receipts have some",
            block.header.number
        );
        Err(self.impossible("eth_getLogs", reason))
    }

    /// What contracts moved in the blocks.
    async fn moved(&self, blocks: &[FullBlock]) -> Result<Vec<Vec<Vec<Moved>>>, ReadError> {
        let is_traced = |block: &&FullBlock| self.watch.traces && !block.transactions.is_empty();
        let traced: Vec<&FullBlock> = blocks.iter().filter(is_traced).collect();
        let mut traces = self.node.moved(&traced).await?.into_iter();
        let blocks = blocks.iter();
        let moved = blocks.map(|block| match is_traced(&block) {
            true => traces.next().unwrap_or_default(),
            false => vec![Vec::new(); block.transactions.len()],
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
        let hot = store.hot_wallets().await?;
        let addresses = addresses(data);
        let watched = match addresses.is_empty() {
            true => Vec::new(),
            false => store.watched_among(self.watch.chain, addresses).await?,
        };
        let concerned = Concerned {
            watched: watched.into_iter().collect(),
            hot: hot.into_iter().collect(),
        };
        let hashes = concerned.transactions(data);
        let receipts = self.node.receipts(&hashes, &self.watch.tokens).await?;
        let assembled = concerned.assemble(self.watch, data, receipts);
        assembled.map_err(|reason| self.impossible("eth_getTransactionReceipt", reason))
    }

    fn impossible(&self, method: &'static str, reason: String) -> ReadError {
        ReadError::Rpc(self.node.impossible(method, reason))
    }
}

fn heights(after: BlockId, count: u64) -> Heights {
    Heights {
        first: after.number.saturating_add(1),
        last: after.number.saturating_add(count),
    }
}

/// The addresses in a block that money came from or went to, and the senders of its transactions.
fn addresses(data: &BlockData) -> Vec<Address> {
    let mut addresses = HashSet::new();
    for transfer in &data.transfers {
        addresses.extend([transfer.from, transfer.to]);
    }
    for transaction in &data.block.transactions {
        addresses.insert(transaction.from);
        addresses.extend(transaction.to.filter(|_| !transaction.value.is_zero()));
    }
    for moved in data.moved.iter().flatten() {
        addresses.extend([moved.from, moved.to]);
    }
    addresses.into_iter().collect()
}

/// The addresses that concern the installation.
struct Concerned {
    watched: HashSet<Address>,
    hot: HashSet<Address>,
}

impl Concerned {
    fn has(&self, from: Address, to: Address) -> bool {
        self.watched.contains(&from) || self.watched.contains(&to)
    }

    /// Whether what the network takes for a transaction is followed.
    fn follows_sender(&self, transaction: &Transaction) -> bool {
        self.hot.contains(&transaction.from) || self.watched.contains(&transaction.from)
    }

    fn is_value(&self, transaction: &Transaction) -> bool {
        let to = transaction.to.unwrap_or(transaction.from);
        !transaction.value.is_zero() && self.has(transaction.from, to)
    }

    /// The transactions that need a receipt, in the order of the block as far as it lists them.
    fn transactions(&self, data: &BlockData) -> Vec<B256> {
        let mut hashes = BTreeSet::new();
        let transfers = data.transfers.iter();
        hashes.extend(
            transfers
                .filter(|transfer| self.has(transfer.from, transfer.to))
                .map(|transfer| transfer.transaction),
        );
        for (place, transaction) in data.block.transactions.iter().enumerate() {
            let moved = data.moved.get(place).into_iter().flatten();
            let is_moved = moved
                .into_iter()
                .any(|moved| self.has(moved.from, moved.to));
            let is_sent = self.follows_sender(transaction);
            if is_sent || is_moved || self.is_value(transaction) {
                hashes.insert(transaction.hash);
            }
        }
        hashes.into_iter().collect()
    }

    fn assemble(
        &self,
        watch: &Watch,
        data: &BlockData,
        mut receipts: Vec<Receipt>,
    ) -> Result<Block, String> {
        let header = &data.block.header;
        let places: HashMap<B256, usize> = (data.block.transactions.iter().enumerate())
            .map(|(place, transaction)| (transaction.hash, place))
            .collect();
        if places.len() != data.block.transactions.len() {
            return Err(format!("block {} has a transaction twice", header.number));
        }
        receipts.sort_by_key(|receipt| receipt.position);
        let (mut transfers, mut sent) = (Vec::new(), Vec::new());
        for receipt in &receipts {
            let hash = receipt.transaction;
            if receipt.block != header.hash {
                return Err(format!("the receipt of {hash} is of another block"));
            }
            // Polygon's deposits from Ethereum have logs and a receipt, but may be missing among the transactions.
            if let Some(place) = places.get(&hash) {
                if *place as u64 != receipt.position {
                    return Err(format!("the receipt of {hash} has another position"));
                }
                let transaction = &data.block.transactions[*place];
                let moved = data.moved.get(*place).map_or(&[][..], Vec::as_slice);
                transfers.extend(self.value(transaction, receipt));
                transfers.extend(self.tokens(data, receipt)?);
                transfers.extend(self.moved(moved, receipt)?);
                if self.follows_sender(transaction) {
                    sent.push(Mined {
                        hash,
                        from: transaction.from,
                        nonce: transaction.nonce,
                        succeeded: receipt.succeeded,
                        fee: receipt.fee,
                    });
                }
            } else {
                transfers.extend(self.tokens(data, receipt)?);
            }
        }
        Ok(Block {
            chain: watch.chain,
            number: header.number,
            hash: header.hash,
            parent: header.parent,
            base_fee: header.base_fee,
            transfers,
            sent,
        })
    }

    /// The transaction's own value.
    fn value(&self, transaction: &Transaction, receipt: &Receipt) -> Option<Transfer> {
        let to = transaction.to.or(receipt.created)?;
        let counts =
            receipt.succeeded && !transaction.value.is_zero() && self.has(transaction.from, to);
        counts.then_some(Transfer {
            hash: transaction.hash,
            index: TransferIndex::Value,
            token: None,
            from: transaction.from,
            to,
            units: transaction.value,
        })
    }

    /// The transfers of tokens, which receipt and logs must agree on. Those of nothing, which anybody can make in anybody's name,
    /// are left out.
    fn tokens(&self, data: &BlockData, receipt: &Receipt) -> Result<Vec<Transfer>, String> {
        let hash = receipt.transaction;
        let logs = data.transfers.iter();
        let logs = logs.filter(|transfer| transfer.transaction == hash);
        if !logs.eq(receipt.transfers.iter().map(|(_, transfer)| transfer)) {
            return Err(format!(
                "the receipt of {hash} has other logs than the block"
            ));
        }
        let counts = |transfer: &TokenTransfer| {
            !transfer.units.is_zero() && self.has(transfer.from, transfer.to)
        };
        let transfers = receipt.transfers.iter();
        let transfers = transfers.filter(|(_, transfer)| counts(transfer));
        Ok(transfers
            .map(|(position, transfer)| Transfer {
                hash,
                index: TransferIndex::Log(*position),
                token: Some(transfer.token),
                from: transfer.from,
                to: transfer.to,
                units: transfer.units,
            })
            .collect())
    }

    /// What contracts moved, numbered among all that they moved in the transaction.
    fn moved(&self, moved: &[Moved], receipt: &Receipt) -> Result<Vec<Transfer>, String> {
        let hash = receipt.transaction;
        if !receipt.succeeded && !moved.is_empty() {
            return Err(format!("the trace of {hash} moves coins, but it failed"));
        }
        let moved = (0..).zip(moved);
        let moved = moved.filter(|(_, moved)| self.has(moved.from, moved.to));
        Ok(moved
            .map(|(position, moved)| Transfer {
                hash,
                index: TransferIndex::Trace(position),
                token: None,
                from: moved.from,
                to: moved.to,
                units: moved.units,
            })
            .collect())
    }
}
