//! Reads the pools of connected exchanges and reports what nodes answer.
//!
//! The service says what to ask and when. A round without a report is read again, so a crash at any point loses nothing.

use std::sync::Arc;
use std::time::Duration;

use settlekit_service::pool_reader::PoolRound;
use settlekit_service::{Database, Seed, Service, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Ending;
use crate::{Host, edge};

/// The interval at which due pools are looked up.
const POLL: Duration = Duration::from_secs(5);

/// The time for all calls of a round: less than the service waits for a report.
const ROUND_TIMEOUT: Duration = Duration::from_secs(45);

/// Reads all pools until told to stop; a sandbox has none. Rounds that are under way then are read again after the next start.
pub(crate) async fn run(host: Arc<Host>, mut stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    // A chain that hangs holds up no other.
    let mut rounds = JoinSet::new();
    loop {
        match due_rounds(&host).await {
            Ok(due) => {
                for round in due {
                    rounds.spawn(read(Arc::clone(&host), round));
                }
            }
            Err(error) => tracing::warn!(%error, "venue query failed"),
        }
        while rounds.try_join_next().is_some() {}
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

async fn due_rounds(host: &Host) -> Result<Vec<PoolRound>, StoreError> {
    let service = host.service.clone();
    let due = host
        .engine
        .read(move |database| service.due_pools(database, edge::now()))
        .await?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    write(host, |service, database, seed| {
        service.pool_rounds(database, edge::now(), seed)
    })
    .await
}

async fn write<T: Send + 'static>(
    host: &Host,
    call: impl Fn(&Service, &mut dyn Database, Seed) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let (service, seed) = (host.service.clone(), edge::seed()?);
    let work =
        move |database: &mut dyn Database| call(&service, database, seed).map(Ending::Commit);
    host.engine.write(work).await
}

/// Sends the calls of a round to every node and reports the answers.
async fn read(host: Arc<Host>, round: PoolRound) {
    let answers = host.contracts.ask(&round.calls, ROUND_TIMEOUT).await;
    let chain = round.calls.chain;
    let reported = write(&host, move |service, database, seed| {
        service.report_pools(database, &round, &answers, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => {
            for failure in failures {
                tracing::warn!(%chain, %failure, "venue alarm");
            }
        }
        Err(error) => tracing::warn!(%chain, %error, "pool report failed"),
    }
}
