//! Several providers: two must agree.

use std::time::{Duration, Instant};

use settlekit_server::chain::provider::Timing;
use settlekit_tests::liar::{Liar, Lie};

use super::{Chain, DEADLINE, TIMING, Watching, address};

impl Chain {
    /// Honest proxies in front of the node, as its providers.
    pub(super) fn behind(&self, count: usize) -> Vec<Liar> {
        let liars: Vec<Liar> = (0..count)
            .map(|_| Liar::start(self.anvil.address()))
            .collect();
        let urls: Vec<String> = liars.iter().map(Liar::url).collect();
        self.books.set_providers(&urls);
        liars
    }

    pub(super) async fn until_read(&self) {
        let height = self.anvil.height();
        let hash = self.anvil.block_hash(height);
        self.books.until_head(height, hash).await;
    }
}

/// Changes an amount everywhere: in logs and in receipts.
fn tamper_amounts(liar: &Liar) {
    liar.tamper(|method, _, result| {
        let inflate =
            |log: &mut serde_json::Value| log["data"] = format!("0x{}ff", "0".repeat(62)).into();
        match method {
            "eth_getLogs" => result
                .as_array_mut()
                .into_iter()
                .flatten()
                .for_each(inflate),
            "eth_getTransactionReceipt" => {
                result["logs"]
                    .as_array_mut()
                    .into_iter()
                    .flatten()
                    .for_each(inflate);
            }
            _ => {}
        }
    });
}

#[tokio::test]
async fn providers_that_disagree_report_nothing() {
    let chain = Chain::start(8453);
    let liars = chain.behind(2);
    let to = chain.books.add(address(1));
    let watching = Watching::start(&chain.books);
    chain.anvil.mint(chain.token, to, 1);
    chain.anvil.mine(1);
    chain.until_read().await;
    let head = chain.books.state().head();
    tamper_amounts(&liars[1]);
    chain.anvil.mint(chain.token, to, 2);
    chain.anvil.mine(1);
    let [one, other] = [liars[0].host(), liars[1].host()];
    let problem = format!("{one} and {other} disagree on block {}", head.number + 1);
    watching.until_problem(&problem).await;
    assert_eq!(chain.books.state().head(), head);
    liars[1].tell(Lie::None);
    chain.until_read().await;
    assert_eq!(chain.books.state().received(to), [1, 2]);
}

#[tokio::test]
async fn one_provider_cannot_take_blocks_back() {
    let chain = Chain::start(8453);
    let liars = chain.behind(2);
    let to = chain.books.add(address(1));
    let watching = Watching::start(&chain.books);
    chain.anvil.mint(chain.token, to, 1);
    chain.anvil.mine(3);
    chain.until_read().await;
    let head = chain.books.state().head();
    let hidden = chain.anvil.block_hash(head.number).to_string();
    let other = format!("0x{}", "7".repeat(64));
    liars[1].tamper(move |_, _, result| {
        if result["hash"] == hidden.as_str() {
            result["hash"] = other.clone().into();
        }
    });
    watching.until_failed(1, "").await;
    assert_eq!(chain.books.state().rewinds, []);
    liars[1].tell(Lie::None);
    chain.anvil.mint(chain.token, to, 2);
    chain.anvil.mine(1);
    chain.until_read().await;
    assert_eq!(chain.books.state().rewinds, []);
    assert_eq!(chain.books.state().received(to), [1, 2]);
}

#[tokio::test]
async fn a_provider_that_is_down_does_not_stop_the_others() {
    for (count, lie) in [
        (2, Lie::Die),
        (3, Lie::Die),
        (3, Lie::Hang),
        (2, Lie::TooManyRequests),
    ] {
        let chain = Chain::start(8453);
        let liars = chain.behind(count);
        let to = chain.books.add(address(1));
        let timing = Timing {
            down_after: Duration::from_millis(300),
            ..TIMING
        };
        let watching = Watching::start_with(&chain.books, timing);
        chain.anvil.mint(chain.token, to, 1);
        chain.anvil.mine(1);
        chain.until_read().await;
        liars[0].tell(lie);
        chain.anvil.mint(chain.token, to, 2);
        chain.anvil.mine(1);
        chain.until_read().await;
        assert_eq!(chain.books.state().received(to), [1, 2]);
        liars[0].tell(Lie::None);
        watching
            .until_provider(0, |provider| provider.is_ready)
            .await;
        chain.anvil.mint(chain.token, to, 3);
        chain.anvil.mine(1);
        chain.until_read().await;
        chain.check_balances();
    }
}

#[tokio::test]
async fn a_provider_that_lies_does_stop_the_others() {
    // It answers, so it is not down: somebody has to look.
    let chain = Chain::start(8453);
    let liars = chain.behind(2);
    let to = chain.books.add(address(1));
    let watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    chain.until_read().await;
    let head = chain.books.state().head();
    liars[1].tell(Lie::NoLogs);
    chain.anvil.mint(chain.token, to, 2);
    chain.anvil.mine(1);
    watching.until_failed(1, "no logs").await;
    watching.until_problem("").await;
    assert_eq!(chain.books.state().head(), head);
    liars[1].tell(Lie::None);
    chain.until_read().await;
    assert_eq!(chain.books.state().received(to), [2]);
}

/// Lies of one of three providers that halt two.
fn lies(chain: &Chain, liar: &Liar) -> Vec<(&'static str, Lie)> {
    let other = format!("0x{}", "7".repeat(64));
    let head = chain.books.state().head().hash.to_string();
    tamper_amounts(liar);
    let amounts = liar.lie();
    // A fork from the block before the head, in headers alone.
    liar.tamper(move |_, _, result| {
        if result["hash"] == head.as_str() {
            result["hash"] = other.clone().into();
        }
    });
    let fork = liar.lie();
    liar.tell(Lie::None);
    vec![
        ("amounts", amounts),
        ("no logs", Lie::NoLogs),
        ("a fork", fork),
        ("a lag", Lie::Lag(2)),
        ("another chain", Lie::ChainId(1)),
        ("no answer", Lie::Die),
    ]
}

#[tokio::test]
async fn two_providers_that_agree_go_on_whatever_a_third_says() {
    for place in 0..3 {
        let chain = Chain::start(8453);
        let liars = chain.behind(3);
        let to = chain.books.add(address(1));
        let watching = Watching::start(&chain.books);
        let mut expected = Vec::new();
        for round in 0.. {
            chain.anvil.mint(chain.token, to, 1);
            chain.anvil.mine(3);
            chain.until_read().await;
            expected.push(1);
            let Some((name, lie)) = lies(&chain, &liars[place]).into_iter().nth(round) else {
                break;
            };
            liars[place].tell(lie);
            chain.anvil.mint(chain.token, to, 2);
            chain.anvil.mine(1);
            chain.until_read().await;
            expected.push(2);
            assert_eq!(chain.books.state().received(to), expected, "{place} {name}");
            liars[place].tell(Lie::None);
            watching
                .until_provider(place, |provider| provider.is_ready)
                .await;
        }
        assert_eq!(chain.books.state().rewinds, []);
        chain.check_balances();
    }
}

#[tokio::test]
async fn a_provider_that_two_others_contradict_is_left_alone_for_a_while() {
    let chain = Chain::start(8453);
    let liars = chain.behind(3);
    let to = chain.books.add(address(1));
    let watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    chain.until_read().await;
    tamper_amounts(&liars[0]);
    let since = Instant::now();
    // It is asked again after a while: a slow test sees a later contradiction.
    while !watching.has_failed(0, "two others agree on another block") {
        assert!(since.elapsed() < DEADLINE, "it is not left alone");
        chain.anvil.mint(chain.token, to, 1);
        chain.anvil.mine(1);
        chain.until_read().await;
    }
    let received = chain.books.state().received(to);
    assert!(received.iter().all(|units| *units == 1), "{received:?}");
}

#[tokio::test]
async fn a_provider_of_another_chains_blocks_does_not_stop_two_others() {
    let chain = Chain::start(8453);
    let liars = chain.behind(3);
    let to = chain.books.add(address(1));
    let _watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    chain.until_read().await;
    // Lower and higher than the chain.
    for blocks in [3, 60] {
        let other = settlekit_tests::anvil::Anvil::start(8453);
        other.mine(blocks);
        liars[1].point_at(other.address());
        chain.anvil.mint(chain.token, to, blocks);
        chain.anvil.mine(1);
        chain.until_read().await;
        liars[1].point_at(chain.anvil.address());
    }
    assert_eq!(chain.books.state().received(to), [3, 60]);
    assert_eq!(chain.books.state().rewinds, []);
}

#[tokio::test]
async fn a_pair_catches_up_as_far_as_both_have_blocks() {
    let chain = Chain::start(8453);
    let liars = chain.behind(2);
    liars[0].tell(Lie::Lag(30));
    let to = chain.books.add(address(1));
    for units in 1..=4 {
        chain.anvil.mint(chain.token, to, units);
        chain.anvil.mine(25);
    }
    let watching = Watching::start(&chain.books);
    let height = chain.anvil.height();
    let visible = height - 30;
    let hash = chain.anvil.block_hash(visible);
    chain.books.until_head(visible, hash).await;
    watching
        .until_provider(0, |provider| provider.lag == Some(30))
        .await;
    liars[0].tell(Lie::None);
    chain.until_read().await;
    assert_eq!(chain.books.state().received(to), [1, 2, 3, 4]);
}
