//! The mempool of a node: plain transfers that are in no block yet.
//!
//! Each poll makes one call, for the node's pending block. Its answer is not verified: it only marks a payment as seen.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy_primitives::{Address, B256, U256};
use serde::Deserialize;
use serde_json::json;
use settlekit_service::StoreError;
use settlekit_service::block::{PendingTransfer, Watch};

use super::encoding::Hex;
use super::plain_transfer::plain_transfer;
use super::provider::Provider;
use super::rpc::{Rpc, RpcError};
use super::store::ChainStore;

/// Transactions that are looked at per call.
const TRANSACTIONS_MAX: usize = 2_000;

/// Transfers to watched addresses that are reported at once.
const REPORTED_MAX: usize = 200;

/// Time after which pending transfers are matched and reported again: an address may be new, and an unreported transfer fails.
const AGAIN_AFTER: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
struct PendingBlockAnswer {
    transactions: Vec<PendingAnswer>,
}

#[derive(Deserialize)]
struct PendingAnswer {
    hash: Hex<B256>,
    from: Hex<Address>,
    to: Option<Hex<Address>>,
    value: Hex<U256>,
    input: Hex<Vec<u8>>,
}

impl PendingAnswer {
    /// The transfer, if the transaction is nothing else.
    fn plain(self, tokens: &[Address]) -> Option<PendingTransfer> {
        let to = self.to?.0;
        let input = self.input.0.as_slice();
        let (token, to, units) = match input {
            [] => (None, to, self.value.0),
            _ if tokens.contains(&to) => {
                let (receiver, units) = plain_transfer(input)?;
                (Some(to), receiver, units)
            }
            _ => return None,
        };
        (!units.is_zero()).then_some(PendingTransfer {
            hash: self.hash.0,
            token,
            from: self.from.0,
            to,
            units,
        })
    }
}

impl Rpc {
    /// The plain transfers of native coins and tokens that the node has in no block.
    async fn pending(&self, tokens: &[Address]) -> Result<Vec<PendingTransfer>, RpcError> {
        let params = json!(["pending", true]);
        let answer: Option<PendingBlockAnswer> = self.call("eth_getBlockByNumber", params).await?;
        let transactions = answer.map_or_else(Vec::new, |block| block.transactions);
        let shown = transactions.into_iter().take(TRANSACTIONS_MAX);
        Ok(shown.filter_map(|one| one.plain(tokens)).collect())
    }
}

/// The transfers shown at the latest poll.
#[derive(Debug, Default)]
pub(super) struct Mempool {
    known: HashSet<B256>,
    /// Those to watched addresses.
    reported: HashMap<B256, PendingTransfer>,
    looked_up_at: Option<Instant>,
    /// A node without a mempool is left alone until then.
    wait_until: Option<Instant>,
}

impl Mempool {
    /// Looks for transfers to watched addresses, and reports them.
    pub(super) async fn look(
        &mut self,
        store: &Arc<impl ChainStore>,
        watch: &Watch,
        provider: &Provider,
    ) -> Result<(), StoreError> {
        let now = Instant::now();
        if self.wait_until.is_some_and(|until| now < until) {
            return Ok(());
        }
        let shown = match provider.rpc().pending(&watch.tokens).await {
            Ok(shown) => shown,
            // Blocks do not depend on it.
            Err(error) => {
                tracing::debug!(chain = %watch.chain, %error, "chain mempool not shown");
                self.wait_until = Some(now + AGAIN_AFTER);
                return Ok(());
            }
        };
        let is_due = (self.looked_up_at).is_none_or(|at| now >= at + AGAIN_AFTER);
        if is_due {
            self.known.clear();
            self.looked_up_at = Some(now);
        }
        let hashes: HashSet<B256> = shown.iter().map(|transfer| transfer.hash).collect();
        self.reported.retain(|hash, _| hashes.contains(hash));
        let mut new = shown;
        new.retain(|transfer| !self.known.contains(&transfer.hash));
        self.known = hashes;
        if new.is_empty() {
            return Ok(());
        }
        let receivers: HashSet<Address> = new.iter().map(|transfer| transfer.to).collect();
        let receivers = receivers.into_iter().collect();
        let watched = store.watched_among(watch.chain, receivers).await?;
        new.retain(|transfer| {
            let is_known = self.reported.get(&transfer.hash) == Some(transfer);
            watched.contains(&transfer.to) && (is_due || !is_known)
        });
        new.truncate(REPORTED_MAX);
        if new.is_empty() {
            return Ok(());
        }
        let reported = new.iter().map(|one| (one.hash, one.clone()));
        self.reported.extend(reported);
        store.observe_pending(watch.chain, new).await
    }
}
