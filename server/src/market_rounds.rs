//! Reads the order books of markets at exchange accounts, and reports what the exchanges answer.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use settlekit_service::StoreError;
use settlekit_service::exchange::MarketRound;
use tokio::sync::watch;

use crate::exchange_rounds::{BODY_MAX, warn};
use crate::{Host, edge, rounds, web_client};

/// The interval at which due rounds are looked up.
const POLL: Duration = Duration::from_secs(1);

/// Reads all order books until the server stops; a sandbox has none.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    rounds::run_live("order books", host, stop, POLL, due_rounds, ask).await;
}

async fn due_rounds(host: Arc<Host>) -> Result<Vec<MarketRound>, StoreError> {
    let is_due = host
        .read(|service, database| service.has_due_markets(database, edge::now()))
        .await?;
    if !is_due {
        return Ok(Vec::new());
    }
    host.write(|service, database, _| service.market_rounds(database, edge::now()))
        .await
}

async fn ask(host: Arc<Host>, client: Client, round: MarketRound) {
    let answer = web_client::send(client.get(&round.url), BODY_MAX).await;
    let reported = host.write(move |service, database, seed| {
        service.report_market(database, &round, &answer, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => warn(failures),
        // It is read again.
        Err(error) => tracing::warn!(%error, "report of an order book failed"),
    }
}
