//! Asks nodes for the quotes of conversions on chains, and reports what they answer. A crash at any point converts nothing twice.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use settlekit_service::StoreError;
use settlekit_service::conversion_calls::Conversion;
use tokio::sync::watch;

use crate::{Host, edge, rounds};

/// The interval at which conversions are looked up.
const POLL: Duration = Duration::from_secs(2);

/// The time for the calls of all chains of an account together: less than the service waits for a report.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Asks until the server stops; a sandbox has no nodes.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    rounds::run(
        "conversions",
        stop,
        POLL,
        || due(Arc::clone(&host)),
        |conversion| convert(Arc::clone(&host), conversion),
    )
    .await;
}

async fn due(host: Arc<Host>) -> Result<Vec<Conversion>, StoreError> {
    let is_due = host
        .read(|service, database| service.has_due_conversions(database, edge::now()))
        .await?;
    if !is_due {
        return Ok(Vec::new());
    }
    let (conversions, failures) = host
        .write(|service, database, seed| service.claim_conversions(database, edge::now(), seed))
        .await?;
    warn(failures);
    Ok(conversions)
}

async fn convert(host: Arc<Host>, conversion: Conversion) {
    let asked = conversion.calls.iter();
    let asked = asked.map(|calls| host.contracts.ask(calls, TIMEOUT));
    let answers = join_all(asked).await;
    let reported = host.write(move |service, database, seed| {
        service.report_conversion(database, &conversion, &answers, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => {
            warn(failures);
            // The order is due, and events are to be delivered.
            host.due.notify_one();
            host.changed.send_replace(());
        }
        Err(error) => tracing::warn!(%error, "conversion report failed"),
    }
}

fn warn(failures: Vec<String>) {
    for failure in failures {
        tracing::warn!(%failure, "conversion failed");
    }
}
