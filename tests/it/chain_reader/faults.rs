//! Lies and failures of a single node: nothing untrue is reported, and the watcher goes on when they end.

use alloy_primitives::Address;
use settlekit_core::value::ChainId;
use settlekit_server::chain::health::ProviderHealth;
use settlekit_server::chain::reader::{ReadError, Reader};
use settlekit_server::chain::rpc::{Rpc, RpcLimits};
use settlekit_service::block::{Block, BlockId};
use settlekit_tests::anvil::{Anvil, SPAMMER, Transaction, abi, number, word};
use settlekit_tests::liar::{Fault, Liar, Lie};

use super::{Chain, Watching, address, client};

/// A chain behind a liar, with a watched address, all that was mined recorded.
struct Behind {
    chain: Chain,
    liar: Liar,
    to: Address,
    watching: Watching,
    head: BlockId,
}

impl Behind {
    async fn start() -> Self {
        let chain = Chain::start(8453);
        let liar = Liar::start(chain.anvil.address());
        chain.books.set_providers(&[liar.url()]);
        let to = chain.books.add(address(1));
        let watching = Watching::start(&chain.books);
        chain.anvil.pay(to, 1);
        chain.anvil.mine(1);
        let height = chain.anvil.height();
        let hash = chain.anvil.block_hash(height);
        chain.books.until_head(height, hash).await;
        let head = chain.books.state().head();
        Self {
            chain,
            liar,
            to,
            watching,
            head,
        }
    }

    /// Mines payments in two coins.
    fn pay(&self) {
        self.chain.anvil.pay(self.to, 2);
        self.chain.anvil.mint(self.chain.token, self.to, 3);
        self.chain.anvil.mine(1);
    }

    /// Asserts that nothing was reported or taken back.
    fn check_untouched(&self) {
        let state = self.chain.books.state();
        assert_eq!(
            (state.head(), state.received(self.to)),
            (self.head, vec![1])
        );
        assert_eq!(state.rewinds, []);
    }

    /// Ends the lie; everything is reported.
    async fn end(self) {
        self.liar.tell(Lie::None);
        let height = self.chain.anvil.height();
        let hash = self.chain.anvil.block_hash(height);
        self.chain.books.until_head(height, hash).await;
        let state = self.chain.books.state();
        assert_eq!(state.received(self.to), [1, 2, 3]);
        assert_eq!(state.rewinds, []);
        drop(state);
        self.chain.check_balances();
    }
}

/// Lies, pays, waits for the failure that the lie must cause, and ends the lie.
async fn check(lie: Lie, failure: &str) {
    let behind = Behind::start().await;
    behind.liar.tell(lie);
    behind.pay();
    behind.watching.until_failed(0, failure).await;
    behind.check_untouched();
    behind.end().await;
}

#[tokio::test]
async fn a_node_that_hides_logs_is_found_out() {
    check(Lie::NoLogs, "no logs of block").await;
}

#[tokio::test]
async fn a_node_that_limits_the_rate_is_left_alone_for_a_while() {
    check(Lie::TooManyRequests, "HTTP status 429, retry after 1 s").await;
}

#[tokio::test]
async fn a_node_that_hangs_is_asked_again() {
    check(Lie::Hang, "no answer within 3000 ms").await;
}

#[tokio::test]
async fn a_node_that_dies_is_asked_again() {
    check(Lie::Die, "unreachable").await;
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    check(Lie::Truncate, "not JSON").await;
}

#[tokio::test]
async fn a_tampered_hash_is_found_out() {
    for (field, failure) in [
        ("hash", "with a transaction of another"),
        ("parentHash", "no block follows"),
        ("number", "instead of"),
    ] {
        let behind = Behind::start().await;
        behind.liar.tamper(move |method, params, result| {
            if method == "eth_getBlockByNumber" && params[1] == true && result[field].is_string() {
                result[field] = format!("0x{}", "7".repeat(64)).into();
                if field == "number" {
                    result[field] = "0x77".into();
                }
            }
        });
        behind.pay();
        behind.watching.until_failed(0, failure).await;
        behind.check_untouched();
        behind.end().await;
    }
}

#[tokio::test]
async fn a_log_that_its_receipt_lacks_is_found_out() {
    let units = format!("0x{}64", "0".repeat(62));
    let other = format!("0x{}", "7".repeat(64));
    for (field, value, failure) in [
        ("data", units.as_str(), "other logs"),
        ("data", "0x01", "a transfer of 1 bytes"),
        ("blockHash", &other, "a log of the block"),
        ("transactionHash", &other, "no receipt"),
        ("removed", "true", "removed"),
        ("logIndex", "0x9", "other logs"),
    ] {
        let behind = Behind::start().await;
        let value = match value {
            "true" => true.into(),
            text => serde_json::Value::from(text),
        };
        behind.liar.tamper(move |method, _, result| {
            if method == "eth_getLogs" && result[0].is_object() {
                result[0][field] = value.clone();
            }
        });
        behind.pay();
        behind.watching.until_failed(0, failure).await;
        behind.check_untouched();
        behind.end().await;
    }
}

#[tokio::test]
async fn a_receipt_of_another_block_is_found_out() {
    let behind = Behind::start().await;
    behind.liar.tamper(|method, _, result| {
        if method == "eth_getTransactionReceipt" {
            let other = format!("0x{}", "7".repeat(64));
            result["blockHash"] = other.clone().into();
            for log in result["logs"].as_array_mut().expect("logs") {
                log["blockHash"] = other.clone().into();
            }
        }
    });
    behind.pay();
    behind.watching.until_failed(0, "is of another block").await;
    behind.check_untouched();
    behind.end().await;
}

#[tokio::test]
async fn a_node_that_lags_is_waited_for() {
    let behind = Behind::start().await;
    behind.liar.tell(Lie::Lag(1));
    behind.pay();
    // The latest block of the liar is the recorded one, or below it.
    let height = behind.head.number;
    let seen = |provider: &ProviderHealth| provider.height == Some(height);
    behind.watching.until_provider(0, seen).await;
    behind.liar.tell(Lie::Lag(3));
    let lower = |provider: &ProviderHealth| provider.height == Some(height - 2);
    behind.watching.until_provider(0, lower).await;
    behind.check_untouched();
    behind.end().await;
}

#[tokio::test]
async fn a_node_of_another_chain_is_not_read() {
    let behind = Behind::start().await;
    // The chain id is asked for after a failure.
    behind.liar.tell(Lie::Die);
    behind.watching.until_failed(0, "unreachable").await;
    behind.liar.tell(Lie::ChainId(1));
    behind.pay();
    behind
        .watching
        .until_failed(0, "the node is of chain 1, not of chain 8453")
        .await;
    behind.check_untouched();
    behind.end().await;
}

#[tokio::test]
async fn data_of_another_chain_takes_nothing_back() {
    let behind = Behind::start().await;
    let other = Anvil::start(8453);
    other.mine(behind.head.number + 5);
    behind.liar.point_at(other.address());
    behind
        .watching
        .until_problem("none of the recorded blocks")
        .await;
    behind.pay();
    behind.check_untouched();
    behind.liar.point_at(behind.chain.anvil.address());
    behind.end().await;
}

#[tokio::test]
async fn a_made_up_block_takes_nothing_back() {
    let behind = Behind::start().await;
    let real = behind.head.hash.to_string();
    let other = format!("0x{}", "7".repeat(64));
    behind.liar.tamper(move |method, _, result| {
        if method == "eth_getBlockByNumber" && result["hash"] == real.as_str() {
            result["hash"] = other.clone().into();
        }
    });
    behind.watching.until_failed(0, "has no place").await;
    behind.pay();
    behind.check_untouched();
    behind.end().await;
}

#[tokio::test]
async fn a_range_that_a_node_refuses_is_halved() {
    let chain = Chain::start(8453);
    let liar = Liar::start(chain.anvil.address());
    liar.tell(Lie::CutRange(5));
    chain.books.set_providers(&[liar.url()]);
    let to = chain.books.add(address(1));
    for units in 1..=3 {
        chain.anvil.mint(chain.token, to, units);
        chain.anvil.mine(40);
    }
    let _watching = Watching::start(&chain.books);
    let height = chain.anvil.height();
    let hash = chain.anvil.block_hash(height);
    chain.books.until_head(height, hash).await;
    assert_eq!(chain.books.state().received(to), [1, 2, 3]);
}

#[tokio::test]
async fn a_block_with_more_logs_than_a_node_gives_is_read_from_its_receipts() {
    for refused in [
        &["eth_getLogs"][..],
        &["eth_getLogs", "eth_getBlockReceipts"],
    ] {
        let behind = Behind::start().await;
        behind.liar.fail(move |method, _| {
            let is_refused = refused.contains(&method);
            is_refused.then_some(Fault::Error(
                -32005,
                "query returned more than 10000 results",
            ))
        });
        behind.pay();
        let height = behind.chain.anvil.height();
        let hash = behind.chain.anvil.block_hash(height);
        behind.chain.books.until_head(height, hash).await;
        assert_eq!(behind.chain.books.state().received(behind.to), [1, 2, 3]);
        behind.end().await;
    }
}

#[tokio::test]
async fn a_block_that_a_node_gives_in_small_pieces_only_is_read() {
    const LOGS: u64 = 80;
    let chain = Chain::start(8453);
    let spammer = chain.anvil.deploy(SPAMMER);
    let to = chain.books.add(address(1));
    chain.anvil.mine(1);
    let head = BlockId {
        number: chain.anvil.height(),
        hash: chain.anvil.block_hash(chain.anvil.height()),
    };
    let call = abi(
        "spam(address,address,uint160)",
        &[word(chain.token), word(to), number(LOGS / 2)],
    );
    let from = chain.anvil.account(1);
    for _ in 0..3 {
        let spam = Transaction::call(from, spammer, 0, call.clone());
        chain.anvil.send(&spam);
    }
    chain.anvil.mine(1);
    let watch = settlekit_service::block::Watch {
        head,
        traces: false,
        ..chain.books.state().watch.clone()
    };
    // More than one of its receipts, and less than two.
    let limits = RpcLimits {
        response_bytes: 75_000,
        ..RpcLimits::default()
    };
    let rpc = Rpc::new(client(), &chain.anvil.url(), limits).expect("a URL");
    let reader = Reader::new(&rpc, &watch);
    let data = reader.fetch_next(head).await.expect("a block");
    let block = reader.complete(&*chain.books, &data).await;
    let transfers = block.expect("a block").transfers;
    assert_eq!(transfers.len() as u64, 3 * LOGS / 2);
}

#[tokio::test]
async fn receipts_that_are_left_out_are_found_out() {
    for failure in ["no receipt of", "is of another block"] {
        let behind = Behind::start().await;
        behind.liar.tamper(move |method, _, result| {
            if method == "eth_getLogs" {
                *result = serde_json::json!([]);
            }
            if method == "eth_getBlockReceipts" && failure == "no receipt of" {
                *result = serde_json::json!([]);
            } else if method == "eth_getBlockReceipts" {
                for receipt in result.as_array_mut().expect("receipts") {
                    receipt["blockHash"] = format!("0x{}", "7".repeat(64)).into();
                    receipt["logs"] = serde_json::json!([]);
                }
            }
        });
        behind.pay();
        behind.watching.until_failed(0, failure).await;
        behind.check_untouched();
        behind.end().await;
    }
}

#[tokio::test]
async fn a_garbled_answer_is_an_error_or_changes_nothing() {
    let chain = Chain::start(1);
    let liar = Liar::start(chain.anvil.address());
    let to = chain.books.add(address(1));
    chain.books.add_hot(chain.anvil.account(0));
    chain.anvil.pay(to, 1);
    chain.anvil.mint(chain.token, to, 2);
    chain.anvil.mine(1);
    let watch = chain.books.state().watch.clone();
    let rpc = Rpc::new(client(), &liar.url(), RpcLimits::default()).expect("a URL");
    let read = async || {
        let reader = Reader::new(&rpc, &watch);
        let data = reader.fetch_next(watch.head).await?;
        reader.complete(&*chain.books, &data).await
    };
    let honest = read().await.expect("a block");
    let (mut errors, mut equal) = (0, 0);
    for seed in 0..200 {
        liar.tell(Lie::Garble(seed));
        match read().await {
            Err(ReadError::Rpc(_) | ReadError::Unlinked) => errors += 1,
            Err(error) => panic!("{seed}: {error:?}"),
            // What a single answer says, of nothing else, can be changed unnoticed: the digits of a value or a fee.
            Ok(block) => {
                let of = |block: &Block| (block.hash, block.parent, block.transfers.len());
                assert_eq!(of(&block), of(&honest), "{seed}");
                equal += 1;
            }
        }
    }
    assert!(errors > 100 && equal > 0, "{errors} errors, {equal} equal");
}

#[tokio::test]
async fn a_bad_url_starts_nothing_and_a_good_one_does() {
    let chain = Chain::start(ChainId::new(1).expect("a chain").get() as u64);
    chain
        .books
        .set_providers(&["wss://node.example/key".to_owned()]);
    let watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    let (height, head) = (chain.anvil.height(), chain.books.state().head());
    assert_eq!(head.number, height - 1);
    chain.books.set_providers(&[chain.anvil.url()]);
    let hash = chain.anvil.block_hash(height);
    chain.books.until_head(height, hash).await;
    assert_eq!(watching.health.all().len(), 1);
}
