//! Blocks full of tiny transfers, and many empty blocks.

use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::hex;
use serde_json::json;
use settlekit_server::chain::reader::Reader;
use settlekit_server::chain::rpc::{Rpc, RpcLimits};
use settlekit_service::block::{BlockId, Watch};
use settlekit_tests::anvil::{Anvil, SPAMMER, TOKEN, Transaction, abi, number, word};
use settlekit_tests::liar::Liar;
use settlekit_tests::long_chain::LongChain;

use super::books::Books;
use super::{Chain, Watching, address, client};

/// Transfers of the spam, half of them to a watched address.
const TRANSFERS: u64 = 10_000;

/// Blocks of the spam, each of one transaction.
const BLOCKS: u64 = 5;

#[tokio::test]
async fn ten_thousand_dust_transfers_are_read_in_a_few_requests() {
    const PAIRS: u64 = TRANSFERS / BLOCKS / 2;
    let anvil = Anvil::start_with(1, &["--gas-limit", "10000000000"]);
    let chain = Chain::over(anvil, 1);
    let spammer = chain.anvil.deploy(SPAMMER);
    let liar = Liar::start(chain.anvil.address());
    let to = chain.books.add(address(1));
    let mut watch = chain.books.state().watch.clone();
    watch.head = BlockId {
        number: chain.anvil.height(),
        hash: chain.anvil.block_hash(chain.anvil.height()),
    };
    let call = abi(
        "spam(address,address,uint160)",
        &[word(chain.token), word(to), number(PAIRS)],
    );
    for _ in 0..BLOCKS {
        let spam = json!({
            "from": chain.anvil.account(1).to_string(),
            "to": spammer.to_string(),
            "gas": "0x3b9aca00",
            "data": hex::encode_prefixed(&call),
        });
        chain.anvil.call("eth_sendTransaction", json!([spam]));
        // Ordinary payments among it.
        for _ in 0..PAIRS / 10 {
            chain.anvil.mint(chain.token, to, 1);
        }
        chain.anvil.mine(1);
    }
    let rpc = Rpc::new(client(), &liar.url(), RpcLimits::default()).expect("a URL");
    let (reader, mut head) = (Reader::new(&rpc, &watch), watch.head);
    liar.take_requests();
    for _ in 0..BLOCKS {
        let data = reader.fetch_next(head).await.expect("a block");
        head = data.id();
        let block = reader.complete(&*chain.books, &data).await;
        let block = block.expect("a block");
        assert_eq!(block.transfers.len() as u64, PAIRS + PAIRS / 10);
        // Block, logs and traces, then the receipts, a hundred at once.
        assert_eq!(liar.take_requests().len(), 3 + 2);
        chain.books.state().blocks.push(block);
    }
    chain.check_balances();
}

#[tokio::test]
async fn plain_transfers_of_other_tokens_are_seen_and_cost_one_more_request_however_many_there_are()
{
    // More than are kept for a chain.
    const PLAIN: u64 = 150;
    let anvil = Anvil::start_with(1, &["--gas-limit", "10000000000"]);
    let chain = Chain::over(anvil, 1);
    let node = &chain.anvil;
    let [other, spammer] = [TOKEN, SPAMMER].map(|code| node.deploy(code));
    let liar = Liar::start(node.address());
    let to = chain.books.add(address(1));
    node.mint(other, node.account(0), PLAIN);
    node.mine(1);
    let mut watch = chain.books.state().watch.clone();
    watch.head = BlockId {
        number: node.height(),
        hash: node.block_hash(node.height()),
    };
    let pay = |token, to, units| {
        let call = abi("transfer(address,uint256)", &[word(to), number(units)]);
        node.send(&Transaction::call(node.account(0), token, 0, call));
    };
    // One of each kind: booked, seen, nothing, to somebody else, reverted.
    pay(chain.token, to, 5);
    pay(other, to, 2);
    pay(other, to, 0);
    pay(other, address(2), 1);
    pay(other, to, PLAIN + 1);
    node.mine(1);
    for _ in 0..PLAIN - 3 {
        pay(other, to, 1);
    }
    node.mine(1);
    // A contract's transfers of an unknown token are not looked for.
    let spam = abi(
        "spam(address,address,uint160)",
        &[word(other), word(to), number(1_000)],
    );
    node.send(&Transaction::call(node.account(1), spammer, 0, spam));
    node.mine(1);
    let rpc = Rpc::new(client(), &liar.url(), RpcLimits::default()).expect("a URL");
    let (reader, mut head) = (Reader::new(&rpc, &watch), watch.head);
    liar.take_requests();
    for (transfers, unconfigured, receipts) in [
        (1, vec![(other, 1)], 1),
        (0, vec![(other, 100)], 1),
        (0, vec![], 0),
    ] {
        let data = reader.fetch_next(head).await.expect("a block");
        head = data.id();
        let block = reader.complete(&*chain.books, &data).await;
        let block = block.expect("a block");
        assert_eq!(block.transfers.len(), transfers);
        assert_eq!(block.unconfigured, unconfigured);
        let requests = liar.take_requests();
        let receipts_asked = requests
            .iter()
            .filter(|request| request.to_string().contains("eth_getTransactionReceipt"));
        assert_eq!(receipts_asked.count(), receipts);
    }
}

#[tokio::test]
async fn a_hundred_thousand_blocks_are_caught_up_with_at_most_three_calls_a_block() {
    const BLOCKS: u64 = 100_000;
    let node = LongChain::start(8453, BLOCKS);
    let books = Arc::new(Books::new(Watch {
        chain: "8453".parse().expect("a chain"),
        providers: vec![node.url()],
        tokens: vec![address(1)],
        block_seconds: 1,
        confirmations: 3,
        finality: false,
        head: BlockId {
            number: 0,
            hash: LongChain::block_hash(0),
        },
        traces: true,
        mempool: false,
        log_range: 10_000,
    }));
    let _watching = Watching::start(&books);
    let patience = Duration::from_secs(300);
    let caught_up = |state: &super::books::State| state.head().number == BLOCKS;
    books.until_within(patience, caught_up).await;
    let state = books.state();
    assert_eq!(state.head().hash, LongChain::block_hash(BLOCKS));
    assert_eq!(state.blocks.len() as u64, BLOCKS + 1);
    let (calls, requests) = node.counts();
    assert!(calls <= 3 * BLOCKS, "{calls} calls");
    // Many blocks in each request.
    assert!(requests < BLOCKS / 16, "{requests} requests");
}
