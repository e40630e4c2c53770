//! The methods of a node that the reader calls.

use std::collections::HashSet;

use alloy_primitives::{Address, B256};
use serde_json::{Value, json};
use settlekit_service::FACTORY;
use settlekit_service::block::BlockId;

use super::answer::{
    FullBlock, FullBlockAnswer, Header, HeaderAnswer, Log, LogAnswer, NATIVE_SWEPT, Receipt,
    ReceiptAnswer, TRANSFER,
};
use super::encoding::Hex;
use super::rpc::{Rpc, RpcError, RpcFailure};

/// Receipts in one request. Nodes limit the calls in one, geth to 1000, and anybody can fill a block with transfers.
const RECEIPTS_AT_ONCE: usize = 100;

/// A range of heights, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heights {
    /// The first height.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// The end of a node's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The latest header.
    pub latest: Header,
    /// The latest final block, if asked for.
    pub finalized: Option<BlockId>,
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

    /// The latest header, and the latest final block if asked for: in one request, so that both are of one time.
    ///
    /// # Errors
    /// Any failure of the call; a node that names no final block fails.
    pub async fn tip(&self, with_final: bool) -> Result<Tip, RpcError> {
        const METHOD: &str = "eth_getBlockByNumber";
        if !with_final {
            let latest = self.latest().await?;
            return Ok(Tip {
                latest,
                finalized: None,
            });
        }
        let params = ["latest", "finalized"].map(|tag| json!([tag, false]));
        let answers: Vec<Option<HeaderAnswer>> = self.batch(METHOD, params.to_vec()).await?;
        let mut headers = answers
            .into_iter()
            .map(|answer| answer.map(HeaderAnswer::read_header));
        let (Some(Some(latest)), Some(Some(finalized))) = (headers.next(), headers.next()) else {
            return Err(self.impossible(METHOD, "no final block".to_owned()));
        };
        if finalized.number > latest.number {
            let reason = format!("final block {} above the latest", finalized.number);
            return Err(self.impossible(METHOD, reason));
        }
        Ok(Tip {
            latest,
            finalized: Some(BlockId {
                number: finalized.number,
                hash: finalized.hash,
            }),
        })
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

    /// The logs of tokens and of sweeps in the block of a hash. A node that lacks the block answers with an error.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn logs(&self, block: B256, tokens: &[Address]) -> Result<Vec<Log>, RpcError> {
        self.filtered(json!({ "blockHash": text(block) }), tokens)
            .await
    }

    /// The logs of tokens and of sweeps in the blocks at these heights, of any fork: the caller checks their blocks.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn logs_in(
        &self,
        heights: Heights,
        tokens: &[Address],
    ) -> Result<Vec<Log>, RpcError> {
        let filter = json!({ "fromBlock": hex(heights.first), "toBlock": hex(heights.last) });
        self.filtered(filter, tokens).await
    }

    async fn filtered(&self, mut filter: Value, tokens: &[Address]) -> Result<Vec<Log>, RpcError> {
        const METHOD: &str = "eth_getLogs";
        filter["address"] = tokens.iter().chain([&FACTORY]).map(text).collect();
        filter["topics"] = json!([[text(TRANSFER), text(NATIVE_SWEPT)]]);
        let answer: Vec<LogAnswer> = self.call(METHOD, json!([filter])).await?;
        let logs = answer.into_iter();
        let logs = logs.filter_map(|log| log.read_asked(tokens).transpose());
        logs.collect::<Result<_, _>>()
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
        let mut answers: Vec<Option<ReceiptAnswer>> = Vec::with_capacity(transactions.len());
        let mut at_once = RECEIPTS_AT_ONCE;
        while let Some(rest) = transactions
            .get(answers.len()..)
            .filter(|rest| !rest.is_empty())
        {
            let asked = &rest[..rest.len().min(at_once)];
            let params = asked.iter().map(|hash| json!([text(hash)]));
            match self.batch(METHOD, params.collect()).await {
                Ok(found) => {
                    let found: Vec<Option<ReceiptAnswer>> = found;
                    answers.extend(found);
                }
                // A receipt with many logs is large.
                Err(error) if asked.len() > 1 && is_too_large(&error) => at_once = asked.len() / 2,
                Err(error) => return Err(error),
            }
        }
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

    /// The receipts of all transactions of a block. There may be more: Polygon's deposits from Ethereum have a receipt each, and
    /// may be missing among the transactions.
    ///
    /// # Errors
    /// Any failure of the call; a receipt that is missing or of another block is one.
    pub async fn receipts_of(
        &self,
        block: &FullBlock,
        tokens: &[Address],
    ) -> Result<Vec<Receipt>, RpcError> {
        const METHOD: &str = "eth_getBlockReceipts";
        let answered: Result<Option<Vec<ReceiptAnswer>>, _> =
            self.call(METHOD, json!([text(block.header.hash)])).await;
        let answer = match answered {
            Ok(answer) => answer.ok_or("no receipts of the block".to_owned()),
            // A node without the method refuses it, with one of several codes.
            Err(error) if is_too_large(&error) => {
                let hashes: Vec<B256> = block.transactions.iter().map(|one| one.hash).collect();
                let receipts = self.receipts(&hashes, tokens).await?;
                return check_receipts(block, receipts)
                    .map_err(|reason| self.impossible("eth_getTransactionReceipt", reason));
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
            .and_then(|receipts| check_receipts(block, receipts))
            .map_err(|reason| self.impossible(METHOD, reason))
    }

    pub(super) fn impossible(&self, method: &'static str, reason: String) -> RpcError {
        self.error(method, RpcFailure::Impossible(reason))
    }
}

/// The receipts, if each transaction has one of this block: a node that has not indexed the block leaves them out.
fn check_receipts(block: &FullBlock, receipts: Vec<Receipt>) -> Result<Vec<Receipt>, String> {
    let hash = block.header.hash;
    if let Some(other) = receipts.iter().find(|receipt| receipt.block != hash) {
        let transaction = other.transaction;
        return Err(format!("the receipt of {transaction} is of another block"));
    }
    let found: HashSet<B256> = receipts.iter().map(|one| one.transaction).collect();
    let mut transactions = block.transactions.iter();
    match transactions.find(|one| !found.contains(&one.hash)) {
        Some(missing) => Err(format!("no receipt of {}", missing.hash)),
        None => Ok(receipts),
    }
}

/// Whether the node may answer a smaller request.
fn is_too_large(error: &RpcError) -> bool {
    let is_timeout = matches!(error.failure, RpcFailure::TimedOut(_));
    !is_timeout && error.failure.may_be_too_much() && error.failure.may_be_of_request()
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

pub(super) fn text(value: impl ToString) -> Value {
    Value::String(value.to_string())
}
