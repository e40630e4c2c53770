//! The overview, balances and movements at prices of sources that answer from a local server, and without any.

use settlekit_core::value::Timestamp;
use settlekit_service::price_sources::PriceSource;
use settlekit_tests::chain::USDC;
use settlekit_tests::price_host::PriceHost;
use settlekit_tests::world::{Shop, text};

use super::feed::Feed;
use super::fetch;

/// A shop with a till for dollars and coins, on a chain whose currencies three sources quote.
struct Office {
    feed: Feed,
    shop: Shop,
    host: PriceHost,
}

impl Office {
    fn each(test: impl Fn(&str, Self)) {
        Feed::each(&[], |kind, mut feed| {
            let host = PriceHost::start();
            let shop = feed.connected.world.shop("Shop", None);
            let currencies = ["USDC", "ETH"];
            feed.connected
                .world
                .account(&shop, "till", 8453, &currencies);
            for source in [
                PriceSource::Kraken,
                PriceSource::Coinbase,
                PriceSource::Bitstamp,
            ] {
                let now = feed.now();
                let (service, database) = feed.connected.world.parts();
                let settings = (&*host.url(), source.max_age());
                let done = service.connect_price_source(database, source, settings, now);
                assert_eq!(done, Ok(()), "{kind}");
            }
            test(kind, Self { feed, shop, host });
        });
    }

    /// Asks all sources, which say this of coins: Kraken and Coinbase a price, and Bitstamp three dollars more than Kraken.
    fn ask(&mut self, kraken: u32, coinbase: u32) {
        let now = self.feed.now();
        self.host.answer(move |path| {
            let body = match path {
                path if path.starts_with("/0/public/Ticker") => {
                    let pair = |name: &str, price: &str| {
                        format!(r#""{name}":{{"a":["{price}"],"b":["{price}"],"c":["{price}"]}}"#)
                    };
                    let pairs = [
                        pair("XETHZUSD", &kraken.to_string()),
                        pair("USDCUSD", "0.9998"),
                        pair("ZEURZUSD", "1.08"),
                        pair("ZGBPZUSD", "1.27"),
                        pair("ZUSDZCAD", "1.37"),
                        pair("USDCHF", "0.9"),
                    ];
                    format!(r#"{{"error":[],"result":{{{}}}}}"#, pairs.join(","))
                }
                "/products/ETH-USD/ticker" => format!(
                    r#"{{"ask":"{coinbase}","bid":"{coinbase}","price":"{coinbase}","time":"{now}"}}"#
                ),
                "/api/v2/ticker/" => {
                    let (seconds, price) = (now.seconds(), kraken + 3);
                    let pair = |name: &str, price: &str| {
                        format!(
                            r#"{{"pair":"{name}/USD","timestamp":"{seconds}","bid":"{price}","ask":"{price}","last":"{price}"}}"#
                        )
                    };
                    let coins = pair("ETH", &price.to_string());
                    format!("[{coins},{}]", pair("USDC", "0.9999"))
                }
                _ => {
                    let unknown = r#"{"message":"NotFound"}"#.to_owned();
                    return ("404 Not Found".to_owned(), unknown);
                }
            };
            ("200 OK".to_owned(), body)
        });
        self.fetch();
    }

    /// Asks all sources, none of which answers as it should.
    fn lose(&mut self) {
        self.host.answer_all("503 Service Unavailable", "<html>");
        self.fetch();
    }

    fn fetch(&mut self) {
        let rounds = self.feed.rounds();
        assert_eq!(rounds.len(), 3, "{rounds:?}");
        for round in rounds {
            let queries = round.queries.iter();
            let answers: Vec<_> = queries.map(|query| fetch(&query.url, None)).collect();
            self.feed.report(&round, &answers);
        }
    }

    fn overview(&mut self) -> serde_json::Value {
        self.feed.connected.world.read(&self.shop, "/v1/overview")
    }

    /// 123.456789 dollars and three quarters of a coin arrive at the till.
    fn earn(&mut self) {
        let world = &mut self.feed.connected.world;
        let till = world.read(&self.shop, "/v1/accounts/till");
        let address = text(&till, "address").parse().expect("an address");
        let connected = &mut self.feed.connected;
        connected.chain.transfer(Some(USDC), address, 123_456_789);
        connected
            .chain
            .transfer(None, address, 750_000_000_000_000_000);
        connected.blocks(3);
    }

    /// Currency and worth of each movement, oldest first.
    fn worths(&mut self) -> Vec<String> {
        let world = &mut self.feed.connected.world;
        let list = world.read(&self.shop, "/v1/movements?sort=asc");
        let movements = list["items"].as_array().expect("movements").iter();
        let line = |one: &serde_json::Value| {
            let worth = one["amount_usd"].as_str().unwrap_or("-");
            format!("{} {worth}", text(one, "currency"))
        };
        let mut lines: Vec<String> = movements.map(line).collect();
        lines.sort();
        lines
    }

    /// What came in today, in US dollars.
    fn volume(&mut self) -> String {
        text(&self.overview()["volume"][29], "in_usd")
    }
}

#[test]
fn balances_totals_and_the_chart_are_exact_at_the_median_of_what_the_sources_say() {
    Office::each(|kind, mut office| {
        office.ask(3_000, 3_001);
        office.earn();
        // Coins at 3001, the middle of 3000, 3001 and 3003. Dollars halfway between 0.9998 and 0.9999: 123.456789 * 0.99985.
        let expected = ["ETH 2250.75", "USDC 123.43827"];
        assert_eq!(office.worths(), expected, "{kind}");
        let overview = office.overview();
        assert_eq!(overview["total_usd"], "2374.19", "{kind}: {overview}");
        assert_eq!(overview.get("last_total_usd"), None, "{kind}: {overview}");
        assert_eq!(overview.get("last_total_at"), None, "{kind}: {overview}");
        assert_eq!(overview["accounts"][0]["amount_usd"], "2374.19", "{kind}");
        assert_eq!(office.volume(), "2374.19", "{kind}");
        let shown = |list: &serde_json::Value| -> Vec<String> {
            let all = list.as_array().expect("balances").iter();
            let all =
                all.map(|one| format!("{} {}", text(one, "currency"), text(one, "amount_usd")));
            let mut all: Vec<String> = all.collect();
            all.sort();
            all
        };
        let expected = ["ETH 2250.75", "USDC 123.44"];
        assert_eq!(shown(&overview["balances"]), expected, "{kind}");
        let world = &mut office.feed.connected.world;
        let balances = world.read(&office.shop, "/v1/accounts/till/balances");
        assert_eq!(shown(&balances), expected, "{kind}");
    });
}

#[test]
fn with_all_sources_away_the_total_is_that_of_the_last_prices_with_their_age() {
    Office::each(|kind, mut office| {
        office.ask(3_000, 3_001);
        let priced_at = office.feed.now();
        office.earn();
        office.feed.pass(2 * 60 * 60);
        office.lose();
        let overview = office.overview();
        assert_eq!(overview.get("total_usd"), None, "{kind}: {overview}");
        assert_eq!(overview["last_total_usd"], "2374.19", "{kind}: {overview}");
        let at: Timestamp = text(&overview, "last_total_at").parse().expect("a time");
        assert_eq!(at, priced_at, "{kind}");
        let world = &mut office.feed.connected.world;
        let accounts = world.read(&office.shop, "/v1/accounts");
        let balance = accounts["items"][0].get("balance_usd");
        assert_eq!(balance, None, "{kind}: a currency has no price now");
        let balances = world.read(&office.shop, "/v1/accounts/till/balances");
        for (place, worth) in [(0, "2250.75"), (1, "123.44")] {
            let balance = &balances[place];
            assert_eq!(balance.get("amount_usd"), None, "{kind}: {balance}");
            assert_eq!(balance["last_amount_usd"], worth, "{kind}: {balance}");
            let at: Timestamp = text(balance, "last_amount_at").parse().expect("a time");
            assert_eq!(at, priced_at, "{kind}");
        }
        // What was booked keeps its worth; what is booked now has none.
        assert_eq!(office.volume(), "2374.19", "{kind}");
        let before = office.worths();
        office.earn();
        let mut expected = vec!["ETH -".to_owned(), "USDC -".to_owned()];
        expected.extend(before);
        expected.sort();
        assert_eq!(office.worths(), expected, "{kind}");
        // Twice the money at the same prices.
        let overview = office.overview();
        assert_eq!(overview["last_total_usd"], "4748.38", "{kind}: {overview}");
        // Nothing is sold at them.
        let link = serde_json::json!({ "amount": "5", "currency": "EUR", "name": "Tea" });
        let world = &mut office.feed.connected.world;
        let refused = world.keyed(&office.shop, "POST", "/v1/paylinks", link);
        assert_eq!(refused.refusal(), "409 RATE_UNAVAILABLE currency", "{kind}");
        // Other prices change totals, and no movement.
        office.feed.pass(15);
        office.ask(2_000, 2_001);
        let overview = office.overview();
        // 246.913578 * 0.99985 + 1.5 * 2001
        assert_eq!(overview["total_usd"], "3248.38", "{kind}: {overview}");
        assert_eq!(overview.get("last_total_usd"), None, "{kind}: {overview}");
        assert_eq!(office.worths(), expected, "{kind}");
        assert_eq!(office.volume(), "2374.19", "{kind}");
    });
}

#[test]
fn a_day_on_which_money_had_no_price_is_missing_in_the_series() {
    Office::each(|kind, mut office| {
        office.ask(3_000, 3_001);
        office.earn();
        office.feed.pass(24 * 60 * 60);
        office.lose();
        let days = |office: &mut Office, metric: &str| {
            let path = format!("/v1/overview/series?period=7&metric={metric}");
            let world = &mut office.feed.connected.world;
            let part = world.read(&office.shop, &path)["current"].clone();
            let points = part["points"].as_array().expect("points").iter();
            let amounts = points.map(|point| text(point, "amount_usd"));
            let amounts: Vec<String> = amounts.filter(|amount| amount != "0").collect();
            (amounts, part["missing_days"].clone())
        };
        // 2250.75 and 123.43827.
        let yesterday = vec!["2374.18827".to_owned()];
        let balance = (yesterday.clone(), serde_json::json!(1));
        assert_eq!(days(&mut office, "balance"), balance, "{kind}");
        let nothing_today = (yesterday.clone(), serde_json::json!(0));
        assert_eq!(days(&mut office, "in"), nothing_today, "{kind}");
        office.earn();
        let unpriced_today = (yesterday, serde_json::json!(1));
        assert_eq!(days(&mut office, "in"), unpriced_today, "{kind}");
        let nothing = (Vec::new(), serde_json::json!(1));
        assert_eq!(days(&mut office, "out"), nothing, "{kind}");
    });
}

#[test]
fn the_balance_of_today_has_the_current_price_before_one_of_the_day_was_used() {
    Office::each(|kind, mut office| {
        // Half a minute before midnight.
        office.feed.pass(15 * 60 * 60 - 30);
        office.ask(3_000, 3_001);
        office.earn();
        office.feed.pass(60);
        let world = &mut office.feed.connected.world;
        let path = "/v1/overview/series?period=7&metric=balance";
        let part = world.read(&office.shop, path)["current"].clone();
        assert_eq!(part["missing_days"], 0, "{kind}");
        assert_eq!(part["points"][6]["date"], "2026-03-03", "{kind}");
        assert_eq!(part["points"][6]["amount_usd"], "2374.18827", "{kind}");
    });
}
