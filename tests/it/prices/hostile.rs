//! Answers that no honest source gives.

use proptest::prelude::*;
use settlekit_service::price::Price;
use settlekit_service::price_sources::{BODY_MAX, PriceError, PriceSource};

use super::{query, read, shown, time};

const NOW: &str = "2026-07-27T09:52:30Z";

/// An answer of each exchange with one bid, ask and latest price of ETH.
fn exchanges(bid: &str, ask: &str, last: &str) -> [(PriceSource, String); 3] {
    [
        (
            PriceSource::Kraken,
            format!(
                r#"{{"error":[],"result":{{"XETHZUSD":{{"a":["{ask}"],"b":["{bid}"],"c":["{last}"]}}}}}}"#
            ),
        ),
        (
            PriceSource::Coinbase,
            format!(
                r#"{{"ask":"{ask}","bid":"{bid}","price":"{last}","time":"2026-07-27T09:52:20Z"}}"#
            ),
        ),
        (
            PriceSource::Bitstamp,
            format!(
                r#"[{{"pair":"ETH/USD","timestamp":"1785145940","bid":"{bid}","ask":"{ask}","last":"{last}"}}]"#
            ),
        ),
    ]
}

/// Rates of the central bank with some for the dollar and the pound.
fn rates(dollar: &str, pound: &str) -> String {
    let fixture = include_str!("fixtures/ecb_2024-06-28.xml");
    fixture
        .replace("rate='1.0705'", &format!("rate='{dollar}'"))
        .replace("rate='0.84638'", &format!("rate='{pound}'"))
}

#[test]
fn a_price_that_cannot_be_right_is_an_error_of_its_currency() {
    let digits = "1".repeat(40);
    let long = format!("0.{digits}");
    for (price, error) in [
        ("0", PriceError::NotPositive),
        ("0.000000000000", PriceError::NotPositive),
        ("-1900", PriceError::NotPositive),
        ("NaN", PriceError::Malformed),
        ("Infinity", PriceError::Malformed),
        ("1e3", PriceError::Malformed),
        ("1,900.50", PriceError::Malformed),
        ("+1900", PriceError::Malformed),
        ("", PriceError::Malformed),
        (" 1900", PriceError::Malformed),
        ("1900.", PriceError::Malformed),
        ("٣", PriceError::Malformed),
        (&long, PriceError::TooPrecise),
        ("0.0000000000001", PriceError::TooPrecise),
        (&digits, PriceError::TooHigh),
        ("1000000000001", PriceError::TooHigh),
    ] {
        for (source, body) in exchanges(price, price, price) {
            let quotes = read((source, &["ETH"]), &body, NOW).expect("an answer");
            assert_eq!(
                shown(&quotes),
                [format!("ETH: {error}")],
                "{source} {price}"
            );
        }
        let body = rates("1.0705", price);
        let quotes = read((PriceSource::Ecb, &["GBP"]), &body, NOW).expect("an answer");
        let line = format!("GBP: {error}");
        assert!(shown(&quotes).contains(&line), "{price}: {quotes:?}");
        // Without the dollar's rate there is no price at all.
        let body = rates(price, "0.84638");
        let all = read((PriceSource::Ecb, &["GBP"]), &body, NOW);
        assert_eq!(all, Err(error), "{price}");
    }
}

#[test]
fn offers_that_cross_or_lie_far_apart_are_no_price() {
    for (bid, ask, last) in [
        ("1901", "1900", "1900"),
        ("1900", "1939", "1900"),
        ("1", "1900", "1900"),
        ("1900", "1900", "0"),
    ] {
        for (source, body) in exchanges(bid, ask, last) {
            let quotes = read((source, &["ETH"]), &body, NOW).expect("an answer");
            assert_eq!(shown(&quotes), ["ETH: the market is thin"], "{source}");
        }
    }
}

#[test]
fn another_pair_than_the_one_asked_for_is_an_error() {
    let [(_, kraken), _, (_, bitstamp)] = exchanges("1900", "1901", "1900");
    let other = kraken.replace("XETHZUSD", "XXBTZUSD");
    let both = kraken.replace("}}}", r#"},"XXBTZUSD":{"a":["1"],"b":["1"],"c":["1"]}}}"#);
    // The same pair under its other name.
    let twice = kraken.replace("}}}", r#"},"ETHUSD":{"a":["1"],"b":["1"],"c":["1"]}}}"#);
    for body in [other, both, twice] {
        let read = read((PriceSource::Kraken, &["ETH"]), &body, NOW);
        assert_eq!(read, Err(PriceError::OtherPair), "{body}");
    }
    let mut twice = bitstamp.trim_end_matches(']').to_owned();
    twice.push_str(&format!(",{}", bitstamp.trim_start_matches('[')));
    let twice = read((PriceSource::Bitstamp, &["ETH"]), &twice, NOW);
    assert_eq!(twice, Err(PriceError::OtherPair));
    // The perpetual contract of a pair has another name.
    let perpetual = bitstamp.replace("ETH/USD", "ETH/USD-PERP");
    let perpetual = read((PriceSource::Bitstamp, &["ETH"]), &perpetual, NOW);
    assert_eq!(perpetual, Err(PriceError::Empty));
    let twice = rates("1.0705", "0.84638").replace("'JPY'", "'GBP'");
    let twice = read((PriceSource::Ecb, &["GBP"]), &twice, NOW);
    assert_eq!(twice, Err(PriceError::OtherPair));
    let euro = rates("1.0705", "0.84638").replace("'JPY'", "'EUR'");
    let euro = read((PriceSource::Ecb, &["EUR"]), &euro, NOW);
    assert_eq!(euro, Err(PriceError::OtherPair));
}

#[test]
fn a_time_that_is_not_now_is_no_price() {
    let [_, coinbase, bitstamp] = exchanges("1900", "1901", "1900");
    for (source, body) in [coinbase, bitstamp] {
        for now in ["2026-07-27T10:10:00Z", "2026-07-27T09:30:00Z"] {
            let quotes = read((source, &["ETH"]), &body, now).expect("an answer");
            assert_eq!(shown(&quotes), ["ETH: the source's time is not now"]);
        }
    }
    let future = read(
        (PriceSource::Ecb, &["EUR"]),
        &rates("1.0705", "0.84638"),
        "2024-06-26T15:00:00Z",
    );
    assert_eq!(future, Err(PriceError::Outdated));
}

#[test]
fn an_answer_of_another_form_is_an_error_as_a_whole() {
    let deep_list = "[".repeat(100_000);
    let deep_xml = "<Cube>".repeat(100_000);
    let entities = format!(
        "<!DOCTYPE a [<!ENTITY a \"{}\"><!ENTITY b \"&a;&a;\">]><a>&b;</a>",
        "x".repeat(99)
    );
    for body in [
        "<!DOCTYPE html><html><body>Just a moment...</body></html>",
        "null",
        "[]",
        "{}",
        "\"ETH\"",
        "{\"error\":[],\"result\":[]}",
        "{\"error\":\"\",\"result\":{}}",
        "[{\"pair\":\"ETH/USD\"}]",
        "{\"price\":1900.5}",
        "<?xml version=\"1.0\"?><rates/>",
        "\u{feff}",
        deep_list.as_str(),
        &deep_xml,
        &entities,
    ] {
        for source in PriceSource::WEB {
            let symbol = if source == PriceSource::Ecb {
                "EUR"
            } else {
                "ETH"
            };
            let error = read((source, &[symbol]), body, NOW).expect_err("no price");
            let known = [PriceError::Malformed, PriceError::Empty];
            assert!(known.contains(&error), "{source}: {error}: {body:.80}");
        }
    }
    let refused = r#"{"error":["EGeneral:Internal error"]}"#;
    let refused = read((PriceSource::Kraken, &["ETH"]), refused, NOW);
    assert_eq!(refused, Err(PriceError::Refused));
    let limited = r#"{"error":["EGeneral:Too many requests"]}"#;
    let limited = read((PriceSource::Kraken, &["ETH"]), limited, NOW);
    assert_eq!(limited, Err(PriceError::RateLimited));
}

#[test]
fn a_status_an_empty_body_and_a_huge_one_are_errors() {
    for source in PriceSource::WEB {
        let symbol = if source == PriceSource::Ecb {
            "EUR"
        } else {
            "ETH"
        };
        let asked = query(source, &[symbol]);
        let read = |status, body: &[u8]| source.read(&asked, status, body, time(NOW));
        assert_eq!(read(200, b""), Err(PriceError::Empty));
        assert_eq!(read(200, b" \n"), Err(PriceError::Empty));
        assert_eq!(read(429, b"{}"), Err(PriceError::RateLimited));
        assert_eq!(read(301, b""), Err(PriceError::Status(301)));
        assert_eq!(read(503, b"<html>"), Err(PriceError::Status(503)));
        assert_eq!(read(200, &[0xff; 16]), Err(PriceError::Malformed));
        let huge = vec![b' '; BODY_MAX + 1];
        assert_eq!(read(200, &huge), Err(PriceError::TooLarge));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..300)) {
        for source in PriceSource::WEB {
            let symbol = if source == PriceSource::Ecb { "EUR" } else { "ETH" };
            // Any result; no panic.
            let _read = source.read(&query(source, &[symbol]), 200, &body, time(NOW));
        }
    }

    #[test]
    fn a_price_is_read_to_its_last_digit(units in 1..10_i128.pow(24)) {
        let price = Price::new(units).expect("in range");
        let text = price.to_string();
        for (source, body) in exchanges(&text, &text, &text) {
            let quotes = read((source, &["ETH"]), &body, NOW).expect("an answer");
            let quoted = quotes[0].1.as_ref().copied().map(|quoted| quoted.price);
            prop_assert_eq!(quoted, Ok(price));
        }
    }
}
