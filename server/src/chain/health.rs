//! The health of the providers of each chain, as plain data for metrics and pages.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::block::BlockId;

use crate::edge;

/// The health of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderHealth {
    /// The host, without the rest of the URL, which may contain a key.
    pub host: String,
    /// Whether the latest call succeeded.
    pub is_ready: bool,
    /// When a call last succeeded.
    pub last_success: Option<Timestamp>,
    /// When a call last failed, and why.
    pub last_error: Option<(Timestamp, String)>,
    /// The latest height that it reported.
    pub height: Option<u64>,
    /// The blocks that it is behind the highest provider.
    pub lag: Option<u64>,
}

impl ProviderHealth {
    pub(super) fn new(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            is_ready: false,
            last_success: None,
            last_error: None,
            height: None,
            lag: None,
        }
    }
}

/// The health of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHealth {
    /// The latest recorded block.
    pub head: BlockId,
    /// Since when it is the latest.
    pub head_at: Timestamp,
    /// The reason why the chain is halted, if it is.
    pub problem: Option<String>,
    /// The providers, in the order of preference.
    pub providers: Vec<ProviderHealth>,
}

impl ChainHealth {
    pub(super) fn new(
        head: BlockId,
        problem: Option<String>,
        mut providers: Vec<ProviderHealth>,
    ) -> Self {
        let highest = providers
            .iter()
            .filter_map(|provider| provider.height)
            .max();
        for provider in &mut providers {
            let lag = highest.zip(provider.height);
            provider.lag = lag.map(|(highest, height)| highest - height);
        }
        Self {
            head,
            head_at: edge::now(),
            problem,
            providers,
        }
    }
}

/// The health of all chains that this process watches.
#[derive(Debug, Default)]
pub struct Health(Mutex<BTreeMap<ChainId, ChainHealth>>);

impl Health {
    /// The health of each chain.
    pub fn all(&self) -> BTreeMap<ChainId, ChainHealth> {
        self.lock().clone()
    }

    pub(super) fn set(&self, chain: ChainId, mut health: ChainHealth) {
        let mut all = self.lock();
        if let Some(before) = all.get(&chain)
            && before.head == health.head
        {
            health.head_at = before.head_at;
        }
        all.insert(chain, health);
    }

    pub(super) fn remove(&self, chain: ChainId) {
        self.lock().remove(&chain);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ChainId, ChainHealth>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
