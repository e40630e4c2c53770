//! The server's service and database, for the watchers of chains.

use std::sync::Arc;

use alloy_primitives::{Address, B256};
use settlekit_core::value::ChainId;
use settlekit_service::block::{Block, BlockId, Observed, Watch};
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_service::{Database, Seed, Service, StoreError};

use super::outbox::Outbox;
use super::store::ChainStore;
use crate::engine::Kept;
use crate::{Host, edge};

/// The chains of a server.
pub(crate) struct HostChains(pub(crate) Arc<Host>);

impl HostChains {
    async fn write<T: Send + 'static>(
        &self,
        call: impl Fn(&Service, &mut dyn Database, Seed) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (service, seed) = (self.0.service.clone(), edge::seed()?);
        let work =
            move |database: &mut dyn Database| call(&service, database, seed).map(Kept::Keep);
        self.0.engine.write(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        call: impl Fn(&Service, &mut dyn Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let service = self.0.service.clone();
        self.0
            .engine
            .read(move |database| call(&service, database))
            .await
    }

    /// Logs what an operator has to look at, and wakes those who wait for changes.
    fn recorded(&self, chain: ChainId, (observed, failures): (Observed, Vec<String>)) -> Observed {
        for failure in failures {
            self.0.metrics.due_job_failed();
            tracing::error!(%chain, %failure, "chain alarm");
        }
        self.0.due.notify_one();
        self.0.changed.send_replace(());
        observed
    }
}

impl ChainStore for HostChains {
    async fn watches(&self) -> Result<Vec<Watch>, StoreError> {
        let seed = edge::seed()?;
        self.read(move |service, database| service.watches(database, edge::now(), seed))
            .await
    }

    async fn watched_among(
        &self,
        chain: ChainId,
        addresses: Vec<Address>,
    ) -> Result<Vec<Address>, StoreError> {
        self.read(move |service, database| service.watched_among(database, chain, &addresses))
            .await
    }

    async fn hot_wallets(&self) -> Result<Vec<Address>, StoreError> {
        self.read(|service, database| service.hot_wallets(database))
            .await
    }

    async fn observe_block(&self, block: Block) -> Result<Observed, StoreError> {
        let chain = block.chain;
        let recorded = self
            .write(move |service, database, seed| {
                service.observe_block(database, &block, edge::now(), seed)
            })
            .await?;
        Ok(self.recorded(chain, recorded))
    }

    async fn rewind(&self, chain: ChainId, to: BlockId) -> Result<Observed, StoreError> {
        let recorded = self
            .write(move |service, database, seed| {
                service.rewind(database, chain, to, edge::now(), seed)
            })
            .await?;
        Ok(self.recorded(chain, recorded))
    }

    async fn recorded_block(
        &self,
        chain: ChainId,
        number: u64,
    ) -> Result<Option<BlockId>, StoreError> {
        self.read(move |service, database| service.recorded_block(database, chain, number))
            .await
    }
}

impl Outbox for HostChains {
    async fn node_requests(&self, chain: ChainId) -> Result<Vec<NodeRequest>, StoreError> {
        self.write(move |service, database, seed| {
            service.node_requests(database, chain, edge::now(), seed)
        })
        .await
    }

    async fn report_estimate(&self, id: i64, estimate: Estimate) -> Result<(), StoreError> {
        self.write(move |service, database, seed| {
            service.report_estimate(database, id, &estimate, edge::now(), seed)
        })
        .await
    }

    async fn report_broadcast(
        &self,
        transaction: (i64, B256),
        answer: Broadcast,
    ) -> Result<(), StoreError> {
        self.write(move |service, database, seed| {
            service.report_broadcast(database, transaction, answer, edge::now(), seed)
        })
        .await
    }

    async fn report_balances(&self, chain: ChainId, balances: Balances) -> Result<(), StoreError> {
        self.write(move |service, database, seed| {
            service.report_balances(database, chain, &balances, edge::now(), seed)
        })
        .await
    }
}
