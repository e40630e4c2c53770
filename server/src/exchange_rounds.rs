//! Sends the requests of exchange accounts, for balances and about orders and withdrawals, and reports what the exchanges answer.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder};
use settlekit_service::StoreError;
use settlekit_service::exchange::{ExchangeRound, SignedRequest};
use tokio::sync::watch;

use crate::{Host, edge, rounds, web_client};

/// The interval at which due rounds are looked up.
const POLL: Duration = Duration::from_secs(1);

/// The most bytes of an answer: Kraken has some hundred assets.
pub(crate) const BODY_MAX: usize = 1 << 20;

/// Asks all exchanges until the server stops; a sandbox has no exchange accounts.
pub(crate) async fn run(host: Arc<Host>, stop: watch::Receiver<bool>) {
    rounds::run_live("exchange accounts", host, stop, POLL, due_rounds, ask).await;
}

async fn due_rounds(host: Arc<Host>) -> Result<Vec<ExchangeRound>, StoreError> {
    let is_due = host
        .read(|service, database| service.has_due_exchanges(database, edge::now()))
        .await?;
    if !is_due {
        return Ok(Vec::new());
    }
    let (rounds, failures) = host
        .write(|service, database, seed| service.exchange_rounds(database, edge::now(), seed))
        .await?;
    warn(failures);
    Ok(rounds)
}

/// Makes the requests of a round, one after the other: their nonces only go up.
async fn ask(host: Arc<Host>, client: Client, round: ExchangeRound) {
    let mut answers = Vec::new();
    for signed in round.requests() {
        answers.push(web_client::send(request(&client, signed), BODY_MAX).await);
    }
    let reported = host.write(move |service, database, seed| {
        service.report_exchange(database, &round, &answers, edge::now(), seed)
    });
    match reported.await {
        Ok(failures) => warn(failures),
        // The exchange is asked again.
        Err(error) => tracing::warn!(%error, "report of an exchange account failed"),
    }
}

/// A signed request of an exchange account. No log shows its headers.
pub(crate) fn request(client: &Client, signed: &SignedRequest) -> RequestBuilder {
    let mut request = client
        .post(&signed.url)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(signed.body.clone());
    for (name, value) in &signed.headers {
        // Neither an API key nor base64 has other characters than headers may have.
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(true);
            request = request.header(*name, value);
        }
    }
    request
}

pub(crate) fn warn(failures: Vec<String>) {
    for failure in failures {
        tracing::warn!(%failure, "exchange alarm");
    }
}
