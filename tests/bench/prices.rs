//! What bookings pay for reading the prices of sources.

use std::time::{Duration, Instant};

use alloy_primitives::Address;
use settlekit_core::value::Timestamp;
use settlekit_service::Seed;
use settlekit_service::price_sources::{PriceQuery, PriceSource};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Shop, text};

use crate::{median, row};

/// Deposits of a block.
const DEPOSITS: usize = 500;

const ROUNDS: usize = 31;

const MINUTE: Duration = Duration::from_secs(60);

const SEED: Seed = Seed([5; 32]);

/// Longer than the bench: a price that was told once stays.
const ALWAYS: Duration = Duration::from_secs(365 * 86_400);

pub(crate) fn run() {
    let mut with = Books::open(&[PriceSource::Kraken, PriceSource::Bitstamp], None);
    let mut constant = Books::open(&[PriceSource::Kraken], Some(ALWAYS));
    let mut without = Books::open(&[], None);
    constant.ask_sources();
    let (mut sourced, mut fixed, mut unvalued) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        unvalued.push(without.book_again());
        fixed.push(constant.book_again());
        with.book();
        with.ask_sources();
        sourced.push(with.book());
    }
    with.check(true);
    constant.check(true);
    without.check(false);
    let what = "deposits of blocks, each valued at the price of two sources";
    compare(
        &format!("{what}, at most 1.02"),
        &sourced,
        "at a constant price",
        &fixed,
    );
    compare(what, &sourced, "without a worth", &unvalued);
}

fn compare(what: &str, measured: &[f64], compared_with: &str, compared: &[f64]) {
    // The median of paired ratios: the machine's noise is larger than the difference.
    let ratios = measured.iter().zip(compared);
    let ratio = median(
        ratios
            .map(|(measured, compared)| measured / compared)
            .collect(),
    );
    let rate = |seconds: &[f64]| format!("{:.0}/s", DEPOSITS as f64 / median(seconds.to_vec()));
    row(
        what,
        &rate(measured),
        &format!("{compared_with}, {}", rate(compared)),
        ratio,
    );
}

/// A live service with price sources and an account.
struct Books {
    connected: Connected,
    shop: Shop,
    till: Address,
}

impl Books {
    /// `max_age` is how long a price may be used; the source's own time by default.
    fn open(sources: &[PriceSource], max_age: Option<Duration>) -> Self {
        let database = Sqlite::in_memory().expect("memory");
        let mut connected = Connected::live(Box::new(database));
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        for source in sources {
            let settings = (source.base_url(), max_age.unwrap_or(source.max_age()));
            let done = service.connect_price_source(database, *source, settings, now);
            done.expect("a source");
        }
        let shop = connected.world.shop("Shop", None);
        connected.world.account(&shop, "till", 8453, &["USDC"]);
        let account = connected.world.read(&shop, "/v1/accounts/till");
        let till = text(&account, "address").parse().expect("an address");
        Self {
            connected,
            shop,
            till,
        }
    }

    /// The time in which a second block's deposits are booked a minute later: the first fills the processor's caches with these books.
    fn book_again(&mut self) -> f64 {
        self.book();
        self.connected.world.pass(MINUTE);
        self.book()
    }

    /// The time in which the deposits of a block are booked.
    fn book(&mut self) -> f64 {
        for _ in 0..DEPOSITS {
            self.connected
                .chain
                .transfer(Some(USDC), self.till, 1_000_000);
        }
        let since = Instant::now();
        self.connected.blocks(3);
        let seconds = since.elapsed().as_secs_f64();
        // The tests' recording of all calls.
        self.connected.world.recording.clear();
        seconds
    }

    fn ask_sources(&mut self) {
        self.connected.world.pass(MINUTE);
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        for round in service.price_rounds(database, now, SEED).expect("rounds") {
            let answers = round.queries.iter();
            let answers: Vec<WebAnswer> = answers
                .map(|query| one_dollar(round.source, query, now))
                .collect();
            let told = service.report_prices(database, &round, &answers, now, SEED);
            assert!(told.expect("a report").is_empty());
        }
    }

    /// All deposits are booked, with or without a worth.
    fn check(&mut self, valued: bool) {
        let list = self.connected.world.read(&self.shop, "/v1/movements");
        assert_eq!(list["total"], 2 * DEPOSITS * ROUNDS);
        let movements = list["items"].as_array().expect("movements");
        let is_valued = |worth: &serde_json::Value| *worth == "1";
        assert!(
            movements
                .iter()
                .all(|movement| is_valued(&movement["amount_usd"]) == valued)
        );
    }
}

/// A source that says of every currency that it is worth a dollar.
fn one_dollar(source: PriceSource, query: &PriceQuery, now: Timestamp) -> WebAnswer {
    let body = match source {
        PriceSource::Kraken => {
            let pairs = query.currencies.iter().map(|currency| {
                let pair = match currency.as_str() {
                    "CAD" | "CHF" => format!("USD{currency}"),
                    _ => format!("{currency}USD"),
                };
                format!(r#""{pair}":{{"a":["1"],"b":["1"],"c":["1"]}}"#)
            });
            let pairs: Vec<String> = pairs.collect();
            format!(r#"{{"error":[],"result":{{{}}}}}"#, pairs.join(","))
        }
        _ => {
            let seconds = now.seconds();
            let pairs = query.currencies.iter().map(|currency| {
                format!(
                    r#"{{"pair":"{currency}/USD","timestamp":"{seconds}","bid":"1","ask":"1","last":"1"}}"#
                )
            });
            let pairs: Vec<String> = pairs.collect();
            format!("[{}]", pairs.join(","))
        }
    };
    WebAnswer::Answer {
        status: 200,
        body: body.into_bytes(),
        retry_after: None,
    }
}
