//! The books that blocks are reported to, in memory, with the rules of the service.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use alloy_primitives::Address;
use settlekit_core::installation::ChainReport;
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_server::chain::store::ChainStore;
use settlekit_service::StoreError;
use settlekit_service::block::{Block, BlockId, Observed, PendingTransfer, Transfer, Watch};
use tokio::sync::watch;

use super::DEADLINE;

/// The books of one chain.
pub(super) struct Books {
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

/// What is in the books.
pub(super) struct State {
    pub(super) watch: Watch,
    pub(super) is_paused: bool,
    /// The height whose block cannot be recorded, nor any that is reported with it.
    pub(super) refused: Option<u64>,
    pub(super) watched: HashSet<Address>,
    pub(super) hot: HashSet<Address>,
    /// Proxy wallets with their destinations.
    pub(super) proxies: HashMap<Address, Address>,
    /// The recorded blocks, from the one before the first that was reported.
    pub(super) blocks: Vec<Block>,
    /// The heights of the head before and after each reorganisation.
    pub(super) rewinds: Vec<(u64, u64)>,
    /// What was told of the nodes.
    pub(super) reports: Vec<ChainReport>,
    /// What was shown in mempools.
    pub(super) pending: Vec<PendingTransfer>,
}

impl State {
    pub(super) fn head(&self) -> BlockId {
        let head = self.blocks.last().expect("a block");
        BlockId {
            number: head.number,
            hash: head.hash,
        }
    }

    pub(super) fn transfers(&self) -> Vec<Transfer> {
        let blocks = self.blocks.iter();
        blocks.flat_map(|block| block.transfers.clone()).collect()
    }

    /// The units that an address received.
    pub(super) fn received(&self, by: Address) -> Vec<u64> {
        let transfers = self.transfers().into_iter();
        let transfers = transfers.filter(|transfer| transfer.to == by);
        transfers.map(|transfer| transfer.units.to()).collect()
    }
}

impl Books {
    pub(super) fn new(watch: Watch) -> Self {
        let start = Block {
            chain: watch.chain,
            number: watch.head.number,
            hash: watch.head.hash,
            parent: Default::default(),
            mined_at: Timestamp::from_micros(0),
            base_fee: 0,
            transfers: Vec::new(),
            tokens: watch.tokens.clone(),
            sent: Vec::new(),
            authorized: Vec::new(),
            unconfigured: Vec::new(),
            untraced: Vec::new(),
            finalized: None,
        };
        Self {
            state: Mutex::new(State {
                watch,
                is_paused: false,
                refused: None,
                watched: HashSet::new(),
                hot: HashSet::new(),
                proxies: HashMap::new(),
                blocks: vec![start],
                rewinds: Vec::new(),
                reports: Vec::new(),
                pending: Vec::new(),
            }),
            changed: watch::Sender::new(()),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panicked")
    }

    /// Watches an address from now on.
    pub(super) fn add(&self, address: Address) -> Address {
        self.state().watched.insert(address);
        address
    }

    /// Watches a hot wallet from now on.
    pub(super) fn add_hot(&self, address: Address) -> Address {
        self.state().hot.insert(address);
        self.add(address)
    }

    /// Has these providers from now on.
    pub(super) fn set_providers(&self, urls: &[String]) {
        self.state().watch.providers = urls.to_vec();
    }

    /// Waits until the books are as wanted.
    pub(super) async fn until(&self, is: impl Fn(&State) -> bool) {
        self.until_within(DEADLINE, is).await;
    }

    /// As [`Books::until`], with more time.
    pub(super) async fn until_within(&self, time: Duration, is: impl Fn(&State) -> bool) {
        let mut changed = self.changed.subscribe();
        let waited = tokio::time::timeout(time, async {
            while !is(&self.state()) {
                changed.changed().await.expect("the books are there");
            }
        });
        let state = waited.await.err().map(|_| self.state());
        if let Some(state) = state {
            panic!("{:?} {:?}", state.head(), state.transfers());
        }
    }

    /// Waits until a block is the head.
    pub(super) async fn until_head(&self, number: u64, hash: alloy_primitives::B256) {
        self.until(|state| state.head() == BlockId { number, hash })
            .await;
    }
}

impl ChainStore for Books {
    async fn watches(&self) -> Result<Vec<Watch>, StoreError> {
        let state = self.state();
        let watch = Watch {
            head: state.head(),
            ..state.watch.clone()
        };
        Ok((!state.is_paused).then_some(watch).into_iter().collect())
    }

    async fn watched_among(
        &self,
        _chain: ChainId,
        addresses: Vec<Address>,
    ) -> Result<Vec<Address>, StoreError> {
        let state = self.state();
        let watched = addresses.into_iter();
        Ok(watched.filter(|one| state.watched.contains(one)).collect())
    }

    async fn destinations(
        &self,
        proxies: Vec<Address>,
    ) -> Result<Vec<(Address, Address)>, StoreError> {
        let state = self.state();
        let known = proxies.into_iter();
        let known = known.filter_map(|proxy| Some((proxy, *state.proxies.get(&proxy)?)));
        Ok(known.collect())
    }

    async fn hot_wallets(&self) -> Result<Vec<Address>, StoreError> {
        Ok(self.state().hot.iter().copied().collect())
    }

    async fn observe_blocks(&self, blocks: Vec<Block>) -> Result<Observed, StoreError> {
        let mut state = self.state();
        if state.is_paused {
            return Ok(Observed::NotConnected);
        }
        let refused = blocks
            .iter()
            .any(|block| Some(block.number) == state.refused);
        if refused {
            return Err(StoreError::Broken("a block cannot be recorded".to_owned()));
        }
        for block in blocks {
            let head = state.head();
            if (block.number, block.parent) != (head.number + 1, head.hash) {
                return Ok(Observed::Unlinked);
            }
            state.blocks.push(block);
        }
        drop(state);
        self.changed.send_replace(());
        Ok(Observed::Recorded)
    }

    async fn observe_pending(
        &self,
        _chain: ChainId,
        transfers: Vec<PendingTransfer>,
    ) -> Result<(), StoreError> {
        self.state().pending.extend(transfers);
        self.changed.send_replace(());
        Ok(())
    }

    async fn report_chain(&self, _chain: ChainId, report: ChainReport) -> Result<(), StoreError> {
        self.state().reports.push(report);
        self.changed.send_replace(());
        Ok(())
    }

    async fn rewind(&self, _chain: ChainId, to: BlockId) -> Result<Observed, StoreError> {
        let mut state = self.state();
        let from = state.head().number;
        let place = (state.blocks.iter())
            .position(|block| (block.number, block.hash) == (to.number, to.hash));
        let place = place.expect("only recorded blocks are returned to");
        state.blocks.truncate(place + 1);
        state.rewinds.push((from, to.number));
        drop(state);
        self.changed.send_replace(());
        Ok(Observed::Recorded)
    }

    async fn recorded_block(
        &self,
        _chain: ChainId,
        number: u64,
    ) -> Result<Option<BlockId>, StoreError> {
        let state = self.state();
        let latest = state.blocks.iter().rev().take(512);
        let mut latest = latest.filter(|block| block.number == number);
        Ok(latest.next().map(|block| BlockId {
            number,
            hash: block.hash,
        }))
    }
}
