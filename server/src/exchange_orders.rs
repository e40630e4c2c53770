//! Sends orders to exchanges, asks for their outcome, and reports what the exchanges answer.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use settlekit_service::StoreError;
use settlekit_service::exchange::OrderRound;
use tokio::sync::watch;

use crate::balance_reader::{BODY_MAX, request};
use crate::{Host, edge, rounds, web_client};

/// The interval at which due orders are looked up.
const POLL: Duration = Duration::from_secs(1);

/// Sends all orders until told to stop; a sandbox has none.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    rounds::run_live("exchange orders", host, stop, POLL, due_rounds, ask).await;
}

async fn due_rounds(host: Arc<Host>) -> Result<Vec<OrderRound>, StoreError> {
    let is_due = host
        .read(|service, database| service.has_due_exchange_orders(database, edge::now()))
        .await?;
    if !is_due {
        return Ok(Vec::new());
    }
    let (rounds, failures) = host
        .write(|service, database, seed| service.exchange_order_rounds(database, edge::now(), seed))
        .await?;
    warn(failures);
    Ok(rounds)
}

/// Makes the requests of a round, one after the other: their nonces only go up.
async fn ask(host: Arc<Host>, client: Client, round: OrderRound) {
    let mut answers = Vec::new();
    for signed in round.requests() {
        answers.push(web_client::send(request(&client, signed), BODY_MAX).await);
    }
    let reported = host.write(move |service, database, seed| {
        service.report_exchange_order(database, &round, &answers, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => warn(failures),
        // The order is asked about again.
        Err(error) => tracing::warn!(%error, "report of an exchange order failed"),
    }
}

fn warn(failures: Vec<String>) {
    for failure in failures {
        tracing::warn!(%failure, "exchange alarm");
    }
}
