//! The connected price sources with their state and their prices.

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::columns::{self, columns};
use super::hex;
use super::sql::{Database, StoreError};
use super::statement::{delete, insert, update};

/// A connected source.
#[derive(Debug, Clone)]
pub(crate) struct Connected {
    pub(crate) source: String,
    /// The base URL; empty for a source on a chain.
    pub(crate) url: String,
    /// The chain that the source is read on.
    pub(crate) chain: Option<ChainId>,
    /// The uptime feed of the chain's sequencer.
    pub(crate) sequencer: Option<Address>,
    /// The age from which its prices are not used, in microseconds.
    pub(crate) max_age: i64,
    /// When it is asked next.
    pub(crate) due_at: Timestamp,
    /// When it was asked last: only the answer to that counts.
    pub(crate) asked_at: Timestamp,
    /// Whether each currency has its own request, after an unknown pair failed the whole request.
    pub(crate) singly: bool,
    /// Failures since the last success.
    pub(crate) failures: u32,
    pub(crate) failing_since: Option<Timestamp>,
    /// The latest failure; beside a success, the failed part of it.
    pub(crate) last_error: Option<String>,
    pub(crate) succeeded_at: Option<Timestamp>,
    /// Until when the source asked for no requests.
    pub(crate) paused_until: Option<Timestamp>,
}

columns! { Connected {
    source, url, chain, sequencer, max_age, due_at, asked_at, singly, failures, failing_since, last_error, succeeded_at, paused_until
} }

macro_rules! source_columns {
    () => {
        "SELECT source, url, chain_id, sequencer, max_age, due_at, asked_at, singly, failures, failing_since, last_error, succeeded_at, \
         paused_until FROM price_sources"
    };
}

/// All connected sources.
pub(crate) fn all_sources(database: &mut dyn Database) -> Result<Vec<Connected>, StoreError> {
    const ALL: &str = concat!(source_columns!(), " ORDER BY source");
    columns::all(&database.query(ALL, &[])?)
}

/// A source, locked until the database transaction ends: of two servers one takes a request, or reports.
pub(crate) fn lock(
    database: &mut dyn Database,
    source: &str,
) -> Result<Option<Connected>, StoreError> {
    const LOCK: &str = concat!(source_columns!(), " WHERE source = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[source.into()])?)
}

/// Connects a source that is due at once, or reconnects it with another URL and age limit.
pub(crate) fn connect(
    database: &mut dyn Database,
    (source, url): (&str, &str),
    max_age: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    const CONNECT: &str = "INSERT INTO price_sources (source, url, max_age, due_at, created_at) VALUES (?1, ?2, ?3, ?4, ?4) \
         ON CONFLICT (source) DO UPDATE SET url = excluded.url, chain_id = NULL, sequencer = NULL, max_age = excluded.max_age, due_at = excluded.due_at, \
         asked_at = 0, singly = 0, failures = 0, failing_since = NULL, last_error = NULL, succeeded_at = NULL, \
         paused_until = NULL";
    let values = [source.into(), url.into(), max_age.into(), now.into()];
    database.execute(CONNECT, &values).map(drop)
}

/// Deletes the prices of a source.
pub(crate) fn forget_prices(database: &mut dyn Database, source: &str) -> Result<(), StoreError> {
    delete!(database, "prices" [source: source])
}

/// Sets the chain that a source is read on, and the uptime feed of its sequencer.
pub(crate) fn set_chain(
    database: &mut dyn Database,
    source: &str,
    (chain, sequencer): (ChainId, Option<Address>),
) -> Result<(), StoreError> {
    let sequencer = sequencer.map(hex);
    update!(database, "price_sources" [source: source] { chain_id: chain, sequencer: &sequencer })
}

/// A contract that gives the price of a currency.
#[derive(Debug, Clone)]
pub(crate) struct StoredFeed {
    pub(crate) currency: Currency,
    pub(crate) address: Address,
    pub(crate) decimals: u32,
    /// In seconds.
    pub(crate) heartbeat: u32,
}

columns! { StoredFeed { currency, address, decimals, heartbeat } }

/// All feeds, by currency.
pub(crate) fn feeds(database: &mut dyn Database) -> Result<Vec<StoredFeed>, StoreError> {
    const ALL: &str =
        "SELECT currency, address, decimals, heartbeat FROM price_feeds ORDER BY currency";
    columns::all(&database.query(ALL, &[])?)
}

/// Adds a feed.
pub(crate) fn insert_feed(
    database: &mut dyn Database,
    feed: &StoredFeed,
) -> Result<(), StoreError> {
    insert!(database, "price_feeds" {
        currency: feed.currency.as_str(),
        address: &hex(feed.address),
        decimals: i64::from(feed.decimals),
        heartbeat: i64::from(feed.heartbeat),
    })
}

/// Forgets all feeds.
pub(crate) fn forget_feeds(database: &mut dyn Database) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM price_feeds";
    database.execute(FORGET, &[]).map(drop)
}

/// Disconnects a source without prices.
pub(crate) fn disconnect(database: &mut dyn Database, source: &str) -> Result<(), StoreError> {
    delete!(database, "price_sources" [source: source])
}

/// Records that a source is being asked; it is asked again at a time unless it answers before.
pub(crate) fn set_asked(
    database: &mut dyn Database,
    source: &str,
    (asked_at, due_at): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    update!(database, "price_sources" [source: source] { asked_at: asked_at, due_at: due_at })
}

/// Records the state of a source.
pub(crate) fn set_state(database: &mut dyn Database, state: &Connected) -> Result<(), StoreError> {
    update!(database, "price_sources" [source: state.source.as_str()] {
        due_at: state.due_at,
        asked_at: state.asked_at,
        singly: state.singly,
        failures: state.failures,
        failing_since: state.failing_since,
        last_error: &state.last_error,
        succeeded_at: state.succeeded_at,
        paused_until: state.paused_until,
    })
}

/// The currencies that a source does not trade, by its word since a time.
pub(crate) fn not_traded_since(
    database: &mut dyn Database,
    source: &str,
    since: Timestamp,
) -> Result<Vec<String>, StoreError> {
    const FIND: &str =
        "SELECT currency FROM prices WHERE source = ?1 AND traded = 0 AND fetched_at > ?2";
    let rows = database.query(FIND, &[source.into(), since.into()])?;
    rows.iter()
        .map(|row| columns::get(row, 0))
        .collect::<Result<_, _>>()
}

/// Records that a source is asked for a currency: until it says otherwise, it trades it.
pub(crate) fn expect_price(
    database: &mut dyn Database,
    (source, currency): (&str, &Currency),
) -> Result<(), StoreError> {
    const EXPECT: &str = "INSERT INTO prices (currency, source, priced_at, fetched_at) VALUES (?1, ?2, 0, 0) \
         ON CONFLICT (currency, source) DO NOTHING";
    let values = [currency.as_str().into(), source.into()];
    database.execute(EXPECT, &values).map(drop)
}

/// A price of a source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewPrice {
    pub(crate) price: i128,
    pub(crate) priced_at: Timestamp,
    pub(crate) source_at: Option<Timestamp>,
    pub(crate) fetched_at: Timestamp,
    pub(crate) usable_at: Timestamp,
}

/// Records the latest price of a source.
pub(crate) fn set_price(
    database: &mut dyn Database,
    (source, currency): (&str, &Currency),
    new: &NewPrice,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO prices (currency, source, price, priced_at, source_at, fetched_at, usable_at, traded) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1) ON CONFLICT (currency, source) DO UPDATE SET price = excluded.price, \
         priced_at = excluded.priced_at, source_at = excluded.source_at, fetched_at = excluded.fetched_at, \
         usable_at = excluded.usable_at, traded = 1";
    let values = [
        currency.as_str().into(),
        source.into(),
        new.price.into(),
        new.priced_at.into(),
        new.source_at.into(),
        new.fetched_at.into(),
        new.usable_at.into(),
    ];
    database.execute(WRITE, &values).map(drop)
}

/// Records that a source does not trade a currency. Its last price stays: a later one is compared with it.
pub(crate) fn set_not_traded(
    database: &mut dyn Database,
    (source, currency): (&str, &Currency),
    now: Timestamp,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO prices (currency, source, priced_at, fetched_at, traded) VALUES (?1, ?2, 0, ?3, 0) \
         ON CONFLICT (currency, source) DO UPDATE SET fetched_at = excluded.fetched_at, traded = 0, strays = 0";
    let values = [currency.as_str().into(), source.into(), now.into()];
    database.execute(WRITE, &values).map(drop)
}

/// Records whether a source strays from the median of a currency.
pub(crate) fn set_strays(
    database: &mut dyn Database,
    (source, currency): (&str, &Currency),
    strays: bool,
) -> Result<(), StoreError> {
    update!(database, "prices" [currency: currency.as_str(), source: source] { strays: strays })
}

/// The currencies that a connected source quotes, or is asked for.
pub(crate) fn currencies(database: &mut dyn Database) -> Result<Vec<Currency>, StoreError> {
    const ALL: &str = "SELECT DISTINCT currency FROM prices WHERE traded = 1 ORDER BY currency";
    let rows = database.query(ALL, &[])?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}
