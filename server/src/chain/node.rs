//! The methods of a node that the reader calls.

use alloy_primitives::{Address, B256};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::answer::{
    FullBlock, FullBlockAnswer, Header, HeaderAnswer, LogAnswer, Receipt, ReceiptAnswer, TRANSFER,
    TokenTransfer,
};
use super::encoding::Hex;
use super::rpc::{Rpc, RpcError, RpcFailure};
use super::trace::{self, Moved};

/// A range of heights, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heights {
    /// The first height.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

impl Rpc {
    /// Checks that the node is of a chain.
    ///
    /// # Errors
    /// [`RpcFailure::WrongChain`] if it is not.
    pub async fn check_chain(&self, expected: u64) -> Result<(), RpcError> {
        const METHOD: &str = "eth_chainId";
        let found: Hex<u64> = self.call(METHOD, json!([])).await?;
        if found.0 == expected {
            return Ok(());
        }
        let found = found.0;
        Err(self.error(METHOD, RpcFailure::WrongChain { expected, found }))
    }

    /// The latest header.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn latest(&self) -> Result<Header, RpcError> {
        let answer: HeaderAnswer = self
            .call("eth_getBlockByNumber", json!(["latest", false]))
            .await?;
        Ok(answer.read_header())
    }

    /// The header at a height, if the node has it.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn header(&self, number: u64) -> Result<Option<Header>, RpcError> {
        const METHOD: &str = "eth_getBlockByNumber";
        let answer: Option<HeaderAnswer> = self.call(METHOD, json!([hex(number), false])).await?;
        match answer.map(HeaderAnswer::read_header) {
            Some(header) if header.number != number => Err(self.impossible(
                METHOD,
                format!("block {} instead of {number}", header.number),
            )),
            header => Ok(header),
        }
    }

    /// The header of a hash, if the node has it.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn header_of(&self, hash: B256) -> Result<Option<Header>, RpcError> {
        const METHOD: &str = "eth_getBlockByHash";
        let answer: Option<HeaderAnswer> = self.call(METHOD, json!([text(hash), false])).await?;
        match answer.map(HeaderAnswer::read_header) {
            Some(header) if header.hash != hash => {
                Err(self.impossible(METHOD, format!("block {} instead of {hash}", header.hash)))
            }
            header => Ok(header),
        }
    }

    /// The blocks at these heights with their transactions; `None` where the node has none.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn blocks(&self, heights: Heights) -> Result<Vec<Option<FullBlock>>, RpcError> {
        const METHOD: &str = "eth_getBlockByNumber";
        let params = |number| json!([hex(number), true]);
        let answers: Vec<Option<FullBlockAnswer>> = if heights.first == heights.last {
            vec![self.call(METHOD, params(heights.first)).await?]
        } else {
            let params = (heights.first..=heights.last).map(params);
            self.batch(METHOD, params.collect()).await?
        };
        let read = |(number, answer): (u64, Option<FullBlockAnswer>)| {
            answer.map(|answer| answer.read(number)).transpose()
        };
        let blocks = (heights.first..).zip(answers).map(read);
        blocks
            .collect::<Result<_, _>>()
            .map_err(|reason| self.impossible(METHOD, reason))
    }

    /// The transfers of tokens in the block of a hash. A node that lacks the block answers with an error.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn transfers(
        &self,
        block: B256,
        tokens: &[Address],
    ) -> Result<Vec<TokenTransfer>, RpcError> {
        self.logs(json!({ "blockHash": text(block) }), tokens).await
    }

    /// The transfers of tokens in the blocks at these heights, of whichever fork: the caller checks their blocks.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn transfers_in(
        &self,
        heights: Heights,
        tokens: &[Address],
    ) -> Result<Vec<TokenTransfer>, RpcError> {
        let filter = json!({ "fromBlock": hex(heights.first), "toBlock": hex(heights.last) });
        self.logs(filter, tokens).await
    }

    async fn logs(
        &self,
        mut filter: Value,
        tokens: &[Address],
    ) -> Result<Vec<TokenTransfer>, RpcError> {
        const METHOD: &str = "eth_getLogs";
        // A filter without an address means all contracts.
        if tokens.is_empty() {
            return Ok(Vec::new());
        }
        filter["address"] = tokens.iter().map(text).collect();
        filter["topics"] = json!([text(TRANSFER)]);
        let answer: Vec<LogAnswer> = self.call(METHOD, json!([filter])).await?;
        let transfers = answer.into_iter().map(|log| log.read(tokens));
        transfers
            .collect::<Result<_, _>>()
            .map_err(|reason| self.impossible(METHOD, reason))
    }

    /// The receipts of transactions, in their order.
    ///
    /// # Errors
    /// Any failure of the call; a receipt that is missing is one.
    pub async fn receipts(
        &self,
        transactions: &[B256],
        tokens: &[Address],
    ) -> Result<Vec<Receipt>, RpcError> {
        const METHOD: &str = "eth_getTransactionReceipt";
        let params = transactions
            .iter()
            .map(|hash| json!([text(hash)]))
            .collect();
        let answers: Vec<Option<ReceiptAnswer>> = self.batch(METHOD, params).await?;
        let read = |(hash, answer): (&B256, Option<ReceiptAnswer>)| {
            let answer = answer.ok_or_else(|| format!("no receipt of {hash}"))?;
            let receipt = answer.read(tokens)?;
            match receipt.transaction == *hash {
                true => Ok(receipt),
                false => Err(format!("the receipt of another transaction than {hash}")),
            }
        };
        let receipts = transactions.iter().zip(answers).map(read);
        receipts
            .collect::<Result<_, _>>()
            .map_err(|reason| self.impossible(METHOD, reason))
    }

    /// The receipts of all transactions of a block.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn receipts_of(
        &self,
        block: &FullBlock,
        tokens: &[Address],
    ) -> Result<Vec<Receipt>, RpcError> {
        const METHOD: &str = "eth_getBlockReceipts";
        let called: Result<Option<Vec<ReceiptAnswer>>, _> =
            self.call(METHOD, json!([text(block.header.hash)])).await;
        let answer = match called {
            Ok(answer) => answer.ok_or("no receipts of the block".to_owned()),
            // A node without the method refuses it, with one of several codes.
            Err(RpcError {
                failure: RpcFailure::Refused { .. },
                ..
            }) => {
                let hashes: Vec<B256> = block.transactions.iter().map(|one| one.hash).collect();
                return self.receipts(&hashes, tokens).await;
            }
            Err(error) => return Err(error),
        };
        let read = |answer: Vec<ReceiptAnswer>| {
            answer
                .into_iter()
                .map(|receipt| receipt.read(tokens))
                .collect::<Result<Vec<Receipt>, String>>()
        };
        answer
            .and_then(read)
            .map_err(|reason| self.impossible(METHOD, reason))
    }

    /// The native coins that contracts moved in blocks, for each transaction.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn moved(&self, blocks: &[&FullBlock]) -> Result<Vec<Vec<Vec<Moved>>>, RpcError> {
        const METHOD: &str = "debug_traceBlockByHash";
        let params =
            |block: &&FullBlock| json!([text(block.header.hash), { "tracer": "callTracer" }]);
        let params = blocks.iter().map(params).collect();
        let answers: Vec<Vec<TraceAnswer>> = self.batch(METHOD, params).await?;
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
        read.map_err(|reason| self.impossible(METHOD, reason))
    }

    pub(super) fn impossible(&self, method: &'static str, reason: String) -> RpcError {
        self.error(method, RpcFailure::Impossible(reason))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TraceAnswer {
    #[serde(default)]
    tx_hash: Option<Hex<B256>>,
    result: Box<RawValue>,
}

/// The traces of a block, one for each transaction, in order.
fn read_traces(hashes: &[B256], traces: Vec<TraceAnswer>) -> Result<Vec<Vec<Moved>>, String> {
    if traces.len() != hashes.len() {
        return Err(format!(
            "{} traces of {} transactions",
            traces.len(),
            hashes.len()
        ));
    }
    let read = |(hash, trace): (&B256, TraceAnswer)| match trace.tx_hash {
        Some(of) if of.0 != *hash => Err(format!("the trace of another transaction than {hash}")),
        _ => trace::moved(trace.result.get()),
    };
    hashes.iter().zip(traces).map(read).collect()
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

fn text(value: impl ToString) -> Value {
    Value::String(value.to_string())
}
