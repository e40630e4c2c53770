//! The operator's exchange accounts, and their balances.

use settlekit_core::value::{Amount, Timestamp};

use super::columns::{self, columns};
use super::read_state::{DUE_MAX, ReadState};
use super::sql::{Database, Row, StoreError};
use super::statement::{delete, insert, update};

/// An exchange account.
#[derive(Debug, Clone)]
pub(crate) struct Connected {
    pub(crate) name: String,
    pub(crate) url: String,
    /// Sealed.
    pub(crate) credentials: Vec<u8>,
    /// The nonce of the last request.
    pub(crate) nonce: u64,
    /// Whether orders may be sent.
    pub(crate) trading: bool,
    pub(crate) state: ReadState,
}

/// The columns before those of [`ReadState`].
const STATE: usize = 5;

impl columns::Columns for Connected {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            name: columns::get(row, first)?,
            url: columns::get(row, first + 1)?,
            credentials: columns::get(row, first + 2)?,
            nonce: columns::get(row, first + 3)?,
            trading: columns::get(row, first + 4)?,
            state: ReadState::read(row, first + STATE)?,
        })
    }
}

macro_rules! account_columns {
    () => {
        "SELECT name, url, credentials, nonce, trading, due_at, asked_at, failures, failing_since, last_error, succeeded_at \
         FROM exchange_accounts"
    };
}

/// All accounts, by name.
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<Connected>, StoreError> {
    const ALL: &str = concat!(account_columns!(), " ORDER BY name");
    columns::all(&database.query(ALL, &[])?)
}

/// Whether an account is due.
pub(crate) fn has_due(database: &mut dyn Database, now: Timestamp) -> Result<bool, StoreError> {
    const DUE: &str =
        "SELECT name FROM exchange_accounts WHERE due_at <= ?1 OR due_at > ?2 LIMIT 1";
    let latest = now.plus(DUE_MAX);
    Ok(!database
        .query(DUE, &[now.into(), latest.into()])?
        .is_empty())
}

/// How many accounts cannot be read.
pub(crate) fn failing(database: &mut dyn Database) -> Result<u64, StoreError> {
    const FAILING: &str = "SELECT COUNT(*) FROM exchange_accounts WHERE failures > 0";
    Ok(columns::value(&database.query(FAILING, &[])?)?.unwrap_or(0))
}

/// An account, locked until the database transaction ends: of two servers one asks, or reports.
pub(crate) fn lock(
    database: &mut dyn Database,
    name: &str,
) -> Result<Option<Connected>, StoreError> {
    const LOCK: &str = concat!(account_columns!(), " WHERE name = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[name.into()])?)
}

/// Connects an account, whose balances are due at once.
pub(crate) fn insert(
    database: &mut dyn Database,
    (name, url): (&str, &str),
    (credentials, nonce): (&[u8], u64),
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "exchange_accounts" {
        name: name,
        url: url,
        credentials: credentials,
        nonce: stored_nonce(nonce)?,
        due_at: now,
        created_at: now,
    })
}

/// Disconnects an account, with its balances.
pub(crate) fn delete(database: &mut dyn Database, name: &str) -> Result<(), StoreError> {
    delete!(database, "exchange_balances" [account: name])?;
    delete!(database, "exchange_accounts" [name: name])
}

fn stored_nonce(nonce: u64) -> Result<i64, StoreError> {
    i64::try_from(nonce).map_err(|_| StoreError::Broken("a nonce is too large".to_owned()))
}

pub(crate) fn set_nonce(
    database: &mut dyn Database,
    name: &str,
    nonce: u64,
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] { nonce: stored_nonce(nonce)? })
}

/// Switches trading on or off.
pub(crate) fn set_trading(
    database: &mut dyn Database,
    name: &str,
    trading: bool,
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] { trading: i64::from(trading) })
}

/// Records how reading the balances goes.
pub(crate) fn set_state(
    database: &mut dyn Database,
    name: &str,
    state: &ReadState,
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] {
        due_at: state.due_at,
        asked_at: state.asked_at,
        failures: state.failures,
        failing_since: state.failing_since,
        last_error: &state.last_error,
        succeeded_at: state.succeeded_at,
    })
}

/// A balance at an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeBalance {
    /// The usual symbol of the currency.
    pub currency: String,
    /// All of it.
    pub total: Amount,
    /// What open orders hold of it.
    pub reserved: Amount,
}

columns! { ExchangeBalance { currency, total, reserved } }

/// Replaces the balances of an account.
pub(crate) fn set_balances(
    database: &mut dyn Database,
    name: &str,
    balances: &[ExchangeBalance],
) -> Result<(), StoreError> {
    delete!(database, "exchange_balances" [account: name])?;
    for balance in balances {
        insert!(database, "exchange_balances" {
            account: name,
            currency: balance.currency.as_str(),
            total: &balance.total.to_string(),
            reserved: &balance.reserved.to_string(),
        })?;
    }
    Ok(())
}

/// The balances of an account, by currency.
pub(crate) fn balances(
    database: &mut dyn Database,
    name: &str,
) -> Result<Vec<ExchangeBalance>, StoreError> {
    const BALANCES: &str = "SELECT currency, total, reserved FROM exchange_balances WHERE account = ?1 ORDER BY currency";
    columns::all(&database.query(BALANCES, &[name.into()])?)
}
