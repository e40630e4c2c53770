//! Markets at exchange accounts, with their order books.

use serde::{Deserialize, Serialize};
use settlekit_core::value::{Amount, Timestamp};

use super::columns::{self, Columns, columns};
use super::poll_state::{DUE_MAX, PollState};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert_numbered, update};
use super::{read_record, write_record};

/// The terms of an exchange for a market, and the operator's margin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarketTerms {
    /// The operator's part, in millionths.
    pub(crate) margin: u32,
    /// The fee of an order that trades at once, in millionths.
    pub(crate) fee: u32,
    /// Prices are multiples of it, in the second currency.
    pub(crate) tick: Amount,
    /// Volumes are multiples of it, in the first currency.
    pub(crate) lot: Amount,
    /// The smallest volume, in the first currency.
    pub(crate) volume_min: Amount,
    /// The smallest cost, in the second currency.
    pub(crate) cost_min: Amount,
}

columns! { MarketTerms { margin, fee, tick, lot, volume_min, cost_min } }

/// An offer: a volume at a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Level {
    /// Of one of the first currency, in the second.
    pub(crate) price: Amount,
    /// Of the first currency.
    pub(crate) volume: Amount,
}

/// The best offers of a market, the best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrderBook {
    /// Those of buyers.
    pub(crate) bids: Vec<Level>,
    /// Those of sellers.
    pub(crate) asks: Vec<Level>,
}

/// A market at an exchange account.
#[derive(Debug, Clone)]
pub(crate) struct StoredMarket {
    /// Its number, of instruments.
    pub(crate) id: i64,
    pub(crate) account: String,
    /// Two symbols: `ETH/USDC`.
    pub(crate) market: String,
    pub(crate) terms: MarketTerms,
    /// The exchange's refusal of an order that contradicts the terms: there are no quotes until the market is added again.
    pub(crate) refusal: Option<String>,
    /// Of reading the order book.
    pub(crate) state: PollState,
}

/// The columns before those of [`PollState`].
const STATE: usize = 10;

/// The column after those of [`PollState`].
const BOOK: usize = 16;

impl Columns for StoredMarket {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            id: columns::get(row, first)?,
            account: columns::get(row, first + 1)?,
            market: columns::get(row, first + 2)?,
            terms: MarketTerms::read(row, first + 3)?,
            refusal: columns::get(row, first + 9)?,
            state: PollState::read(row, first + STATE)?,
        })
    }
}

macro_rules! market_columns {
    () => {
        "SELECT id, account, market, margin, fee, tick, lot, volume_min, cost_min, refusal, due_at, asked_at, failures, failing_since, \
         last_error, succeeded_at"
    };
}

/// All markets, by account and name.
pub(crate) fn all_markets(database: &mut dyn Database) -> Result<Vec<StoredMarket>, StoreError> {
    const ALL: &str = concat!(
        market_columns!(),
        " FROM exchange_markets ORDER BY account, market"
    );
    columns::all(&database.query(ALL, &[])?)
}

/// All markets with their order books as they were read last, by account and name.
pub(crate) fn all_with_books(
    database: &mut dyn Database,
) -> Result<Vec<(StoredMarket, Option<OrderBook>)>, StoreError> {
    const ALL: &str = concat!(
        market_columns!(),
        ", book FROM exchange_markets ORDER BY account, market"
    );
    let rows = database.query(ALL, &[])?;
    let read = |row: &Row| {
        let book: Option<String> = columns::get(row, BOOK)?;
        let book = book.map(|book| read_record(&book)).transpose()?;
        Ok((StoredMarket::read(row, 0)?, book))
    };
    rows.iter().map(read).collect()
}

/// A market by its account and name.
pub(crate) fn find(
    database: &mut dyn Database,
    (account, market): (&str, &str),
) -> Result<Option<StoredMarket>, StoreError> {
    const FIND: &str = concat!(
        market_columns!(),
        " FROM exchange_markets WHERE account = ?1 AND market = ?2"
    );
    columns::first(&database.query(FIND, &[account.into(), market.into()])?)
}

/// Whether an order book is to be read.
pub(crate) fn has_due(database: &mut dyn Database, now: Timestamp) -> Result<bool, StoreError> {
    const DUE: &str = "SELECT id FROM exchange_markets WHERE due_at <= ?1 OR due_at > ?2 LIMIT 1";
    let values = [now.into(), now.plus(DUE_MAX).into()];
    Ok(!database.query(DUE, &values)?.is_empty())
}

/// A market, locked until the database transaction ends: of two servers one reads its order book, or reports it.
pub(crate) fn lock(
    database: &mut dyn Database,
    id: i64,
) -> Result<Option<StoredMarket>, StoreError> {
    const LOCK: &str = concat!(
        market_columns!(),
        " FROM exchange_markets WHERE id = ?1 FOR UPDATE"
    );
    columns::first(&database.query(LOCK, &[id.into()])?)
}

/// Adds a market, whose order book is due at once.
pub(crate) fn insert(
    database: &mut dyn Database,
    (account, market): (&str, &str),
    terms: &MarketTerms,
    now: Timestamp,
) -> Result<i64, StoreError> {
    insert_numbered!(database, "exchange_markets" {
        account: account,
        market: market,
        margin: i64::from(terms.margin),
        fee: i64::from(terms.fee),
        tick: &terms.tick.to_string(),
        lot: &terms.lot.to_string(),
        volume_min: &terms.volume_min.to_string(),
        cost_min: &terms.cost_min.to_string(),
        due_at: now,
        created_at: now,
    })
}

/// Removes a market; false if there is none.
pub(crate) fn delete(
    database: &mut dyn Database,
    (account, market): (&str, &str),
) -> Result<bool, StoreError> {
    const DELETE: &str = "DELETE FROM exchange_markets WHERE account = ?1 AND market = ?2";
    Ok(database.execute(DELETE, &[account.into(), market.into()])? > 0)
}

/// Removes the markets of an account.
pub(crate) fn delete_all(database: &mut dyn Database, account: &str) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM exchange_markets WHERE account = ?1";
    database.execute(DELETE, &[account.into()]).map(drop)
}

/// Records an order book.
pub(crate) fn set_book(
    database: &mut dyn Database,
    id: i64,
    book: &OrderBook,
) -> Result<(), StoreError> {
    update!(database, "exchange_markets" [id: id] { book: &write_record(book)? })
}

/// Records that the exchange has refused an order that contradicts the terms of its market.
pub(crate) fn set_refusal(
    database: &mut dyn Database,
    id: i64,
    refusal: &str,
) -> Result<(), StoreError> {
    update!(database, "exchange_markets" [id: id] { refusal: refusal })
}

/// Replaces the terms of a market, which has quotes again.
pub(crate) fn set_terms(
    database: &mut dyn Database,
    id: i64,
    terms: &MarketTerms,
) -> Result<(), StoreError> {
    const NO_REFUSAL: Option<String> = None;
    update!(database, "exchange_markets" [id: id] {
        refusal: &NO_REFUSAL,
        margin: i64::from(terms.margin),
        fee: i64::from(terms.fee),
        tick: &terms.tick.to_string(),
        lot: &terms.lot.to_string(),
        volume_min: &terms.volume_min.to_string(),
        cost_min: &terms.cost_min.to_string(),
    })
}

/// Replaces the fee of a market.
pub(crate) fn set_fee(database: &mut dyn Database, id: i64, fee: u32) -> Result<(), StoreError> {
    update!(database, "exchange_markets" [id: id] { fee: i64::from(fee) })
}

/// Records how reading the order book goes.
pub(crate) fn set_state(
    database: &mut dyn Database,
    id: i64,
    state: &PollState,
) -> Result<(), StoreError> {
    update!(database, "exchange_markets" [id: id] {
        due_at: state.due_at,
        asked_at: state.asked_at,
        failures: state.failures,
        failing_since: state.failing_since,
        last_error: &state.last_error,
        succeeded_at: state.succeeded_at,
    })
}
