//! What `GET /rates` shows of connected sources.

use serde_json::{Value, json};
use settlekit_service::price_sources::PriceSource;
use settlekit_tests::world::{Shop, text};

use super::feed::Feed;

const KRAKEN: PriceSource = PriceSource::Kraken;
const COINBASE: PriceSource = PriceSource::Coinbase;
const BITSTAMP: PriceSource = PriceSource::Bitstamp;

/// A shop, and sources that give the price of ether.
fn shop(feed: &mut Feed, prices: &[(PriceSource, &str)]) -> Shop {
    let shop = feed.connected.world.shop("Shop", None);
    for (source, price) in prices {
        feed.say(*source, "ETH", price);
    }
    shop
}

/// The rate of ether.
fn ether(feed: &mut Feed, shop: &Shop) -> Value {
    let rates = feed.connected.world.read(shop, "/v1/rates");
    let items = rates["items"].as_array().expect("rates").clone();
    let mut items = items.into_iter();
    items
        .find(|rate| rate["currency"] == "ETH")
        .expect("a rate")
}

/// Each source with its price and whether it counts.
fn said(rate: &Value) -> Vec<String> {
    let sources = rate["sources"].as_array().expect("sources").iter();
    sources
        .map(|one| {
            let price = one["usd"].as_str().unwrap_or("-");
            format!("{} {price} {}", text(one, "source"), text(one, "status"))
        })
        .collect()
}

fn states(feed: &mut Feed, shop: &Shop) -> Vec<String> {
    let rates = feed.connected.world.read(shop, "/v1/rates");
    let sources = rates["sources"].as_array().expect("sources").iter();
    sources
        .map(|one| format!("{} {}", text(one, "source"), text(one, "status")))
        .collect()
}

#[test]
fn the_median_is_listed_with_what_each_source_says() {
    Feed::each(&[KRAKEN, COINBASE, BITSTAMP], |kind, mut feed| {
        let prices = [(KRAKEN, "3000"), (COINBASE, "3001.5"), (BITSTAMP, "300.2")];
        let shop = shop(&mut feed, &prices);
        assert_eq!(
            states(&mut feed, &shop),
            ["bitstamp Waiting", "coinbase Waiting", "kraken Waiting"],
            "{kind}"
        );
        let asked_at = feed.now();
        feed.answer();
        // Kraken is asked singly then.
        feed.pass(15);
        feed.answer();
        let rate = ether(&mut feed, &shop);
        assert_eq!(rate["usd"], "3000", "{kind}: {rate}");
        assert!(
            asked_at.to_string() <= text(&rate, "priced_at"),
            "{kind}: {rate}"
        );
        assert_eq!(
            said(&rate),
            [
                "bitstamp 300.2 Stray",
                "coinbase 3001.5 Fresh",
                "kraken 3000 Fresh"
            ],
            "{kind}"
        );
        assert_eq!(
            states(&mut feed, &shop),
            ["bitstamp Healthy", "coinbase Healthy", "kraken Healthy"],
            "{kind}"
        );
    });
}

#[test]
fn without_a_price_the_last_one_is_listed_with_its_time_and_the_reason() {
    Feed::each(&[BITSTAMP], |kind, mut feed| {
        let shop = shop(&mut feed, &[(BITSTAMP, "3000")]);
        feed.answer();
        let used_at = feed.now();
        feed.pass(15);
        feed.answer_all(503, "<html>", None);
        let rate = ether(&mut feed, &shop);
        assert_eq!(rate["usd"], "3000", "{kind}: {rate}");
        assert_eq!(states(&mut feed, &shop), ["bitstamp Failing"], "{kind}");
        feed.pass(120);
        feed.answer_all(429, "", Some(300));
        let rate = ether(&mut feed, &shop);
        let listed = json!({
            "currency": "ETH",
            "gap": "Stale",
            "last_usd": "3000",
            "last_at": used_at.to_string(),
            "sources": [{
                "source": "bitstamp",
                "usd": "3000",
                "priced_at": rate["sources"][0]["priced_at"],
                "status": "Old",
            }],
        });
        assert_eq!(rate, listed, "{kind}");
        assert_eq!(states(&mut feed, &shop), ["bitstamp Paused"], "{kind}");
    });
}

#[test]
fn sources_that_contradict_each_other_give_no_rate() {
    Feed::each(&[COINBASE, BITSTAMP], |kind, mut feed| {
        let shop = shop(&mut feed, &[(COINBASE, "3000"), (BITSTAMP, "3100")]);
        feed.answer();
        let rate = ether(&mut feed, &shop);
        assert_eq!(rate["gap"], "Disagree", "{kind}: {rate}");
        assert!(
            rate.get("usd").is_none() && rate.get("last_usd").is_none(),
            "{kind}: {rate}"
        );
        // One that jumps is held back, and the other is alone.
        feed.say(COINBASE, "ETH", "9000");
        feed.pass(15);
        feed.answer();
        let rate = ether(&mut feed, &shop);
        assert_eq!(rate["gap"], "Alone", "{kind}: {rate}");
        assert_eq!(
            said(&rate),
            ["bitstamp 3100 Fresh", "coinbase 9000 HeldBack"],
            "{kind}"
        );
    });
}

#[test]
fn a_currency_that_a_source_has_not_answered_for_yet_has_no_price_of_it() {
    Feed::each(&[BITSTAMP], |kind, mut feed| {
        let shop = shop(&mut feed, &[]);
        let rates = feed.connected.world.read(&shop, "/v1/rates");
        assert_eq!(rates["items"], json!([]), "{kind}");
        feed.rounds();
        let rate = ether(&mut feed, &shop);
        assert_eq!(said(&rate), ["bitstamp - Missing"], "{kind}");
        assert_eq!(rate["gap"], "Stale", "{kind}");
    });
}

#[test]
fn the_history_has_the_last_price_of_each_hour_and_of_each_day_of_a_year() {
    const HOUR: u64 = 60 * 60;
    Feed::each(&[BITSTAMP], |kind, mut feed| {
        let shop = shop(&mut feed, &[]);
        for price in ["3000", "3010", "3020", "3030"] {
            feed.say(BITSTAMP, "ETH", price);
            feed.answer();
            feed.pass(HOUR);
        }
        feed.pass(24 * HOUR);
        feed.say(BITSTAMP, "ETH", "3040");
        feed.answer();
        let mut history = |period: &str| -> Vec<String> {
            let path = format!("/v1/rates/ETH/history?period={period}");
            let found = feed.connected.world.read(&shop, &path);
            let found = found.as_array().expect("prices").iter();
            found.map(|one| text(one, "usd")).collect()
        };
        let hours = history("Week");
        assert_eq!(hours, ["3000", "3010", "3020", "3030", "3040"], "{kind}");
        assert_eq!(history("Day"), ["3040"], "{kind}");
        let days = history("Year");
        assert_eq!(days.last(), Some(&"3040".to_owned()), "{kind}: {days:?}");
        assert!(
            days.len() < hours.len() && days.contains(&"3030".to_owned()),
            "{kind}: {days:?}"
        );
    });
}
