//! Reads the pools of connected exchanges and reports what nodes answer.
//!
//! The service says what to ask and when. A round without a report is read again, so a crash at any point loses nothing.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use settlekit_service::contract_calls::{CallBatch, CallError};
use settlekit_service::pool_reader::{NodeAnswers, PoolRound};
use settlekit_service::{Database, Seed, Service, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Ending;
use crate::{Host, edge, price_feed};

/// The interval at which due pools are looked up.
const POLL: Duration = Duration::from_secs(5);

/// The time for all calls of a round: less than the service waits for a report.
const ROUND_TIMEOUT: Duration = Duration::from_secs(45);

/// The most bytes of an answer: a hundred calls return a tenth of it.
const BODY_MAX: usize = 1024 * 1024;

/// Reads all pools until told to stop; a sandbox has none. Rounds that are under way then are read again after the next start.
pub(crate) async fn run(host: Arc<Host>, mut stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    let client = match price_feed::http_client() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "pool reader failed to start");
            return;
        }
    };
    // A chain that hangs holds up no other.
    let mut rounds = JoinSet::new();
    loop {
        match due_rounds(&host).await {
            Ok(due) => {
                for round in due {
                    rounds.spawn(read(Arc::clone(&host), client.clone(), round));
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
async fn read(host: Arc<Host>, client: Client, round: PoolRound) {
    let answers = ask_nodes(&client, &round.nodes, &round.batches, ROUND_TIMEOUT).await;
    let chain = round.chain;
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

/// What every node answers to batches of calls. A node that is slower than the time has no answer.
async fn ask_nodes(
    client: &Client,
    nodes: &[String],
    batches: &[CallBatch],
    timeout: Duration,
) -> Vec<NodeAnswers> {
    let deadline = tokio::time::Instant::now() + timeout;
    let bodies: Arc<Vec<String>> = Arc::new(batches.iter().map(CallBatch::request).collect());
    let asked = nodes.iter().map(|node| {
        let (client, node, bodies) = (client.clone(), node.clone(), Arc::clone(&bodies));
        tokio::spawn(async move {
            let mut answers = Vec::with_capacity(bodies.len());
            for body in bodies.iter() {
                let answer = tokio::time::timeout_at(deadline, post(&client, &node, body)).await;
                answers.push(answer.unwrap_or(Err(CallError::Unreachable)));
            }
            answers
        })
    });
    let asked: Vec<_> = asked.collect();
    let mut answers = Vec::with_capacity(asked.len());
    for node in asked {
        // A node without answers counts as one that must agree.
        answers.push(node.await.unwrap_or_default());
    }
    answers
}

async fn post(client: &Client, node: &str, body: &str) -> Result<Vec<u8>, CallError> {
    let request = client
        .post(node)
        .header(CONTENT_TYPE, "application/json")
        .body(body.to_owned());
    let mut response = request.send().await.map_err(|_| CallError::Unreachable)?;
    if !response.status().is_success() {
        return Err(CallError::Refused);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| CallError::Unreachable)? {
        if body.len() + chunk.len() > BODY_MAX {
            return Err(CallError::Malformed);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
