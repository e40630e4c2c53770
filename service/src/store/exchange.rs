//! The operator's exchange accounts, and their balances.

use settlekit_core::value::{Amount, Timestamp};

use super::columns::{self, Columns, columns};
use super::poll_state::{DUE_MAX, LEASE, PollState};
use super::sql::{Database, Row, StoreError};
use super::statement::{delete, insert, update};

/// An exchange account.
#[derive(Debug, Clone)]
pub(crate) struct StoredAccount {
    pub(crate) name: String,
    pub(crate) url: String,
    /// Sealed.
    pub(crate) credentials: Vec<u8>,
    /// The nonce of the last request.
    pub(crate) nonce: u64,
    /// When the request under way was made.
    pub(crate) requested_at: Timestamp,
    /// No request is made before.
    pub(crate) paused_until: Timestamp,
    /// Whether orders and withdrawals may be sent.
    pub(crate) trading: bool,
    /// The nonce of the request whose balances are stored.
    pub(crate) balances_nonce: u64,
    /// The nonce of the last request when the last sent order ended.
    pub(crate) order_nonce: u64,
    /// How often the API key was replaced.
    pub(crate) key_changes: u64,
    pub(crate) state: PollState,
}

/// The columns before those of [`PollState`].
const STATE: usize = 10;

impl StoredAccount {
    /// Whether a request may be made. One that is not reported is under way until its lease ends: another one would have a higher
    /// nonce, and may overtake it.
    pub(crate) fn is_free(&self, now: Timestamp) -> bool {
        // The server that made it may have a clock that is ahead of this one's.
        let age = now
            .since(self.requested_at)
            .max(self.requested_at.since(now));
        let is_under_way = age < LEASE;
        // A time far ahead was set by a clock that was ahead.
        let is_paused = self.paused_until > now && self.paused_until.since(now) <= DUE_MAX;
        !is_under_way && !is_paused
    }

    /// Whether the stored balances show the outcome of every order that has ended.
    pub(crate) fn shows_ended_orders(&self) -> bool {
        self.balances_nonce > self.order_nonce
    }
}

impl Columns for StoredAccount {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            name: columns::get(row, first)?,
            url: columns::get(row, first + 1)?,
            credentials: columns::get(row, first + 2)?,
            nonce: columns::get(row, first + 3)?,
            requested_at: columns::get(row, first + 4)?,
            paused_until: columns::get(row, first + 5)?,
            trading: columns::get(row, first + 6)?,
            balances_nonce: columns::get(row, first + 7)?,
            order_nonce: columns::get(row, first + 8)?,
            key_changes: columns::get(row, first + 9)?,
            state: PollState::read(row, first + STATE)?,
        })
    }
}

macro_rules! account_columns {
    () => {
        "SELECT name, url, credentials, nonce, requested_at, paused_until, trading, balances_nonce, order_nonce, key_changes, due_at, \
         asked_at, failures, failing_since, last_error, succeeded_at FROM exchange_accounts"
    };
}

/// All accounts, by name.
pub(crate) fn all_accounts(database: &mut dyn Database) -> Result<Vec<StoredAccount>, StoreError> {
    const ALL: &str = concat!(account_columns!(), " ORDER BY name");
    columns::all(&database.query(ALL, &[])?)
}

/// Whether a request of an account is due: for its balances, or about an order or a withdrawal.
pub(crate) fn has_due(database: &mut dyn Database, now: Timestamp) -> Result<bool, StoreError> {
    const DUE: &str = "SELECT name FROM exchange_accounts \
         WHERE (requested_at <= ?3 OR requested_at >= ?4) AND (paused_until <= ?1 OR paused_until > ?2) \
         AND (due_at <= ?1 OR due_at > ?2 OR EXISTS (SELECT 1 FROM exchange_orders \
         WHERE status IN ('New', 'Sent') AND account = exchange_accounts.name \
         AND (exchange_orders.due_at <= ?1 OR exchange_orders.due_at > ?2)) \
         OR EXISTS (SELECT 1 FROM exchange_withdrawals WHERE status IN ('Queued', 'Sending', 'Unknown', 'Accepted') \
         AND account = exchange_accounts.name \
         AND (exchange_withdrawals.due_at <= ?1 OR exchange_withdrawals.due_at > ?2))) LIMIT 1";
    let values = [
        now.into(),
        now.plus(DUE_MAX).into(),
        now.minus(LEASE).into(),
        now.plus(LEASE).into(),
    ];
    Ok(!database.query(DUE, &values)?.is_empty())
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
) -> Result<Option<StoredAccount>, StoreError> {
    const LOCK: &str = concat!(account_columns!(), " WHERE name = ?1 FOR UPDATE");
    columns::first(&database.query(LOCK, &[name.into()])?)
}

/// Connects an account, whose balances are due at once.
pub(crate) fn insert(
    database: &mut dyn Database,
    (name, url): (&str, &str),
    (credentials, nonce, key_changes): (&[u8], u64, u64),
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "exchange_accounts" {
        name: name,
        url: url,
        credentials: credentials,
        nonce: stored_nonce(nonce)?,
        key_changes: stored_nonce(key_changes)?,
        due_at: now,
        created_at: now,
    })
}

/// Disconnects an account, with its balances.
pub(crate) fn delete(database: &mut dyn Database, name: &str) -> Result<(), StoreError> {
    delete!(database, "exchange_balances" [account: name])?;
    delete!(database, "exchange_accounts" [name: name])
}

/// The nonce of the last request of an account.
pub(crate) fn last_nonce(
    database: &mut dyn Database,
    name: &str,
) -> Result<Option<u64>, StoreError> {
    Ok(lock(database, name)?.map(|account| account.nonce))
}

fn stored_nonce(nonce: u64) -> Result<i64, StoreError> {
    i64::try_from(nonce).map_err(|_| StoreError::Broken("a nonce is too large".to_owned()))
}

/// Records requests that are sent now; `nonce` is that of the last one.
pub(crate) fn begin_request(
    database: &mut dyn Database,
    name: &str,
    nonce: u64,
    now: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] {
        nonce: stored_nonce(nonce)?,
        requested_at: now,
    })
}

/// Records that no request is under way, and that none is made before a time.
pub(crate) fn end_request(
    database: &mut dyn Database,
    name: &str,
    paused_until: Timestamp,
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] {
        requested_at: Timestamp::from_micros(0),
        paused_until: paused_until,
    })
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
    state: &PollState,
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
    /// The part held by open orders.
    pub reserved: Amount,
}

columns! { ExchangeBalance { currency, total, reserved } }

/// Records that a sent order of an account has ended: balances of a request before may not show its outcome.
pub(crate) fn record_ended_order(
    database: &mut dyn Database,
    name: &str,
) -> Result<(), StoreError> {
    const RECORD: &str = "UPDATE exchange_accounts SET order_nonce = nonce WHERE name = ?1";
    database.execute(RECORD, &[name.into()]).map(drop)
}

/// Replaces the balances of an account by those of the request with a nonce.
pub(crate) fn set_balances(
    database: &mut dyn Database,
    (name, nonce): (&str, u64),
    balances: &[ExchangeBalance],
) -> Result<(), StoreError> {
    update!(database, "exchange_accounts" [name: name] { balances_nonce: stored_nonce(nonce)? })?;
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

/// A balance with its account's state of reading.
#[derive(Debug)]
pub(crate) struct ReadBalance {
    pub(crate) balance: ExchangeBalance,
    /// When the balances were read last.
    pub(crate) read_at: Option<Timestamp>,
    /// The nonce of the request that read them.
    pub(crate) nonce: u64,
}

/// The balance of an account in a currency, as it was read last.
pub(crate) fn balance(
    database: &mut dyn Database,
    (name, currency): (&str, &str),
) -> Result<Option<ReadBalance>, StoreError> {
    const BALANCE: &str = "SELECT b.currency, b.total, b.reserved, a.succeeded_at, a.balances_nonce FROM exchange_balances b \
         JOIN exchange_accounts a ON a.name = b.account WHERE b.account = ?1 AND b.currency = ?2";
    let rows = database.query(BALANCE, &[name.into(), currency.into()])?;
    let read = |row: &Row| {
        Ok(ReadBalance {
            balance: ExchangeBalance::read(row, 0)?,
            read_at: columns::get(row, 3)?,
            nonce: columns::get(row, 4)?,
        })
    };
    rows.first().map(read).transpose()
}

/// The balances of an account, by currency.
pub(crate) fn balances(
    database: &mut dyn Database,
    name: &str,
) -> Result<Vec<ExchangeBalance>, StoreError> {
    const BALANCES: &str = "SELECT currency, total, reserved FROM exchange_balances WHERE account = ?1 ORDER BY currency";
    columns::all(&database.query(BALANCES, &[name.into()])?)
}
