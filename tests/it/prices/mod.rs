//! Prices: what sources answer, which price is used, what is stored, and what is refused without one.

mod booked;
mod chainlink;
mod chainlink_stored;
pub(crate) mod feed;
mod hostile;
mod listed;
mod overview;
mod recorded;
mod served;
mod stored;
mod test_networks;
mod used;

use settlekit_core::value::{Currency, Timestamp};
use settlekit_service::price_sources::{PriceError, PriceQuery, PriceSource, Quotes};

pub(crate) use served::{fetch, unused_files};

fn currency(symbol: &str) -> Currency {
    symbol.parse().expect("a symbol")
}

fn time(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}

/// The only query of a source for some currencies.
fn query(source: PriceSource, symbols: &[&str]) -> PriceQuery {
    let wanted: Vec<Currency> = symbols.iter().map(|symbol| currency(symbol)).collect();
    let mut queries = source.queries(source.base_url(), &wanted, false);
    assert_eq!(queries.len(), 1, "{queries:?}");
    queries.remove(0)
}

/// What a body says, answered with status 200 at a time.
fn read(
    (source, symbols): (PriceSource, &[&str]),
    body: &str,
    now: &str,
) -> Result<Quotes, PriceError> {
    source.read(&query(source, symbols), 200, body.as_bytes(), time(now))
}

/// The quotes as text: the currency with its price, or with what is wrong.
fn shown(quotes: &Quotes) -> Vec<String> {
    let lines = quotes.iter().map(|(currency, quoted)| match quoted {
        Ok(quoted) => match quoted.at {
            Some(at) => format!("{currency} {} at {at}", quoted.price),
            None => format!("{currency} {}", quoted.price),
        },
        Err(error) => format!("{currency}: {error}"),
    });
    lines.collect()
}
