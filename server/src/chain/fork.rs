//! Follows reorganisations: finds the latest recorded block that the providers still have, and goes back to it.

use std::sync::Arc;

use settlekit_service::block::{BlockId, Observed};

use super::answer::Header;
use super::fetched::Chosen;
use super::provider::Provider;
use super::reader::ReadError;
use super::rpc::{RpcError, RpcFailure};
use super::store::ChainStore;
use super::watch::{Watcher, disagreement};
use super::watch_error::WatchError;

impl<S: ChainStore> Watcher<S> {
    /// Takes back the recorded blocks that the chosen providers no longer have. Some of them said that there is a fork.
    pub(super) async fn follow_fork(
        &mut self,
        chosen: &Chosen,
        by: &[Arc<Provider>],
    ) -> Result<(), WatchError> {
        let mut forks = Vec::new();
        for (provider, tip) in chosen {
            forks.push(self.find_fork(provider, &tip.latest).await?);
        }
        let fork = forks.first().copied().flatten();
        if forks.iter().any(|other| *other != fork) {
            return Err(disagreement(self.watch.head.number, chosen));
        }
        let Some(to) = fork else {
            // The recorded blocks are there, but the next one does not follow them.
            let mut failed = Ok(());
            for provider in by {
                failed = Err(self.failed(provider, ReadError::Unlinked));
            }
            return failed;
        };
        let from = self.watch.head.number;
        tracing::warn!(chain = %self.watch.chain, from, to = to.number, depth = from - to.number, "chain reorganised");
        match self.store.rewind(self.watch.chain, to).await? {
            Observed::Recorded => self.watch.head = to,
            Observed::Unlinked | Observed::Outdated => self.refresh().await?,
            Observed::NotConnected => return Err(WatchError::NotConnected),
        }
        Ok(())
    }

    /// The latest recorded block that a node has, if it has another one above it.
    async fn find_fork(
        &self,
        provider: &Provider,
        latest: &Header,
    ) -> Result<Option<BlockId>, WatchError> {
        let rpc = provider.rpc();
        let failed = |error: RpcError| self.failed(provider, ReadError::Rpc(error));
        let mut number = self.watch.head.number.min(latest.number);
        let mut above: Option<Header> = None;
        loop {
            let Some(recorded) = self.recorded(number).await? else {
                return Err(WatchError::NoCommonBlock {
                    host: rpc.host().to_owned(),
                    lowest: number.saturating_add(1),
                });
            };
            let header = rpc.header(number).await.map_err(failed)?;
            let Some(header) = header else {
                let reason = format!("no block {number}, below the latest block");
                return Err(failed(rpc.impossible("eth_getBlockByNumber", reason)));
            };
            if header.hash == recorded.hash {
                break;
            }
            above = Some(header);
            let Some(below) = number.checked_sub(1) else {
                return Err(WatchError::NoCommonBlock {
                    host: rpc.host().to_owned(),
                    lowest: 0,
                });
            };
            number = below;
        }
        let fork = self.recorded(number).await?;
        let Some((above, fork)) = above.zip(fork) else {
            return Ok(None);
        };
        // A node that only mixes up heights does not know the other block by its hash.
        let confirmed = rpc.header_of(above.hash).await.map_err(failed)?;
        let is_confirmed = confirmed.is_some_and(|confirmed| {
            confirmed.number == above.number && confirmed.parent == fork.hash
        });
        if !is_confirmed {
            let failure = RpcFailure::Impossible(format!("the block {} has no place", above.hash));
            return Err(failed(rpc.error("eth_getBlockByHash", failure)));
        }
        Ok(Some(fork))
    }
}
