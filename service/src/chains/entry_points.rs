//! The calls of a host that reads chains. Each runs in one transaction.

use alloy_primitives::{Address, B256};
use settlekit_core::installation::{
    ChainReport, HotWallet, InstallationChain, OutgoingTransaction,
};
use settlekit_core::value::{ChainId, Timestamp};

use super::block::{Block, BlockId, Observed, PendingTransfer, Watch};
use super::opening::Balances;
use super::outgoing::{Broadcast, Estimate, NodeRequest, Signature};
use super::{blocks, followed, mempool, opening, outgoing, simulated};
use crate::random::{Random, Seed};
use crate::resources::installation;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{Service, store};

/// The connected chains and the hot wallets.
#[derive(Debug, Clone)]
pub struct Installation {
    /// The chains, by id.
    pub chains: Vec<InstallationChain>,
    /// The hot wallets, oldest first.
    pub wallets: Vec<HotWallet>,
    /// The oldest transaction under way of each chain that has any.
    pub oldest_transactions: Vec<OutgoingTransaction>,
}

impl Service {
    /// The chains to read, with their nodes.
    ///
    /// # Errors
    /// If the database failed, or the nodes' addresses cannot be unsealed.
    pub fn watches(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<Watch>, StoreError> {
        blocks::watches(&mut Unit::new(self, database, now, Random::new(seed)))
    }

    /// The addresses of some that belong to accounts, payments, proxies or hot wallets of a chain.
    ///
    /// # Errors
    /// If the database failed.
    pub fn watched_among(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        addresses: &[Address],
    ) -> Result<Vec<Address>, StoreError> {
        blocks::watched_among(database, chain, addresses)
    }

    /// The destinations of those of some addresses that are proxy wallets, each with the proxy wallet.
    ///
    /// # Errors
    /// If the database failed.
    pub fn proxy_destinations(
        &self,
        database: &mut dyn Database,
        addresses: &[Address],
    ) -> Result<Vec<(Address, Address)>, StoreError> {
        let proxies = store::proxy::proxies_among(database, addresses)?.into_iter();
        let pairs = proxies.map(|proxy| (proxy.address, proxy.destination));
        Ok(pairs.collect())
    }

    /// All hot wallets, those out of use too.
    ///
    /// # Errors
    /// If the database failed.
    pub fn hot_wallets(&self, database: &mut dyn Database) -> Result<Vec<Address>, StoreError> {
        followed::hot_wallets(database)
    }

    /// One of the latest recorded blocks of a chain.
    ///
    /// # Errors
    /// If the database failed.
    pub fn recorded_block(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        number: u64,
    ) -> Result<Option<BlockId>, StoreError> {
        store::connection::find_block(database, chain, number)
    }

    /// Records blocks of a chain with their effects, each after the one before, until one is not recorded. Also returns the failures
    /// to log.
    ///
    /// In a sandbox they are blocks of a simulated chain: their parents are not checked, and a block that is final
    /// ([`Block::finalized`]) settles its own transfers.
    ///
    /// # Errors
    /// If the database failed; nothing of the blocks is recorded then.
    pub fn observe_blocks(
        &self,
        database: &mut dyn Database,
        blocks: &[Block],
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Observed, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = self.unit(database, now, seed)?;
            let observed = match unit.options().mode.simulation() {
                Some(simulation) => simulated::observe(simulation, &mut unit, blocks)?,
                None => blocks::record(&mut unit, blocks)?,
            };
            Ok((observed, unit.failures))
        })
    }

    /// Records the plain transfers to watched addresses that a node shows in its mempool now. Nothing is booked. One that is no
    /// longer reported, and in no block, fails after a while.
    ///
    /// # Errors
    /// If the database failed.
    pub fn observe_pending(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        transfers: &[PendingTransfer],
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            let mut unit = self.unit(database, now, seed)?;
            mempool::observe(&mut unit, chain, transfers)
        })
    }

    /// Goes back to a recorded block of a chain, which a reorganisation forked from. Also returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; nothing changes then.
    pub fn rewind(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        to: BlockId,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Observed, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let observed = blocks::rewind(&mut unit, chain, to)?;
            Ok((observed, unit.failures))
        })
    }

    /// Records the state of a chain's nodes, as the server that watches the chain reports it. To be called every few seconds at most.
    ///
    /// # Errors
    /// If the database failed.
    pub fn report_chain(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        report: &ChainReport,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            // The chain may have been disconnected since.
            if store::connection::find(database, chain)?.is_none() {
                return Ok(());
            }
            store::chain_report::set_report(database, chain, report)
        })
    }

    /// The connected chains and the hot wallets, as the operator's page shows them.
    ///
    /// # Errors
    /// If the database failed.
    pub fn installation(&self, database: &mut dyn Database) -> Result<Installation, StoreError> {
        Ok(Installation {
            chains: installation::all_chains(database)?,
            wallets: installation::all_wallets(database)?,
            oldest_transactions: installation::oldest_transactions(database)?,
        })
    }

    /// The requests to make to a chain's nodes now, and the failures to log. Each request is returned again after a while unless it is
    /// reported.
    ///
    /// # Errors
    /// If the database failed.
    pub fn node_requests(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<NodeRequest>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            // Payouts first: with slow nodes they would wait for wallets that merchants connected.
            let mut requests = outgoing::due(&mut unit, chain)?;
            requests.extend(opening::due(&mut unit, chain)?);
            Ok((requests, unit.failures))
        })
    }

    /// Records the answer to [`NodeRequest::Estimate`]. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the request is made again later.
    pub fn report_estimate(
        &self,
        database: &mut dyn Database,
        id: i64,
        estimate: &Estimate,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            outgoing::report_estimate(&mut unit, id, estimate)?;
            Ok(unit.failures)
        })
    }

    /// Records the answer to [`NodeRequest::Sign`]. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the request is made again later.
    pub fn report_signature(
        &self,
        database: &mut dyn Database,
        form: (i64, u32),
        answer: &Signature,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            outgoing::report_signature(&mut unit, form, answer)?;
            Ok(unit.failures)
        })
    }

    /// Records the answer to [`NodeRequest::Broadcast`]. Returns the failures to log.
    ///
    /// # Errors
    /// If the database failed; the request is made again later.
    pub fn report_broadcast(
        &self,
        database: &mut dyn Database,
        (id, hash): (i64, B256),
        answer: Broadcast,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            outgoing::report_broadcast(&mut unit, (id, hash), answer)?;
            Ok(unit.failures)
        })
    }

    /// Records the answer to [`NodeRequest::Balances`].
    ///
    /// # Errors
    /// If the database failed; the request is made again later.
    pub fn report_balances(
        &self,
        database: &mut dyn Database,
        chain: ChainId,
        balances: &Balances,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            opening::report(&mut unit, chain, balances)
        })
    }
}
