//! Blocks that nodes cannot trace: a transaction that nobody can trace is passed over and named, and never because a node is ill.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{Address, B256};
use serde_json::{Value, json};
use settlekit_server::chain::provider::Timing;
use settlekit_server::chain::rpc::RpcLimits;
use settlekit_tests::anvil::{Transaction, abi, word};
use settlekit_tests::liar::{Fault, Liar, Lie};

use super::{Chain, TIMING, Watching, address};

const BLOCK: &str = "debug_traceBlockByHash";
const TRANSACTION: &str = "debug_traceTransaction";

/// As [`TIMING`], with a node that hangs given up sooner.
const IMPATIENT: Timing = Timing {
    limits: RpcLimits {
        timeout: Duration::from_millis(300),
        ..TIMING.limits
    },
    ..TIMING
};

/// A chain behind liars, with a watched address.
struct Behind {
    chain: Chain,
    liars: Vec<Liar>,
    to: Address,
    watching: Watching,
    /// The blocks that every node can trace.
    traced: Arc<HashSet<String>>,
}

impl Behind {
    async fn start(liars: usize, timing: Timing) -> Self {
        let chain = Chain::start(8453);
        let liars = chain.behind(liars);
        let to = chain.books.add(address(1));
        // Something to trace before.
        chain.call_payer("forward(address)", &[word(to)], 1);
        chain.anvil.mine(1);
        let traced = (0..=chain.anvil.height()).map(|height| chain.anvil.block_hash(height));
        let traced: HashSet<String> = traced.map(|hash| hash.to_string()).collect();
        let watching = Watching::start_with(&chain.books, timing);
        chain.until_read().await;
        Self {
            chain,
            liars,
            to,
            watching,
            traced: Arc::new(traced),
        }
    }

    /// Queues a payment by a contract.
    fn forward(&self, account: usize, units: u64) -> B256 {
        let data = abi("forward(address)", &[word(self.to)]);
        let from = self.chain.anvil.account(account);
        let call = Transaction::call(from, self.chain.payer, units, data);
        self.chain.anvil.send(&call)
    }

    /// Fails the traces of new blocks, and of the transactions.
    fn poison(&self, liar: usize, transactions: &[B256], fault: Fault) {
        let traced = Arc::clone(&self.traced);
        let poison: HashSet<String> = transactions.iter().map(ToString::to_string).collect();
        self.liars[liar].fail(move |method, params| {
            let of = params[0].as_str().unwrap_or_default();
            let is_poison = match method {
                BLOCK => !traced.contains(of),
                TRANSACTION => poison.contains(of),
                _ => false,
            };
            is_poison.then_some(fault)
        });
    }

    async fn until_read(&self) {
        self.chain.until_read().await;
    }

    fn received(&self) -> Vec<u64> {
        self.chain.books.state().received(self.to)
    }

    /// The transactions that were passed over.
    fn untraced(&self) -> Vec<B256> {
        let blocks = self.chain.books.state().blocks.clone();
        blocks
            .into_iter()
            .flat_map(|block| block.untraced)
            .collect()
    }
}

#[tokio::test]
async fn a_block_that_cannot_be_traced_as_a_whole_is_traced_by_its_transactions() {
    for fault in [
        Fault::Error(-32000, "execution timeout"),
        Fault::Status("504 Gateway Timeout"),
        Fault::Hang,
    ] {
        let behind = Behind::start(1, IMPATIENT).await;
        behind.poison(0, &[], fault);
        behind.forward(2, 11);
        behind.forward(3, 12);
        behind.chain.anvil.mine(1);
        behind.until_read().await;
        assert_eq!(behind.received(), [1, 11, 12], "{fault:?}");
        assert!(behind.untraced().is_empty(), "{fault:?}");
        behind.chain.check_balances();
    }
}

#[tokio::test]
async fn a_transaction_that_no_node_traces_is_passed_over_and_named() {
    for fault in [
        Fault::Error(-32000, "execution timeout"),
        Fault::Status("504 Gateway Timeout"),
        Fault::Hang,
    ] {
        let behind = Behind::start(2, IMPATIENT).await;
        let poison = behind.forward(2, 11);
        behind.forward(3, 12);
        behind.poison(0, &[poison], fault);
        behind.poison(1, &[poison], fault);
        behind.chain.anvil.pay(behind.to, 13);
        behind.chain.anvil.mine(1);
        behind.until_read().await;
        assert_eq!(behind.received(), [1, 12, 13], "{fault:?}");
        assert_eq!(behind.untraced(), [poison], "{fault:?}");
        // The next block is read as ever.
        behind.liars.iter().for_each(|liar| liar.tell(Lie::None));
        behind.forward(2, 14);
        behind.chain.anvil.mine(1);
        behind.until_read().await;
        assert_eq!(behind.received(), [1, 12, 13, 14], "{fault:?}");
    }
}

#[tokio::test]
async fn the_only_transaction_of_a_block_is_passed_over_if_earlier_blocks_are_traced() {
    let behind = Behind::start(1, TIMING).await;
    let poison = behind.forward(2, 11);
    behind.poison(0, &[poison], Fault::Error(-32000, "response too large"));
    behind.chain.anvil.mine(1);
    behind.until_read().await;
    assert_eq!(
        (behind.received(), behind.untraced()),
        (vec![1], vec![poison])
    );
}

#[tokio::test]
async fn a_reverted_transaction_without_a_trace_moved_nothing_and_is_not_named() {
    let behind = Behind::start(1, TIMING).await;
    let data = abi("forwardAndRevert(address)", &[word(behind.to)]);
    let from = behind.chain.anvil.account(2);
    let reverted = Transaction::call(from, behind.chain.payer, 11, data);
    let reverted = behind.chain.anvil.send(&reverted);
    behind.poison(0, &[reverted], Fault::Error(-32000, "execution timeout"));
    behind.chain.anvil.mine(1);
    behind.until_read().await;
    assert_eq!((behind.received(), behind.untraced()), (vec![1], vec![]));
}

#[tokio::test]
async fn a_poisoned_block_is_passed_while_catching_up() {
    let behind = Behind::start(1, TIMING).await;
    behind.chain.books.state().is_paused = true;
    behind
        .watching
        .until(|| behind.watching.health.all().is_empty())
        .await;
    let poison = behind.forward(2, 11);
    behind.poison(0, &[poison], Fault::Error(-32000, "execution timeout"));
    behind.chain.anvil.mine(20);
    behind.forward(3, 12);
    behind.chain.anvil.mine(20);
    behind.chain.books.state().is_paused = false;
    behind.until_read().await;
    assert_eq!(
        (behind.received(), behind.untraced()),
        (vec![1, 12], vec![poison])
    );
}

/// The methods that fail.
type Methods = fn(&str) -> bool;

#[tokio::test]
async fn a_node_that_is_ill_leads_to_no_passing_over() {
    let ill: [(&str, Methods, Fault); 5] = [
        (
            "HTTP status 429",
            |_| true,
            Fault::Status("429 Too Many Requests"),
        ),
        ("no answer within", |_| true, Fault::Hang),
        (
            "HTTP status 503",
            |method| method.starts_with("debug"),
            Fault::Status("503 Service Unavailable"),
        ),
        (
            "rate limit",
            |method| method.starts_with("debug"),
            Fault::Error(-32005, "rate limit exceeded"),
        ),
        (
            "does not exist",
            |method| method.starts_with("debug"),
            Fault::Error(-32601, "the method does not exist"),
        ),
    ];
    for (failure, concerns, fault) in ill {
        let behind = Behind::start(1, IMPATIENT).await;
        let head = behind.chain.books.state().head();
        behind.liars[0].fail(move |method, _| concerns(method).then_some(fault));
        behind.forward(2, 11);
        behind.chain.anvil.mine(1);
        behind.watching.until_failed(0, failure).await;
        if !concerns("eth_chainId") {
            // More often than a transaction at fault would be tried.
            let (liar, mut tries) = (&behind.liars[0], 0);
            let mut tried = || {
                let methods = liar.take_methods();
                tries += methods.iter().filter(|method| *method == BLOCK).count();
                tries
            };
            let waited = tokio::time::timeout(super::DEADLINE, async {
                while tried() < 40 {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            });
            assert!(
                waited.await.is_ok(),
                "{failure}: it is tried again and again"
            );
        }
        assert_eq!(behind.chain.books.state().head(), head, "{failure}");
        behind.liars[0].tell(Lie::None);
        behind.until_read().await;
        assert_eq!(
            (behind.received(), behind.untraced()),
            (vec![1, 11], vec![]),
            "{failure}"
        );
    }
}

#[tokio::test]
async fn another_provider_that_traces_the_transaction_makes_up_for_one_that_does_not() {
    let behind = Behind::start(3, TIMING).await;
    let poison = behind.forward(2, 11);
    behind.poison(0, &[poison], Fault::Error(-32000, "execution timeout"));
    behind.chain.anvil.mine(1);
    behind.until_read().await;
    assert_eq!(
        (behind.received(), behind.untraced()),
        (vec![1, 11], vec![])
    );
}

#[tokio::test]
async fn a_provider_that_is_ill_for_a_moment_is_waited_for_before_a_transaction_is_passed_over() {
    let behind = Behind::start(3, TIMING).await;
    let head = behind.chain.books.state().head();
    behind.liars[2].tell(Lie::Die);
    behind.watching.until_failed(2, "unreachable").await;
    let poison = behind.forward(2, 11);
    behind.poison(0, &[poison], Fault::Error(-32000, "execution timeout"));
    behind.chain.anvil.mine(1);
    behind
        .watching
        .until_failed(0, "no trace of 1 transactions")
        .await;
    assert_eq!(behind.chain.books.state().head(), head);
    behind.liars[2].tell(Lie::None);
    behind.until_read().await;
    assert_eq!(
        (behind.received(), behind.untraced()),
        (vec![1, 11], vec![])
    );
}

#[tokio::test]
async fn one_providers_word_on_a_transaction_that_the_other_cannot_trace_credits_nobody() {
    let behind = Behind::start(2, TIMING).await;
    let poison = behind.chain.anvil.pay(address(99), 5);
    behind.poison(0, &[poison], Fault::Error(-32000, "execution timeout"));
    let (hash, to) = (poison.to_string(), behind.to.to_string());
    behind.liars[1].tamper(move |method, _, result| {
        let traces = match (method, result.as_array_mut()) {
            (BLOCK, Some(traces)) => traces,
            _ => return,
        };
        for trace in traces {
            if trace["txHash"] == hash.as_str() {
                trace["result"]["calls"] = json!([invented(&trace["result"], &to)]);
            }
        }
    });
    behind.chain.anvil.mine(1);
    behind.until_read().await;
    assert_eq!(
        (behind.received(), behind.untraced()),
        (vec![1], vec![poison])
    );
}

/// A call that moves coins to an address.
fn invented(root: &Value, to: &str) -> Value {
    json!({ "type": "CALL", "from": root["to"], "to": to, "value": "0x1000", "gas": "0x1", "input": "0x" })
}
