//! Commands for price sources.

use std::process::ExitCode;
use std::time::Duration;

use reqwest::Url;
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::median::NoMedian;
use settlekit_service::price_operator::{
    ConnectedSource, CurrencyPrice, PriceSourceError, ReportedPrice,
};
use settlekit_service::price_sources::PriceSource;
use settlekit_service::price_sources::chainlink::FeedSet;

use super::connect_chainlink::describe;
use super::failure::Failure;
use super::opening::open;
use super::output::say;
use crate::config::{OnChain, Price, Store};
use crate::edge;

pub(super) fn run(command: Price) -> Result<ExitCode, Failure> {
    match command {
        Price::Connect {
            store,
            source,
            url,
            max_age,
            on_chain,
        } => match source {
            PriceSource::Chainlink => connect_chainlink(&store, (url, max_age), on_chain),
            _ => connect(&store, source, (url, max_age), &on_chain),
        },
        Price::List { store, json } => list(&store, json),
        Price::Spread { store, spread } => {
            let mut opened = open(&store)?;
            let done = opened
                .service
                .set_price_spread(opened.database.as_mut(), spread);
            done.map_err(|error| failure(&store, error))?;
            Ok(ExitCode::SUCCESS)
        }
        Price::Disconnect { store, source } => {
            let mut opened = open(&store)?;
            let done = opened
                .service
                .disconnect_price_source(opened.database.as_mut(), source);
            done.map_err(|error| failure(&store, error))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn failure(store: &Store, error: PriceSourceError) -> Failure {
    match error {
        PriceSourceError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

fn connect(
    store: &Store,
    source: PriceSource,
    (url, max_age): (Option<String>, Option<u32>),
    on_chain: &OnChain,
) -> Result<ExitCode, Failure> {
    if on_chain.chain.is_some() || !on_chain.feed.is_empty() || on_chain.sequencer.is_some() {
        return Err(format!(
            "{source} has a URL of its own: --chain, --feed and --sequencer are for chainlink"
        )
        .into());
    }
    let url = url.unwrap_or_else(|| source.base_url().to_owned());
    check_url(&url, "a price source")?;
    let settings = (url.as_str(), max_age_of(source, max_age));
    let mut opened = open(store)?;
    let done = opened.service.connect_price_source(
        opened.database.as_mut(),
        source,
        settings,
        edge::now(),
    );
    done.map_err(|error| failure(store, error))?;
    Ok(ExitCode::SUCCESS)
}

fn max_age_of(source: PriceSource, seconds: Option<u32>) -> Duration {
    let max_age = seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
    max_age.unwrap_or(source.max_age())
}

fn connect_chainlink(
    store: &Store,
    (url, max_age): (Option<String>, Option<u32>),
    on_chain: OnChain,
) -> Result<ExitCode, Failure> {
    if url.is_some() {
        return Err(
            "chainlink is read through the nodes of a connected chain: name the chain instead of --url"
                .into(),
        );
    }
    let mut opened = open(store)?;
    let feeds = describe(&mut opened, store, on_chain)?;
    let max_age = max_age_of(PriceSource::Chainlink, max_age);
    let done =
        opened
            .service
            .connect_chainlink(opened.database.as_mut(), &feeds, max_age, edge::now());
    done.map_err(|error| failure(store, error))?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a URL without TLS, except on this machine: an attacker on the network could set prices, or read keys.
pub(super) fn check_url(url: &str, whose: &str) -> Result<(), Failure> {
    let parsed: Url = url
        .parse()
        .map_err(|_| format!("the URL of {whose} is malformed"))?;
    let host = parsed.host_str().unwrap_or_default();
    let is_local = matches!(host, "127.0.0.1" | "localhost" | "[::1]");
    if parsed.scheme() != "https" && !(parsed.scheme() == "http" && is_local) {
        return Err(format!(
            "the URL of {whose} starts with https://; http:// is for this machine only"
        )
        .into());
    }
    if parsed.query().is_some()
        || parsed.fragment().is_some()
        || !parsed.username().is_empty()
        || parsed.password().is_some()
    {
        return Err(format!("the URL of {whose} is a base URL, without a query or a user").into());
    }
    Ok(())
}

fn list(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let sources =
        opened.call(|service, database, _, _| service.connected_price_sources(database))?;
    let prices = opened.call(|service, database, now, _| service.currency_prices(database, now))?;
    let now = edge::now();
    if json {
        let tests = opened.test_chains()?;
        let sources: Vec<_> = sources
            .iter()
            .map(|source| source_json(source, &tests, now))
            .collect();
        let prices: Vec<_> = prices.iter().map(|price| price_json(price, now)).collect();
        say(&serde_json::json!({ "sources": sources, "prices": prices }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if sources.is_empty() {
        say("no price source is connected")?;
    }
    for source in &sources {
        say(&source_line(source, now))?;
    }
    for price in &prices {
        say(&price_line(price, now))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Why there is no price.
fn reason(why: NoMedian) -> &'static str {
    match why {
        NoMedian::Stale => "no source has a fresh price",
        NoMedian::Alone => "only one source has a fresh price",
        NoMedian::Disagree => "the sources disagree",
    }
}

/// Seconds since a time.
fn age(now: Timestamp, at: Timestamp) -> u64 {
    now.since(at).as_secs()
}

fn source_json(source: &ConnectedSource, tests: &[ChainId], now: Timestamp) -> serde_json::Value {
    let feeds = source.feeds.as_ref();
    serde_json::json!({
        "source": source.source.as_str(),
        "url": feeds.is_none().then_some(&source.url),
        "chain_id": feeds.map(|feeds| feeds.chain),
        "test_network": feeds.map(|feeds| tests.contains(&feeds.chain)),
        "feeds": feeds.map(feeds_json),
        "max_age_seconds": source.max_age.as_secs(),
        "succeeded_at": source.succeeded_at,
        "failures": source.failures,
        "failing_since": source.failing_since,
        "last_error": source.last_error,
        "paused_until": source.paused_until.filter(|until| *until > now),
    })
}

fn feeds_json(set: &FeedSet) -> serde_json::Value {
    let feeds = set.feeds.iter().map(|feed| {
        serde_json::json!({
            "currency": feed.currency,
            "contract": feed.address.to_string(),
            "heartbeat_seconds": feed.heartbeat,
        })
    });
    feeds.collect()
}

fn price_json(price: &CurrencyPrice, now: Timestamp) -> serde_json::Value {
    let reported = price.reported.iter().map(|reported| {
        serde_json::json!({
            "source": reported.source,
            "usd": reported.price.map(|price| price.to_string()),
            "age_seconds": reported.price.map(|_| age(now, reported.priced_at)),
            "source_at": reported.source_at,
            "fresh": reported.is_fresh,
            "strays": reported.strays,
        })
    });
    serde_json::json!({
        "currency": price.currency,
        "usd": price.used.ok().map(|price| price.to_string()),
        "reason": price.used.err().map(reason),
        "sources": reported.collect::<Vec<_>>(),
    })
}

fn source_line(source: &ConnectedSource, now: Timestamp) -> String {
    let mut line = match source.succeeded_at {
        Some(at) => format!("{}: last answer {} s ago", source.source, age(now, at)),
        None => format!("{}: no answer yet", source.source),
    };
    if let Some(since) = source.failing_since {
        line.push_str(&format!(", failing for {} s", age(now, since)));
    }
    if let Some(error) = &source.last_error {
        line.push_str(&format!(", {error}"));
    }
    if let Some(until) = source.paused_until.filter(|until| *until > now) {
        line.push_str(&format!(", paused for {} s", age(until, now)));
    }
    line
}

fn price_line(price: &CurrencyPrice, now: Timestamp) -> String {
    let reported = price
        .reported
        .iter()
        .map(|reported| source_words(reported, now));
    let reported = reported.collect::<Vec<_>>().join(", ");
    match &price.used {
        Ok(used) => format!("{} {used} USD ({reported})", price.currency),
        Err(why) => format!("{} no price: {} ({reported})", price.currency, reason(*why)),
    }
}

fn source_words(reported: &ReportedPrice, now: Timestamp) -> String {
    let Some(price) = reported.price else {
        return format!("{} nothing yet", reported.source);
    };
    let state = match (reported.strays, reported.is_fresh) {
        (_, false) => ", not used",
        (true, true) => ", strays",
        (false, true) => "",
    };
    format!(
        "{} {price} {} s ago{state}",
        reported.source,
        age(now, reported.priced_at)
    )
}
