//! Answers that sources gave.

use settlekit_service::price_sources::{PriceError, PriceSource};

use super::{currency, query, read, shown, time};

const NOW: &str = "2026-07-27T09:52:30.000000Z";

#[test]
fn each_source_is_asked_by_its_own_names_without_a_key() {
    let wanted = ["ETH", "USDC", "BTC", "EUR", "CAD", "SEK", "USD"].map(currency);
    let urls = |source: PriceSource| -> Vec<String> {
        let queries = source.queries(source.base_url(), &wanted, false);
        queries.into_iter().map(|query| query.url).collect()
    };
    assert_eq!(
        urls(PriceSource::Kraken),
        ["https://api.kraken.com/0/public/Ticker?pair=ETHUSD,USDCUSD,XBTUSD,EURUSD,USDCAD"]
    );
    assert_eq!(
        urls(PriceSource::Coinbase),
        ["ETH", "USDC", "BTC"].map(|symbol| format!(
            "https://api.exchange.coinbase.com/products/{symbol}-USD/ticker"
        ))
    );
    assert_eq!(
        urls(PriceSource::Bitstamp),
        ["https://www.bitstamp.net/api/v2/ticker/"]
    );
    assert_eq!(
        urls(PriceSource::Ecb),
        ["https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"]
    );
    // Asked for singly, an unknown pair fails no other.
    let singly = PriceSource::Kraken.queries("http://127.0.0.1:1/", &wanted[..2], true);
    let urls: Vec<&str> = singly.iter().map(|query| query.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "http://127.0.0.1:1/0/public/Ticker?pair=ETHUSD",
            "http://127.0.0.1:1/0/public/Ticker?pair=USDCUSD"
        ]
    );
    for source in PriceSource::ALL {
        assert_eq!(source.queries("http://127.0.0.1:1", &[], false), []);
        assert_eq!(source.as_str().parse(), Ok(source));
    }
}

#[test]
fn prices_of_kraken_lie_between_its_best_offers() {
    let asked = ["BTC", "ETH", "USDT", "DOGE", "NEAR", "WBTC"];
    let body = include_str!("fixtures/kraken_altcoins.json");
    let quotes = read((PriceSource::Kraken, &asked), body, NOW).expect("quotes");
    assert_eq!(
        shown(&quotes),
        [
            "BTC 65231.95",
            "ETH 1965.5",
            "USDT 0.99905",
            "DOGE 0.072635",
            "NEAR 1.8461",
            "WBTC 64960"
        ]
    );
    let body = include_str!("fixtures/kraken_two_pairs.json");
    let quotes = read((PriceSource::Kraken, &["ETH", "BTC"]), body, NOW).expect("quotes");
    assert_eq!(shown(&quotes), ["ETH 239.58", "BTC 9133.6"]);
}

#[test]
fn a_suspended_market_of_kraken_has_no_price() {
    let body = include_str!("fixtures/kraken_suspended.json");
    let quotes = read((PriceSource::Kraken, &["RHEA"]), body, NOW).expect("an answer");
    assert_eq!(shown(&quotes), ["RHEA: the market is thin"]);
}

#[test]
fn an_unknown_pair_fails_kraken_as_a_whole_and_singly_only_itself() {
    let body = include_str!("fixtures/kraken_unknown_pair.json");
    let several = read((PriceSource::Kraken, &["ETH", "NOPE"]), body, NOW);
    assert_eq!(several, Err(PriceError::UnknownPair));
    let one = read((PriceSource::Kraken, &["NOPE"]), body, NOW).expect("an answer");
    assert_eq!(shown(&one), ["NOPE: not traded for US dollars"]);
}

#[test]
fn a_ticker_of_coinbase_has_a_price_and_its_time() {
    let body = include_str!("fixtures/coinbase_btc.json");
    let read_at = "2024-03-13T11:10:45.000000Z";
    let quotes = read((PriceSource::Coinbase, &["BTC"]), body, read_at).expect("quotes");
    assert_eq!(
        shown(&quotes),
        ["BTC 73364.765 at 2024-03-13T11:10:41.270099Z"]
    );
    let body = include_str!("fixtures/coinbase_near.json");
    let quotes = read(
        (PriceSource::Coinbase, &["NEAR"]),
        body,
        "2026-07-27T09:54:11.000000Z",
    );
    assert_eq!(
        shown(&quotes.expect("quotes")),
        ["NEAR 1.8465 at 2026-07-27T09:54:10.491922Z"]
    );
}

#[test]
fn a_product_that_coinbase_does_not_have_is_not_traded() {
    let body = include_str!("fixtures/coinbase_unknown.json");
    let asked = query(PriceSource::Coinbase, &["NOPE"]);
    for status in [400, 404] {
        let quotes = PriceSource::Coinbase.read(&asked, status, body.as_bytes(), time(NOW));
        assert_eq!(
            shown(&quotes.expect("an answer")),
            ["NOPE: not traded for US dollars"]
        );
        // A page of some proxy says nothing of the product.
        let page = PriceSource::Coinbase.read(&asked, status, b"<html>", time(NOW));
        assert_eq!(page, Err(PriceError::Malformed));
    }
}

#[test]
fn the_wanted_pairs_of_bitstamp_are_found_among_all() {
    let body = include_str!("fixtures/bitstamp_all.json");
    let asked = ["USDC", "BTC", "POL"];
    let quotes = read((PriceSource::Bitstamp, &asked), body, NOW).expect("quotes");
    assert_eq!(
        shown(&quotes),
        [
            "USDC 0.99991 at 2026-07-27T09:52:17.000000Z",
            "BTC 65236.5 at 2026-07-27T09:52:17.000000Z",
            "POL: not traded for US dollars"
        ]
    );
    // The answer to another call.
    let body = include_str!("fixtures/bitstamp_one.json");
    let one = read((PriceSource::Bitstamp, &["BTC"]), body, NOW);
    assert_eq!(one, Err(PriceError::Malformed));
}

#[test]
fn the_central_bank_gives_all_currencies_of_the_day_in_dollars() {
    let body = include_str!("fixtures/ecb_2024-06-28.xml");
    let now = "2024-06-28T15:00:00.000000Z";
    let quotes = read((PriceSource::Ecb, &["EUR", "GBP"]), body, now).expect("quotes");
    let shown = shown(&quotes);
    // 30 rates with the dollar's, which is no price, and the euro's.
    assert_eq!(shown.len(), 30);
    for line in [
        "EUR 1.0705 at 2024-06-28T00:00:00.000000Z",
        // 1.0705 / 0.84638, 1.0705 / 17487.21
        "GBP 1.264798317541 at 2024-06-28T00:00:00.000000Z",
        "IDR 0.000061216169 at 2024-06-28T00:00:00.000000Z",
    ] {
        assert!(shown.iter().any(|found| found == line), "{line}: {shown:?}");
    }
    let body = include_str!("fixtures/ecb_2015-02-12.xml");
    let quotes = read((PriceSource::Ecb, &["EUR", "ISK"]), body, now).expect("quotes");
    let old = super::shown(&quotes);
    assert!(old.contains(&"EUR 1.1328 at 2015-02-12T00:00:00.000000Z".to_owned()));
    // Asked for and not among the rates.
    assert!(old.contains(&"ISK: not traded for US dollars".to_owned()));
}
