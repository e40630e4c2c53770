//! A host's reports about a chain: blocks, reorganisations, and the results of sent transactions.

use alloy_primitives::{Address, B256, U256};
use settlekit_core::value::{ChainId, Timestamp};

pub use crate::store::connection::BlockId;
use crate::store::transfer_index::TransferIndex;
pub use crate::store::unconfigured_token::{UNCONFIGURED_TOKENS_MAX, UnconfiguredToken};

/// A block, with the transfers and transactions in it that concern this installation.
///
/// The host reads everything from one block, named by its hash, so that no part of it comes from a fork.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The chain.
    pub chain: ChainId,
    /// The height.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// The hash of the block before.
    pub parent: B256,
    /// When it was mined, by the clock of the chain.
    pub mined_at: Timestamp,
    /// The fee per gas that every transaction pays, in wei (EIP-1559); 0 on a chain without one.
    pub base_fee: u128,
    /// Successful transfers from or to a watched address, in the order of the block.
    pub transfers: Vec<Transfer>,
    /// The contracts of the tokens whose transfers were looked for.
    pub tokens: Vec<Address>,
    /// Transactions sent by a hot wallet or a watched one, in the order of the block.
    pub sent: Vec<Mined>,
    /// The authorizations that transactions with transfers have used (EIP-3009).
    pub authorized: Vec<UsedAuthorization>,
    /// Tokens that are not configured, with the number of their transfers to watched addresses.
    pub unconfigured: Vec<(Address, u64)>,
    /// Transactions whose traces no node gave: native coins that contracts sent in them are not among the transfers.
    pub untraced: Vec<B256>,
    /// The latest final block that the nodes reported, on a chain that is settled by finality.
    pub finalized: Option<BlockId>,
}

/// A transfer in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The transaction's hash.
    pub hash: B256,
    /// The position within the transaction.
    pub index: TransferIndex,
    /// The token's contract; `None` for the native coin.
    pub token: Option<Address>,
    /// The sender.
    pub from: Address,
    /// The receiver.
    pub to: Address,
    /// The amount in the smallest unit.
    pub units: U256,
}

/// An authorization that a token says was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedAuthorization {
    /// The transaction's hash.
    pub hash: B256,
    /// The token's contract.
    pub token: Address,
    /// Who signed it.
    pub authorizer: Address,
    /// Its nonce.
    pub nonce: B256,
}

/// A plain transfer that a node shows in its mempool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingTransfer {
    /// The transaction's hash.
    pub hash: B256,
    /// The token's contract; `None` for the native coin.
    pub token: Option<Address>,
    /// The sender.
    pub from: Address,
    /// The receiver.
    pub to: Address,
    /// The amount in the smallest unit.
    pub units: U256,
}

/// A mined transaction of a hot wallet or a watched one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mined {
    /// The transaction's hash.
    pub hash: B256,
    /// The wallet.
    pub from: Address,
    /// Its number among the transactions of the wallet.
    pub nonce: u64,
    /// Whether it succeeded; otherwise it was reverted.
    pub succeeded: bool,
    /// The network's fee, in wei: gas used times the price, and on a rollup the fee of the chain below.
    pub fee: U256,
}

/// The result of a reported block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observed {
    /// The block was recorded.
    Recorded,
    /// The block does not follow the latest recorded one: the host looks for the fork, or reads the missing blocks first.
    Unlinked,
    /// A token was added after the block was read: the host looks which, and reads the block again.
    Outdated,
    /// The chain is not connected, or paused.
    NotConnected,
}

/// A chain to read, for the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The chain.
    pub chain: ChainId,
    /// The URLs of its nodes, the first preferred. With several, two must agree on a block.
    pub providers: Vec<String>,
    /// The contracts of its tokens.
    pub tokens: Vec<Address>,
    /// The seconds between two blocks.
    pub block_seconds: u32,
    /// Confirmations after which a block is settled.
    pub confirmations: u32,
    /// Whether a block is settled when the nodes call it final, instead of by confirmations.
    pub finality: bool,
    /// The latest recorded block.
    pub head: BlockId,
    /// Whether nodes trace transactions (`debug_traceBlockByHash`), which shows native transfers by contracts.
    pub traces: bool,
    /// Whether transfers are looked for in the nodes' mempools.
    pub mempool: bool,
    /// The most blocks that the nodes take in one request for logs.
    pub log_range: u64,
}
