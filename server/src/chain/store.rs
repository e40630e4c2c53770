//! The service and its database, as the watcher of a chain uses them.

use std::future::Future;

use alloy_primitives::Address;
use settlekit_core::installation::ChainReport;
use settlekit_core::value::ChainId;
use settlekit_service::StoreError;
use settlekit_service::block::{Block, BlockId, Observed, PendingTransfer, Watch};

/// The service and its database, as the watcher of a chain needs them.
pub trait ChainStore: Send + Sync + 'static {
    /// The chains that this process watches. With several servers on one database, each chain is in the answer of one of them;
    /// the answer is asked for every few seconds, so that a lease can be renewed, lost and taken over.
    fn watches(&self) -> impl Future<Output = Result<Vec<Watch>, StoreError>> + Send;

    /// Those of the addresses that are pay-in addresses, watched wallets or hot wallets.
    fn watched_among(
        &self,
        chain: ChainId,
        addresses: Vec<Address>,
    ) -> impl Future<Output = Result<Vec<Address>, StoreError>> + Send;

    /// The destinations of those of the addresses that are proxy wallets of the installation, each with the proxy wallet.
    fn destinations(
        &self,
        proxies: Vec<Address>,
    ) -> impl Future<Output = Result<Vec<(Address, Address)>, StoreError>> + Send;

    /// The hot wallets.
    fn hot_wallets(&self) -> impl Future<Output = Result<Vec<Address>, StoreError>> + Send;

    /// Records blocks of a chain, each after the one before, until one is not recorded.
    fn observe_blocks(
        &self,
        blocks: Vec<Block>,
    ) -> impl Future<Output = Result<Observed, StoreError>> + Send;

    /// Records transfers to watched addresses that a node shows in its mempool. By default they are dropped.
    fn observe_pending(
        &self,
        _chain: ChainId,
        _transfers: Vec<PendingTransfer>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        std::future::ready(Ok(()))
    }

    /// Takes back the blocks above a recorded one.
    fn rewind(
        &self,
        chain: ChainId,
        to: BlockId,
    ) -> impl Future<Output = Result<Observed, StoreError>> + Send;

    /// The recorded block at a height, if it is one of the latest.
    fn recorded_block(
        &self,
        chain: ChainId,
        number: u64,
    ) -> impl Future<Output = Result<Option<BlockId>, StoreError>> + Send;

    /// Records the state of a chain's nodes, for operators. By default it is dropped.
    fn report_chain(
        &self,
        _chain: ChainId,
        _report: ChainReport,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        std::future::ready(Ok(()))
    }
}
