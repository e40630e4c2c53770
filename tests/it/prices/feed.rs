//! A live service with price sources that a test answers for.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_primitives::U256;
use settlekit_core::value::{Currency, Timestamp};
use settlekit_service::Seed;
use settlekit_service::median::NoMedian;
use settlekit_service::price_feed::PriceRound;
use settlekit_service::price_operator::ConnectedSource;
use settlekit_service::price_sources::{PriceQuery, PriceSource};
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::chain::Connected;

use super::chainlink::{self, Round};
use super::currency;

const SEED: Seed = Seed([5; 32]);

/// A live service, and what each source says: the price of a currency as text.
pub(crate) struct Feed {
    pub(crate) connected: Connected,
    pub(crate) said: BTreeMap<PriceSource, BTreeMap<&'static str, String>>,
    /// What the operator was told.
    pub(crate) told: Vec<String>,
}

impl Feed {
    /// Runs a test on each engine with some sources connected.
    pub(crate) fn each(sources: &[PriceSource], test: impl Fn(&str, Self)) {
        Connected::each(|kind, connected| {
            let mut feed = Self {
                connected,
                said: BTreeMap::new(),
                told: Vec::new(),
            };
            for source in sources {
                feed.connect(*source);
            }
            test(kind, feed);
        });
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.connected.world.now
    }

    pub(crate) fn pass(&mut self, seconds: u64) {
        self.connected.world.pass(Duration::from_secs(seconds));
    }

    pub(crate) fn connect(&mut self, source: PriceSource) {
        let now = self.now();
        let (service, database) = self.connected.world.parts();
        let settings = (source.base_url(), source.max_age());
        let done = service.connect_price_source(database, source, settings, now);
        done.expect("a source");
    }

    pub(crate) fn say(&mut self, source: PriceSource, symbol: &'static str, price: &str) {
        let said = self.said.entry(source).or_default();
        said.insert(symbol, price.to_owned());
    }

    /// The rounds that are due now.
    pub(crate) fn rounds(&mut self) -> Vec<PriceRound> {
        let now = self.now();
        let (service, database) = self.connected.world.parts();
        let due = service.due_price_sources(database, now).expect("sources");
        let rounds = service.price_rounds(database, now, SEED).expect("rounds");
        let asked: Vec<PriceSource> = rounds.iter().map(|round| round.source).collect();
        assert_eq!(asked, due);
        rounds
    }

    pub(crate) fn report(&mut self, round: &PriceRound, fetched: &[WebAnswer]) {
        let now = self.now();
        let (service, database) = self.connected.world.parts();
        let told = service.report_prices(database, round, fetched, now, SEED);
        self.told.extend(told.expect("a report"));
    }

    /// Answers all that is due as the sources say it.
    pub(crate) fn answer(&mut self) -> Vec<PriceRound> {
        let rounds = self.rounds();
        for round in &rounds {
            let answers = round.queries.iter();
            let answers: Vec<WebAnswer> = answers
                .map(|query| self.answer_to(round.source, query))
                .collect();
            self.report(round, &answers);
        }
        rounds
    }

    /// Answers all that is due with one status and body.
    pub(crate) fn answer_all(&mut self, status: u16, body: &str, retry_after: Option<u64>) {
        for round in self.rounds() {
            let answer = WebAnswer::Answer {
                status,
                body: body.as_bytes().to_vec(),
                retry_after: retry_after.map(Duration::from_secs),
            };
            self.report(&round, &vec![answer; round.queries.len()]);
        }
    }

    pub(crate) fn answer_to(&self, source: PriceSource, query: &PriceQuery) -> WebAnswer {
        let said = self.said.get(&source).cloned().unwrap_or_default();
        let price = |currency: &Currency| said.get(currency.as_str()).cloned();
        let known: Vec<(&Currency, String)> = (query.currencies.iter())
            .filter_map(|currency| Some((currency, price(currency)?)))
            .collect();
        let (status, body) = match source {
            PriceSource::Kraken if known.len() < query.currencies.len() => {
                (200, r#"{"error":["EQuery:Unknown asset pair"]}"#.to_owned())
            }
            PriceSource::Kraken => {
                let pairs = known.iter().map(|(currency, price)| {
                    let pair = match currency.as_str() {
                        "CAD" | "CHF" => format!("USD{currency}"),
                        _ => format!("{currency}USD"),
                    };
                    format!(r#""{pair}":{{"a":["{price}"],"b":["{price}"],"c":["{price}"]}}"#)
                });
                let pairs = pairs.collect::<Vec<_>>().join(",");
                (200, format!(r#"{{"error":[],"result":{{{pairs}}}}}"#))
            }
            PriceSource::Coinbase => match known.first() {
                Some((_, price)) => {
                    let now = self.now();
                    let body = format!(
                        r#"{{"ask":"{price}","bid":"{price}","price":"{price}","time":"{now}"}}"#
                    );
                    (200, body)
                }
                None => (404, r#"{"message":"NotFound"}"#.to_owned()),
            },
            PriceSource::Bitstamp => {
                let seconds = self.now().seconds();
                let mut pairs = known.iter().map(|(currency, price)| {
                    format!(
                        r#"{{"pair":"{currency}/USD","timestamp":"{seconds}","bid":"{price}","ask":"{price}","last":"{price}"}}"#
                    )
                });
                let other = format!(
                    r#"{{"pair":"XYZ/USD","timestamp":"{seconds}","bid":"0","ask":"0","last":"0"}}"#
                );
                let pairs: Vec<String> = pairs.by_ref().chain([other]).collect();
                (200, format!("[{}]", pairs.join(",")))
            }
            PriceSource::Ecb => {
                let body = include_str!("fixtures/ecb_2024-06-28.xml");
                let dollar = price(&currency("EUR")).unwrap_or_default();
                let body = body
                    .replace("2024-06-28", &self.now().day())
                    .replace("rate='1.0705'", &format!("rate='{dollar}'"));
                (200, body)
            }
            PriceSource::Chainlink => (200, self.node_answer(query, &said)),
        };
        WebAnswer::Answer {
            status,
            body: body.into_bytes(),
            retry_after: None,
        }
    }

    /// What an honest node answers about feeds of 8 decimal places: a round of now.
    fn node_answer(&self, query: &PriceQuery, said: &BTreeMap<&'static str, String>) -> String {
        let now = self.now().seconds();
        let rounds = query.currencies.iter().map(|currency| {
            let price = said.get(currency.as_str()).expect("a price");
            let answer: U256 = format!("{price}00000000").parse().expect("a whole price");
            Round::of(answer, now).returned()
        });
        let (chain, head) = (self.connected.chain.id, self.connected.chain.head());
        chainlink::batch(chain, (head, now), rounds.collect()).to_string()
    }

    /// The price that is used, as text, or why there is none; `None` if no source quotes the currency.
    pub(crate) fn used(&mut self, symbol: &str) -> Option<Result<String, NoMedian>> {
        let now = self.now();
        let (service, database) = self.connected.world.parts();
        let all = service.currency_prices(database, now).expect("prices");
        let mut all = all.into_iter();
        let found = all.find(|one| one.currency.as_str() == symbol)?;
        Some(found.used.map(|price| price.to_string()))
    }

    pub(crate) fn state(&mut self, source: PriceSource) -> ConnectedSource {
        let (service, database) = self.connected.world.parts();
        let all = service.connected_price_sources(database).expect("sources");
        let mut all = all.into_iter();
        all.find(|one| one.source == source)
            .expect("it is connected")
    }
}
