//! The mempools of real nodes.

use settlekit_tests::anvil::{Transaction, abi, number, word};
use settlekit_tests::liar::{Fault, Liar};

use super::{Chain, Watching, address};

#[tokio::test]
async fn plain_transfers_to_watched_addresses_are_seen_before_their_block() {
    let chain = Chain::start(8453);
    chain.books.state().watch.mempool = true;
    let to = chain.books.add(address(1));
    let payer = chain.anvil.account(0);
    let _watching = Watching::start(&chain.books);
    chain.anvil.pay(to, 7);
    chain.anvil.pay(address(2), 8);
    let call = abi("transfer(address,uint256)", &[word(to), number(9)]);
    let token = Transaction::call(payer, chain.token, 0, call);
    let hash = chain.anvil.send(&token);
    // Not a plain transfer.
    chain.anvil.mint(chain.token, to, 10);
    chain.books.until(|state| state.pending.len() == 2).await;
    let pending = chain.books.state().pending.clone();
    let coins = pending.iter().find(|one| one.token.is_none());
    let coins = coins.expect("the coins");
    assert_eq!((coins.to, coins.units.to::<u64>()), (to, 7));
    let token = pending.iter().find(|one| one.token.is_some());
    let token = token.expect("the token");
    assert_eq!((token.hash, token.token), (hash, Some(chain.token)));
    assert_eq!((token.from, token.to), (payer, to));
    assert_eq!(token.units.to::<u64>(), 9);
    chain.anvil.mine(1);
    chain
        .books
        .until(|state| state.received(to).len() == 3)
        .await;
    // Each was reported once.
    assert_eq!(chain.books.state().pending.len(), 2);
}

#[tokio::test]
async fn a_node_that_shows_no_mempool_is_read_as_before() {
    let chain = Chain::start(8453);
    let liar = Liar::start(chain.anvil.address());
    chain.books.state().watch.mempool = true;
    chain.books.set_providers(&[liar.url()]);
    let to = chain.books.add(address(1));
    liar.fail(|_, params| {
        let is_pending = params[0] == "pending";
        is_pending.then_some(Fault::Error(-32602, "unknown block tag"))
    });
    let watching = Watching::start(&chain.books);
    for units in 1..=3 {
        chain.anvil.pay(to, units);
        chain.anvil.mine(1);
    }
    chain
        .books
        .until(|state| state.received(to).len() == 3)
        .await;
    assert!(chain.books.state().pending.is_empty());
    watching
        .until_provider(0, |provider| provider.last_error.is_none())
        .await;
}

#[tokio::test]
async fn without_the_wish_no_mempool_is_looked_at() {
    let chain = Chain::start(8453);
    let liar = Liar::start(chain.anvil.address());
    chain.books.set_providers(&[liar.url()]);
    let to = chain.books.add(address(1));
    liar.fail(|_, params| {
        assert_ne!(params[0], "pending");
        None
    });
    let _watching = Watching::start(&chain.books);
    chain.anvil.pay(to, 1);
    chain.anvil.mine(1);
    chain
        .books
        .until(|state| state.received(to).len() == 1)
        .await;
    assert!(chain.books.state().pending.is_empty());
}
