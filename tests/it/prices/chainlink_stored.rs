//! Chainlink's feeds as one source among others: when they are read, and what is stored of them.

use std::time::Duration;

use alloy_primitives::Address;
use settlekit_core::value::ChainId;
use settlekit_service::median::NoMedian;
use settlekit_service::operator::OperatorError;
use settlekit_service::price_operator::PriceSourceError;
use settlekit_service::price_sources::PriceSource;
use settlekit_service::price_sources::chainlink::{Feed as ChainFeed, FeedSet};
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::world::World;

use super::currency;
use super::feed::Feed;

const KRAKEN: PriceSource = PriceSource::Kraken;
const CHAINLINK: PriceSource = PriceSource::Chainlink;

/// Feeds for ETH and EUR.
fn set(chain: ChainId) -> FeedSet {
    let feed = |symbol| ChainFeed {
        currency: currency(symbol),
        address: Address::repeat_byte(0xfe),
        decimals: 8,
        heartbeat: 3_600,
    };
    FeedSet {
        chain,
        feeds: vec![feed("ETH"), feed("EUR")],
        sequencer: None,
    }
}

/// Reads feeds on the chain from now on.
fn connect(feed: &mut Feed) {
    let (now, set) = (feed.now(), set(feed.connected.chain.id));
    let (service, database) = feed.connected.world.parts();
    let done = service.connect_chainlink(database, &set, CHAINLINK.max_age(), now);
    assert_eq!(done, Ok(()));
    let shown = feed.state(CHAINLINK);
    assert_eq!((shown.url.as_str(), shown.feeds), ("", Some(set)));
}

/// Kraken is asked for six currencies.
fn quiet_market(feed: &mut Feed) {
    for (source, symbol, price) in [
        (KRAKEN, "ETH", "3000"),
        (KRAKEN, "USDC", "1"),
        (KRAKEN, "EUR", "1"),
        (KRAKEN, "GBP", "1.27"),
        (KRAKEN, "CAD", "1.37"),
        (KRAKEN, "CHF", "0.9"),
        (CHAINLINK, "ETH", "3010"),
        (CHAINLINK, "EUR", "1"),
    ] {
        feed.say(source, symbol, price);
    }
}

fn pause(feed: &mut Feed, paused: bool) {
    let (now, chain) = (feed.now(), feed.connected.chain.id);
    let (service, database) = feed.connected.world.parts();
    let done = service.set_chain_paused(database, chain, paused, now);
    assert_eq!(done, Ok(()));
}

#[test]
fn feeds_on_a_chain_are_one_source_of_the_median() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        connect(&mut feed);
        quiet_market(&mut feed);
        let rounds = feed.answer();
        let asked: Vec<PriceSource> = rounds.iter().map(|round| round.source).collect();
        assert_eq!(asked, [CHAINLINK, KRAKEN], "{kind}");
        assert_eq!(rounds[0].queries[0].url, "http://127.0.0.1:1", "{kind}");
        assert_eq!(feed.used("ETH"), Some(Ok("3005".to_owned())), "{kind}");
        // Two that contradict each other give none, and what only one quotes is believed.
        feed.say(CHAINLINK, "ETH", "4000");
        feed.pass(60);
        let asked = feed.answer();
        assert_eq!(asked.len(), 2, "{kind}");
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Disagree)), "{kind}");
        assert_eq!(feed.used("USDC"), Some(Ok("1".to_owned())), "{kind}");
        // A jump is held back.
        feed.say(CHAINLINK, "ETH", "30000");
        feed.pass(60);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Alone)), "{kind}");
        let told = "chainlink holds ETH back: from 4000 to 30000 US dollars";
        assert!(feed.told.iter().any(|one| one == told), "{:?}", feed.told);
    });
}

#[test]
fn a_feed_that_is_not_read_for_five_minutes_has_no_price_however_long_its_heartbeat_is() {
    Feed::each(&[], |kind, mut feed| {
        connect(&mut feed);
        quiet_market(&mut feed);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("3010".to_owned())), "{kind}");
        feed.pass(300);
        assert_eq!(feed.used("ETH"), Some(Ok("3010".to_owned())), "{kind}");
        feed.pass(1);
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("3010".to_owned())), "{kind}");
    });
}

#[test]
fn a_round_of_an_earlier_hour_is_read_until_its_heartbeat_has_passed() {
    Feed::each(&[], |kind, mut feed| {
        connect(&mut feed);
        quiet_market(&mut feed);
        let round = feed.rounds().remove(0);
        let WebAnswer::Answer { body, .. } = feed.answer_to(CHAINLINK, &round.queries[0]) else {
            panic!("an answer");
        };
        let old = String::from_utf8(body).expect("text");
        let (old_time, block_time) = (feed.now().seconds(), "\"timestamp\":\"");
        // The same round, in a block of each later time.
        let answer = |feed: &Feed| {
            let from = format!("{block_time}{old_time:#x}");
            let to = format!("{block_time}{:#x}", feed.now().seconds());
            WebAnswer::Answer {
                status: 200,
                body: old.replace(&from, &to).into_bytes(),
                retry_after: None,
            }
        };
        feed.report(&round, &[answer(&feed)]);
        feed.pass(3_899);
        let round = feed.rounds().remove(0);
        feed.report(&round, &[answer(&feed)]);
        assert_eq!(feed.used("ETH"), Some(Ok("3010".to_owned())), "{kind}");
        feed.pass(60);
        let round = feed.rounds().remove(0);
        feed.report(&round, &[answer(&feed)]);
        let error = feed.state(CHAINLINK).last_error;
        let stale = "ETH: the feed's round is older than its heartbeat";
        assert_eq!(error.as_deref(), Some(stale), "{kind}");
        feed.pass(300);
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
    });
}

#[test]
fn on_a_paused_chain_the_source_fails_and_says_why() {
    Feed::each(&[], |kind, mut feed| {
        connect(&mut feed);
        quiet_market(&mut feed);
        feed.answer();
        pause(&mut feed, true);
        for wait in [60, 15, 30] {
            feed.pass(wait);
            let rounds = feed.answer();
            assert_eq!(rounds.len(), 1, "{kind}");
            assert_eq!(rounds[0].queries, [], "{kind}");
        }
        let state = feed.state(CHAINLINK);
        assert_eq!(state.last_error.as_deref(), Some("the chain is paused"));
        assert_eq!(state.failures, 3, "{kind}");
        assert_eq!(
            feed.told,
            ["chainlink fails: the chain is paused"],
            "{kind}"
        );
        // Connected anew, it is a source that quotes the currency, without a price.
        connect(&mut feed);
        for _ in 0..2 {
            assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
            feed.answer();
        }
        pause(&mut feed, false);
        feed.pass(60);
        feed.answer();
        assert_eq!(feed.state(CHAINLINK).failures, 0, "{kind}");
        assert_eq!(feed.used("ETH"), Some(Ok("3010".to_owned())), "{kind}");
    });
}

#[test]
fn a_chain_is_not_disconnected_while_prices_are_read_on_it() {
    Feed::each(&[], |kind, mut feed| {
        connect(&mut feed);
        quiet_market(&mut feed);
        feed.answer();
        let (now, chain) = (feed.now(), feed.connected.chain.id);
        let (service, database) = feed.connected.world.parts();
        let refused = service.disconnect_chain(database, chain);
        assert_eq!(refused, Err(OperatorError::GivesPrices(chain)), "{kind}");
        let done = service.disconnect_price_source(database, CHAINLINK);
        assert_eq!(done, Ok(()), "{kind}");
        assert_eq!(service.disconnect_chain(database, chain), Ok(()), "{kind}");
        let max_age = Duration::from_secs(60);
        let refused = service.connect_chainlink(database, &set(chain), max_age, now);
        assert_eq!(refused, Err(PriceSourceError::NoChain(chain)), "{kind}");
        let settings = ("https://chainlink.example", max_age);
        let refused = service.connect_price_source(database, CHAINLINK, settings, now);
        assert_eq!(
            refused,
            Err(PriceSourceError::NeedsChain(CHAINLINK)),
            "{kind}"
        );
        assert_eq!(feed.rounds(), [], "{kind}");
    });
}

#[test]
fn a_sandbox_reads_no_feeds() {
    World::each(|kind, mut world| {
        let (now, chain) = (world.now, ChainId::new(8453).expect("a chain"));
        let (service, database) = world.parts();
        let max_age = CHAINLINK.max_age();
        let refused = service.connect_chainlink(database, &set(chain), max_age, now);
        assert_eq!(refused, Err(PriceSourceError::Sandbox), "{kind}");
    });
}
