//! All recorded answers, served locally and fetched as a host does.

use std::collections::BTreeSet;
use std::path::Path;

use settlekit_service::price_sources::{PriceError, PriceSource};
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::price_host::PriceHost;

use super::chainlink::{BLOCK, set};
use super::{currency, shown, time};

const KRAKEN: PriceSource = PriceSource::Kraken;
const COINBASE: PriceSource = PriceSource::Coinbase;
const BITSTAMP: PriceSource = PriceSource::Bitstamp;
const ECB: PriceSource = PriceSource::Ecb;
const CHAINLINK: PriceSource = PriceSource::Chainlink;

/// An answer: its file, its source, its status, the time of the request, and one line of what it says about the first currency that is
/// asked for, or why it says nothing at all.
type Recorded = (
    &'static str,
    PriceSource,
    u16,
    &'static str,
    &'static [&'static str],
    Result<&'static str, PriceError>,
);

#[rustfmt::skip]
const ALL: &[Recorded] = &[
    ("bitstamp_all.json", BITSTAMP, 200, "2026-07-27T09:52:30Z", &["BTC"], Ok("BTC 65236.5 at 2026-07-27T09:52:17.000000Z")),
    ("bitstamp_documented.json", BITSTAMP, 200, "2022-01-31T14:43:10Z", &["BTC"], Ok("BTC 2199.985 at 2022-01-31T14:43:06.000000Z")),
    ("bitstamp_one.json", BITSTAMP, 200, "2024-03-13T11:10:45Z", &["BTC"], Err(PriceError::Malformed)),
    ("bitstamp_refused.json", BITSTAMP, 403, "2024-03-13T11:10:45Z", &["BTC"], Err(PriceError::Status(403))),
    ("chainlink_eth_2024.json", CHAINLINK, 200, "2024-04-04T10:22:40Z", &["ETH"], Ok("ETH 3351.72810074 at 2024-04-04T10:22:23.000000Z")),
    ("chainlink_eth_2025.json", CHAINLINK, 200, "2025-01-08T10:48:43Z", &["ETH"], Ok("ETH 3353.98640362 at 2025-01-08T10:47:23.000000Z")),
    ("chainlink_limited.json", CHAINLINK, 200, "2024-04-04T10:22:40Z", &["ETH"], Ok("ETH: the request was refused")),
    ("chainlink_reverted.json", CHAINLINK, 200, "2024-04-04T10:22:40Z", &["ETH"], Ok("ETH: the request was refused")),
    ("coinbase_btc.json", COINBASE, 200, "2024-03-13T11:10:45Z", &["BTC"], Ok("BTC 73364.765 at 2024-03-13T11:10:41.270099Z")),
    ("coinbase_btc_2015.json", COINBASE, 200, "2015-04-08T20:49:10Z", &["BTC"], Ok("BTC 637.055 at 2015-04-08T20:49:06.506997Z")),
    ("coinbase_btc_2025.json", COINBASE, 200, "2025-03-29T10:49:10Z", &["BTC"], Ok("BTC 83127.845 at 2025-03-29T10:49:07.210762Z")),
    ("coinbase_documented.json", COINBASE, 200, "2020-03-20T00:23:00Z", &["BTC"], Ok("BTC 6266.43 at 2020-03-20T00:22:57.833000Z")),
    ("coinbase_limited.json", COINBASE, 429, "2026-07-27T09:52:30Z", &["BTC"], Err(PriceError::RateLimited)),
    ("coinbase_nanoseconds.json", COINBASE, 200, "2026-07-26T13:05:55Z", &["BTC"], Ok("BTC 64372.215 at 2026-07-26T13:05:51.234745Z")),
    ("coinbase_near.json", COINBASE, 200, "2026-07-27T09:54:11Z", &["NEAR"], Ok("NEAR 1.8465 at 2026-07-27T09:54:10.491922Z")),
    ("coinbase_unknown.json", COINBASE, 404, "2026-07-27T09:52:30Z", &["NOPE"], Ok("NOPE: not traded for US dollars")),
    ("ecb_2015-02-12.xml", ECB, 200, "2015-02-12T21:39:00Z", &["EUR"], Ok("EUR 1.1328 at 2015-02-12T00:00:00.000000Z")),
    ("ecb_2024-06-28.xml", ECB, 200, "2024-06-28T15:00:00Z", &["EUR"], Ok("EUR 1.0705 at 2024-06-28T00:00:00.000000Z")),
    ("ecb_2026-07-09.xml", ECB, 200, "2026-07-09T15:00:00Z", &["EUR"], Ok("EUR 1.1435 at 2026-07-09T00:00:00.000000Z")),
    ("ecb_several_days.xml", ECB, 200, "2024-06-28T15:00:00Z", &["EUR"], Err(PriceError::OtherPair)),
    ("kraken_altcoins.json", KRAKEN, 200, "2026-07-27T09:52:30Z", &["BTC", "ETH", "USDT", "DOGE", "NEAR", "WBTC"], Ok("BTC 65231.95")),
    ("kraken_btc_2023.json", KRAKEN, 200, "2023-07-06T19:30:00Z", &["BTC"], Ok("BTC 30300.05")),
    ("kraken_btc_2026.json", KRAKEN, 200, "2026-07-26T13:05:55Z", &["BTC"], Ok("BTC 64395.05")),
    ("kraken_limited.json", KRAKEN, 200, "2026-07-27T09:52:30Z", &["BTC"], Err(PriceError::RateLimited)),
    ("kraken_other_pair.json", KRAKEN, 200, "2014-02-08T02:09:00Z", &["BTC"], Err(PriceError::OtherPair)),
    ("kraken_suspended.json", KRAKEN, 200, "2026-07-27T09:52:30Z", &["RHEA"], Ok("RHEA: the market is thin")),
    ("kraken_two_pairs.json", KRAKEN, 200, "2020-06-30T12:00:00Z", &["ETH", "BTC"], Ok("ETH 239.58")),
    ("kraken_unknown_pair.json", KRAKEN, 200, "2026-07-27T09:52:30Z", &["ETH", "NOPE"], Err(PriceError::UnknownPair)),
];

/// The answer to a request, with a body to post or without.
pub(crate) fn fetch(url: &str, body: Option<&str>) -> WebAnswer {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let client = crate::server::http_client();
        let request = match body {
            Some(body) => client.post(url).body(body.to_owned()),
            None => client.get(url),
        };
        let Ok(response) = request.send().await else {
            return WebAnswer::Failed(WebError::Unreachable);
        };
        WebAnswer::Answer {
            status: response.status().as_u16(),
            body: response.bytes().await.expect("a body").to_vec(),
            retry_after: None,
        }
    })
}

/// The files of a folder of recorded answers that no test names, and the named ones that are missing.
pub(crate) fn unused_files(
    folder: &str,
    named: impl IntoIterator<Item = &'static str>,
) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("it")
        .join(folder);
    let files = std::fs::read_dir(folder).expect("a folder");
    let files = files.map(|file| file.expect("a file").file_name().into_string());
    let files: BTreeSet<String> = files.map(|name| name.expect("UTF-8")).collect();
    let mut named: BTreeSet<String> = named.into_iter().map(str::to_owned).collect();
    named.insert("README.md".to_owned());
    files.symmetric_difference(&named).cloned().collect()
}

fn recorded(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/prices/fixtures");
    std::fs::read_to_string(folder.join(file)).expect("a file")
}

#[test]
fn each_recorded_answer_is_read_as_it_is_served() {
    assert_eq!(
        unused_files("prices/fixtures", ALL.iter().map(|one| one.0)),
        [""; 0]
    );
    let host = PriceHost::start();
    for (file, source, status, now, symbols, expected) in ALL.iter().copied() {
        host.answer_all(&format!("{status} Recorded"), &recorded(file));
        let now = time(now);
        let wanted: Vec<_> = symbols.iter().map(|symbol| currency(symbol)).collect();
        let quotes = if source == CHAINLINK {
            let set = set(false);
            let WebAnswer::Answer { body, .. } = fetch(&host.url(), Some(&set.request(BLOCK)))
            else {
                panic!("{file}: no answer");
            };
            set.read(BLOCK, &[Ok(&body)], now)
        } else {
            let queries = source.queries(&host.url(), &wanted, false);
            let [query] = queries.as_slice() else {
                panic!("{file}: one request: {queries:?}");
            };
            let WebAnswer::Answer { status, body, .. } = fetch(&query.url, None) else {
                panic!("{file}: no answer");
            };
            source.read(query, status, &body, now)
        };
        assert_eq!(host.take_paths().len(), 1, "{file}");
        match expected {
            Ok(line) => {
                let lines = quotes.map(|quotes| shown(&quotes));
                let found = lines.iter().flatten().any(|found| found == line);
                assert!(found, "{file}: {lines:?}");
            }
            Err(error) => assert_eq!(quotes, Err(error), "{file}"),
        }
    }
}
