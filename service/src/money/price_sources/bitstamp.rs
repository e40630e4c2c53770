//! Bitstamp: `GET /api/v2/ticker/`, all pairs in one answer.

use serde::Deserialize;
use settlekit_core::value::{Currency, Timestamp};

use super::{PriceError, PriceQuery, Quoted, Quotes, book};

/// The fiat currencies that Bitstamp trades for US dollars.
pub(super) const FIAT: &[&str] = &["EUR", "GBP"];

pub(super) fn query(base: &str, currencies: Vec<Currency>) -> PriceQuery {
    PriceQuery {
        url: format!("{base}/api/v2/ticker/"),
        body: None,
        currencies,
    }
}

/// A pair of any currencies: prices of pairs that are not asked for are not read.
#[derive(Deserialize)]
struct Ticker {
    pair: String,
    timestamp: String,
    bid: String,
    ask: String,
    last: String,
}

pub(super) fn read(
    currencies: &[Currency],
    body: &[u8],
    now: Timestamp,
) -> Result<Quotes, PriceError> {
    let tickers: Vec<Ticker> = serde_json::from_slice(body).map_err(|_| PriceError::Malformed)?;
    if !tickers.iter().any(|ticker| ticker.pair.ends_with("/USD")) {
        return Err(PriceError::Empty);
    }
    let mut quotes = Vec::with_capacity(currencies.len());
    for currency in currencies {
        let pair = format!("{currency}/USD");
        let mut found = tickers.iter().filter(|ticker| ticker.pair == pair);
        let quoted = match (found.next(), found.next()) {
            (Some(ticker), None) => quoted(ticker, now),
            (None, _) => Err(PriceError::NotTraded),
            (Some(_), Some(_)) => return Err(PriceError::OtherPair),
        };
        quotes.push((currency.clone(), quoted));
    }
    Ok(quotes)
}

fn quoted(ticker: &Ticker, now: Timestamp) -> Result<Quoted, PriceError> {
    let seconds = ticker.timestamp.parse::<u32>();
    let seconds = seconds.map_err(|_| PriceError::Malformed)?;
    let at = Timestamp::from_millis(i64::from(seconds) * 1_000);
    book::check_time(at, now)?;
    let price = book::middle(&ticker.bid, &ticker.ask, &ticker.last)?;
    Ok(Quoted {
        price,
        at: Some(at),
    })
}
