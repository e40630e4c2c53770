//! The watcher of one chain: follows the head, and reports blocks and reorganisations.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use settlekit_service::block::{Block, BlockId, Observed, Watch};

use super::block_data::BlockData;
use super::block_traces::TRACE_BLOCK;
use super::fetched::{Chosen, Fetched, ReadAhead, fetch_next};
use super::health::{ChainHealth, Health};
use super::mempool::Mempool;
use super::node::Tip;
use super::provider::{Provider, Providers, Timing};
use super::reader::{ReadError, Reader};
use super::rpc::{RpcError, RpcFailure};
use super::store::ChainStore;
use super::watch_error::WatchError;

/// The bounds of the time between two looks at the head.
const POLL_MIN: Duration = Duration::from_millis(250);
const POLL_MAX: Duration = Duration::from_secs(15);

/// Up to this many missing blocks are read one by one, each by its hash.
const ONE_BY_ONE: u64 = 4;

/// The most blocks in one range. The transactions of three ranges are held in memory.
const RANGE_MAX: u64 = 64;

/// The watcher of a chain.
#[derive(Debug)]
pub struct Watcher<S> {
    pub(super) store: Arc<S>,
    pub(super) watch: Watch,
    providers: Arc<Providers>,
    timing: Timing,
    health: Arc<Health>,
    /// The blocks to read at once.
    range: u64,
    mempool: Mempool,
}

/// Why some of them did not.
type Disagreements = [(WatchError, Vec<(Arc<Provider>, Tip)>)];

impl<S: ChainStore> Watcher<S> {
    /// A watcher of a chain.
    ///
    /// # Errors
    /// The error of a provider's URL.
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
            mempool: Mempool::default(),
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

    /// Goes on to the latest block. If providers disagree, others are asked: as many as needed that agree suffice.
    async fn step(&mut self) -> Result<(), WatchError> {
        let tips = self.providers.tips().await;
        let (ready, needed) = (tips.len(), self.providers.needed());
        if ready < needed {
            return Err(WatchError::NoProvider { ready, needed });
        }
        let mut disagreements = Vec::new();
        for chosen in groups(&tips, needed) {
            let before = self.watch.head;
            match self.go_on(&chosen).await {
                Err(
                    error @ (WatchError::Disagreement { .. } | WatchError::NoCommonBlock { .. }),
                ) => disagreements.push((error, chosen)),
                // Without a new block, nothing says who is right.
                Ok(()) if self.watch.head == before && !disagreements.is_empty() => {}
                Ok(()) => {
                    self.outvote(&disagreements, &chosen);
                    return self.look_at_mempool(&chosen).await;
                }
                Err(error) => return Err(error),
            }
        }
        let mut disagreements = disagreements.into_iter();
        disagreements.next().map_or(Ok(()), |(error, _)| Err(error))
    }

    /// Looks at what one of the providers has in no block. Nothing is booked by it, so that it needs no second one.
    async fn look_at_mempool(&mut self, chosen: &Chosen) -> Result<(), WatchError> {
        if let Some((provider, _)) = chosen.first().filter(|_| self.watch.mempool) {
            self.mempool
                .look(&self.store, &self.watch, provider)
                .await?;
        }
        Ok(())
    }

    /// Leaves alone for a while the providers that others contradicted.
    fn outvote(&self, disagreements: &Disagreements, by: &Chosen) {
        let is_among = |provider: &Arc<Provider>, chosen: &Chosen| {
            chosen.iter().any(|(one, _)| Arc::ptr_eq(one, provider))
        };
        let disagreed = disagreements.iter().flat_map(|(_, chosen)| chosen);
        for (provider, _) in disagreed {
            if !is_among(provider, by) && provider.is_ready() {
                let reason = "two others agree on another block".to_owned();
                let error = provider.rpc().impossible("eth_getBlockByNumber", reason);
                self.providers.fail(provider, &error);
            }
        }
    }

    async fn go_on(&mut self, chosen: &Chosen) -> Result<(), WatchError> {
        let forked = self.with_other_block(chosen).await?;
        if !forked.is_empty() {
            return self.follow_fork(chosen, &forked).await;
        }
        let finalized = self.finalized(chosen)?;
        let heights = chosen.iter().map(|(_, tip)| tip.latest.number);
        let target = heights.min().unwrap_or_default();
        let behind = target.saturating_sub(self.watch.head.number);
        if behind > RANGE_MAX {
            tracing::info!(chain = %self.watch.chain, number = self.watch.head.number, behind, "chain watch catching up");
        }
        let mut ahead = ReadAhead::new(chosen, &self.watch, self.watch.head.number);
        while self.watch.head.number < target {
            ahead.go_on(|after| self.range_after(after, target));
            let fetched = match ahead.next().await {
                Some(fetched) => fetched,
                None => fetch_next(chosen, &self.watch, self.watch.head).await,
            };
            let Some(data) = self.checked(chosen, fetched).await? else {
                return Ok(());
            };
            // The nodes answer, and their answers are read, while the blocks are compared and written.
            ahead.go_on(|after| self.range_after(after, target));
            if !self.record_read(chosen, data, finalized).await? {
                return Ok(());
            }
            self.note_health(None);
        }
        Ok(())
    }

    /// The number of blocks after a height to read at once; `None` if they are read one by one.
    fn range_after(&self, after: u64, target: u64) -> Option<u64> {
        let missing = target.saturating_sub(after);
        let count = missing.min(self.range);
        (missing > ONE_BY_ONE && count > 1).then_some(count)
    }

    /// The latest block that all chosen providers call final, on a chain that is settled by finality.
    fn finalized(&self, chosen: &Chosen) -> Result<Option<BlockId>, WatchError> {
        let mut lowest: Option<BlockId> = None;
        for (_, tip) in chosen {
            lowest = match (lowest, tip.finalized) {
                (Some(lowest), Some(other))
                    if lowest.number == other.number && lowest.hash != other.hash =>
                {
                    return Err(disagreement(other.number, chosen));
                }
                (Some(lowest), Some(other)) if lowest.number <= other.number => Some(lowest),
                (_, other) => other,
            };
        }
        Ok(lowest)
    }

    /// The providers whose latest block is another than the recorded one of its height. A lower one is no reorganisation: the
    /// provider lags.
    async fn with_other_block(&self, chosen: &Chosen) -> Result<Vec<Arc<Provider>>, WatchError> {
        let mut found = Vec::new();
        for (provider, Tip { latest, .. }) in chosen {
            if latest.number > self.watch.head.number {
                continue;
            }
            let recorded = self.recorded(latest.number).await?;
            if recorded.is_some_and(|recorded| recorded.hash != latest.hash) {
                found.push(Arc::clone(provider));
            }
        }
        Ok(found)
    }

    pub(super) async fn recorded(&self, number: u64) -> Result<Option<BlockId>, WatchError> {
        if number == self.watch.head.number {
            return Ok(Some(self.watch.head));
        }
        Ok(self.store.recorded_block(self.watch.chain, number).await?)
    }

    /// The blocks of all chosen providers; `None` to look again.
    async fn checked(
        &mut self,
        chosen: &Chosen,
        Fetched { count, answers, .. }: Fetched,
    ) -> Result<Option<Vec<Vec<BlockData>>>, WatchError> {
        let mut data: Vec<Vec<BlockData>> = Vec::new();
        let (mut unlinked, mut is_too_much) = (Vec::new(), false);
        let mut failed = None;
        for ((provider, _), fetched) in chosen.iter().zip(answers) {
            match fetched {
                Ok(blocks) if !self.follow_head(&blocks) => unlinked.push(Arc::clone(provider)),
                Ok(blocks) => match self.untraced(provider, &blocks) {
                    None => data.push(blocks),
                    Some(error) => {
                        self.providers.fail(provider, &error);
                        failed = Some(error);
                    }
                },
                Err(ReadError::Unlinked) => unlinked.push(Arc::clone(provider)),
                Err(ReadError::Store(error)) => return Err(error.into()),
                Err(ReadError::Rpc(error)) if count > 1 && is_too_many_blocks(&error) => {
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
            return Ok(None);
        }
        if !unlinked.is_empty() {
            self.follow_fork(chosen, &unlinked).await?;
            return Ok(None);
        }
        // By one, so that a limit of the node is rarely run into.
        self.range = (self.range + 1)
            .min(RANGE_MAX)
            .min(self.watch.log_range.max(1));
        Ok(Some(data))
    }

    /// Whether the first block follows the latest recorded one.
    fn follow_head(&self, blocks: &[BlockData]) -> bool {
        let first = blocks.first();
        first.is_none_or(|first| first.parent() == self.watch.head.hash)
    }

    /// Records the blocks of all chosen providers; false to look again.
    async fn record_read(
        &mut self,
        chosen: &Chosen,
        data: Vec<Vec<BlockData>>,
        finalized: Option<BlockId>,
    ) -> Result<bool, WatchError> {
        let count = data.first().map_or(0, Vec::len);
        let mut providers = data.into_iter().map(Vec::into_iter).collect::<Vec<_>>();
        let (mut blocks, mut failed) = (Vec::new(), None);
        for _ in 0..count {
            let same_height: Vec<BlockData> =
                providers.iter_mut().filter_map(Iterator::next).collect();
            match self.agreed(chosen, same_height).await {
                Ok(block) => blocks.push(Block { finalized, ..block }),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        // Those before a failure are good.
        let is_recorded = blocks.is_empty() || self.record(blocks).await?;
        if let Some(error) = failed {
            return Err(error);
        }
        if !is_recorded {
            return Ok(false);
        }
        self.providers.forget_untraced();
        for (provider, _) in chosen {
            provider.succeed();
        }
        Ok(true)
    }

    /// Why blocks are not used yet: the provider, or another, may still trace the transactions that lack a trace.
    fn untraced(&self, provider: &Provider, blocks: &[BlockData]) -> Option<RpcError> {
        let count = blocks.iter().map(|data| data.untraced().len()).sum();
        let last = blocks.last().filter(|_| count > 0)?;
        let failure = RpcFailure::Untraced(count);
        let is_given_up = self.providers.give_up_traces(provider, last.id().hash);
        (!is_given_up).then(|| provider.rpc().error(TRACE_BLOCK, failure))
    }

    /// The block that all chosen providers have.
    async fn agreed(
        &self,
        chosen: &Chosen,
        mut same_height: Vec<BlockData>,
    ) -> Result<Block, WatchError> {
        let untraced: BTreeSet<usize> = same_height.iter().flat_map(BlockData::untraced).collect();
        let mut agreed: Option<Block> = None;
        for ((provider, _), data) in chosen.iter().zip(&mut same_height) {
            data.forget_traces(&untraced);
            let reader = Reader::new(provider.rpc(), &self.watch);
            let mut block = match reader.complete(&*self.store, data).await {
                Ok(block) => block,
                Err(error) => return Err(self.failed(provider, error)),
            };
            if let Some(agreed) = &mut agreed {
                // Tokens that are not configured are information, which halts no chain: what all say is kept.
                let said = &block.unconfigured;
                agreed.unconfigured.retain(|seen| said.contains(seen));
                block.unconfigured.clone_from(&agreed.unconfigured);
            }
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

    pub(super) fn failed(&self, provider: &Provider, error: ReadError) -> WatchError {
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

    /// Records blocks; false if the recorded head is not the expected one.
    async fn record(&mut self, blocks: Vec<Block>) -> Result<bool, WatchError> {
        let latest = blocks.last().map(|block| BlockId {
            number: block.number,
            hash: block.hash,
        });
        let count = u64::try_from(blocks.len()).unwrap_or(1);
        let observed = self.store.observe_blocks(blocks).await;
        if observed.is_err() {
            // Those before the one that fails are recorded in the next, smaller ranges.
            self.range = (count / 2).max(1);
        }
        match observed? {
            Observed::Recorded => {
                self.watch.head = latest.unwrap_or(self.watch.head);
                Ok(true)
            }
            Observed::Unlinked | Observed::Outdated => {
                self.refresh().await?;
                Ok(false)
            }
            Observed::NotConnected => Err(WatchError::NotConnected),
        }
    }

    /// Looks again where to go on, and which tokens to look for.
    pub(super) async fn refresh(&mut self) -> Result<(), WatchError> {
        let watches = self.store.watches().await?;
        let watch = watches
            .into_iter()
            .find(|watch| watch.chain == self.watch.chain);
        let watch = watch.ok_or(WatchError::NotConnected)?;
        (self.watch.head, self.watch.tokens) = (watch.head, watch.tokens);
        Ok(())
    }
}

pub(super) fn disagreement(number: u64, chosen: &Chosen) -> WatchError {
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

/// The groups of providers that may agree, by preference. At most two need to.
fn groups(tips: &Chosen, needed: usize) -> Vec<Vec<(Arc<Provider>, Tip)>> {
    if needed == 1 {
        return tips.iter().take(1).map(|tip| vec![tip.clone()]).collect();
    }
    let mut groups = Vec::new();
    for (place, first) in tips.iter().enumerate() {
        for second in &tips[place + 1..] {
            groups.push(vec![first.clone(), second.clone()]);
        }
    }
    groups
}

/// Whether fewer blocks at once may succeed.
fn is_too_many_blocks(error: &RpcError) -> bool {
    let failure = &error.failure;
    failure.may_be_too_much() || error.method == TRACE_BLOCK && failure.may_be_of_request()
}

/// Half the time between two blocks.
fn poll(watch: &Watch) -> Duration {
    let half = Duration::from_millis(u64::from(watch.block_seconds) * 500);
    half.clamp(POLL_MIN, POLL_MAX)
}
