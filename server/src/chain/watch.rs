//! The watcher of one chain: follows the head, and reports blocks and reorganisations.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Client;
use settlekit_service::StoreError;
use settlekit_service::block::{Block, BlockId, Observed, Watch};

use super::answer::Header;
use super::health::{ChainHealth, Health};
use super::provider::{Provider, Providers, Timing};
use super::reader::{BlockData, ReadError, Reader};
use super::rpc::{RpcError, RpcFailure};
use super::store::ChainStore;

/// The bounds of the time between two looks at the head.
const POLL_MIN: Duration = Duration::from_millis(250);
const POLL_MAX: Duration = Duration::from_secs(15);

/// Up to this many missing blocks are read one by one, each by its hash.
const ONE_BY_ONE: u64 = 4;

/// The most blocks in one range: their transactions are held in memory.
const RANGE_MAX: u64 = 64;

/// Why a chain does not go on.
#[derive(Debug)]
pub enum WatchError {
    /// The database failed.
    Store(StoreError),
    /// Fewer providers answer than must agree.
    NoProvider {
        /// How many are ready.
        ready: usize,
        /// How many must agree.
        needed: usize,
    },
    /// A provider failed while a block was read.
    Rpc(RpcError),
    /// Two providers have different blocks.
    Disagreement {
        /// The height.
        number: u64,
        /// Their hosts.
        hosts: [String; 2],
    },
    /// The node has none of the recorded blocks.
    NoCommonBlock {
        /// The node's host.
        host: String,
        /// The lowest height at which a block is recorded.
        lowest: u64,
    },
    /// The chain is not connected, or paused.
    NotConnected,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "{error}"),
            Self::NoProvider { ready, needed } => {
                write!(f, "{ready} of {needed} needed providers are ready")
            }
            Self::Rpc(error) => write!(f, "{error}"),
            Self::Disagreement { number, hosts } => {
                let [one, other] = hosts;
                write!(f, "{one} and {other} disagree on block {number}")
            }
            Self::NoCommonBlock { host, lowest } => {
                write!(f, "{host} has none of the recorded blocks down to {lowest}")
            }
            Self::NotConnected => f.write_str("the chain is not connected"),
        }
    }
}

impl std::error::Error for WatchError {}

impl From<StoreError> for WatchError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The watcher of a chain.
#[derive(Debug)]
pub struct Watcher<S> {
    store: Arc<S>,
    watch: Watch,
    providers: Arc<Providers>,
    timing: Timing,
    health: Arc<Health>,
    /// The blocks to read at once.
    range: u64,
}

/// The providers that a step asks, with their latest headers.
type Chosen = [(Arc<Provider>, Header)];

impl<S: ChainStore> Watcher<S> {
    /// A watcher of a chain.
    ///
    /// # Errors
    /// What is wrong with the URL of a provider.
    pub fn new(
        store: Arc<S>,
        watch: Watch,
        client: &Client,
        timing: Timing,
        health: Arc<Health>,
    ) -> Result<Self, &'static str> {
        Ok(Self {
            providers: Arc::new(Providers::new(client, &watch, timing)?),
            range: RANGE_MAX.min(watch.log_range.max(1)),
            store,
            watch,
            timing,
            health,
        })
    }

    /// Watches until the chain is disconnected or paused. May be dropped at any time.
    pub async fn run(mut self) {
        let poll = self.timing.poll.unwrap_or_else(|| poll(&self.watch));
        let mut latest_problem = None;
        loop {
            let stepped = self.step().await;
            let problem = stepped.as_ref().err().map(ToString::to_string);
            self.note_health(problem.clone());
            if let Some(problem) = &problem
                && latest_problem.as_ref() != Some(problem)
            {
                self.log(&stepped, problem);
            }
            latest_problem = problem;
            if matches!(stepped, Err(WatchError::NotConnected)) {
                return;
            }
            tokio::time::sleep(poll).await;
        }
    }

    fn note_health(&self, problem: Option<String>) {
        let health = ChainHealth::new(self.watch.head, problem, self.providers.health());
        self.health.set(self.watch.chain, health);
    }

    fn log(&self, stepped: &Result<(), WatchError>, problem: &str) {
        let (chain, number) = (self.watch.chain, self.watch.head.number);
        match stepped {
            Err(WatchError::Disagreement { .. } | WatchError::NoCommonBlock { .. }) => {
                tracing::error!(%chain, number, error = problem, "chain watch halted");
            }
            // Logged where it happened.
            Err(WatchError::Rpc(_)) => {}
            _ => tracing::warn!(%chain, number, error = problem, "chain watch waiting"),
        }
    }

    /// Goes on to the latest block.
    async fn step(&mut self) -> Result<(), WatchError> {
        let mut chosen = self.providers.latest().await;
        let (ready, needed) = (chosen.len(), self.providers.needed());
        if ready < needed {
            return Err(WatchError::NoProvider { ready, needed });
        }
        chosen.truncate(needed);
        if self.has_other_block(&chosen).await? {
            return self.follow_fork(&chosen).await;
        }
        let heights = chosen.iter().map(|(_, header)| header.number);
        let target = heights.min().unwrap_or_default();
        let behind = target.saturating_sub(self.watch.head.number);
        if behind > RANGE_MAX {
            tracing::info!(chain = %self.watch.chain, number = self.watch.head.number, behind, "chain watch catching up");
        }
        while self.watch.head.number < target {
            let missing = target - self.watch.head.number;
            let count = if missing <= ONE_BY_ONE {
                1
            } else {
                missing.min(self.range)
            };
            if !self.read(&chosen, count).await? {
                return Ok(());
            }
            self.note_health(None);
        }
        Ok(())
    }

    /// Whether a provider's latest block is another than the recorded one of its height. A lower one is no reorganisation: the
    /// provider lags.
    async fn has_other_block(&self, chosen: &Chosen) -> Result<bool, WatchError> {
        for (_, header) in chosen {
            if header.number > self.watch.head.number {
                continue;
            }
            let recorded = self.recorded(header.number).await?;
            if recorded.is_some_and(|recorded| recorded.hash != header.hash) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn recorded(&self, number: u64) -> Result<Option<BlockId>, WatchError> {
        if number == self.watch.head.number {
            return Ok(Some(self.watch.head));
        }
        Ok(self.store.recorded_block(self.watch.chain, number).await?)
    }

    /// Reads some blocks from all chosen providers and records them; false to look again.
    async fn read(&mut self, chosen: &Chosen, count: u64) -> Result<bool, WatchError> {
        let (watch, head) = (&self.watch, self.watch.head);
        let fetched = join_all(chosen.iter().map(async |(provider, _)| {
            let reader = Reader::new(provider.rpc(), watch);
            match count {
                1 => Ok(vec![reader.fetch_next(head).await?]),
                _ => reader.fetch_range(head, count).await,
            }
        }));
        let mut data: Vec<Vec<BlockData>> = Vec::new();
        let (mut is_unlinked, mut is_too_much) = (false, false);
        let mut failed = None;
        for ((provider, _), fetched) in chosen.iter().zip(fetched.await) {
            match fetched {
                Ok(blocks) => data.push(blocks),
                Err(ReadError::Unlinked) => is_unlinked = true,
                Err(ReadError::Store(error)) => return Err(error.into()),
                Err(ReadError::Rpc(error)) if count > 1 && error.failure.may_be_too_much() => {
                    is_too_much = true;
                    tracing::debug!(chain = %self.watch.chain, %error, blocks = count, "chain range refused");
                }
                Err(ReadError::Rpc(error)) => {
                    self.providers.fail(provider, &error);
                    failed = Some(error);
                }
            }
        }
        if let Some(error) = failed {
            return Err(WatchError::Rpc(error));
        }
        if is_too_much {
            self.range = (count / 2).max(1);
            return Ok(false);
        }
        if is_unlinked {
            self.follow_fork(chosen).await?;
            return Ok(false);
        }
        // By one, so that a limit of the node is rarely run into.
        self.range = (self.range + 1)
            .min(RANGE_MAX)
            .min(self.watch.log_range.max(1));
        let mut providers = data.into_iter().map(Vec::into_iter).collect::<Vec<_>>();
        for _ in 0..count {
            let same_height: Vec<BlockData> =
                providers.iter_mut().filter_map(Iterator::next).collect();
            let block = self.agreed(chosen, &same_height).await?;
            if !self.record(block).await? {
                return Ok(false);
            }
        }
        for (provider, _) in chosen {
            provider.succeed();
        }
        Ok(true)
    }

    /// The block that all chosen providers have.
    async fn agreed(
        &self,
        chosen: &Chosen,
        same_height: &[BlockData],
    ) -> Result<Block, WatchError> {
        let mut agreed: Option<Block> = None;
        for ((provider, _), data) in chosen.iter().zip(same_height) {
            let reader = Reader::new(provider.rpc(), &self.watch);
            let block = match reader.complete(&*self.store, data).await {
                Ok(block) => block,
                Err(error) => return Err(self.failed(provider, error)),
            };
            match &agreed {
                Some(agreed) if *agreed != block => {
                    return Err(disagreement(block.number, chosen));
                }
                _ => agreed = Some(block),
            }
        }
        agreed.ok_or(WatchError::NoProvider {
            ready: 0,
            needed: chosen.len(),
        })
    }

    fn failed(&self, provider: &Provider, error: ReadError) -> WatchError {
        let error = match error {
            ReadError::Store(error) => return error.into(),
            ReadError::Rpc(error) => error,
            ReadError::Unlinked => provider.rpc().impossible(
                "eth_getBlockByNumber",
                format!("no block follows {}", self.watch.head.number),
            ),
        };
        self.providers.fail(provider, &error);
        WatchError::Rpc(error)
    }

    /// Records a block; false if the recorded head is another than presumed.
    async fn record(&mut self, block: Block) -> Result<bool, WatchError> {
        let id = BlockId {
            number: block.number,
            hash: block.hash,
        };
        match self.store.observe_block(block).await? {
            Observed::Recorded => {
                self.watch.head = id;
                Ok(true)
            }
            Observed::Unlinked => {
                self.refresh_head().await?;
                Ok(false)
            }
            Observed::NotConnected => Err(WatchError::NotConnected),
        }
    }

    async fn refresh_head(&mut self) -> Result<(), WatchError> {
        let watches = self.store.watches().await?;
        let watch = watches
            .into_iter()
            .find(|watch| watch.chain == self.watch.chain);
        self.watch.head = watch.ok_or(WatchError::NotConnected)?.head;
        Ok(())
    }

    /// Takes back the recorded blocks that the providers no longer have.
    async fn follow_fork(&mut self, chosen: &Chosen) -> Result<(), WatchError> {
        let mut forks = Vec::new();
        for (provider, latest) in chosen {
            forks.push(self.find_fork(provider, latest).await?);
        }
        let fork = forks.first().copied().flatten();
        if forks.iter().any(|other| *other != fork) {
            return Err(disagreement(self.watch.head.number, chosen));
        }
        let Some(to) = fork else {
            // The recorded blocks are there, but the next one does not follow them.
            let (provider, _) = &chosen[0];
            return Err(self.failed(provider, ReadError::Unlinked));
        };
        let from = self.watch.head.number;
        tracing::warn!(chain = %self.watch.chain, from, to = to.number, depth = from - to.number, "chain reorganised");
        match self.store.rewind(self.watch.chain, to).await? {
            Observed::Recorded => self.watch.head = to,
            Observed::Unlinked => self.refresh_head().await?,
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

fn disagreement(number: u64, chosen: &Chosen) -> WatchError {
    let host = |at: usize| {
        chosen
            .get(at)
            .map_or("", |(provider, _)| provider.rpc().host())
    };
    WatchError::Disagreement {
        number,
        hosts: [host(0).to_owned(), host(1).to_owned()],
    }
}

/// Half the time between two blocks.
fn poll(watch: &Watch) -> Duration {
    let half = Duration::from_millis(u64::from(watch.block_seconds) * 500);
    half.clamp(POLL_MIN, POLL_MAX)
}
