//! Fetches prices from the connected sources and reports their answers.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder};
use settlekit_service::StoreError;
use settlekit_service::price_feed::PriceRound;
use settlekit_service::price_sources::{BODY_MAX, PriceQuery};
use settlekit_service::web_answer::{WebAnswer, WebError};
use tokio::sync::watch;

use crate::{Host, edge, rounds, web_client};

/// The interval at which due sources are looked up.
const POLL: Duration = Duration::from_secs(1);

/// The time for all requests of a round: less than the service waits for a report.
const ROUND_TIMEOUT: Duration = Duration::from_secs(45);

/// Asks all sources until the server stops; a sandbox has none. Rounds that are under way then are asked again after the next start.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    rounds::run_live("prices", host, stop, POLL, due_rounds, ask).await;
}

async fn due_rounds(host: Arc<Host>) -> Result<Vec<PriceRound>, StoreError> {
    let due = host
        .read(|service, database| service.due_price_sources(database, edge::now()))
        .await?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    host.write(|service, database, seed| service.price_rounds(database, edge::now(), seed))
        .await
}

/// Makes the requests of a round and reports the answers.
async fn ask(host: Arc<Host>, client: Client, round: PriceRound) {
    let deadline = tokio::time::Instant::now() + ROUND_TIMEOUT;
    let mut fetched = Vec::with_capacity(round.queries.len());
    for query in &round.queries {
        let answer = web_client::send(request(&client, query), BODY_MAX);
        let answer = tokio::time::timeout_at(deadline, answer).await;
        fetched.push(answer.unwrap_or(WebAnswer::Failed(WebError::TimedOut)));
    }
    let source = round.source;
    let reported = host.write(move |service, database, seed| {
        service.report_prices(database, &round, &fetched, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => {
            for failure in failures {
                tracing::warn!(%source, %failure, "price alarm");
            }
        }
        Err(error) => tracing::warn!(%source, %error, "price report failed"),
    }
}

fn request(client: &Client, query: &PriceQuery) -> RequestBuilder {
    match &query.body {
        None => client.get(&query.url),
        Some(body) => client
            .post(&query.url)
            .header(CONTENT_TYPE, "application/json")
            .body(body.clone()),
    }
}
