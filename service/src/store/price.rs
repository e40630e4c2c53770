//! The latest prices of each source, and the history of the used ones.

use std::collections::BTreeMap;

use settlekit_core::value::{Currency, Timestamp};

use super::columns::{self, columns};
use super::setting;
#[cfg(not(target_family = "wasm"))]
use super::sql::Row;
use super::sql::{Database, StoreError};

/// The price of a currency at a connected source.
#[derive(Debug, Clone)]
pub(crate) struct SourcePrice {
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "no source is asked in wasm")
    )]
    pub(crate) source: String,
    /// Units of 10^-12 US dollars; `None` before the first price.
    pub(crate) price: Option<i128>,
    /// The time that its age counts from.
    pub(crate) priced_at: Timestamp,
    /// The source's own time.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "no source is asked in wasm")
    )]
    pub(crate) source_at: Option<Timestamp>,
    /// When the source was asked for it.
    pub(crate) fetched_at: Timestamp,
    /// The time from which it may be used: after a jump it is held back.
    pub(crate) usable_at: Timestamp,
    /// Whether the source trades the currency.
    pub(crate) traded: bool,
    /// Whether it strays from the median.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "no source is asked in wasm")
    )]
    pub(crate) strays: bool,
    /// The age from which it is not used, in microseconds.
    pub(crate) max_age: i64,
    /// How far prices may differ, in hundredths of a percent; `None` for the default.
    pub(crate) spread: Option<u32>,
}

columns! { SourcePrice { source, price, priced_at, source_at, fetched_at, usable_at, traded, strays, max_age, spread } }

macro_rules! price_columns {
    () => {
        "p.source, p.price, p.priced_at, p.source_at, p.fetched_at, p.usable_at, p.traded, p.strays, s.max_age, \
         CAST((SELECT value FROM settings WHERE name = 'price_spread') AS BIGINT) \
         FROM prices p JOIN price_sources s ON s.source = p.source"
    };
}

/// The price of a currency at each connected source, by source.
pub(crate) fn of_currency(
    database: &mut dyn Database,
    currency: &Currency,
) -> Result<Vec<SourcePrice>, StoreError> {
    const OF: &str = concat!(
        "SELECT ",
        price_columns!(),
        " WHERE p.currency = ?1 ORDER BY p.source"
    );
    columns::all(&database.query(OF, &[currency.as_str().into()])?)
}

/// The price of one of the currencies that a source trades.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Quoted {
    pub(crate) currency: Currency,
    pub(crate) reported: SourcePrice,
}

#[cfg(not(target_family = "wasm"))]
impl columns::Columns for Quoted {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            currency: columns::get(row, first)?,
            reported: SourcePrice::read(row, first + 1)?,
        })
    }
}

/// The prices of all currencies that the connected sources trade, by currency and source.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<Quoted>, StoreError> {
    const ALL: &str = concat!(
        "SELECT p.currency, ",
        price_columns!(),
        " WHERE p.traded = 1 ORDER BY p.currency, p.source"
    );
    columns::all(&database.query(ALL, &[])?)
}

/// A price that was used, the last one of an hour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsedPrice {
    /// Hours since 1970.
    pub(crate) hour: i64,
    /// Units of 10^-12 US dollars.
    pub(crate) price: i128,
    /// When it was used last.
    pub(crate) used_at: Timestamp,
}

columns! { UsedPrice { hour, price, used_at } }

/// Records the price that is used now, over an earlier one of the hour; forgets the hours before another.
pub(crate) fn set_used(
    database: &mut dyn Database,
    currency: &Currency,
    used: &UsedPrice,
    kept_from: i64,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO price_history (currency, hour, price, used_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (currency, hour) DO UPDATE SET price = excluded.price, used_at = excluded.used_at";
    const FORGET: &str = "DELETE FROM price_history WHERE currency = ?1 AND hour < ?2";
    let currency = currency.as_str().into();
    let values = [
        currency,
        used.hour.into(),
        used.price.into(),
        used.used_at.into(),
    ];
    database.execute(WRITE, &values)?;
    database
        .execute(FORGET, &[currency, kept_from.into()])
        .map(drop)
}

/// The used price of each hour from one on, oldest first; hours without a price are missing.
pub(crate) fn history(
    database: &mut dyn Database,
    currency: &Currency,
    from: i64,
) -> Result<Vec<UsedPrice>, StoreError> {
    const FROM: &str = "SELECT hour, price, used_at FROM price_history WHERE currency = ?1 AND hour >= ?2 ORDER BY hour";
    columns::all(&database.query(FROM, &[currency.as_str().into(), from.into()])?)
}

/// The last used price of each UTC day from an hour on, oldest first; days without a price are missing.
pub(crate) fn last_of_days(
    database: &mut dyn Database,
    currency: &Currency,
    from: i64,
) -> Result<Vec<UsedPrice>, StoreError> {
    const LAST: &str = "SELECT hour, price, used_at FROM price_history WHERE currency = ?1 AND hour IN \
         (SELECT MAX(hour) FROM price_history WHERE currency = ?1 AND hour >= ?2 GROUP BY hour / 24) ORDER BY hour";
    columns::all(&database.query(LAST, &[currency.as_str().into(), from.into()])?)
}

/// The setting with the set prices of a sandbox. Their history is not searched for the last ones.
const SIMULATED: &str = "simulated prices";

/// The set prices of a sandbox, in millionths of a US dollar. A connection that may write keeps them.
pub(crate) fn simulated(
    database: &mut dyn Database,
    may_write: bool,
) -> Result<BTreeMap<Currency, i64>, StoreError> {
    let damaged = |_| StoreError::Damaged("the simulated prices are malformed".into());
    let stored = match may_write {
        true => setting::read_cached(database, SIMULATED)?,
        false => setting::read(database, SIMULATED)?,
    };
    match stored {
        Some(text) => serde_json::from_slice(text.as_bytes()).map_err(damaged),
        None => Ok(BTreeMap::new()),
    }
}

/// Stores the set prices of a sandbox.
pub(crate) fn set_simulated(
    database: &mut dyn Database,
    prices: &BTreeMap<Currency, i64>,
) -> Result<(), StoreError> {
    let text = serde_json::to_string(prices)
        .map_err(|error| StoreError::Broken(format!("prices cannot be written: {error}")))?;
    setting::write(database, SIMULATED, &text)
}

/// The last used price before an hour.
pub(crate) fn last_used(
    database: &mut dyn Database,
    currency: &Currency,
    before: i64,
) -> Result<Option<UsedPrice>, StoreError> {
    const LAST: &str = "SELECT hour, price, used_at FROM price_history WHERE currency = ?1 AND hour < ?2 ORDER BY hour DESC LIMIT 1";
    columns::first(&database.query(LAST, &[currency.as_str().into(), before.into()])?)
}

/// Whether a source is connected.
pub(crate) fn has_source(database: &mut dyn Database) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT source FROM price_sources LIMIT 1";
    Ok(!database.query(ANY, &[])?.is_empty())
}

/// Sets how far prices may differ.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn set_spread(database: &mut dyn Database, spread: u32) -> Result<(), StoreError> {
    setting::write(database, "price_spread", &spread.to_string())
}
