//! Price sources in metrics and health, read from the database.

use settlekit_service::Seed;
use settlekit_service::price_sources::PriceSource;
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::chain::Connected;

use super::monitored::Monitored;

#[test]
fn a_failing_price_source_is_in_the_metrics_and_in_the_health_check() {
    let monitored = Monitored::after(fill);
    monitored.has_lines(&[
        "settlekit_price_source_failures{source=\"ecb\"} 0",
        "settlekit_price_source_failures{source=\"kraken\"} 1",
        "settlekit_price_available{currency=\"ETH\"} 0",
        "settlekit_price_stray{currency=\"SEK\",source=\"ecb\"} 0",
        "# TYPE settlekit_price_source_success_age_seconds gauge",
    ]);
    let aged = "settlekit_price_source_success_age_seconds{source=\"ecb\"}";
    assert!(monitored.has_line_from(aged), "{}", monitored.metrics);
    let failing = "\"failing_price_sources\":[\"kraken\"]";
    assert!(monitored.health.contains(failing), "{}", monitored.health);
}

fn fill(connected: &mut Connected) {
    let (now, seed) = (connected.world.now, Seed([3; 32]));
    let (service, database) = connected.world.parts();
    for source in [PriceSource::Kraken, PriceSource::Ecb] {
        let settings = (source.base_url(), source.max_age());
        let done = service.connect_price_source(database, source, settings, now);
        assert_eq!(done, Ok(()));
    }
    let rounds = service.price_rounds(database, now, seed).expect("rounds");
    let [bank, kraken] = rounds.as_slice() else {
        panic!("two are due: {rounds:?}");
    };
    let rates = include_str!("../prices/fixtures/ecb_2024-06-28.xml");
    let answer = WebAnswer::Answer {
        status: 200,
        body: rates.replace("2024-06-28", &now.day()).into_bytes(),
        retry_after: None,
    };
    let told = service.report_prices(database, bank, &[answer], now, seed);
    assert_eq!(told, Ok(vec![]));
    let none = WebAnswer::Failed(WebError::TimedOut);
    let told = service.report_prices(database, kraken, &[none], now, seed);
    assert_eq!(told, Ok(vec!["kraken fails: no answer in time".to_owned()]));
}
