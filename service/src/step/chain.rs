//! Calls about real chains as data. Hashes, addresses and bytes are hexadecimal, amounts are integers as text.

use std::fmt::Display;
use std::str::FromStr;

use alloy_primitives::{Address, B256, Bytes};
use serde::{Deserialize, Serialize};
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use crate::chains::block::{Block, BlockId, Mined, Observed, PendingTransfer, Transfer};
use crate::chains::opening::Balances;
use crate::chains::operator::NewConnection;
use crate::chains::outgoing::{Broadcast, Estimate, NodeRequest, Signature};
use crate::store::sql::StoreError;
use crate::store::transfer_index::TransferIndex;

/// Reads a value that is text in a step.
pub(super) fn parse<T: FromStr>(name: &str, text: &str) -> Result<T, StoreError> {
    text.parse()
        .map_err(|_| StoreError::Broken(format!("`{name}` is malformed: {text}")))
}

fn hex(value: impl Display) -> String {
    value.to_string()
}

/// A block's height and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireBlockId {
    /// The height.
    pub number: u64,
    /// The hash.
    pub hash: String,
}

impl WireBlockId {
    pub(super) fn to_id(&self) -> Result<BlockId, StoreError> {
        Ok(BlockId {
            number: self.number,
            hash: parse("hash", &self.hash)?,
        })
    }
}

impl From<BlockId> for WireBlockId {
    fn from(block: BlockId) -> Self {
        Self {
            number: block.number,
            hash: hex(block.hash),
        }
    }
}

/// A chain to connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireConnection {
    /// The chain.
    pub chain: ChainId,
    /// Its name.
    pub name: String,
    /// The native coin.
    pub native: Currency,
    /// Confirmations after which a block is settled.
    pub confirmations: u32,
    /// Whether a block is settled when the nodes call it final.
    #[serde(default)]
    pub finality: bool,
    /// Seconds between two blocks.
    pub block_seconds: u32,
    /// The URLs of the nodes.
    pub providers: Vec<String>,
    /// Whether the nodes trace transactions.
    #[serde(default)]
    pub traces: bool,
    /// Whether transfers are looked for in the nodes' mempools.
    #[serde(default)]
    pub mempool: bool,
    /// Whether the chain has the factory of proxy wallets.
    #[serde(default)]
    pub has_factory: bool,
    /// The latest block.
    pub head: WireBlockId,
    /// Wei per gas at that block.
    pub base_fee: String,
    /// The usual priority fee, in wei per gas.
    pub priority_fee: String,
    /// The currencies, the native coin among them.
    pub assets: Vec<WireAsset>,
    /// The balances of the hot wallets.
    pub opening: Vec<WireBalance>,
    /// A test network.
    #[serde(default)]
    pub is_test: bool,
}

/// A currency of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireAsset {
    /// The currency.
    pub symbol: Currency,
    /// Its decimal places.
    pub scale: u32,
    /// The token's contract; absent for the native coin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// The balances of a hot wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireBalance {
    /// The wallet.
    pub wallet: String,
    /// The currency.
    pub currency: Currency,
    /// The amount in the currency's smallest unit.
    pub units: String,
}

/// The most blocks of one request for logs. Only a host that reads nodes needs it.
const LOG_RANGE: u64 = 1000;

impl WireConnection {
    pub(super) fn to_connection(&self) -> Result<NewConnection, StoreError> {
        let mut opening = Vec::with_capacity(self.opening.len());
        for balance in &self.opening {
            let wallet = parse("wallet", &balance.wallet)?;
            let units = parse("units", &balance.units)?;
            opening.push((wallet, balance.currency.clone(), units));
        }
        let assets = self.assets.iter().map(|asset| Asset {
            symbol: asset.symbol.clone(),
            scale: asset.scale,
            token_address: asset.token.clone(),
        });
        Ok(NewConnection {
            chain: Chain {
                id: self.chain,
                name: self.name.clone(),
                native_currency_symbol: self.native.clone(),
            },
            confirmations: self.confirmations,
            finality: self.finality,
            block_seconds: self.block_seconds,
            providers: self.providers.clone(),
            deploy: None,
            traces: self.traces,
            mempool: self.mempool,
            has_factory: self.has_factory,
            log_range: LOG_RANGE,
            head: self.head.to_id()?,
            base_fee: parse("base_fee", &self.base_fee)?,
            priority_fee: parse("priority_fee", &self.priority_fee)?,
            domains: Vec::new(),
            assets: assets.collect(),
            counts: opening.iter().map(|(wallet, ..)| (*wallet, 0)).collect(),
            opening,
            explorer: None,
            public_rpc: None,
            is_test: self.is_test,
            clears_test_network: false,
        })
    }
}

/// A block, with what concerns this installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireBlock {
    /// The chain.
    pub chain: ChainId,
    /// The height.
    pub number: u64,
    /// Its hash.
    pub hash: String,
    /// The hash of the block before.
    pub parent: String,
    /// When it was mined.
    pub mined_at: Timestamp,
    /// Wei per gas that every transaction pays.
    pub base_fee: String,
    /// Transfers from or to a watched address.
    #[serde(default)]
    pub transfers: Vec<WireTransfer>,
    /// The contracts of the tokens whose transfers were looked for.
    #[serde(default)]
    pub tokens: Vec<String>,
    /// Transactions of watched wallets.
    #[serde(default)]
    pub sent: Vec<WireMined>,
    /// Transactions that no node traces.
    #[serde(default)]
    pub untraced: Vec<String>,
    /// The latest final block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finalized: Option<WireBlockId>,
}

/// A transfer in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireTransfer {
    /// The transaction's hash.
    pub hash: String,
    /// The transfer within the transaction: `value`, `log:N` or `trace:N`.
    #[serde(default)]
    pub index: TransferIndex,
    /// The token's contract; absent for the native coin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// The amount in the smallest unit.
    pub units: String,
}

/// A plain transfer in a node's mempool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WirePendingTransfer {
    /// The transaction's hash.
    pub hash: String,
    /// The token's contract; absent for the native coin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// The amount in the smallest unit.
    pub units: String,
}

impl WirePendingTransfer {
    pub(super) fn to_transfer(&self) -> Result<PendingTransfer, StoreError> {
        let token = self.token.as_deref();
        Ok(PendingTransfer {
            hash: parse("hash", &self.hash)?,
            token: token.map(|token| parse("token", token)).transpose()?,
            from: parse("from", &self.from)?,
            to: parse("to", &self.to)?,
            units: parse("units", &self.units)?,
        })
    }
}

/// A mined transaction of a watched wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireMined {
    /// The transaction's hash.
    pub hash: String,
    /// The wallet.
    pub from: String,
    /// Its number among the wallet's transactions.
    pub nonce: u64,
    /// Whether it succeeded.
    pub succeeded: bool,
    /// The network fee, in wei.
    pub fee: String,
}

impl WireBlock {
    pub(super) fn to_block(&self) -> Result<Block, StoreError> {
        let mut transfers = Vec::with_capacity(self.transfers.len());
        for transfer in &self.transfers {
            let token = transfer.token.as_deref();
            transfers.push(Transfer {
                hash: parse("hash", &transfer.hash)?,
                index: transfer.index,
                token: token.map(|token| parse("token", token)).transpose()?,
                from: parse("from", &transfer.from)?,
                to: parse("to", &transfer.to)?,
                units: parse("units", &transfer.units)?,
            });
        }
        let mut sent = Vec::with_capacity(self.sent.len());
        for mined in &self.sent {
            sent.push(Mined {
                hash: parse("hash", &mined.hash)?,
                from: parse("from", &mined.from)?,
                nonce: mined.nonce,
                succeeded: mined.succeeded,
                fee: parse("fee", &mined.fee)?,
            });
        }
        let tokens = self.tokens.iter();
        let tokens: Result<Vec<Address>, StoreError> =
            tokens.map(|token| parse("tokens", token)).collect();
        let untraced = self.untraced.iter();
        let untraced: Result<Vec<B256>, StoreError> =
            untraced.map(|hash| parse("untraced", hash)).collect();
        let finalized = self.finalized.as_ref();
        Ok(Block {
            chain: self.chain,
            number: self.number,
            hash: parse("hash", &self.hash)?,
            parent: parse("parent", &self.parent)?,
            mined_at: self.mined_at,
            base_fee: parse("base_fee", &self.base_fee)?,
            transfers,
            tokens: tokens?,
            sent,
            // A host that reads nodes reports them.
            authorized: Vec::new(),
            unconfigured: Vec::new(),
            untraced: untraced?,
            finalized: finalized.map(WireBlockId::to_id).transpose()?,
        })
    }
}

/// The outcome of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireObserved {
    /// It was recorded.
    Recorded,
    /// It does not follow the latest recorded one.
    Unlinked,
    /// A token was added after it was read.
    Outdated,
    /// The chain is not connected, or paused.
    NotConnected,
}

impl From<Observed> for WireObserved {
    fn from(observed: Observed) -> Self {
        match observed {
            Observed::Recorded => Self::Recorded,
            Observed::Unlinked => Self::Unlinked,
            Observed::Outdated => Self::Outdated,
            Observed::NotConnected => Self::NotConnected,
        }
    }
}

/// A request to a node or an external signer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireNodeRequest {
    /// How much gas a transaction needs.
    Estimate {
        /// The transaction.
        id: i64,
        /// The hot wallet.
        from: String,
        /// The receiver or contract.
        to: String,
        /// In wei.
        value: String,
        /// The call of the contract.
        data: String,
    },
    /// Asks the external signer for a signature.
    Sign {
        /// The transaction.
        id: i64,
        /// Its form.
        number: u32,
        /// The URL of the signer.
        signer: String,
        /// The chain.
        chain: ChainId,
        /// The hot wallet.
        from: String,
        /// Its number among the wallet's transactions.
        nonce: u64,
        /// The most gas.
        gas_limit: u64,
        /// The most wei per gas.
        max_fee: String,
        /// The wei per gas for the block's proposer.
        priority_fee: String,
        /// The receiver or contract.
        to: String,
        /// In wei.
        value: String,
        /// The call of the contract.
        data: String,
    },
    /// Broadcasts signed bytes.
    Broadcast {
        /// The transaction.
        id: i64,
        /// Its hash.
        hash: String,
        /// The bytes.
        signed: String,
    },
    /// The balances of a merchant's own wallet at a block.
    Balances {
        /// The wallet.
        wallet: String,
        /// The block.
        block: WireBlockId,
        /// The contracts of the tokens, and `null` for the native coin.
        tokens: Vec<Option<String>>,
    },
}

impl From<NodeRequest> for WireNodeRequest {
    fn from(request: NodeRequest) -> Self {
        match request {
            NodeRequest::Estimate {
                id,
                from,
                to,
                value,
                data,
            } => Self::Estimate {
                id,
                from: hex(from),
                to: hex(to),
                value: value.to_string(),
                data: hex(Bytes::from(data)),
            },
            NodeRequest::Sign {
                id,
                number,
                signer,
                transaction,
            } => Self::Sign {
                id,
                number,
                signer,
                chain: transaction.chain,
                from: hex(transaction.from),
                nonce: transaction.nonce,
                gas_limit: transaction.gas_limit,
                max_fee: transaction.max_fee.to_string(),
                priority_fee: transaction.priority_fee.to_string(),
                to: hex(transaction.to),
                value: transaction.value.to_string(),
                data: hex(Bytes::from(transaction.data)),
            },
            NodeRequest::Broadcast { id, hash, signed } => Self::Broadcast {
                id,
                hash: hex(hash),
                signed: hex(Bytes::from(signed)),
            },
            NodeRequest::Balances {
                wallet,
                block,
                tokens,
            } => Self::Balances {
                wallet: hex(wallet),
                block: block.into(),
                tokens: tokens.into_iter().map(|token| token.map(hex)).collect(),
            },
        }
    }
}

/// A node's answer to an estimate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireEstimate {
    /// The transaction would succeed.
    Succeeds {
        /// The gas that it needs.
        gas: u64,
        /// The usual priority fee, in wei per gas.
        priority_fee: String,
    },
    /// The contract would revert it.
    Reverts,
    /// The hot wallet lacks the money.
    Unaffordable,
}

impl WireEstimate {
    pub(super) fn to_estimate(&self) -> Result<Estimate, StoreError> {
        Ok(match self {
            Self::Succeeds { gas, priority_fee } => Estimate::Succeeds {
                gas: *gas,
                priority_fee: parse("priority_fee", priority_fee)?,
            },
            Self::Reverts => Estimate::Reverts,
            Self::Unaffordable => Estimate::Unaffordable,
        })
    }
}

/// A node's answer to a broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireBroadcast {
    /// The node took it.
    Accepted,
    /// The fees are too low.
    Underpriced,
    /// The nonce has been used.
    NonceUsed,
    /// The hot wallet cannot pay for the gas.
    Unaffordable,
    /// An error that passes.
    Failed,
    /// The node does not take it.
    Refused,
}

impl From<WireBroadcast> for Broadcast {
    fn from(answer: WireBroadcast) -> Self {
        match answer {
            WireBroadcast::Accepted => Self::Accepted,
            WireBroadcast::Underpriced => Self::Underpriced,
            WireBroadcast::NonceUsed => Self::NonceUsed,
            WireBroadcast::Unaffordable => Self::Unaffordable,
            WireBroadcast::Failed => Self::Failed,
            WireBroadcast::Refused => Self::Refused,
        }
    }
}

/// The signed bytes of an external signer, if it signed.
pub(super) fn signature(signed: Option<&str>) -> Result<Signature, StoreError> {
    Ok(match signed {
        Some(signed) => Signature::Signed(parse::<Bytes>("signed", signed)?.to_vec()),
        None => Signature::Refused,
    })
}

/// The balances of a merchant's own wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireBalances {
    /// The wallet.
    pub wallet: String,
    /// The block.
    pub block: WireBlockId,
    /// In the smallest unit: by token, `null` for the native coin.
    pub units: Vec<(Option<String>, String)>,
}

impl WireBalances {
    pub(super) fn to_balances(&self) -> Result<Balances, StoreError> {
        let mut units = Vec::with_capacity(self.units.len());
        for (token, amount) in &self.units {
            let token = token.as_deref();
            let token: Option<Address> = token.map(|token| parse("token", token)).transpose()?;
            units.push((token, parse("units", amount)?));
        }
        Ok(Balances {
            wallet: parse("wallet", &self.wallet)?,
            block: self.block.to_id()?,
            units,
        })
    }
}
