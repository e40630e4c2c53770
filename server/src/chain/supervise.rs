//! Starts and ends the watchers of chains as chains are connected, changed, paused and disconnected.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use reqwest::Client;
use settlekit_core::value::ChainId;
use settlekit_service::block::{BlockId, Watch};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::health::Health;
use super::provider::Timing;
use super::report::Reports;
use super::rpc;
use super::store::ChainStore;
use super::watch::Watcher;
use crate::edge;

/// A running watcher. Dropped, it ends: between two calls, or in one, whose effect is then complete or absent.
struct Running {
    settings: Watch,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Watches all chains until the server stops.
pub async fn run<S: ChainStore>(
    store: Arc<S>,
    timing: Timing,
    health: Arc<Health>,
    mut stop: watch::Receiver<bool>,
) {
    let client = match rpc::http_client() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "chain watch failed to start");
            return;
        }
    };
    let mut running = BTreeMap::new();
    let mut reports = Reports::default();
    loop {
        match store.watches().await {
            Ok(watches) => update(&mut running, watches, &store, &client, timing, &health),
            Err(error) => tracing::warn!(%error, "chain list query failed"),
        }
        let time = (Instant::now(), edge::now());
        reports.send_due(&*store, &health, time).await;
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(timing.refresh) => {}
        }
    }
}

fn update<S: ChainStore>(
    running: &mut BTreeMap<ChainId, Running>,
    watches: Vec<Watch>,
    store: &Arc<S>,
    client: &Client,
    timing: Timing,
    health: &Arc<Health>,
) {
    let wanted: BTreeMap<ChainId, Watch> = (watches.into_iter())
        .map(|watch| (watch.chain, watch))
        .collect();
    running.retain(|chain, running| {
        let is_same = (wanted.get(chain)).is_some_and(|watch| {
            settings(watch) == running.settings && !running.task.is_finished()
        });
        if !is_same {
            health.remove(*chain);
            tracing::info!(%chain, "chain watch ended");
        }
        is_same
    });
    for (chain, watch) in wanted {
        if running.contains_key(&chain) {
            continue;
        }
        let settings = settings(&watch);
        let number = watch.head.number;
        match Watcher::new(Arc::clone(store), watch, client, timing, Arc::clone(health)) {
            Ok(watcher) => {
                tracing::info!(%chain, number, "chain watch started");
                let task = tokio::spawn(watcher.run());
                running.insert(chain, Running { settings, task });
            }
            Err(error) => tracing::error!(%chain, error, "chain watch failed to start"),
        }
    }
}

/// A watch without its head, which changes by itself.
fn settings(watch: &Watch) -> Watch {
    Watch {
        head: BlockId {
            number: 0,
            hash: Default::default(),
        },
        ..watch.clone()
    }
}
