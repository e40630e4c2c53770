//! Reports the state of nodes from the watchers to the service, for the operator's page and the metrics of all servers.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use settlekit_core::installation::{ChainReport, ProviderReport};
use settlekit_core::value::{ChainId, Timestamp};

use super::health::{ChainHealth, Health};
use super::store::ChainStore;

/// The time between two reports of a chain on which nothing but its height changed: each is a write.
const INTERVAL: Duration = Duration::from_secs(10);

/// The reports of this process.
#[derive(Debug, Default)]
pub struct Reports(BTreeMap<ChainId, ReportedState>);

/// The latest report of a chain.
#[derive(Debug)]
struct ReportedState {
    at: Instant,
    problem: Option<String>,
    ready: Vec<bool>,
}

impl Reports {
    /// Reports the chains whose nodes changed their state, and the others from time to time.
    pub async fn send_due<S: ChainStore>(
        &mut self,
        store: &S,
        health: &Health,
        (now, at): (Instant, Timestamp),
    ) {
        let all = health.all();
        self.0.retain(|chain, _| all.contains_key(chain));
        for (chain, health) in all {
            let told = ReportedState {
                at: now,
                problem: health.problem.clone(),
                ready: health.providers.iter().map(|one| one.is_ready).collect(),
            };
            let is_due = self.0.get(&chain).is_none_or(|before| {
                before.problem != told.problem
                    || before.ready != told.ready
                    || now.duration_since(before.at) >= INTERVAL
            });
            if !is_due {
                continue;
            }
            match store.report_chain(chain, report(health, at)).await {
                Ok(()) => {
                    self.0.insert(chain, told);
                }
                Err(error) => tracing::warn!(%chain, %error, "chain report failed"),
            }
        }
    }
}

fn report(health: ChainHealth, at: Timestamp) -> ChainReport {
    let heights = health.providers.iter().filter_map(|one| one.height);
    ChainReport {
        reported_at: at,
        head_at: health.head_at,
        node_head: heights.max(),
        problem: health.problem,
        providers: health
            .providers
            .into_iter()
            .map(|one| {
                let (last_error_at, last_error) = one.last_error.unzip();
                ProviderReport {
                    host: one.host,
                    ready: one.is_ready,
                    head: one.height,
                    lag: one.lag,
                    last_success_at: one.last_success,
                    last_error,
                    last_error_at,
                }
            })
            .collect(),
    }
}
