//! The latest prices of each source, and the history of the used ones.

use settlekit_core::value::{Currency, Timestamp};

use super::columns::{self, columns};
#[cfg(not(target_family = "wasm"))]
use super::setting;
use super::sql::{Database, StoreError};

/// What a connected source says of a currency.
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
    /// From when it may be used: a jump is held back.
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

columns! { SourcePrice { source, price, priced_at, source_at, usable_at, traded, strays, max_age, spread } }

/// What each connected source says of a currency, by source.
pub(crate) fn of_currency(
    database: &mut dyn Database,
    currency: &Currency,
) -> Result<Vec<SourcePrice>, StoreError> {
    const OF: &str = "SELECT p.source, p.price, p.priced_at, p.source_at, p.usable_at, p.traded, p.strays, s.max_age, \
         CAST((SELECT value FROM settings WHERE name = 'price_spread') AS BIGINT) \
         FROM prices p JOIN price_sources s ON s.source = p.source WHERE p.currency = ?1 ORDER BY p.source";
    columns::all(&database.query(OF, &[currency.as_str().into()])?)
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
