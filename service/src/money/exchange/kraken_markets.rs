//! Kraken's public API for markets: `GET /0/public/AssetPairs` and `GET /0/public/Depth`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Number;
use settlekit_core::value::Amount;

use super::ExchangeError;
use super::kraken::{parse_result, symbol, without_zeros};
use super::kraken_orders::{named, pair};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_market::{Level, MarketTerms, OrderBook};

/// The most offers of a side that are read.
const LEVELS_MAX: usize = 100;

/// The most steps of a fee table: real ones have some ten.
const FEES_MAX: usize = 100;

/// Decimal places of percent in millionths.
const PERCENT_SCALE: u32 = 4;

/// The most decimal places of prices and volumes.
const PLACES_MAX: u32 = 18;

/// The URL at which the exchange describes a market.
pub(super) fn market_url(base: &str, market: &str) -> String {
    format!("{base}/0/public/AssetPairs?pair={}", pair(market))
}

/// The URL of the order book of a market.
pub(super) fn book_url(base: &str, market: &str) -> String {
    format!(
        "{base}/0/public/Depth?pair={}&count={LEVELS_MAX}",
        pair(market)
    )
}

#[derive(Deserialize)]
struct Pair {
    wsname: String,
    status: String,
    lot_decimals: u32,
    tick_size: String,
    ordermin: String,
    costmin: String,
    /// Traded volume in 30 days and the fee in percent from it on.
    fees: Vec<(Number, Number)>,
}

/// The terms of a market, with the fee of an account that has not traded yet: the highest.
///
/// # Errors
/// [`ExchangeError`], [`ExchangeError::MarketClosed`] for a market that takes no limit orders.
pub(super) fn parse_market(
    answer: &WebAnswer,
    (market, margin): (&str, u32),
) -> Result<MarketTerms, ExchangeError> {
    let (_, pair): (_, Pair) = single(parse_result(answer)?)?;
    let is_asked_for = pair.wsname == named(market).join("/");
    if !is_asked_for || pair.fees.len() > FEES_MAX || pair.lot_decimals > PLACES_MAX {
        return Err(ExchangeError::Malformed);
    }
    if pair.status != "online" {
        return Err(ExchangeError::MarketClosed);
    }
    let fees = pair.fees.iter().map(|(_, percent)| {
        let percent = positive_or_zero(&percent.to_string())?;
        let millionths = percent.to_units(PERCENT_SCALE);
        let millionths = millionths.map_err(|_| ExchangeError::Malformed)?;
        u32::try_from(millionths).map_err(|_| ExchangeError::Malformed)
    });
    let fees = fees.collect::<Result<Vec<u32>, _>>()?;
    let lot = Amount::from_units(1, pair.lot_decimals).map_err(|_| ExchangeError::Malformed)?;
    Ok(MarketTerms {
        margin,
        fee: fees.into_iter().max().ok_or(ExchangeError::Malformed)?,
        tick: positive(&pair.tick_size)?,
        lot,
        volume_min: positive_or_zero(&pair.ordermin)?,
        cost_min: positive_or_zero(&pair.costmin)?,
    })
}

#[derive(Deserialize)]
struct Depth {
    bids: Vec<(String, String, Number)>,
    asks: Vec<(String, String, Number)>,
}

/// The order book of a market.
///
/// # Errors
/// [`ExchangeError`], [`ExchangeError::Malformed`] for the book of another market.
pub(super) fn parse_book(answer: &WebAnswer, market: &str) -> Result<OrderBook, ExchangeError> {
    let (name, depth): (_, Depth) = single(parse_result(answer)?)?;
    if !is_name_of(&name, market) {
        return Err(ExchangeError::Malformed);
    }
    let read = |levels: Vec<(String, String, Number)>| {
        if levels.len() > LEVELS_MAX {
            return Err(ExchangeError::Malformed);
        }
        let levels = levels.iter().map(|(price, volume, _)| {
            Ok(Level {
                price: positive(price)?,
                volume: positive(volume)?,
            })
        });
        levels.collect::<Result<Vec<Level>, ExchangeError>>()
    };
    let book = OrderBook {
        bids: read(depth.bids)?,
        asks: read(depth.asks)?,
    };
    let falls = book.bids.is_sorted_by(|one, next| one.price > next.price);
    let rises = book.asks.is_sorted_by(|one, next| one.price < next.price);
    let crosses = match (book.bids.first(), book.asks.first()) {
        (Some(bid), Some(ask)) => bid.price >= ask.price,
        _ => false,
    };
    match falls && rises && !crosses {
        true => Ok(book),
        false => Err(ExchangeError::Malformed),
    }
}

/// The only entry of an answer, with its name.
fn single<T>(entries: BTreeMap<String, T>) -> Result<(String, T), ExchangeError> {
    let mut entries = entries.into_iter();
    match (entries.next(), entries.next()) {
        (Some(entry), None) => Ok(entry),
        _ => Err(ExchangeError::Malformed),
    }
}

/// Whether the exchange calls a market so. Old ones are answered by another name than they are asked for: `XBTUSD` as `XXBTZUSD`.
fn is_name_of(name: &str, market: &str) -> bool {
    let mut splits = name
        .char_indices()
        .filter_map(|(at, _)| name.split_at_checked(at));
    splits.any(|(first, second)| format!("{}/{}", symbol(first), symbol(second)) == market)
}

fn positive_or_zero(text: &str) -> Result<Amount, ExchangeError> {
    let amount: Amount = text.parse().map_err(|_| ExchangeError::Malformed)?;
    let amount = without_zeros(amount)?;
    match amount.is_negative() || amount.scale() > PLACES_MAX {
        true => Err(ExchangeError::Malformed),
        false => Ok(amount),
    }
}

fn positive(text: &str) -> Result<Amount, ExchangeError> {
    let amount = positive_or_zero(text)?;
    match amount.is_zero() {
        true => Err(ExchangeError::Malformed),
        false => Ok(amount),
    }
}
