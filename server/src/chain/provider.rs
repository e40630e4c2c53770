//! The providers of a chain: which of them can be asked, and which are waited for.
//!
//! A provider that failed is left alone for a time that doubles with each failure, or that it names itself. Then it is probed: only
//! one of the right chain is asked for blocks again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alloy_primitives::B256;
use futures_util::future::join_all;
use reqwest::Client;
use settlekit_core::value::ChainId;
use settlekit_service::block::Watch;

use super::health::ProviderHealth;
use super::node::Tip;
use super::rpc::{Rpc, RpcError, RpcLimits};
use crate::edge;

/// Tries after which a node is believed to be unable to trace a transaction.
const TRACE_TRIES: u32 = 3;

/// How long the watcher waits for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The time between two looks at the head; by the chain's block time if absent.
    pub poll: Option<Duration>,
    /// The time after the first failure of a provider.
    pub retry_min: Duration,
    /// The longest time after a failure of a provider.
    pub retry_max: Duration,
    /// The time without an answer after which the other providers go on without one.
    pub down_after: Duration,
    /// The time between two looks at the list of chains.
    pub refresh: Duration,
    /// The limits of a request.
    pub limits: RpcLimits,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            poll: None,
            retry_min: Duration::from_secs(1),
            retry_max: Duration::from_secs(30),
            down_after: Duration::from_secs(60),
            refresh: Duration::from_secs(2),
            limits: RpcLimits::default(),
        }
    }
}

/// A provider.
#[derive(Debug)]
pub struct Provider {
    rpc: Rpc,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    is_probed: bool,
    failures: u32,
    retry_at: Instant,
    /// Since when it gives no answer.
    silent_since: Option<Instant>,
    /// A block with transactions that it could not trace, and how many times it tried.
    untraced: Option<(B256, u32)>,
    health: ProviderHealth,
}

impl State {
    /// Whether it has given no answer for so long that the others go on without it.
    fn is_down(&self, after: Duration) -> bool {
        let silent = self.silent_since.map(|since| since.elapsed());
        !self.health.is_ready && silent.is_some_and(|silent| silent >= after)
    }
}

impl Provider {
    /// The connection.
    pub fn rpc(&self) -> &Rpc {
        &self.rpc
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_ready(&self) -> bool {
        self.state().health.is_ready
    }

    /// Notes that a whole block was read.
    pub(super) fn succeed(&self) {
        let mut state = self.state();
        state.failures = 0;
        state.silent_since = None;
        state.health.last_success = Some(edge::now());
    }
}

/// The providers of a chain.
#[derive(Debug)]
pub struct Providers {
    chain: ChainId,
    finality: bool,
    timing: Timing,
    all: Vec<Arc<Provider>>,
}

impl Providers {
    /// The providers of a chain.
    ///
    /// # Errors
    /// The error of a URL, without the URL.
    pub fn new(client: &Client, watch: &Watch, timing: Timing) -> Result<Self, &'static str> {
        let now = Instant::now();
        let provider = |url: &String| -> Result<Arc<Provider>, &'static str> {
            let rpc = Rpc::new(client.clone(), url, timing.limits)?;
            let health = ProviderHealth::new(rpc.host());
            let state = Mutex::new(State {
                is_probed: false,
                failures: 0,
                retry_at: now,
                silent_since: Some(now),
                untraced: None,
                health,
            });
            Ok(Arc::new(Provider { rpc, state }))
        };
        Ok(Self {
            chain: watch.chain,
            finality: watch.finality,
            timing,
            all: watch
                .providers
                .iter()
                .map(provider)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The health of each.
    pub fn health(&self) -> Vec<ProviderHealth> {
        let health = |provider: &Arc<Provider>| provider.state().health.clone();
        self.all.iter().map(health).collect()
    }

    /// The number of providers that must agree on a block: two, if as many are configured and not silent for long.
    ///
    /// A provider that answers wrongly counts: without its agreement no block is recorded.
    pub fn needed(&self) -> usize {
        let down_after = self.timing.down_after;
        let up = self.all.iter();
        let up = up.filter(|provider| !provider.state().is_down(down_after));
        up.count().clamp(1, 2)
    }

    /// Notes that a provider could not trace all transactions of a block. Returns whether the rest is skipped: the provider has
    /// tried often enough, and too few others are left that could trace it. A provider that fails briefly could.
    pub(super) fn give_up_traces(&self, provider: &Provider, block: B256) -> bool {
        let tries = {
            let mut state = provider.state();
            let before = state.untraced.filter(|(of, _)| *of == block);
            let tries = before.map_or(0, |(_, tries)| tries).saturating_add(1);
            state.untraced = Some((block, tries));
            tries
        };
        let may_trace = |provider: &&Arc<Provider>| {
            let state = provider.state();
            let is_waited_for = state.health.is_ready || state.silent_since.is_some();
            let has_given_up =
                (state.untraced).is_some_and(|(of, tries)| of == block && tries >= TRACE_TRIES);
            is_waited_for && !has_given_up && !state.is_down(self.timing.down_after)
        };
        tries >= TRACE_TRIES && self.all.iter().filter(may_trace).count() < self.needed()
    }

    /// Forgets which transactions could not be traced: their block is recorded.
    pub(super) fn forget_untraced(&self) {
        for provider in &self.all {
            provider.state().untraced = None;
        }
    }

    /// The providers that answer with the ends of their chains: the highest first, then by preference. One that could not trace
    /// the next block comes last.
    pub async fn tips(self: &Arc<Self>) -> Vec<(Arc<Provider>, Tip)> {
        self.start_probes();
        let ready = self.all.iter().filter(|provider| provider.is_ready());
        let asked = join_all(ready.map(|provider| async {
            match provider.rpc.tip(self.finality).await {
                Ok(tip) => {
                    self.note_height(provider, tip.latest.number);
                    Some((Arc::clone(provider), tip))
                }
                Err(error) => {
                    self.fail(provider, &error);
                    None
                }
            }
        }));
        let mut tips: Vec<_> = asked.await.into_iter().flatten().collect();
        // Stable, so the preference decides among equals.
        tips.sort_by_key(|(provider, tip)| {
            let is_untraced = provider.state().untraced.is_some();
            (is_untraced, std::cmp::Reverse(tip.latest.number))
        });
        tips
    }

    fn note_height(&self, provider: &Provider, height: u64) {
        let mut state = provider.state();
        state.health.height = Some(height);
        state.health.last_success = Some(edge::now());
        // After a failure, only a whole block shows that the provider is back: some answer small requests only.
        if state.failures == 0 {
            state.silent_since = None;
        }
    }

    /// Notes a failure; the provider is not asked for a while.
    pub(super) fn fail(&self, provider: &Provider, error: &RpcError) {
        let mut state = provider.state();
        let now = Instant::now();
        let doubled = self
            .timing
            .retry_min
            .saturating_mul(1 << state.failures.min(16));
        let wait = doubled.min(self.timing.retry_max);
        let wait = wait.max(error.failure.retry_after().unwrap_or_default());
        let was_ready = std::mem::replace(&mut state.health.is_ready, false);
        state.failures = state.failures.saturating_add(1);
        state.retry_at = now + wait;
        state.silent_since = match error.failure.is_unavailable() {
            true => state.silent_since.or(Some(now)),
            false => None,
        };
        let text = error.to_string();
        let is_news = was_ready
            || (state.health.last_error.as_ref()).is_none_or(|(_, latest)| *latest != text);
        state.health.last_error = Some((edge::now(), text));
        if is_news {
            let retry_in_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            tracing::warn!(chain = %self.chain, host = provider.rpc.host(), %error, retry_in_ms, "chain provider failed");
        }
    }

    /// Probes the providers whose time has come, beside the work: one that hangs does not hold up the others.
    fn start_probes(self: &Arc<Self>) {
        for provider in &self.all {
            let mut state = provider.state();
            let is_due = !state.health.is_ready && !state.is_probed;
            if is_due && state.retry_at <= Instant::now() {
                state.is_probed = true;
                let (providers, provider) = (Arc::clone(self), Arc::clone(provider));
                tokio::spawn(async move { providers.probe(&provider).await });
            }
        }
    }

    async fn probe(&self, provider: &Provider) {
        let expected = u64::try_from(self.chain.get()).unwrap_or_default();
        let probed = provider.rpc.check_chain(expected).await;
        if let Err(error) = &probed {
            self.fail(provider, error);
        }
        let mut state = provider.state();
        state.is_probed = false;
        if probed.is_ok() {
            state.health.is_ready = true;
            state.health.last_success = Some(edge::now());
            tracing::info!(chain = %self.chain, host = provider.rpc.host(), "chain provider ready");
        }
    }
}
