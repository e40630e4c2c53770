//! When sources are asked, and what is stored of their answers.

use std::time::Duration;

use settlekit_core::value::Timestamp;
use settlekit_service::median::NoMedian;
use settlekit_service::price_operator::PriceSourceError;
use settlekit_service::price_sources::PriceSource;
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::world::World;

use super::currency;
use super::feed::Feed;

const KRAKEN: PriceSource = PriceSource::Kraken;
const COINBASE: PriceSource = PriceSource::Coinbase;
const BITSTAMP: PriceSource = PriceSource::Bitstamp;
const ECB: PriceSource = PriceSource::Ecb;

/// The sources that are due now; they are asked, and never answer.
fn due(feed: &mut Feed) -> Vec<PriceSource> {
    feed.rounds().iter().map(|round| round.source).collect()
}

/// Prices of what the chain has, and of the euro.
fn quiet_market(feed: &mut Feed) {
    for (source, symbol, price) in [
        (KRAKEN, "ETH", "3000"),
        (KRAKEN, "USDC", "0.9998"),
        (KRAKEN, "EUR", "1.08"),
        (KRAKEN, "GBP", "1.27"),
        (KRAKEN, "CAD", "1.37"),
        (KRAKEN, "CHF", "0.9"),
        (COINBASE, "ETH", "3001"),
        (BITSTAMP, "ETH", "3002"),
        (BITSTAMP, "USDC", "0.9999"),
        (BITSTAMP, "EUR", "1.081"),
        (ECB, "EUR", "1.0705"),
    ] {
        feed.say(source, symbol, price);
    }
}

#[test]
fn each_source_is_asked_at_its_own_pace_by_one_server() {
    Feed::each(&[KRAKEN, ECB], |kind, mut feed| {
        quiet_market(&mut feed);
        let asked = feed.answer();
        let asked: Vec<PriceSource> = asked.iter().map(|round| round.source).collect();
        assert_eq!(asked, [ECB, KRAKEN], "{kind}");
        assert_eq!(due(&mut feed), [], "{kind}");
        feed.pass(14);
        assert_eq!(due(&mut feed), [], "{kind}");
        feed.pass(1);
        // A second server finds nothing to do while the first one asks, and asks itself a minute later.
        assert_eq!(due(&mut feed), [KRAKEN], "{kind}");
        assert_eq!(due(&mut feed), [], "{kind}");
        feed.pass(59);
        assert_eq!(due(&mut feed), [], "{kind}");
        feed.pass(1);
        assert_eq!(due(&mut feed), [KRAKEN], "{kind}");
        feed.pass(60 * 60 - 75);
        assert_eq!(due(&mut feed), [ECB, KRAKEN], "{kind}");
    });
}

#[test]
fn the_answer_of_an_earlier_round_is_not_recorded() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        let slow = feed.rounds().remove(0);
        feed.pass(60);
        feed.answer();
        feed.say(KRAKEN, "ETH", "1");
        let body = r#"{"error":[],"result":{"ETHUSD":{"a":["1"],"b":["1"],"c":["1"]}}}"#;
        let answer = WebAnswer::Answer {
            status: 200,
            body: body.into(),
            retry_after: None,
        };
        feed.report(&slow, &[answer]);
        assert_eq!(feed.used("ETH"), Some(Ok("3000".to_owned())), "{kind}");
        // Of a source that was disconnected, too.
        feed.pass(15);
        let late = feed.rounds().remove(0);
        let (service, database) = feed.connected.world.parts();
        let done = service.disconnect_price_source(database, KRAKEN);
        assert_eq!(done, Ok(()), "{kind}");
        feed.report(&late, &[WebAnswer::Failed(WebError::Unreachable)]);
        assert_eq!(feed.used("ETH"), None, "{kind}");
        let (service, database) = feed.connected.world.parts();
        let done = service.disconnect_price_source(database, KRAKEN);
        assert_eq!(done, Err(PriceSourceError::NotConnected(KRAKEN)), "{kind}");
    });
}

#[test]
fn a_failing_source_is_asked_less_and_less_and_said_once() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        let since = feed.now();
        for wait in [15, 30, 60, 120, 240, 480, 600, 600] {
            feed.answer_all(502, "<html>Bad gateway</html>", None);
            let state = feed.state(KRAKEN);
            assert_eq!(state.last_error.as_deref(), Some("HTTP status 502"));
            assert_eq!(state.failing_since, Some(since), "{kind}");
            feed.pass(wait - 1);
            assert_eq!(due(&mut feed), [], "{kind}: {wait}");
            feed.pass(1);
        }
        assert_eq!(feed.told, ["kraken fails: HTTP status 502"], "{kind}");
        feed.answer();
        let state = feed.state(KRAKEN);
        let now = feed.now();
        assert_eq!((state.failures, state.failing_since), (0, None), "{kind}");
        assert_eq!(state.succeeded_at, Some(now), "{kind}");
        feed.pass(15);
        assert_eq!(due(&mut feed), [KRAKEN], "{kind}");
    });
}

#[test]
fn a_source_is_left_alone_as_long_as_it_asks_for() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        for (retry_after, wait) in [(Some(40), 40), (None, 600), (Some(1_000_000), 3_600)] {
            feed.answer_all(429, "", retry_after);
            feed.pass(wait - 1);
            assert_eq!(due(&mut feed), [], "{kind}: {wait}");
            let until = feed.now().plus(Duration::from_secs(1));
            assert_eq!(feed.state(KRAKEN).paused_until, Some(until), "{kind}");
            feed.pass(1);
        }
    });
}

#[test]
fn what_a_source_does_not_trade_is_asked_again_a_day_later() {
    Feed::each(&[KRAKEN, COINBASE], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.said.entry(KRAKEN).or_default().remove("CHF");
        let asked = |feed: &mut Feed, source: PriceSource| -> Vec<Vec<String>> {
            let rounds = feed.answer();
            let rounds = rounds.iter().filter(|round| round.source == source);
            let queries = rounds.flat_map(|round| &round.queries);
            let names = queries.map(|query| query.currencies.iter().map(ToString::to_string));
            names.map(Iterator::collect).collect()
        };
        let all = ["CAD", "CHF", "ETH", "EUR", "GBP", "USDC"];
        // One unknown pair fails all: the next round asks singly, and the rounds after leave it out.
        assert_eq!(asked(&mut feed, KRAKEN), [all], "{kind}");
        feed.pass(15);
        assert_eq!(asked(&mut feed, KRAKEN).len(), 6, "{kind}");
        feed.pass(15);
        let traded = ["CAD", "ETH", "EUR", "GBP", "USDC"];
        assert_eq!(asked(&mut feed, KRAKEN), [traded], "{kind}");
        feed.pass(15);
        // Coinbase has no USDC: Kraken's price is the only one there can be.
        assert_eq!(asked(&mut feed, COINBASE), [["ETH"]], "{kind}");
        assert_eq!(feed.used("USDC"), Some(Ok("0.9998".to_owned())), "{kind}");
        assert_eq!(feed.used("CHF"), None, "{kind}");
        assert_eq!(feed.told.len(), 1, "{kind}: {:?}", feed.told);
        feed.pass(24 * 60 * 60);
        assert_eq!(asked(&mut feed, COINBASE), [["ETH"], ["USDC"]], "{kind}");
    });
}

#[test]
fn an_answer_for_another_pair_fails_only_its_own_currency_from_then_on() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        // An old name that is not known here.
        let rename = |mut answer: WebAnswer| {
            if let WebAnswer::Answer { body, .. } = &mut answer {
                let text = String::from_utf8_lossy(body).replace("GBPUSD", "XGBPZUSD");
                *body = text.into_bytes();
            }
            answer
        };
        for _ in 0..3 {
            for round in feed.rounds() {
                let queries = round.queries.iter();
                let answers = queries.map(|query| rename(feed.answer_to(KRAKEN, query)));
                let answers: Vec<WebAnswer> = answers.collect();
                feed.report(&round, &answers);
            }
            feed.pass(15);
        }
        assert_eq!(feed.used("ETH"), Some(Ok("3000".to_owned())), "{kind}");
        assert_eq!(feed.used("GBP"), Some(Err(NoMedian::Stale)), "{kind}");
        let error = feed.state(KRAKEN).last_error;
        assert_eq!(error.as_deref(), Some("the answer names another pair"));
    });
}

#[test]
fn a_source_that_denies_what_it_quoted_leaves_no_other_alone() {
    Feed::each(&[KRAKEN, COINBASE], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("3000.5".to_owned())), "{kind}");
        feed.said.remove(&COINBASE);
        for _ in 0..10 {
            feed.pass(15);
            feed.answer();
        }
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Alone)), "{kind}");
    });
}

#[test]
fn a_jump_by_ten_times_is_held_back_for_two_minutes() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.answer();
        feed.say(KRAKEN, "ETH", "30000");
        let jumped = feed.now().plus(Duration::from_secs(15));
        while feed.now() < jumped.plus(Duration::from_secs(105)) {
            feed.pass(15);
            feed.answer();
            assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        }
        assert_eq!(
            feed.told,
            ["kraken holds ETH back: from 3000 to 30000 US dollars"],
            "{kind}"
        );
        // Other prices of the source go on.
        assert_eq!(feed.used("USDC"), Some(Ok("0.9998".to_owned())), "{kind}");
        feed.pass(15);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("30000".to_owned())), "{kind}");
    });
}

#[test]
fn a_source_that_stops_and_comes_back_with_ten_times_the_price_is_held_back() {
    for silence in [121, 24 * 60 * 60] {
        Feed::each(&[KRAKEN], |kind, mut feed| {
            quiet_market(&mut feed);
            feed.answer();
            feed.pass(silence);
            assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
            feed.say(KRAKEN, "ETH", "30000");
            let jumped = feed.now();
            while feed.now() < jumped.plus(Duration::from_secs(120)) {
                feed.answer();
                assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
                assert_eq!(feed.used("EUR"), Some(Ok("1.08".to_owned())), "{kind}");
                feed.pass(15);
            }
            assert_eq!(
                feed.told.last().map(String::as_str),
                Some("kraken holds ETH back: from 3000 to 30000 US dollars"),
                "{kind}: {:?}",
                feed.told
            );
            feed.answer();
            assert_eq!(feed.used("ETH"), Some(Ok("30000".to_owned())), "{kind}");
        });
    }
}

#[test]
fn a_price_that_is_held_back_stays_so_when_the_source_stops_and_comes_back() {
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.answer();
        feed.say(KRAKEN, "ETH", "30000");
        feed.pass(15);
        feed.answer();
        // Back at the price of before: that is a jump, too.
        feed.say(KRAKEN, "ETH", "3000");
        feed.pass(1_000);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        let held = feed
            .told
            .iter()
            .filter(|told| told.contains("holds ETH back"));
        assert_eq!(held.count(), 2, "{kind}: {:?}", feed.told);
        feed.pass(120);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("3000".to_owned())), "{kind}");
    });
}

#[test]
fn a_jump_needs_a_second_answer_however_old_prices_may_be() {
    Feed::each(&[KRAKEN, ECB], |kind, mut feed| {
        quiet_market(&mut feed);
        let now = feed.now();
        let (service, database) = feed.connected.world.parts();
        let settings = (KRAKEN.base_url(), Duration::from_secs(60 * 60));
        let done = service.connect_price_source(database, KRAKEN, settings, now);
        assert_eq!(done, Ok(()), "{kind}");
        feed.answer();
        feed.say(KRAKEN, "ETH", "30000");
        feed.pass(15);
        feed.answer();
        // No second answer comes: two minutes alone prove nothing.
        for _ in 0..10 {
            feed.pass(60);
            assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        }
        // What did not jump is good for an hour.
        assert_eq!(feed.used("USDC"), Some(Ok("0.9998".to_owned())), "{kind}");
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("30000".to_owned())), "{kind}");
    });
    // The central bank is asked every hour, and its rates are good for days.
    Feed::each(&[ECB], |kind, mut feed| {
        feed.say(ECB, "EUR", "1.07");
        feed.answer();
        assert_eq!(feed.used("EUR"), Some(Ok("1.07".to_owned())), "{kind}");
        feed.say(ECB, "EUR", "10.7");
        feed.pass(60 * 60);
        feed.answer();
        for _ in 0..59 {
            feed.pass(60);
            assert_eq!(feed.used("EUR"), Some(Err(NoMedian::Stale)), "{kind}");
        }
        feed.pass(60);
        feed.answer();
        assert_eq!(feed.used("EUR"), Some(Ok("10.7".to_owned())), "{kind}");
    });
}

#[test]
fn a_source_that_strays_from_the_others_is_said_once() {
    Feed::each(&[KRAKEN, COINBASE, BITSTAMP], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("3001".to_owned())), "{kind}");
        feed.say(COINBASE, "ETH", "3500");
        for _ in 0..4 {
            feed.pass(15);
            feed.answer();
            assert_eq!(feed.used("ETH"), Some(Ok("3002".to_owned())), "{kind}");
        }
        assert_eq!(
            feed.told,
            ["coinbase strays: ETH at 3500 instead of 3002 US dollars"],
            "{kind}"
        );
        // Two against each other give none.
        feed.say(BITSTAMP, "EUR", "1.2");
        feed.pass(15);
        feed.answer();
        assert_eq!(feed.used("EUR"), Some(Err(NoMedian::Disagree)), "{kind}");
        // With a wider spread they do.
        let (service, database) = feed.connected.world.parts();
        let set = service.set_price_spread(database, 1_500);
        assert_eq!(set, Ok(()), "{kind}");
        assert_eq!(feed.used("EUR"), Some(Ok("1.14".to_owned())), "{kind}");
    });
}

#[test]
fn an_old_price_is_not_used() {
    Feed::each(&[KRAKEN, ECB], |kind, mut feed| {
        quiet_market(&mut feed);
        feed.answer();
        let fresh = feed.used("ETH");
        assert_eq!(fresh, Some(Ok("3000".to_owned())), "{kind}");
        feed.pass(120);
        assert_eq!(feed.used("ETH"), fresh, "{kind}");
        feed.pass(1);
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        // The central bank's rates are good for days, counted from their date.
        assert!(matches!(feed.used("SEK"), Some(Ok(_))), "{kind}");
        let midnight = Timestamp::from_day_number(feed.now().day_number());
        let age = feed.now().since(midnight).as_secs();
        feed.pass(4 * 24 * 60 * 60 - age);
        assert!(matches!(feed.used("SEK"), Some(Ok(_))), "{kind}");
        feed.pass(1);
        assert_eq!(feed.used("SEK"), Some(Err(NoMedian::Stale)), "{kind}");
    });
}

#[test]
fn a_clock_that_was_a_year_ahead_keeps_no_price_and_stops_no_source() {
    const YEAR: u64 = 365 * 24 * 60 * 60;
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        let today = feed.now();
        feed.pass(YEAR);
        feed.answer();
        feed.connected.world.now = today;
        assert_eq!(feed.used("ETH"), Some(Err(NoMedian::Stale)), "{kind}");
        feed.say(KRAKEN, "ETH", "2000");
        feed.answer();
        assert_eq!(feed.used("ETH"), Some(Ok("2000".to_owned())), "{kind}");
    });
}

#[test]
fn the_last_price_of_each_hour_is_kept_for_a_year() {
    const HOUR: u64 = 60 * 60;
    Feed::each(&[KRAKEN], |kind, mut feed| {
        quiet_market(&mut feed);
        let start = feed.now();
        for price in ["3000", "3010", "3020"] {
            feed.say(KRAKEN, "ETH", price);
            feed.answer();
            feed.pass(15);
        }
        let history = |feed: &mut Feed| -> Vec<String> {
            let (service, database) = feed.connected.world.parts();
            let hours = service.price_history(database, &currency("ETH"), start);
            let hours = hours.expect("a history").into_iter();
            hours.map(|(_, price)| price.to_string()).collect()
        };
        assert_eq!(history(&mut feed), ["3020"], "{kind}");
        feed.pass(HOUR);
        feed.say(KRAKEN, "ETH", "3030");
        feed.answer();
        assert_eq!(history(&mut feed), ["3020", "3030"], "{kind}");
        feed.pass(366 * 24 * HOUR);
        feed.answer();
        assert_eq!(history(&mut feed), ["3030", "3030"], "{kind}");
    });
}

#[test]
fn a_sandbox_has_no_sources() {
    World::each(|kind, mut world| {
        let now = world.now;
        let (service, database) = world.parts();
        let settings = (KRAKEN.base_url(), KRAKEN.max_age());
        let refused = service.connect_price_source(database, KRAKEN, settings, now);
        assert_eq!(refused, Err(PriceSourceError::Sandbox), "{kind}");
        let refused = service.set_price_spread(database, 100);
        assert_eq!(refused, Err(PriceSourceError::Sandbox), "{kind}");
        assert_eq!(
            service.due_price_sources(database, now),
            Ok(vec![]),
            "{kind}"
        );
    });
}
