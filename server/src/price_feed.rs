//! Fetches prices from the connected sources and reports what they answer.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use settlekit_service::StoreError;
use settlekit_service::price_feed::{Fetched, PriceRound};
use settlekit_service::price_sources::{BODY_MAX, PriceError, PriceQuery};
use tokio::sync::watch;

use crate::{Host, edge, outbound_error, rounds};

/// The interval at which due sources are looked up.
const POLL: Duration = Duration::from_secs(1);

/// The time until the whole answer of a request is there.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The time for all requests of a round: less than the service waits for a report.
const ROUND_TIMEOUT: Duration = Duration::from_secs(45);

/// The HTTP client for sources and for nodes that are asked about contracts.
pub(crate) fn http_client() -> Result<Client, String> {
    Client::builder()
        // Another host could answer anything.
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(Duration::from_secs(5))
        .timeout(REQUEST_TIMEOUT)
        .user_agent(concat!("Settlekit/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(outbound_error::describe)
}

/// Asks all sources until told to stop; a sandbox has none. Rounds that are under way then are asked again after the next start.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    let client = match http_client() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "price feed failed to start");
            return;
        }
    };
    rounds::run(
        stop,
        POLL,
        async || due_rounds(&host).await,
        |round| ask(Arc::clone(&host), client.clone(), round),
    )
    .await;
}

async fn due_rounds(host: &Host) -> Result<Vec<PriceRound>, StoreError> {
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
        let answer = tokio::time::timeout_at(deadline, fetch(&client, query)).await;
        let answer = answer.unwrap_or(Err(PriceError::TimedOut));
        fetched.push(answer.unwrap_or_else(Fetched::Failed));
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

async fn fetch(client: &Client, query: &PriceQuery) -> Result<Fetched, PriceError> {
    let request = match &query.body {
        None => client.get(&query.url),
        Some(body) => client
            .post(&query.url)
            .header(CONTENT_TYPE, "application/json")
            .body(body.clone()),
    };
    let response = request.send().await.map_err(unreachable)?;
    let (status, retry_after) = (response.status().as_u16(), retry_after(&response));
    let body = body(response).await?;
    Ok(Fetched::Answer {
        status,
        body,
        retry_after,
    })
}

async fn body(mut response: Response) -> Result<Vec<u8>, PriceError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > BODY_MAX {
            return Err(PriceError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn unreachable(error: reqwest::Error) -> PriceError {
    match error.is_timeout() {
        true => PriceError::TimedOut,
        false => PriceError::Unreachable,
    }
}

/// The seconds of `Retry-After`; a date is ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    Some(Duration::from_secs(seconds.trim().parse().ok()?))
}
