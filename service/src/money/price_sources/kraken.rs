//! Kraken: `GET /0/public/Ticker?pair=…`, several pairs in one request.
//!
//! One unknown pair fails the whole request, with status 200. Old pairs come back under long names: `ETHUSD` as `XETHZUSD`.

use std::collections::BTreeMap;

use serde::Deserialize;
use settlekit_core::value::Currency;

use super::{PriceError, PriceQuery, Quoted, Quotes, book};
use crate::money::price::Price;

/// The fiat currencies that Kraken trades for US dollars.
pub(super) const FIAT: &[&str] = &["EUR", "GBP", "CAD", "CHF"];

/// The pairs with other names than `…USD`: the currency, the name to ask by, and the name in the answer.
const NAMES: &[(&str, &str, &str)] = &[
    ("BTC", "XBTUSD", "XXBTZUSD"),
    ("ETH", "ETHUSD", "XETHZUSD"),
    ("ETC", "ETCUSD", "XETCZUSD"),
    ("LTC", "LTCUSD", "XLTCZUSD"),
    ("XRP", "XRPUSD", "XXRPZUSD"),
    ("XLM", "XLMUSD", "XXLMZUSD"),
    ("ZEC", "ZECUSD", "XZECZUSD"),
    ("XMR", "XMRUSD", "XXMRZUSD"),
    ("MLN", "MLNUSD", "XMLNZUSD"),
    ("REP", "REPUSD", "XREPZUSD"),
    ("DOGE", "XDGUSD", "XDGUSD"),
    ("USDT", "USDTUSD", "USDTZUSD"),
    ("EUR", "EURUSD", "ZEURZUSD"),
    ("GBP", "GBPUSD", "ZGBPZUSD"),
    ("CAD", "USDCAD", "ZUSDZCAD"),
    ("CHF", "USDCHF", "USDCHF"),
];

/// Whether the pair is US dollars in the currency, so that its price is the reciprocal.
fn is_inverse(currency: &Currency) -> bool {
    matches!(currency.as_str(), "CAD" | "CHF")
}

/// The name to ask by, and the name in the answer.
fn names(currency: &Currency) -> (String, String) {
    let mut known = NAMES.iter();
    match known.find(|(symbol, _, _)| *symbol == currency.as_str()) {
        Some((_, asked, answered)) => ((*asked).to_owned(), (*answered).to_owned()),
        None => (format!("{currency}USD"), format!("{currency}USD")),
    }
}

pub(super) fn query(base: &str, currencies: Vec<Currency>) -> PriceQuery {
    let pairs: Vec<String> = currencies
        .iter()
        .map(|currency| names(currency).0)
        .collect();
    PriceQuery {
        url: format!("{base}/0/public/Ticker?pair={}", pairs.join(",")),
        body: None,
        currencies,
    }
}

#[derive(Deserialize)]
struct Answer {
    error: Vec<String>,
    #[serde(default)]
    result: BTreeMap<String, Ticker>,
}

/// The best offers and the latest trade: each a price, then sizes.
#[derive(Deserialize)]
struct Ticker {
    a: Vec<String>,
    b: Vec<String>,
    c: Vec<String>,
}

pub(super) fn read(currencies: &[Currency], body: &[u8]) -> Result<Quotes, PriceError> {
    let mut answer: Answer = serde_json::from_slice(body).map_err(|_| PriceError::Malformed)?;
    if let Some(error) = answer.error.first() {
        return match error.as_str() {
            // Asked for one pair only, that one is unknown.
            "EQuery:Unknown asset pair" => match currencies {
                [currency] => Ok(vec![(currency.clone(), Err(PriceError::NotTraded))]),
                _ => Err(PriceError::UnknownPair),
            },
            error if error.contains("Too many requests") || error.contains("Rate limit") => {
                Err(PriceError::RateLimited)
            }
            _ => Err(PriceError::Refused),
        };
    }
    let mut quotes = Vec::with_capacity(currencies.len());
    for currency in currencies {
        let (asked, answered) = names(currency);
        let ticker = answer.result.remove(&answered);
        if let Some(ticker) = ticker.or_else(|| answer.result.remove(&asked)) {
            let quoted = quoted(currency, &ticker);
            quotes.push((currency.clone(), quoted));
        }
    }
    if !answer.result.is_empty() {
        return Err(PriceError::OtherPair);
    }
    if quotes.is_empty() {
        return Err(PriceError::Empty);
    }
    Ok(quotes)
}

fn quoted(currency: &Currency, ticker: &Ticker) -> Result<Quoted, PriceError> {
    let first = |list: &[String]| list.first().cloned().ok_or(PriceError::Malformed);
    let middle = book::middle(&first(&ticker.b)?, &first(&ticker.a)?, &first(&ticker.c)?)?;
    let price = if is_inverse(currency) {
        let price = Price::DOLLAR.divided_by(middle);
        price.ok_or(PriceError::TooHigh)?
    } else {
        middle
    };
    Ok(Quoted { price, at: None })
}
