//! Blocks full of tiny transfers, and many empty blocks.

use std::time::Duration;

use settlekit_server::chain::reader::Reader;
use settlekit_server::chain::rpc::{Rpc, RpcLimits};
use settlekit_tests::anvil::Anvil;
use settlekit_tests::liar::Liar;

use super::{Chain, Watching, address, client};

/// Transfers of the spam, half of them to a watched address.
const TRANSFERS: u64 = 10_000;

/// Blocks of the spam.
const BLOCKS: u64 = 4;

#[tokio::test]
async fn ten_thousand_dust_transfers_are_read_in_a_few_requests() {
    let anvil = Anvil::start_with(1, &["--gas-limit", "10000000000"]);
    let chain = Chain::over(anvil, 1);
    let liar = Liar::start(chain.anvil.address());
    let to = chain.books.add(address(1));
    for _ in 0..BLOCKS {
        for number in 0..TRANSFERS / BLOCKS / 2 {
            chain.anvil.mint(chain.token, to, 1);
            chain.anvil.mint(chain.token, address(100 + number), 1);
        }
        chain.anvil.mine(1);
    }
    let watch = chain.books.state().watch.clone();
    let rpc = Rpc::new(client(), &liar.url(), RpcLimits::default()).expect("a URL");
    let (reader, mut head) = (Reader::new(&rpc, &watch), watch.head);
    for _ in 0..BLOCKS {
        let data = reader.fetch_next(head).await.expect("a block");
        head = data.id();
        let block = reader.complete(&*chain.books, &data).await;
        let block = block.expect("a block");
        assert_eq!(block.transfers.len() as u64, TRANSFERS / BLOCKS / 2);
        // Block, logs and traces, then the receipts, a hundred at once.
        let requests = 3 + TRANSFERS / BLOCKS / 2 / 100 + 1;
        assert!(liar.take_requests() <= requests);
        chain.books.state().blocks.push(block);
    }
    chain.check_balances();
}

#[tokio::test]
async fn a_hundred_thousand_blocks_are_caught_up_with_at_most_three_calls_a_block() {
    const BLOCKS: u64 = 100_000;
    let chain = Chain::start(8453);
    let liar = Liar::start(chain.anvil.address());
    chain.books.set_providers(&[liar.url()]);
    let to = chain.books.add(address(1));
    for units in 1..=4 {
        chain.anvil.mint(chain.token, to, units);
        chain.anvil.mine(BLOCKS / 4);
    }
    let _watching = Watching::start(&chain.books);
    let height = chain.anvil.height();
    let hash = chain.anvil.block_hash(height);
    let patience = Duration::from_secs(300);
    let caught_up = |state: &super::books::State| state.head().number == height;
    chain.books.until_within(patience, caught_up).await;
    let state = chain.books.state();
    assert_eq!(state.head().hash, hash);
    assert_eq!(state.received(to), [1, 2, 3, 4]);
    assert_eq!(state.blocks.len() as u64, BLOCKS + 1);
    let calls = liar.take_methods().len() as u64;
    assert!(calls <= 3 * BLOCKS, "{calls} calls");
}
