//! Transfers by contracts in blocks, from the traces of a node.
//!
//! Anybody can make a transaction whose trace is too large or takes too long. A block that a node cannot trace as a whole is traced
//! transaction by transaction, and a transaction that cannot be traced either is named. A node that is ill traces nothing: it must
//! give other traces before a transaction is blamed.

use alloy_primitives::B256;
use futures_util::future::join_all;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::answer::FullBlock;
use super::encoding::Hex;
use super::node::text;
use super::rpc::{Rpc, RpcError, RpcFailure};
use super::trace::{self, Moved};

pub(super) const TRACE_BLOCK: &str = "debug_traceBlockByHash";
const TRACE_TRANSACTION: &str = "debug_traceTransaction";

/// Transactions traced at once.
const AT_ONCE: usize = 4;

/// The blocks before one that are traced to see whether a node traces at all.
const ANCESTORS: u32 = 8;

/// The transfers by contracts in a transaction; `None` without its trace.
pub type Traced = Option<Vec<Moved>>;

fn params(of: B256) -> Value {
    json!([text(of), { "tracer": "callTracer" }])
}

impl Rpc {
    /// The transfers by contracts in blocks, for each transaction.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn moved_in_blocks(
        &self,
        blocks: &[&FullBlock],
    ) -> Result<Vec<Vec<Traced>>, RpcError> {
        let asked = blocks.iter().map(|block| params(block.header.hash));
        let answers: Vec<Vec<TraceAnswer>> = self.batch(TRACE_BLOCK, asked.collect()).await?;
        let hashes: Vec<Vec<B256>> = blocks
            .iter()
            .map(|block| block.transactions.iter().map(|one| one.hash).collect())
            .collect();
        // Traces may be large, and deep on purpose.
        let read = tokio::task::spawn_blocking(move || {
            let blocks = hashes.iter().zip(answers);
            blocks
                .map(|(hashes, traces)| read_traces(hashes, traces))
                .collect()
        });
        let read: Result<Vec<_>, String> =
            read.await.unwrap_or_else(|_| Err("no trace".to_owned()));
        read.map_err(|reason| self.impossible(TRACE_BLOCK, reason))
    }

    /// The transfers by contracts in a block, for each transaction; `None` for one that the node cannot trace, although it traces others.
    ///
    /// # Errors
    /// Any failure of the calls that is not due to a transaction.
    pub async fn moved_in(&self, block: &FullBlock) -> Result<Vec<Traced>, RpcError> {
        match self.moved_in_blocks(&[block]).await {
            Ok(mut traced) => Ok(traced.pop().unwrap_or_default()),
            Err(error) if error.failure.may_be_of_request() => {
                tracing::warn!(block = %block.header.hash, %error, "block trace failed");
                self.moved_by_each(block).await
            }
            Err(error) => Err(error),
        }
    }

    async fn moved_by_each(&self, block: &FullBlock) -> Result<Vec<Traced>, RpcError> {
        let mut traced = Vec::with_capacity(block.transactions.len());
        let mut failed = None;
        for transactions in block.transactions.chunks(AT_ONCE) {
            let asked = transactions.iter().map(|one| self.moved_by(one.hash));
            for moved in join_all(asked).await {
                match moved {
                    Ok(moved) => traced.push(Some(moved)),
                    Err(error) if error.failure.may_be_of_request() => {
                        // A node that hangs answers nothing else either.
                        if matches!(error.failure, RpcFailure::TimedOut(_)) {
                            self.header_of(block.header.hash).await?;
                        }
                        failed = Some(error);
                        traced.push(None);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        match failed {
            Some(error)
                if traced.iter().all(Option::is_none) && !self.traces_before(block).await? =>
            {
                Err(error)
            }
            _ => Ok(traced),
        }
    }

    async fn moved_by(&self, transaction: B256) -> Result<Vec<Moved>, RpcError> {
        let trace: Box<RawValue> = self.call(TRACE_TRANSACTION, params(transaction)).await?;
        let read = tokio::task::spawn_blocking(move || trace::moved(trace.get()));
        let read = read.await.unwrap_or_else(|_| Err("no trace".to_owned()));
        read.map_err(|reason| self.impossible(TRACE_TRANSACTION, reason))
    }

    /// Whether the node traces one of the latest blocks before a block. Empty blocks prove nothing.
    async fn traces_before(&self, block: &FullBlock) -> Result<bool, RpcError> {
        let mut hash = block.header.parent;
        for _ in 0..ANCESTORS {
            let traced: Result<Vec<IgnoredAny>, RpcError> =
                self.call(TRACE_BLOCK, params(hash)).await;
            if traced.is_ok_and(|traces| !traces.is_empty()) {
                return Ok(true);
            }
            match self.header_of(hash).await? {
                Some(header) => hash = header.parent,
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Whether the node traces the transactions of a block, which not all do.
    pub async fn can_trace(&self, block: B256) -> bool {
        let traced: Result<Vec<IgnoredAny>, RpcError> = self.call(TRACE_BLOCK, params(block)).await;
        traced.is_ok()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TraceAnswer {
    #[serde(default)]
    tx_hash: Option<Hex<B256>>,
    /// Some nodes put an error in its place.
    #[serde(default)]
    result: Option<Box<RawValue>>,
}

/// The traces of a block, one for each transaction, in order.
fn read_traces(hashes: &[B256], traces: Vec<TraceAnswer>) -> Result<Vec<Traced>, String> {
    if traces.len() != hashes.len() {
        return Err(format!(
            "{} traces of {} transactions",
            traces.len(),
            hashes.len()
        ));
    }
    let read = |(hash, trace): (&B256, TraceAnswer)| match trace.tx_hash {
        Some(of) if of.0 != *hash => Err(format!("the trace of another transaction than {hash}")),
        _ => {
            let result = trace.result.ok_or_else(|| format!("no trace of {hash}"))?;
            trace::moved(result.get()).map(Some)
        }
    };
    hashes.iter().zip(traces).map(read).collect()
}
