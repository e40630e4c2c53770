//! `GET /rates/{currency}/history`.

use serde_json::Value;
use settlekit_core::value::Timestamp;
use settlekit_tests::world::{World, text};

#[test]
fn a_period_has_a_price_for_each_hour_and_a_year_one_for_each_day() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        for (period, hours, seconds) in [
            ("?period=Day", 24, 3_600),
            ("", 7 * 24, 3_600),
            ("?period=Week", 7 * 24, 3_600),
            ("?period=Month", 30 * 24, 3_600),
            ("?period=Year", 365, 86_400),
        ] {
            let path = format!("/v1/rates/ETH/history{period}");
            let found = world.read(&shop, &path);
            let found = found.as_array().expect("prices");
            let times: Vec<Timestamp> = found
                .iter()
                .map(|one| text(one, "at").parse().expect("a time"))
                .collect();
            // The first and the last one are parts of an hour or a day.
            assert_eq!(times.len(), hours + 1, "{kind}: {path}");
            let age = world.now.since(times[hours]);
            assert!(age.as_secs() < 3_600, "{kind}: {path} ends {age:?} ago");
            for pair in times[..hours].windows(2) {
                assert_eq!(pair[1].since(pair[0]).as_secs(), seconds, "{kind}: {path}");
            }
        }
    });
}

#[test]
fn a_currency_without_a_price_has_no_history() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        for symbol in ["XYZ", "USD"] {
            let found = world.read(&shop, &format!("/v1/rates/{symbol}/history"));
            assert_eq!(found, Value::Array(vec![]), "{kind}: {symbol}");
        }
    });
}

#[test]
fn an_unknown_period_and_a_malformed_currency_are_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        for (path, refusal) in [
            (
                "/v1/rates/ETH/history?period=Decade",
                "400 UNKNOWN_VALUE period",
            ),
            ("/v1/rates/a%2Fb/history", "422 CURRENCY_MALFORMED currency"),
        ] {
            let found = world.keyed(&shop, "GET", path, Value::Null);
            assert_eq!(found.refusal(), refusal, "{kind}: {path}");
        }
    });
}
