//! What a block contains.

use alloy_primitives::U256;
use serde_json::json;
use settlekit_server::chain::account::AtBlock;
use settlekit_server::chain::reader::Reader;
use settlekit_server::chain::rpc::{Rpc, RpcLimits};
use settlekit_service::TransferIndex;
use settlekit_service::block::{Block, BlockId, Transfer};
use settlekit_tests::anvil::{Transaction, abi, number, word};
use settlekit_tests::liar::Liar;

use super::{Chain, address, client};

impl Chain {
    pub(super) fn rpc(&self) -> Rpc {
        Rpc::new(client(), &self.anvil.url(), RpcLimits::default()).expect("a URL")
    }

    /// The blocks after the start, read one by one.
    pub(super) async fn read_singly(&self, rpc: &Rpc) -> Vec<Block> {
        let watch = self.books.state().watch.clone();
        let (reader, mut head) = (Reader::new(rpc, &watch), watch.head);
        let mut blocks = Vec::new();
        while head.number < self.anvil.height() {
            let data = reader.fetch_next(head).await.expect("a block");
            head = data.id();
            let block = reader.complete(&*self.books, &data).await;
            blocks.push(block.expect("a block"));
        }
        blocks
    }

    /// The blocks after the start, read as ranges of a size.
    pub(super) async fn read_in_ranges(&self, rpc: &Rpc, size: u64) -> Vec<Block> {
        let watch = self.books.state().watch.clone();
        let (reader, mut head) = (Reader::new(rpc, &watch), watch.head);
        let mut blocks = Vec::new();
        while head.number < self.anvil.height() {
            let count = size.min(self.anvil.height() - head.number);
            for data in reader
                .fetch_range(head.number, count)
                .await
                .expect("blocks")
            {
                assert_eq!(data.parent(), head.hash);
                head = data.id();
                let block = reader.complete(&*self.books, &data).await;
                blocks.push(block.expect("a block"));
            }
        }
        blocks
    }

    /// The transfers of all blocks after the start.
    async fn transfers(&self) -> Vec<Transfer> {
        let blocks = self.read_singly(&self.rpc()).await;
        blocks
            .into_iter()
            .flat_map(|block| block.transfers)
            .collect()
    }

    /// Calls the payer with a value.
    pub(super) fn call_payer(&self, function: &str, words: &[[u8; 32]], value: u64) {
        let data = abi(function, words);
        let from = self.anvil.account(1);
        self.anvil
            .send(&Transaction::call(from, self.payer, value, data));
    }
}

fn shown(transfers: &[Transfer]) -> Vec<(TransferIndex, u64)> {
    let transfers = transfers.iter();
    transfers
        .map(|transfer| (transfer.index, transfer.units.to()))
        .collect()
}

#[tokio::test]
async fn a_token_holds_nothing_in_blocks_before_it_was_deployed() {
    let chain = Chain::start(8453);
    let (rpc, holder) = (chain.rpc(), chain.anvil.account(0));
    let genesis = chain.anvil.block_hash(0);
    for (at, held) in [
        (AtBlock::Height(0), 0),
        (AtBlock::Hash(genesis), 0),
        (AtBlock::Latest, 1_000_000),
    ] {
        let held = U256::from(held);
        let found = rpc.token_balance(chain.token, holder, at).await;
        assert_eq!(found.expect("a balance"), held, "{at:?}");
        let found = rpc.token_balances(chain.token, &[holder, holder], at).await;
        assert_eq!(found.expect("balances"), [held, held], "{at:?}");
    }
    // STOP: a contract that answers nothing is no token.
    chain.anvil.set_code(chain.payer, "0x00");
    let answers = [
        rpc.token_balance(chain.payer, holder, AtBlock::Latest)
            .await
            .is_err(),
        rpc.token_balances(chain.payer, &[holder], AtBlock::Latest)
            .await
            .is_err(),
    ];
    assert_eq!(answers, [true, true]);
}

#[tokio::test]
async fn a_block_is_the_same_read_alone_and_in_a_range() {
    for id in [1, 8453] {
        let chain = Chain::start(id);
        let anvil = &chain.anvil;
        let to = chain.books.add(address(1));
        let hot = chain.books.add_hot(anvil.account(2));
        for round in 1..=20 {
            anvil.pay(to, round);
            anvil.mint(chain.token, to, round);
            anvil.pay(address(99), 5);
            if round % 3 == 0 {
                chain.call_payer("forward(address)", &[word(to)], round);
                anvil.send(&Transaction::pay(hot, address(98), 7));
            }
            anvil.mine(1 + round % 2);
        }
        let rpc = chain.rpc();
        let singly = chain.read_singly(&rpc).await;
        let (transfers, sent) = singly.iter().fold((0, 0), |(transfers, sent), block| {
            (transfers + block.transfers.len(), sent + block.sent.len())
        });
        assert_eq!((transfers, sent), (20 + 20 + 6 + 6, 6));
        for size in [2, 7, 64] {
            assert_eq!(chain.read_in_ranges(&rpc, size).await, singly, "{size}");
        }
        for block in &singly {
            assert_eq!(block.hash, anvil.block_hash(block.number));
            assert!(block.base_fee > 0);
            let params = json!([format!("{:#x}", block.number), false]);
            let header = anvil.call("eth_getBlockByNumber", params);
            let seconds = format!("{:#x}", block.mined_at.seconds());
            assert_eq!(header["timestamp"], seconds);
        }
        chain.books.state().blocks.extend(singly);
        chain.check_balances();
    }
}

#[tokio::test]
async fn two_transfers_to_one_address_in_one_transaction_are_both_seen() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    let call = abi(
        "transferTwice(address,uint256,uint256)",
        &[word(to), number(30), number(30)],
    );
    let from = chain.anvil.account(0);
    let hash = chain
        .anvil
        .send(&Transaction::call(from, chain.token, 0, call));
    chain.anvil.mine(1);
    let transfers = chain.transfers().await;
    let expected = [(TransferIndex::Log(0), 30), (TransferIndex::Log(1), 30)];
    assert_eq!(shown(&transfers), expected);
    for transfer in transfers {
        assert_eq!((transfer.hash, transfer.token), (hash, Some(chain.token)));
        assert_eq!((transfer.from, transfer.to), (from, to));
    }
}

#[tokio::test]
async fn a_position_counts_within_the_transaction_and_not_within_the_block() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    for units in 1..=3 {
        chain.anvil.mint(chain.token, to, units);
    }
    chain.anvil.mine(1);
    let positions: Vec<_> = shown(&chain.transfers().await);
    let all = [1, 2, 3].map(|units| (TransferIndex::Log(0), units));
    assert_eq!(positions, all);
}

#[tokio::test]
async fn coins_sent_by_contracts_are_seen_in_traces() {
    let chain = Chain::start(1);
    let to = chain.books.add(address(1));
    // Each call in a block of its own.
    for (function, words, value) in [
        ("forward(address)", vec![word(to)], 11),
        (
            "forwardTwice(address,uint256)",
            vec![word(to), number(4)],
            12,
        ),
        ("failInside(address)", vec![word(to)], 13),
        ("delegate(address)", vec![word(to)], 14),
        ("destroy(address)", vec![word(to)], 15),
        ("nest(address,uint256)", vec![word(to), number(90)], 16),
    ] {
        chain.call_payer(function, &words, value);
        chain.anvil.mine(1);
    }
    let transfers = chain.transfers().await;
    let expected = [
        (TransferIndex::Trace(0), 11),
        (TransferIndex::Trace(0), 4),
        (TransferIndex::Trace(1), 8),
        (TransferIndex::Trace(0), 14),
        // The creation comes first.
        (TransferIndex::Trace(1), 15),
        // Each nested call passes the value to the contract itself, which moves nothing.
        (TransferIndex::Trace(0), 16),
    ];
    assert_eq!(shown(&transfers), expected);
    let blocks = chain.read_singly(&chain.rpc()).await;
    chain.books.state().blocks.extend(blocks);
    chain.check_balances();
}

#[tokio::test]
async fn without_traces_coins_sent_by_contracts_are_not_seen() {
    let chain = Chain::start(1);
    chain.books.state().watch.traces = false;
    let to = chain.books.add(address(1));
    chain.call_payer("forward(address)", &[word(to)], 11);
    chain.anvil.pay(to, 5);
    chain.anvil.mine(1);
    let transfers = chain.transfers().await;
    assert_eq!(shown(&transfers), [(TransferIndex::Value, 5)]);
}

#[tokio::test]
async fn a_reverted_transaction_moves_nothing_and_costs_its_fee() {
    let chain = Chain::start(1);
    let hot = chain.books.add_hot(chain.anvil.account(3));
    let to = chain.books.add(address(1));
    let call = abi("forwardAndRevert(address)", &[word(to)]);
    let reverted = Transaction::call(hot, chain.payer, 1_000_000, call);
    let hash = chain.anvil.send(&reverted);
    // The hot wallet has no units of the token.
    let call = abi("transfer(address,uint256)", &[word(to), number(1)]);
    chain
        .anvil
        .send(&Transaction::call(hot, chain.token, 0, call));
    chain.anvil.send(&Transaction::pay(hot, to, 5));
    chain.anvil.mine(1);
    let blocks = chain.read_singly(&chain.rpc()).await;
    assert_eq!(shown(&blocks[0].transfers), [(TransferIndex::Value, 5)]);
    let sent = &blocks[0].sent;
    let outcomes: Vec<_> = sent
        .iter()
        .map(|mined| (mined.nonce, mined.succeeded))
        .collect();
    assert_eq!(outcomes, [(0, false), (1, false), (2, true)]);
    assert_eq!((sent[0].hash, sent[0].from), (hash, hot));
    chain.books.state().blocks.extend(blocks);
    chain.check_balances();
}

#[tokio::test]
async fn a_transfer_of_nothing_is_left_out() {
    let chain = Chain::start(1);
    let to = chain.books.add(address(1));
    chain.anvil.mint(chain.token, to, 0);
    chain.anvil.pay(to, 0);
    chain.anvil.mine(1);
    assert_eq!(chain.transfers().await, []);
}

#[tokio::test]
async fn the_fee_of_the_chain_below_is_part_of_what_the_network_took() {
    let chain = Chain::start(10);
    let liar = Liar::start(chain.anvil.address());
    let hot = chain.books.add_hot(chain.anvil.account(3));
    chain.anvil.send(&Transaction::pay(hot, address(1), 5));
    chain.anvil.mine(1);
    let url = liar.url();
    let rpc = Rpc::new(client(), &url, RpcLimits::default()).expect("a URL");
    let without = chain.read_singly(&rpc).await[0].sent[0].fee;
    liar.tamper(|method, _, result| {
        if method == "eth_getTransactionReceipt" {
            result["l1Fee"] = "0x64".into();
        }
    });
    let with = chain.read_singly(&rpc).await[0].sent[0].fee;
    assert_eq!(with - without, alloy_primitives::U256::from(100));
}

#[tokio::test]
async fn a_block_that_concerns_nobody_takes_at_most_three_calls() {
    let chain = Chain::start(1);
    let liar = Liar::start(chain.anvil.address());
    chain.books.add(address(1));
    for _ in 0..5 {
        chain.anvil.mint(chain.token, address(2), 5);
        chain.anvil.pay(address(2), 5);
        chain.anvil.mine(1);
    }
    let rpc = Rpc::new(client(), &liar.url(), RpcLimits::default()).expect("a URL");
    let blocks = chain.read_singly(&rpc).await;
    assert!(blocks.iter().all(|block| block.transfers.is_empty()));
    let each = [
        "eth_getBlockByNumber",
        "eth_getLogs",
        "debug_traceBlockByHash",
    ];
    assert_eq!(liar.take_methods(), each.repeat(5));
    chain.books.state().watch.traces = false;
    chain.read_singly(&rpc).await;
    assert_eq!(liar.take_methods(), each[..2].repeat(5));
}

#[tokio::test]
async fn an_address_that_is_watched_after_the_fetch_counts() {
    let chain = Chain::start(1);
    chain.anvil.mint(chain.token, address(1), 5);
    chain.anvil.mine(1);
    let (rpc, watch) = (chain.rpc(), chain.books.state().watch.clone());
    let reader = Reader::new(&rpc, &watch);
    let data = reader.fetch_next(watch.head).await.expect("a block");
    chain.books.add(address(1));
    let block = reader
        .complete(&*chain.books, &data)
        .await
        .expect("a block");
    assert_eq!(shown(&block.transfers), [(TransferIndex::Log(0), 5)]);
}

#[tokio::test]
async fn a_block_after_an_unknown_one_is_not_read() {
    let chain = Chain::start(1);
    chain.anvil.mine(3);
    let (rpc, watch) = (chain.rpc(), chain.books.state().watch.clone());
    let reader = Reader::new(&rpc, &watch);
    let other = BlockId {
        number: watch.head.number,
        hash: Default::default(),
    };
    assert!(reader.fetch_next(other).await.is_err());
    // More than the node has.
    assert!(reader.fetch_range(watch.head.number, 4).await.is_err());
    assert!(reader.fetch_range(watch.head.number, 3).await.is_ok());
}
