//! Asks nodes for the quotes of conversions on chains, and reports what they answer.
//!
//! A conversion without a report is asked for again, so a crash at any point loses nothing and converts nothing twice.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use settlekit_service::conversion_calls::Conversion;
use settlekit_service::{Database, Seed, Service, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Ending;
use crate::{Host, edge};

/// The interval at which conversions are looked up.
const POLL: Duration = Duration::from_secs(2);

/// The time for the calls of all chains of an account together: less than the service waits for a report.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Asks until told to stop; a sandbox has no nodes.
pub(crate) async fn run(host: Arc<Host>, mut stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    let mut asked = JoinSet::new();
    loop {
        match due(&host).await {
            Ok(conversions) => {
                for conversion in conversions {
                    asked.spawn(convert(Arc::clone(&host), conversion));
                }
            }
            Err(error) => tracing::warn!(%error, "conversion query failed"),
        }
        while asked.try_join_next().is_some() {}
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

async fn due(host: &Host) -> Result<Vec<Conversion>, StoreError> {
    let service = host.service.clone();
    let is_due = host
        .engine
        .read(move |database| service.has_due_conversions(database, edge::now()))
        .await?;
    if !is_due {
        return Ok(Vec::new());
    }
    let (conversions, failures) = write(host, |service, database, seed| {
        service.claim_conversions(database, edge::now(), seed)
    })
    .await?;
    warn(failures);
    Ok(conversions)
}

async fn convert(host: Arc<Host>, conversion: Conversion) {
    let asked = conversion.calls.iter();
    let asked = asked.map(|calls| host.contracts.ask(calls, TIMEOUT));
    let answers = join_all(asked).await;
    let reported = write(&host, move |service, database, seed| {
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

async fn write<T: Send + 'static>(
    host: &Host,
    call: impl Fn(&Service, &mut dyn Database, Seed) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let (service, seed) = (host.service.clone(), edge::seed()?);
    let work =
        move |database: &mut dyn Database| call(&service, database, seed).map(Ending::Commit);
    host.engine.write(work).await
}
