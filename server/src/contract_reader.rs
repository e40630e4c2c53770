//! Reads contracts through the nodes of connected chains.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use settlekit_service::contract_calls::{CallBatch, CallError};
use settlekit_service::node_calls::{NodeAnswers, NodeCalls};
use tokio::time::Instant;

use crate::web_client;

/// The most bytes of an answer: a hundred calls return a tenth of it.
const BODY_MAX: usize = 1024 * 1024;

/// The client for nodes, built when it is first needed: a sandbox needs none.
#[derive(Debug, Default)]
pub(crate) struct ContractReader(OnceLock<Option<Client>>);

impl ContractReader {
    /// Every node's answers to calls. A node that exceeds the time limit has none.
    pub(crate) async fn ask(&self, calls: &NodeCalls, timeout: Duration) -> Vec<NodeAnswers> {
        let Some(client) = self.client() else {
            return Vec::new();
        };
        let deadline = Instant::now() + timeout;
        let bodies: Arc<Vec<String>> =
            Arc::new(calls.batches.iter().map(CallBatch::request).collect());
        let asked = calls.nodes.iter().map(|node| {
            let (client, node, bodies) = (client.clone(), node.clone(), Arc::clone(&bodies));
            tokio::spawn(async move {
                let mut answers = Vec::with_capacity(bodies.len());
                for body in bodies.iter() {
                    let answer =
                        tokio::time::timeout_at(deadline, post(&client, &node, body)).await;
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

    fn client(&self) -> Option<&Client> {
        let built = self.0.get_or_init(|| match web_client::build() {
            Ok(client) => Some(client),
            Err(error) => {
                tracing::error!(%error, "contract reader failed to start");
                None
            }
        });
        built.as_ref()
    }
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
