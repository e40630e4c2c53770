//! Webhook sender: claims due deliveries, sends them, reports the results.
//!
//! A claim without a report (the process was killed) becomes due again: an endpoint may receive an event twice, but misses none.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use settlekit_service::delivery::RESPONSE_BYTES_MAX;
use settlekit_service::{Database, DeliveryOutcome, Outbound};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Ending;
use crate::guard::{PublicResolver, check_host};
use crate::{Host, edge, outbound_error};

/// The polling interval for deliveries that become due by time.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Maximum concurrent deliveries.
const CONCURRENT_MAX: usize = 512;

/// Bytes read of an endpoint's response.
const ANSWER_MAX: usize = RESPONSE_BYTES_MAX;

/// The time for pending deliveries to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs until the server stops.
pub(crate) async fn run(host: Arc<Host>, mut stop: watch::Receiver<bool>) {
    let sender = Arc::new(Sender::new(host.allow_private));
    let mut under_way = JoinSet::new();
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            () = host.due.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
        while under_way.try_join_next().is_some() {}
        while under_way.len() < CONCURRENT_MAX {
            let due = claim(&host).await;
            if due.is_empty() {
                break;
            }
            for outbound in due {
                let (host, sender) = (Arc::clone(&host), Arc::clone(&sender));
                under_way.spawn(async move { deliver(&host, &sender, outbound).await });
            }
        }
    }
    let ended = tokio::time::timeout(STOP_TIMEOUT, async {
        while under_way.join_next().await.is_some() {}
    })
    .await;
    if ended.is_err() {
        tracing::warn!(count = under_way.len(), "webhook deliveries interrupted");
    }
}

async fn claim(host: &Host) -> Vec<Outbound> {
    let due = async {
        let (service, seed) = (host.service.clone(), edge::seed()?);
        let work = move |database: &mut dyn Database| {
            let due = service.run_due_jobs(database, edge::now(), seed)?;
            Ok(Ending::Commit(due))
        };
        host.engine.write(work).await
    };
    let (due, failures) = due.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "due work query failed");
        Default::default()
    });
    for failure in failures {
        host.metrics.due_job_failed();
        tracing::error!(%failure, retry_in_s = 3600, "due job failed");
    }
    due
}

async fn deliver(host: &Host, sender: &Sender, outbound: Outbound) {
    let outcome = sender.send(&outbound).await;
    let event = outbound.message.event;
    let taken = matches!(
        &outcome,
        DeliveryOutcome::Answered {
            status: 200..=299,
            ..
        }
    );
    host.metrics.delivered(taken);
    let reported = async {
        let (service, seed) = (host.service.clone(), edge::seed()?);
        let report = move |database: &mut dyn Database| {
            service.report(database, &outbound.message, &outcome, edge::now(), seed)?;
            Ok(Ending::Commit(()))
        };
        host.engine.write(report).await
    };
    match reported.await {
        // Its slot is free for the next delivery of the organisation.
        Ok(()) => host.due.notify_one(),
        Err(error) => {
            tracing::warn!(event_id = %event, %error, "webhook outcome not saved");
        }
    }
}

struct Sender {
    /// The error if the client could not be built.
    client: Result<Client, String>,
    allow_private: bool,
}

impl Sender {
    fn new(allow_private: bool) -> Self {
        let mut builder = Client::builder()
            .redirect(Policy::none())
            // A proxy would resolve names itself and bypass the guard.
            .no_proxy()
            .connect_timeout(Duration::from_secs(10))
            .pool_max_idle_per_host(4)
            .user_agent(concat!("Settlekit/", env!("CARGO_PKG_VERSION")));
        if !allow_private {
            builder = builder.dns_resolver(Arc::new(PublicResolver));
        }
        Self {
            client: builder.build().map_err(outbound_error::describe),
            allow_private,
        }
    }

    async fn send(&self, outbound: &Outbound) -> DeliveryOutcome {
        let since = Instant::now();
        let took = || u32::try_from(since.elapsed().as_millis()).unwrap_or(u32::MAX);
        match self.exchange(outbound).await {
            Ok((status, headers, body)) => DeliveryOutcome::Answered {
                status,
                headers,
                body,
                duration_ms: took(),
            },
            Err(error) => DeliveryOutcome::Failed {
                error,
                duration_ms: took(),
            },
        }
    }

    async fn exchange(
        &self,
        outbound: &Outbound,
    ) -> Result<(u16, Vec<(String, String)>, Vec<u8>), String> {
        let client = self.client.as_ref().map_err(Clone::clone)?;
        let request = outbound.to_http().map_err(|error| error.to_string())?;
        let request = reqwest::Request::try_from(request).map_err(outbound_error::describe)?;
        if !self.allow_private {
            check_host(request.url())?;
        }
        let exchange = async {
            let mut response = client
                .execute(request)
                .await
                .map_err(outbound_error::describe)?;
            let headers = response.headers().iter();
            let headers = headers.map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes());
                (name.to_string(), value.into_owned())
            });
            let (status, headers) = (response.status().as_u16(), headers.collect());
            let body = body(&mut response).await?;
            Ok((status, headers, body))
        };
        match tokio::time::timeout(outbound.timeout, exchange).await {
            Ok(exchanged) => exchanged,
            Err(_) => Err(format!("no answer within {} s", outbound.timeout.as_secs())),
        }
    }
}

/// The beginning of the response body; the rest is not awaited.
async fn body(response: &mut Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(outbound_error::describe)? {
        let room = ANSWER_MAX - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == ANSWER_MAX {
            break;
        }
    }
    Ok(body)
}
