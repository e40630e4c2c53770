//! Sends the transactions of hot wallets: asks the nodes for estimates, broadcasts signed bytes, reports the answers.
//!
//! The service holds the queue. A request without a report is made again, so a crash at any point repeats one and loses none.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use reqwest::Client;
use settlekit_core::value::ChainId;
use settlekit_service::StoreError;
use settlekit_service::block::Watch;
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest, Signature};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::account::NodeCall;
use super::balances;
use super::rpc::{self, Rpc, RpcError, RpcFailure, RpcLimits};
use super::signer;
use super::store::ChainStore;

/// The time between two looks at the queue.
const POLL: Duration = Duration::from_millis(500);

/// The code of JSON-RPC for a reverted execution.
const REVERTED: i64 = 3;

/// The codes of JSON-RPC for errors of the node, not of the transaction: method not found, limit exceeded.
const PASSING_CODES: [i64; 2] = [-32601, -32005];

/// The queue of transactions, as the sender needs it.
pub trait Outbox: ChainStore {
    /// The requests to make to a chain's nodes now.
    fn node_requests(
        &self,
        chain: ChainId,
    ) -> impl Future<Output = Result<Vec<NodeRequest>, StoreError>> + Send;

    /// Reports an estimate.
    fn report_estimate(
        &self,
        id: i64,
        estimate: Estimate,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Reports the balances of a merchant's own wallet.
    fn report_balances(
        &self,
        chain: ChainId,
        balances: Balances,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Reports an external signer's answer for a form of a transaction.
    fn report_signature(
        &self,
        form: (i64, u32),
        answer: Signature,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Reports a broadcast.
    fn report_broadcast(
        &self,
        transaction: (i64, B256),
        answer: Broadcast,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// Sends on all chains until the server stops. Work that is under way then is repeated after the next start.
pub async fn run<S: Outbox>(store: Arc<S>, limits: RpcLimits, mut stop: watch::Receiver<bool>) {
    let client = match rpc::http_client() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "chain outbox failed to start");
            return;
        }
    };
    // A chain whose nodes hang holds up no other.
    let mut under_way: BTreeMap<ChainId, Aborted> = BTreeMap::new();
    loop {
        under_way.retain(|_, sending| !sending.0.is_finished());
        match store.watches().await {
            Ok(watches) => {
                for watch in watches {
                    if !under_way.contains_key(&watch.chain) {
                        let chain = watch.chain;
                        let (store, client) = (Arc::clone(&store), client.clone());
                        let sending = tokio::spawn(async move {
                            send_due(&*store, &watch, &client, limits).await;
                        });
                        under_way.insert(chain, Aborted(sending));
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "chain list query failed"),
        }
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

struct Aborted(JoinHandle<()>);

impl Drop for Aborted {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Makes the due requests of a chain until there are none: an answered estimate makes a broadcast due.
async fn send_due<S: Outbox>(store: &S, watch: &Watch, client: &Client, limits: RpcLimits) {
    let chain = watch.chain;
    let urls = watch.providers.iter();
    let nodes = urls.filter_map(|url| Rpc::new(client.clone(), url, limits).ok());
    let nodes: Vec<Rpc> = nodes.collect();
    loop {
        match store.node_requests(chain).await {
            Ok(requests) if requests.is_empty() => return,
            Ok(requests) => send(store, chain, requests, (client, limits, &nodes)).await,
            Err(error) => {
                tracing::warn!(%chain, %error, "chain outbox query failed");
                return;
            }
        }
    }
}

/// Makes requests and reports the answers.
async fn send<S: Outbox>(
    store: &S,
    chain: ChainId,
    requests: Vec<NodeRequest>,
    (client, limits, nodes): (&Client, RpcLimits, &[Rpc]),
) {
    for request in requests {
        let reported = match request {
            NodeRequest::Estimate {
                id,
                from,
                to,
                value,
                data,
            } => {
                let call = (to, value, data);
                match estimate(nodes, chain, from, call).await {
                    Some(estimate) => {
                        tracing::info!(%chain, id, ?estimate, "transaction estimated");
                        store.report_estimate(id, estimate).await
                    }
                    None => Ok(()),
                }
            }
            NodeRequest::Balances {
                wallet,
                block,
                tokens,
            } => match balances::balances(nodes, chain, (wallet, block), &tokens).await {
                Some(balances) => {
                    tracing::info!(%chain, %wallet, block = block.number, "balances of a wallet read");
                    store.report_balances(chain, balances).await
                }
                None => Ok(()),
            },
            NodeRequest::Sign {
                id,
                number,
                signer,
                transaction,
            } => match signer::signature(client, limits, &signer, &transaction).await {
                Some(answer) => {
                    let is_signed = answer != Signature::Refused;
                    tracing::info!(%chain, id, number, is_signed, "transaction signed externally");
                    store.report_signature((id, number), answer).await
                }
                None => Ok(()),
            },
            NodeRequest::Broadcast { id, hash, signed } => {
                match broadcast(nodes, chain, hash, &signed).await {
                    Some(answer) => {
                        tracing::info!(%chain, id, %hash, ?answer, "transaction broadcast");
                        store.report_broadcast((id, hash), answer).await
                    }
                    None => Ok(()),
                }
            }
        };
        if let Err(error) = reported {
            tracing::warn!(%chain, %error, "chain outbox report failed");
        }
    }
}

/// The estimate that the nodes give; `None` to ask again later. A transaction is given up only if all nodes say so.
async fn estimate(
    nodes: &[Rpc],
    chain: ChainId,
    from: Address,
    (to, value, data): (Address, U256, Vec<u8>),
) -> Option<Estimate> {
    let call = NodeCall {
        from: Some(from),
        to,
        value,
        data,
    };
    let mut refused = None;
    for node in nodes {
        match estimate_by(node, chain, &call).await {
            Ok(estimate @ Estimate::Succeeds { .. }) => return Some(estimate),
            Ok(estimate) => refused = refused.or(Some(estimate)),
            Err(error) => {
                tracing::warn!(%chain, %error, "transaction estimate failed");
                return None;
            }
        }
    }
    refused
}

async fn estimate_by(node: &Rpc, chain: ChainId, call: &NodeCall) -> Result<Estimate, RpcError> {
    node.check_chain(chain.get().unsigned_abs()).await?;
    let gas = match node.estimate_gas(call).await {
        Ok(gas) => gas,
        Err(error) => return refusal(&error.failure).ok_or(error),
    };
    Ok(Estimate::Succeeds {
        gas,
        priority_fee: node.priority_fee().await?,
    })
}

/// The meaning of a node's refusal of an estimate.
fn refusal(failure: &RpcFailure) -> Option<Estimate> {
    let RpcFailure::Refused { code, message } = failure else {
        return None;
    };
    let message = message.to_ascii_lowercase();
    let says = |part: &str| message.contains(part);
    // A contract chooses the text of its revert.
    if *code == REVERTED || says("revert") {
        Some(Estimate::Reverts)
    } else if says("insufficient funds") || says("exceeds allowance") || says("out of gas") {
        Some(Estimate::Unaffordable)
    } else {
        None
    }
}

/// The nodes' answer to signed bytes; `None` if none answers. Every node gets them: one that drops them is no loss then.
async fn broadcast(nodes: &[Rpc], chain: ChainId, hash: B256, signed: &[u8]) -> Option<Broadcast> {
    let mut best: Option<Broadcast> = None;
    for node in nodes {
        let answer = match node.send_raw_transaction(signed).await {
            Ok(taken) if taken == hash => Broadcast::Accepted,
            Ok(other) => {
                let host = node.host();
                tracing::error!(%chain, host, %hash, %other, "node names another transaction hash");
                continue;
            }
            Err(error) => match answer(&error.failure) {
                Some(answer) => {
                    if answer != Broadcast::Accepted {
                        tracing::warn!(%chain, %hash, %error, ?answer, "transaction refused");
                    }
                    answer
                }
                None => {
                    tracing::warn!(%chain, %hash, %error, "transaction broadcast failed");
                    continue;
                }
            },
        };
        best = match best {
            Some(Broadcast::Accepted) => best,
            _ if answer == Broadcast::Accepted => Some(answer),
            // A node's refusal counts only if no other says why it may pass.
            Some(Broadcast::Refused) => Some(answer),
            _ => best.or(Some(answer)),
        };
    }
    best
}

/// The meaning of a node's refusal of signed bytes. The texts are those of geth, Nethermind, Erigon, Besu, Reth and Anvil.
fn answer(failure: &RpcFailure) -> Option<Broadcast> {
    let RpcFailure::Refused { code, message } = failure else {
        return None;
    };
    let message = message.to_ascii_lowercase();
    let says = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    Some(
        if says(&[
            "already known",
            "already imported",
            "alreadyknown",
            "known transaction",
            "existing tx with same hash",
        ]) {
            Broadcast::Accepted
        } else if says(&["nonce too low", "oldnonce", "nonce is too low"]) {
            Broadcast::NonceUsed
        } else if says(&[
            "underpriced",
            "less than block base fee",
            "fee too low",
            "feetoolow",
            "could not replace existing",
            "replacementnotallowed",
        ]) {
            Broadcast::Underpriced
        } else if says(&["insufficient funds", "insufficientfunds"]) {
            Broadcast::Unaffordable
        } else if PASSING_CODES.contains(code)
            || says(&[
                "nonce too high",
                "nonce gap",
                "gapped",
                "pool is full",
                "pool full",
                "poolfull",
                "limit exceeded",
                "too many requests",
                "rate limit",
                "syncing",
                "timeout",
                "timed out",
                "internal error",
            ])
        {
            Broadcast::Failed
        } else {
            Broadcast::Refused
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: i64, message: &str) -> RpcFailure {
        RpcFailure::Refused {
            code,
            message: message.to_owned(),
        }
    }

    #[test]
    fn the_refusals_of_nodes_are_told_apart() {
        let said = |message| answer(&refused(-32000, message));
        assert_eq!(said("already known"), Some(Broadcast::Accepted));
        assert_eq!(
            said("transaction already imported"),
            Some(Broadcast::Accepted)
        );
        assert_eq!(
            said("nonce too low: next nonce 5, tx nonce 4"),
            Some(Broadcast::NonceUsed)
        );
        assert_eq!(
            said("replacement transaction underpriced"),
            Some(Broadcast::Underpriced)
        );
        assert_eq!(
            said(
                "max fee per gas less than block base fee: address 0x0, maxFeePerGas: 1, baseFee: 2"
            ),
            Some(Broadcast::Underpriced)
        );
        assert_eq!(
            said("insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1"),
            Some(Broadcast::Unaffordable)
        );
        assert_eq!(said("intrinsic gas too low"), Some(Broadcast::Refused));
        assert_eq!(
            said("could not replace existing tx"),
            Some(Broadcast::Underpriced)
        );
        assert_eq!(said("the sky is falling"), Some(Broadcast::Refused));
        assert_eq!(said("nonce too high"), Some(Broadcast::Failed));
        assert_eq!(said("txpool is full"), Some(Broadcast::Failed));
        let limited = refused(-32005, "slow down");
        assert_eq!(answer(&limited), Some(Broadcast::Failed));
        assert_eq!(answer(&RpcFailure::TooLarge(1)), None);
    }

    #[test]
    fn an_estimate_is_given_up_only_for_a_revert() {
        let reverted = refused(3, "execution reverted: ERC20: transfer to the zero address");
        assert_eq!(refusal(&reverted), Some(Estimate::Reverts));
        let chosen = refused(3, "execution reverted: insufficient funds");
        assert_eq!(refusal(&chosen), Some(Estimate::Reverts));
        let poor = refused(-32000, "insufficient funds for transfer");
        assert_eq!(refusal(&poor), Some(Estimate::Unaffordable));
        assert_eq!(refusal(&refused(-32005, "limit exceeded")), None);
        assert_eq!(refusal(&RpcFailure::TooLarge(1)), None);
    }
}
