//! A request to a source, and the prices in its answer.

use settlekit_core::value::{Currency, Timestamp};

use super::error::PriceError;
use crate::money::price::Price;

/// A request to make. The URL of a chain's node may contain a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceQuery {
    /// The URL.
    pub url: String,
    /// The JSON to post; without one it is a GET request.
    pub body: Option<String>,
    /// The currencies that it asks for.
    pub currencies: Vec<Currency>,
}

/// The price of one currency at a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoted {
    /// The price.
    pub price: Price,
    /// The source's own time, if it gives one.
    pub at: Option<Timestamp>,
}

/// The prices of an answer, by currency.
pub type Quotes = Vec<(Currency, Result<Quoted, PriceError>)>;

/// The fiat currencies: those of the central bank's daily rates.
pub const FIAT: &[&str] = &[
    "AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR",
    "ILS", "INR", "ISK", "JPY", "KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK",
    "SGD", "THB", "TRY", "USD", "ZAR",
];
