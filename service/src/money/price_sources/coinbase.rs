//! Coinbase Exchange: `GET /products/ETH-USD/ticker`, one request for each currency.
//!
//! The call for all exchange rates at once has no time, gives reciprocals of few digits, and takes USDC for a dollar.

use serde::Deserialize;
use settlekit_core::value::{Currency, Timestamp};

use super::{PriceError, PriceQuery, Quoted, Quotes, book};

pub(super) fn queries(base: &str, currencies: Vec<Currency>) -> Vec<PriceQuery> {
    let queries = currencies.into_iter().map(|currency| PriceQuery {
        url: format!("{base}/products/{currency}-USD/ticker"),
        body: None,
        currencies: vec![currency],
    });
    queries.collect()
}

#[derive(Deserialize)]
struct Ticker {
    ask: String,
    bid: String,
    price: String,
    time: String,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(rename = "message")]
    _message: String,
}

/// The answer for a product that does not exist, or no longer: a message in JSON, not a page of some proxy.
pub(super) fn unknown(currencies: &[Currency], body: &[u8]) -> Result<Quotes, PriceError> {
    let _: Refusal = serde_json::from_slice(body).map_err(|_| PriceError::Malformed)?;
    let unknown = currencies.iter().cloned();
    Ok(unknown
        .map(|currency| (currency, Err(PriceError::NotTraded)))
        .collect())
}

/// The answer does not name its product: only the connection says which one it is of.
pub(super) fn read(
    currencies: &[Currency],
    body: &[u8],
    now: Timestamp,
) -> Result<Quotes, PriceError> {
    let ticker: Ticker = serde_json::from_slice(body).map_err(|_| PriceError::Malformed)?;
    let at: Timestamp = ticker.time.parse().map_err(|_| PriceError::Malformed)?;
    let [currency] = currencies else {
        return Err(PriceError::OtherPair);
    };
    let quoted = book::check_time(at, now)
        .and_then(|()| book::middle(&ticker.bid, &ticker.ask, &ticker.price))
        .map(|price| Quoted {
            price,
            at: Some(at),
        });
    Ok(vec![(currency.clone(), quoted)])
}
