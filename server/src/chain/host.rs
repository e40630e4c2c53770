//! The server's service and database, for the watchers of chains.

use std::sync::Arc;

use alloy_primitives::{Address, B256, hex};
use settlekit_core::installation::ChainReport;
use settlekit_core::value::ChainId;
use settlekit_service::StoreError;
use settlekit_service::block::{Block, BlockId, Observed, PendingTransfer, Watch};
use settlekit_service::lease::Leases;
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest, Signature};

use super::outbox::Outbox;
use super::store::ChainStore;
use crate::{Host, edge};

/// The chains of a server.
pub(crate) struct HostChains {
    host: Arc<Host>,
    /// The name of this process in its leases; `None` on SQLite, which one server uses alone.
    watcher: Option<String>,
}

impl HostChains {
    /// The chains of a server.
    pub(crate) fn new(host: Arc<Host>) -> Result<Self, StoreError> {
        let name = || edge::seed().map(|seed| hex::encode(&seed.0[..16]));
        Ok(Self {
            watcher: host.is_database_shared.then(name).transpose()?,
            host,
        })
    }

    /// Lets another server read the chains at once.
    pub(crate) async fn end_leases(&self) {
        let Some(watcher) = self.watcher.clone() else {
            return;
        };
        let ended = self
            .host
            .write(move |service, database, _| service.end_leases(database, &watcher))
            .await;
        if let Err(error) = ended {
            tracing::warn!(%error, "chain lease release failed");
        }
    }

    /// The chains that this server has among those of the database.
    async fn leased(&self, watcher: &str) -> Result<Vec<ChainId>, StoreError> {
        let name = watcher.to_owned();
        let Leases { mut held, due } = self
            .host
            .read(move |service, database| service.leases(database, &name, edge::now()))
            .await?;
        if !due.is_empty() {
            let name = watcher.to_owned();
            let taken = self.host.write(move |service, database, _| {
                service.take_leases(database, &name, &due, edge::now())
            });
            held.extend(taken.await?);
        }
        Ok(held)
    }

    /// Logs failures, and wakes those who wait for changes.
    fn recorded(&self, chain: ChainId, (observed, failures): (Observed, Vec<String>)) -> Observed {
        for failure in failures {
            self.host.metrics.chain_alarm(chain);
            tracing::error!(%chain, %failure, "chain alarm");
        }
        self.changed();
        observed
    }

    /// As [`HostChains::recorded`], for a report on a transaction, whose alarms name the chain.
    fn reported(&self, failures: Vec<String>) {
        for failure in failures {
            self.host.metrics.due_job_failed();
            tracing::error!(%failure, "chain alarm");
        }
        self.changed();
    }

    fn changed(&self) {
        self.host.due.notify_one();
        self.host.changed.send_replace(());
    }
}

impl ChainStore for HostChains {
    async fn watches(&self) -> Result<Vec<Watch>, StoreError> {
        let seed = edge::seed()?;
        let mut watches = self
            .host
            .read(move |service, database| service.watches(database, edge::now(), seed))
            .await?;
        if let Some(watcher) = &self.watcher {
            let leased = self.leased(watcher).await?;
            watches.retain(|watch| leased.contains(&watch.chain));
        }
        Ok(watches)
    }

    async fn watched_among(
        &self,
        chain: ChainId,
        addresses: Vec<Address>,
    ) -> Result<Vec<Address>, StoreError> {
        self.host
            .read(move |service, database| service.watched_among(database, chain, &addresses))
            .await
    }

    async fn destinations(
        &self,
        proxies: Vec<Address>,
    ) -> Result<Vec<(Address, Address)>, StoreError> {
        self.host
            .read(move |service, database| service.proxy_destinations(database, &proxies))
            .await
    }

    async fn hot_wallets(&self) -> Result<Vec<Address>, StoreError> {
        self.host
            .read(|service, database| service.hot_wallets(database))
            .await
    }

    async fn observe_blocks(&self, blocks: Vec<Block>) -> Result<Observed, StoreError> {
        let Some(chain) = blocks.first().map(|block| block.chain) else {
            return Ok(Observed::Recorded);
        };
        let recorded = self
            .host
            .write(move |service, database, seed| {
                service.observe_blocks(database, &blocks, edge::now(), seed)
            })
            .await?;
        Ok(self.recorded(chain, recorded))
    }

    async fn observe_pending(
        &self,
        chain: ChainId,
        transfers: Vec<PendingTransfer>,
    ) -> Result<(), StoreError> {
        self.host
            .write(move |service, database, seed| {
                service.observe_pending(database, chain, &transfers, edge::now(), seed)
            })
            .await?;
        self.changed();
        Ok(())
    }

    async fn rewind(&self, chain: ChainId, to: BlockId) -> Result<Observed, StoreError> {
        let recorded = self
            .host
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
        self.host
            .read(move |service, database| service.recorded_block(database, chain, number))
            .await
    }

    async fn report_chain(&self, chain: ChainId, report: ChainReport) -> Result<(), StoreError> {
        self.host
            .write(move |service, database, _| service.report_chain(database, chain, &report))
            .await
    }
}

impl Outbox for HostChains {
    async fn node_requests(&self, chain: ChainId) -> Result<Vec<NodeRequest>, StoreError> {
        let (requests, failures) = self
            .host
            .write(move |service, database, seed| {
                service.node_requests(database, chain, edge::now(), seed)
            })
            .await?;
        self.reported(failures);
        Ok(requests)
    }

    async fn report_estimate(&self, id: i64, estimate: Estimate) -> Result<(), StoreError> {
        let failures = self
            .host
            .write(move |service, database, seed| {
                service.report_estimate(database, id, &estimate, edge::now(), seed)
            })
            .await?;
        self.reported(failures);
        Ok(())
    }

    async fn report_signature(
        &self,
        form: (i64, u32),
        answer: Signature,
    ) -> Result<(), StoreError> {
        let failures = self
            .host
            .write(move |service, database, seed| {
                service.report_signature(database, form, &answer, edge::now(), seed)
            })
            .await?;
        self.reported(failures);
        Ok(())
    }

    async fn report_broadcast(
        &self,
        transaction: (i64, B256),
        answer: Broadcast,
    ) -> Result<(), StoreError> {
        let failures = self
            .host
            .write(move |service, database, seed| {
                service.report_broadcast(database, transaction, answer, edge::now(), seed)
            })
            .await?;
        self.reported(failures);
        Ok(())
    }

    async fn report_balances(&self, chain: ChainId, balances: Balances) -> Result<(), StoreError> {
        self.host
            .write(move |service, database, seed| {
                service.report_balances(database, chain, &balances, edge::now(), seed)
            })
            .await
    }
}
