//! The European Central Bank's reference rates of the day: `GET /stats/eurofxref/eurofxref-daily.xml`, units per euro.

use std::collections::BTreeMap;
use std::time::Duration;

use roxmltree::{Document, Node, ParsingOptions};
use settlekit_core::value::{Currency, Timestamp};

use super::decimal::price;
use super::{FIAT, PriceError, PriceQuery, Quoted, Quotes};
use crate::money::price::Price;

/// The namespace of the rates.
const NAMESPACE: &str = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref";

/// The most nodes of a document: ten times those of a real one.
const NODES_MAX: u32 = 1_000;

/// The day of the rates may have begun in the east before it does in UTC.
const AHEAD_MAX: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn query(base: &str, currencies: Vec<Currency>) -> PriceQuery {
    PriceQuery {
        url: format!("{base}/stats/eurofxref/eurofxref-daily.xml"),
        body: None,
        currencies,
    }
}

/// Whether a node holds rates, a day or one rate.
fn is_cube(node: &Node<'_, '_>) -> bool {
    node.has_tag_name((NAMESPACE, "Cube"))
}

/// All rates of the day, of currencies that were not asked for too: an organisation may choose one later.
pub(super) fn read(
    currencies: &[Currency],
    body: &[u8],
    now: Timestamp,
) -> Result<Quotes, PriceError> {
    let text = std::str::from_utf8(body).map_err(|_| PriceError::Malformed)?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|_| PriceError::Malformed)?;
    let mut days = document
        .descendants()
        .filter(|node| is_cube(node) && node.has_attribute("time"));
    let day = days.next().ok_or(PriceError::Malformed)?;
    if days.next().is_some() {
        return Err(PriceError::OtherPair);
    }
    let date = day.attribute("time").unwrap_or_default();
    let midnight = format!("{date}T00:00:00Z").parse::<Timestamp>();
    let at = midnight.map_err(|_| PriceError::Malformed)?;
    if at.since(now) > AHEAD_MAX {
        return Err(PriceError::Outdated);
    }
    let mut rates = BTreeMap::new();
    for rate in day.children().filter(is_cube) {
        let (Some(symbol), Some(units)) = (rate.attribute("currency"), rate.attribute("rate"))
        else {
            return Err(PriceError::Malformed);
        };
        let currency: Currency = symbol.parse().map_err(|_| PriceError::Malformed)?;
        if rates.insert(currency, price(units)).is_some() || symbol == "EUR" {
            return Err(PriceError::OtherPair);
        }
    }
    let dollars = rates
        .iter()
        .find(|(currency, _)| currency.as_str() == "USD");
    let (_, dollars) = dollars.ok_or(PriceError::Empty)?;
    let euro = dollars.as_ref().copied().map_err(|error| *error)?;
    let known = FIAT.iter().filter_map(|symbol| symbol.parse().ok());
    let known = known.filter(|currency| is_quoted(currency, currencies, &rates));
    let quotes = known.map(|currency: Currency| {
        let price = match currency.as_str() {
            "EUR" => Ok(euro),
            _ => rates
                .get(&currency)
                .map_or(Err(PriceError::NotTraded), |rate| {
                    euro.divided_by((*rate)?).ok_or(PriceError::TooHigh)
                }),
        };
        let quoted = price.map(|price| Quoted {
            price,
            at: Some(at),
        });
        (currency, quoted)
    });
    Ok(quotes.collect())
}

/// Whether a currency is in the rates, or was asked for. The dollar needs no price.
fn is_quoted(
    currency: &Currency,
    asked: &[Currency],
    rates: &BTreeMap<Currency, Result<Price, PriceError>>,
) -> bool {
    currency.as_str() != "USD"
        && (currency.as_str() == "EUR" || rates.contains_key(currency) || asked.contains(currency))
}
