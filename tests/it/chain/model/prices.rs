//! A price source whose prices stay.

use std::time::Duration;

use settlekit_service::Seed;
use settlekit_service::price_sources::PriceSource;
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::chain::Connected;

use super::run::Run;

/// Longer than any run.
const MAX_AGE: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// Prices in US dollars, those of the pools; another currency has none.
const PRICES: [(&str, &str); 7] = [
    ("ETH", "2500"),
    ("USDC", "1"),
    ("EURC", "1.1"),
    ("EUR", "1.1"),
    ("GBP", "1.27"),
    ("CAD", "1.37"),
    ("CHF", "0.9"),
];

impl Run {
    /// Connects a price source and reads it once.
    pub(crate) fn connect_prices(&mut self) {
        connect_prices(&mut self.connected);
    }
}

/// Connects a price source and reads it once.
pub(crate) fn connect_prices(connected: &mut Connected) {
    let now = connected.world.now;
    let (service, database) = connected.world.parts();
    let settings = (PriceSource::Kraken.base_url(), MAX_AGE);
    let connected = service.connect_price_source(database, PriceSource::Kraken, settings, now);
    connected.expect("a source");
    let seed = Seed([6; 32]);
    let rounds = service.price_rounds(database, now, seed).expect("rounds");
    for round in rounds {
        let answers = round.queries.iter().map(|query| {
            let known = (query.currencies.iter())
                .filter_map(|currency| {
                    let mut prices = PRICES.iter();
                    prices.find(|(symbol, _)| *symbol == currency.as_str())
                })
                .map(|(symbol, price)| {
                    let pair = match *symbol {
                        "CAD" | "CHF" => format!("USD{symbol}"),
                        _ => format!("{symbol}USD"),
                    };
                    format!(r#""{pair}":{{"a":["{price}"],"b":["{price}"],"c":["{price}"]}}"#)
                });
            let known = known.collect::<Vec<_>>().join(",");
            let body = format!(r#"{{"error":[],"result":{{{known}}}}}"#);
            WebAnswer::Answer {
                status: 200,
                body: body.into_bytes(),
                retry_after: None,
            }
        });
        let answers: Vec<WebAnswer> = answers.collect();
        let told = service.report_prices(database, &round, &answers, now, seed);
        assert_eq!(told.expect("a report"), Vec::<String>::new());
    }
}
