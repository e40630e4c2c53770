//! Reads the pools of connected exchanges and reports the nodes' answers.

use std::sync::Arc;
use std::time::Duration;

use settlekit_service::StoreError;
use settlekit_service::pool_reader::PoolRound;
use tokio::sync::watch;

use crate::{Host, edge, rounds};

/// The interval at which due pools are looked up.
const POLL: Duration = Duration::from_secs(5);

/// The time for all calls of a round: less than the service waits for a report.
const ROUND_TIMEOUT: Duration = Duration::from_secs(45);

/// Reads all pools until the server stops; a sandbox has none. Rounds that are under way then are read again after the next start.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    rounds::run(
        "pools",
        stop,
        POLL,
        || due_rounds(Arc::clone(&host)),
        |round| read(Arc::clone(&host), round),
    )
    .await;
}

async fn due_rounds(host: Arc<Host>) -> Result<Vec<PoolRound>, StoreError> {
    let due = host
        .read(|service, database| service.due_pools(database, edge::now()))
        .await?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    host.write(|service, database, seed| service.pool_rounds(database, edge::now(), seed))
        .await
}

/// Sends the calls of a round to every node and reports the answers.
async fn read(host: Arc<Host>, round: PoolRound) {
    let answers = host.contracts.ask(&round.calls, ROUND_TIMEOUT).await;
    let chain = round.calls.chain;
    let reported = host.write(move |service, database, seed| {
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
