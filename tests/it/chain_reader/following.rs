//! The watcher follows the head and its forks.

use settlekit_service::block::BlockId;
use settlekit_tests::anvil::{Anvil, Transaction, abi, number, word};
use settlekit_tests::liar::Liar;

use super::{Chain, Watching, address};

impl Chain {
    /// Waits until the node's latest block is recorded.
    async fn until_current(&self) {
        let height = self.anvil.height();
        let hash = self.anvil.block_hash(height);
        self.books.until_head(height, hash).await;
    }
}

#[tokio::test]
async fn blocks_are_recorded_as_they_are_mined() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    let _watching = Watching::start(&chain.books);
    for units in 1..=5 {
        chain.anvil.pay(to, units);
        chain.anvil.mine(1);
        chain.until_current().await;
        assert_eq!(chain.books.state().received(to).last(), Some(&units));
    }
    assert_eq!(chain.books.state().received(to), [1, 2, 3, 4, 5]);
    chain.check_balances();
}

#[tokio::test]
async fn reorganisations_of_any_depth_are_followed() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    let _watching = Watching::start(&chain.books);
    for depth in 1..=20 {
        let (start, before) = (chain.anvil.height(), chain.books.state().received(to));
        for units in 1..=depth {
            chain.anvil.pay(to, units);
            chain.anvil.mine(1);
        }
        chain.until_current().await;
        assert_eq!(
            chain.books.state().received(to).len(),
            before.len() + depth as usize
        );
        chain.anvil.reorganise(depth);
        chain.until_current().await;
        let state = chain.books.state();
        assert_eq!(state.rewinds.last(), Some(&(start + depth, start)));
        assert_eq!(state.received(to), before);
    }
    chain.check_balances();
}

#[tokio::test]
async fn a_longer_fork_is_followed_while_it_grows() {
    let chain = Chain::start(1);
    let to = chain.books.add(address(1));
    let _watching = Watching::start(&chain.books);
    let fork = chain.anvil.snapshot();
    chain.anvil.pay(to, 7);
    chain.anvil.mine(3);
    chain.until_current().await;
    chain.anvil.revert(&fork);
    chain.anvil.pay(to, 8);
    chain.anvil.mine(1);
    chain.anvil.pay(to, 9);
    chain.anvil.mine(6);
    chain.until_current().await;
    assert_eq!(chain.books.state().received(to), [8, 9]);
    chain.check_balances();
}

#[tokio::test]
async fn a_transaction_may_end_otherwise_in_another_block() {
    let chain = Chain::start(8453);
    let (anvil, token) = (&chain.anvil, chain.token);
    let hot = chain.books.add_hot(anvil.account(4));
    let to = chain.books.add(address(1));
    anvil.mint(token, hot, 50);
    anvil.mine(1);
    let _watching = Watching::start(&chain.books);
    let transfer = |to, units| {
        let call = abi("transfer(address,uint256)", &[word(to), number(units)]);
        Transaction::call(hot, token, 0, call)
    };
    let paid = Transaction {
        nonce: Some(1),
        ..transfer(to, 50)
    };
    let fork = anvil.snapshot();
    anvil.send(&Transaction::pay(hot, address(2), 1));
    let hash = anvil.send(&paid);
    anvil.mine(2);
    chain.until_current().await;
    assert_eq!(chain.books.state().received(to), [50]);

    // In the other fork the units are gone before.
    anvil.revert(&fork);
    anvil.send(&transfer(address(2), 50));
    anvil.mine(1);
    assert_eq!(anvil.send(&paid), hash, "the same transaction");
    anvil.mine(2);
    chain.until_current().await;
    assert!(chain.books.state().received(to).is_empty());
    let blocks = chain.books.state().blocks.clone();
    let sent: Vec<_> = blocks.iter().flat_map(|block| &block.sent).collect();
    assert_eq!((sent[1].hash, sent[1].succeeded), (hash, false));
    chain.check_balances();
}

#[tokio::test]
async fn a_node_that_is_restarted_from_an_older_state_is_waited_for() {
    let chain = Chain::start(1);
    let to = chain.books.add(address(1));
    // The states of the two nodes are equal up to here.
    let state = chain
        .anvil
        .call("anvil_dumpState", serde_json::json!([true]));
    let liar = Liar::start(chain.anvil.address());
    chain.books.set_providers(&[liar.url()]);
    let watching = Watching::start(&chain.books);
    chain.anvil.pay(to, 5);
    chain.anvil.mine(3);
    chain.until_current().await;
    let head = chain.books.state().head();

    let restarted = Anvil::start(1);
    restarted.call("anvil_loadState", serde_json::json!([state]));
    let older = restarted.height();
    assert_eq!(restarted.block_hash(older), chain.anvil.block_hash(older));
    liar.point_at(restarted.address());
    watching
        .until_provider(0, |provider| provider.height == Some(older))
        .await;
    // Nothing is taken back because of a node that lags.
    assert_eq!(chain.books.state().head(), head);
    assert_eq!(chain.books.state().rewinds, []);

    restarted.pay(to, 6);
    restarted.mine(1);
    let forked = restarted.block_hash(older + 1);
    chain.books.until_head(older + 1, forked).await;
    let state = chain.books.state();
    assert_eq!(
        (state.rewinds.as_slice(), state.received(to)),
        (&[(head.number, older)][..], vec![6])
    );
}

#[tokio::test]
async fn hundreds_of_blocks_are_caught_up() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    chain.books.state().watch.log_range = 10;
    for units in 1..=6 {
        chain.anvil.pay(to, units);
        chain.anvil.mint(chain.token, to, 10 * units);
        chain.anvil.mine(40);
    }
    let _watching = Watching::start(&chain.books);
    chain.until_current().await;
    let state = chain.books.state();
    assert_eq!(state.received(to).iter().sum::<u64>(), 11 * 21);
    assert_eq!(state.blocks.len(), 241);
    drop(state);
    chain.check_balances();
}

#[tokio::test]
async fn a_block_that_cannot_be_recorded_holds_up_none_before_it() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    let start = chain.anvil.height();
    for units in 1..=6 {
        chain.anvil.pay(to, units);
        chain.anvil.mine(10);
    }
    let bad = start + 27;
    chain.books.state().refused = Some(bad);
    let watching = Watching::start(&chain.books);
    let before = chain.anvil.block_hash(bad - 1);
    chain.books.until_head(bad - 1, before).await;
    watching.until_problem("a block cannot be recorded").await;
    assert_eq!(chain.books.state().received(to), [1, 2, 3]);
    chain.books.state().refused = None;
    chain.until_current().await;
    assert_eq!(chain.books.state().received(to), [1, 2, 3, 4, 5, 6]);
    chain.check_balances();
}

#[tokio::test]
async fn a_paused_chain_rests_and_goes_on_where_it_was() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    let watching = Watching::start(&chain.books);
    chain.anvil.pay(to, 5);
    chain.anvil.mine(1);
    chain.until_current().await;
    let head = chain.books.state().head();
    chain.books.state().is_paused = true;
    watching.until(|| watching.health.all().is_empty()).await;
    chain.anvil.pay(to, 6);
    chain.anvil.mine(2);
    assert_eq!(chain.books.state().head(), head);
    chain.books.state().is_paused = false;
    chain.until_current().await;
    assert_eq!(chain.books.state().received(to), [5, 6]);
}

#[tokio::test]
async fn a_token_that_is_added_is_read_from_then_on() {
    let chain = Chain::start(8453);
    let to = chain.books.add(address(1));
    chain.books.state().watch.tokens.clear();
    let watching = Watching::start(&chain.books);
    chain.anvil.mint(chain.token, to, 5);
    chain.anvil.mine(1);
    chain.until_current().await;
    assert!(chain.books.state().received(to).is_empty());
    let started = |health: &BlockId| health.number;
    let before = watching
        .health
        .all()
        .values()
        .map(|chain| started(&chain.head))
        .next();
    chain.books.state().watch.tokens.push(chain.token);
    // The watcher with the old settings may still record some blocks.
    let mut units = 5;
    while chain.books.state().received(to).is_empty() {
        units += 1;
        chain.anvil.mint(chain.token, to, units);
        chain.anvil.mine(1);
        chain.until_current().await;
        assert!(units < 1000, "the token is never read: {before:?}");
    }
}

#[tokio::test]
async fn books_and_chain_agree_after_random_transfers_and_forks() {
    for seed in [3_u64, 17] {
        let chain = Chain::start(8453);
        let anvil = &chain.anvil;
        let watched: Vec<_> = (1..=4)
            .map(|place| chain.books.add(address(place)))
            .collect();
        let hot = chain.books.add_hot(anvil.account(5));
        anvil.mint(chain.token, hot, 1_000_000);
        anvil.mine(1);
        let _watching = Watching::start(&chain.books);
        let mut random = seed;
        let mut next = |below: u64| {
            // xorshift
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % below
        };
        for _ in 0..120 {
            let to = watched[next(4) as usize];
            let units = next(1000);
            let payer = |function: &str| {
                let call = abi(function, &[word(to)]);
                anvil.send(&Transaction::call(hot, chain.payer, units, call));
            };
            match next(10) {
                0 => drop(anvil.pay(to, units)),
                1 => drop(anvil.mint(chain.token, to, units)),
                2 => drop(anvil.send(&Transaction::pay(hot, to, units))),
                3 => {
                    let words = [word(to), number(units), number(next(9))];
                    let call = abi("transferTwice(address,uint256,uint256)", &words);
                    anvil.send(&Transaction::call(hot, chain.token, 0, call));
                }
                4 => payer("forward(address)"),
                5 => payer("failInside(address)"),
                6 => payer("destroy(address)"),
                7 => payer("forwardAndRevert(address)"),
                8 => anvil.mine(1 + next(6)),
                // No transaction of these blocks comes back.
                _ if anvil.height() > 10 => anvil.reorganise(1 + next(5)),
                _ => {}
            }
        }
        anvil.mine(1);
        chain.until_current().await;
        chain.check_balances();
        assert!(!chain.books.state().transfers().is_empty());
    }
}
